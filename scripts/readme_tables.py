#!/usr/bin/env python3
"""Write the parameter tables of README.md from the nodes' own declarations.

python scripts/readme_tables.py            rewrites the tables
python scripts/readme_tables.py --check    exits 1 if they are not what the code says
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dyn_node.nodes.settings import DynamicsSettings, Settings, SolverSettings, specs  # noqa: E402
from dyn_node.nodes.spec import Spec  # noqa: E402

README = ROOT / "README.md"
BEGIN, END = "<!-- parameters: begin -->", "<!-- parameters: end -->"


def row(spec: Spec) -> str:
    """One parameter as a row of the table."""
    default = list(spec.default) if isinstance(spec.default, tuple) else spec.default
    shown = '""' if default == "" else str(default).lower() if isinstance(default, bool) else str(default)
    note = f" Allowed: {spec.allowed}." if spec.allowed else ""
    live = " Live." if spec.live else ""
    meaning = spec.description.replace("<", "&lt;").replace("|", "\\|")
    return f"| `{spec.name}` | {spec.kind} | `{shown}` | {meaning}{note}{live} |"


def table(kind: type[Settings], leave_out: set[str]) -> list[str]:
    """The parameters of a settings class that are not in `leave_out`."""
    rows = [row(spec) for spec in specs(kind) if spec.name not in leave_out]
    return ["| parameter | type | default | meaning |", "|---|---|---|---|", *rows]


def section() -> str:
    """The three tables, headings included."""
    shared = {spec.name for spec in specs(Settings)}
    lines = ["**Both nodes**", "", *table(Settings, set())]
    lines += ["", "**`dynamics`**", "", *table(DynamicsSettings, shared)]
    lines += ["", "**`solver`**", "", *table(SolverSettings, shared)]
    return "\n".join(lines)


def main() -> int:
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    wanted = f"{before}{BEGIN}\n{section()}\n{END}{after}"
    if "--check" in sys.argv[1:]:
        if wanted != text:
            print("README.md: the parameter tables are not what the code says; run scripts/readme_tables.py")
        return int(wanted != text)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
