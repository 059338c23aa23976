"""Log lines that are said once, or every few seconds."""

from __future__ import annotations

import pytest

from dyn_node.nodes import notices
from dyn_node.nodes.notices import Notices


class Log:
    """A logger that keeps what it is told."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def warning(self, text: str) -> None:
        self.lines.append(text)


def test_every_five_seconds_and_no_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    log, now = Log(), [100.0]
    monkeypatch.setattr(notices.time, "monotonic", lambda: now[0])
    said = Notices(log)
    for second in range(21):
        now[0] = 100.0 + second
        said.every("model", f"no robot yet {second}")
        said.every("clock", f"no clock {second}")
    assert log.lines == [
        f"{what} {second}" for second in (0, 5, 10, 15, 20) for what in ("no robot yet", "no clock")
    ]


def test_once_is_once_and_hostile_names_do_not_fill_the_memory() -> None:
    log = Log()
    said = Notices(log)
    for k in range(1000):
        said(f"extra {k % 500}", f"extra {k}")
        said.every(f"extra {k % 500}", f"extra {k}")
    assert len(log.lines) == 2 * 200
