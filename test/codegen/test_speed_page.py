"""The page docs/speed.md: its example runs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

PAGE = (Path(__file__).parents[2] / "docs" / "speed.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    names: dict[str, object] = {}
    exec(compile(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL).group(1), "speed.md", "exec"), names)
    assert names["M"].shape == (10_000, 7, 7)
    assert np.allclose(
        names["tau"], names["M"][0] @ names["a"] + names["fast"].generalized_gravity(names["q"])
    )
