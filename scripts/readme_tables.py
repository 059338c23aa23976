#!/usr/bin/env python3
"""Write the tables of README.md: parameters from the nodes' own declarations, costs from a benchmark run.

python scripts/readme_tables.py                      rewrites the parameter tables
python scripts/readme_tables.py --check              exits 1 if they are not what the code says
python scripts/readme_tables.py --bench RUN.json     rewrites the costs, here and in docs/speed.md, from
                                                     `python -m bench --json RUN.json`
python scripts/readme_tables.py --ik RUN.json        rewrites the table of inverse kinematics, which
                                                     docs/inverse_kinematics.md points to, from
                                                     `python -m bench.ik --json RUN.json`
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import bench_tables  # noqa: E402

from dyn_node.nodes.dynamics_settings import DynamicsSettings  # noqa: E402
from dyn_node.nodes.settings import Settings, specs  # noqa: E402
from dyn_node.nodes.solver_settings import SolverSettings  # noqa: E402
from dyn_node.nodes.spec import Spec  # noqa: E402

README, SPEED = ROOT / "README.md", ROOT / "docs" / "speed.md"
IK_PAGE = ROOT / "docs" / "inverse_kinematics.md"
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


def between(text: str, begin: str, end: str, content: str) -> str:
    """The text with new content between two marks."""
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{content}\n{end}{after}"


def solver_cell(row: dict[str, Any] | None) -> str:
    """One solver on one arm."""
    if row is None:
        return "-"
    times = " / ".join(f"{row[key]:.0f}" for key in ("median_us", "mean_us", "p99_us"))
    away = "-" if row["distance"] is None else f"{row['distance']:.2f}"
    wrong = f"; {row['wrong']} wrong" if row["wrong"] else ""
    return f"{row['solved_percent']:.2f} %; {times}; {away}{wrong}"


def solvers(run: dict[str, Any]) -> str:
    """What a run of the benchmark of inverse kinematics measured: a line an arm, a column a solver."""
    rows, machine = run["rows"], run["machine"]
    there = {key: value for key, value in machine.items() if key != "date" and value != "not installed"}
    facts = ", ".join(f"{key} {value}" for key, value in there.items())
    names = list(dict.fromkeys(row["solver"] for row in rows))
    asked = {name: max(row["asked"] for row in rows if row["solver"] == name) for name in names}
    lines = [
        f"`make bench-ik`, {machine['date'][:10]}; {facts}. "
        f"Limit {1e3 * run['limit']:g} ms of wall time a pose. "
        "Each cell: solved; median / mean / 99th percentile of the wall time in us; mean distance of the "
        "solutions from the seed in rad. "
        f"Poses an arm and seed: {', '.join(f'{name} {count}' for name, count in asked.items())}.",
        "",
        f"| arm | seed | {' | '.join(names)} |",
        "|---" * (len(names) + 2) + "|",
    ]
    for robot, seed in dict.fromkeys((row["robot"], row["seed"]) for row in rows):
        own = {row["solver"]: row for row in rows if (row["robot"], row["seed"]) == (robot, seed)}
        lines.append(f"| {robot} | {seed} | {' | '.join(solver_cell(own.get(name)) for name in names)} |")
    return "\n".join(lines)


def from_run(part: str) -> dict[str, Any]:
    """The run whose file follows `--<part>`."""
    file = Path(sys.argv[sys.argv.index(f"--{part}") + 1])
    return json.loads(file.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def put(page: Path, part: str, content: str) -> None:
    """Rewrite what a page says of a run."""
    text = page.read_text(encoding="utf-8")
    page.write_text(
        between(text, f"<!-- {part}: begin -->", f"<!-- {part}: end -->", content), encoding="utf-8"
    )


def main() -> int:
    if "--bench" in sys.argv[1:]:
        run = from_run("bench")
        put(README, "bench", bench_tables.summary(run))
        put(SPEED, "bench", bench_tables.everything(run))
        return 0
    if "--ik" in sys.argv[1:]:
        put(README, "ik", solvers(from_run("ik")))
        where = "The table of the last run on an idle machine is in the [README](../README.md#what-it-costs)."
        put(IK_PAGE, "ik", where)
        return 0
    text = README.read_text(encoding="utf-8")
    wanted = between(text, BEGIN, END, section())
    if "--check" in sys.argv[1:]:
        if wanted != text:
            print("README.md: the parameter tables are not what the code says; run scripts/readme_tables.py")
        return int(wanted != text)
    README.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
