"""What the README says, held against the code: parameters, services, files and names that it mentions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import dyn_node

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_parameter_tables_are_those_of_the_code() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "readme_tables.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_library_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = re.search(r"## As a library\n+```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    (tmp_path / "robot.urdf").write_text(dyn_node.robots.path("ur5e").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(compile(code.group(1), "README.md", "exec"), names)
    assert names["answer"].success, names["answer"].message
    assert abs(names["a"]).max() < 1e-9, "the gravity torques of the example do not hold the arm"


def test_tests_that_are_named_exist() -> None:
    named = set(re.findall(r"`(test_\w+\.py)`", README))
    assert named
    for name in named:
        assert list((ROOT / "test").rglob(name)), name


def test_services_are_the_interfaces() -> None:
    for name in re.findall(r"dyn_node_msgs/(\w+)", README):
        found = name in ("srv", "msg") or list((ROOT / "msg").glob(f"*/{name}.*"))
        assert found, f"README names dyn_node_msgs/{name}"


def test_codes_are_the_interfaces() -> None:
    declared = dict(
        re.findall(r"^int32 (\w+) = (-?\d+)", (ROOT / "msg/msg/ResultCode.msg").read_text(), re.M)
    )
    assert {name: code for code, name in re.findall(r"^\| (-?\d+) ([A-Z_]+) \|", README, re.M)} == declared


def test_functions_that_are_named_exist() -> None:
    section = README.split("## As a library")[1].split("## Conventions")[0]
    rows = re.findall(r"^\| [^|]+ \| (`.*) \|$", section, re.MULTILINE)
    named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert len(named) > 40
    assert [name for name in sorted(named) if not hasattr(dyn_node, name)] == []
