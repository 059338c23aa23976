"""What no file of the nodes may contain: calls that block a callback, handlers that swallow everything."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "dyn_node"
NODES = sorted((PACKAGE / "nodes").glob("*.py"))
#: These wait in an executor or on a thread of their own; `runner` and the demo's client are no callbacks.
BLOCKING = {
    "sleep", "spin", "spin_once", "spin_until_future_complete", "spin_once_until_future_complete",
    "wait_for_service", "wait_for_message", "wait_for_transform", "call", "join", "input", "check_output",
}  # fmt: skip
OWN_THREAD = {"runner.py", "demo_client.py", "demo_robot.py", "ending.py"}


def calls(tree: ast.AST) -> list[tuple[int, str]]:
    """Line and name of each call of something.name(...) or name(...)."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Attribute):
                # ", ".join(...) is no thread's.
                text = isinstance(function.value, (ast.Constant, ast.JoinedStr))
                found += [] if text else [(node.lineno, function.attr)]
            elif isinstance(function, ast.Name):
                found.append((node.lineno, function.id))
    return found


@pytest.mark.parametrize("file", [f for f in NODES if f.name not in OWN_THREAD], ids=lambda f: f.name)
def test_no_callback_can_block(file: Path) -> None:
    blocking = [(line, name) for line, name in calls(ast.parse(file.read_text("utf-8"))) if name in BLOCKING]
    # separator.join of a variable would be found too: write the separator where it is used.
    assert blocking == []


def test_a_blocking_call_would_be_found() -> None:
    assert calls(ast.parse("def f(self):\n    rclpy.spin_once(self)")) == [(2, "spin_once")]


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda f: str(f.relative_to(PACKAGE)))
def test_nothing_swallows_every_exception(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"{file}:{node.lineno}: a bare except"
            caught = ast.unparse(node.type)
            silent = all(isinstance(statement, ast.Pass) for statement in node.body)
            assert not (silent and caught in ("Exception", "BaseException")), f"{file}:{node.lineno}"
