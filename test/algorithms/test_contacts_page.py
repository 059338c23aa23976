"""The page docs/contacts.md: its example runs, and the names in it are there."""

from __future__ import annotations

import re
from pathlib import Path

import dyn_node

PAGE = (Path(__file__).parents[2] / "docs" / "contacts.md").read_text(encoding="utf-8")


def test_the_example_runs() -> None:
    names: dict[str, object] = {}
    exec(compile(re.search(r"```python\n(.*?)```", PAGE, re.DOTALL).group(1), "contacts.md", "exec"), names)
    assert names["held"].unsupported < 1e-6
    assert names["moved"].rank == 12


def test_the_table_names_what_there_is() -> None:
    library = PAGE.partition("\n## Nodes")[0]
    table = [line for line in library.splitlines() if line.startswith("|")]
    named = re.findall(r"`(\w+)[`(]", "\n".join(table))
    assert len(named) > 10
    assert [name for name in named if not hasattr(dyn_node, name)] == []
