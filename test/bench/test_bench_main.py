"""The command line: what is written, and what happens when something is not installed."""

from __future__ import annotations

import importlib
import json
import sys

import pytest

from bench import machine, plot
from bench.__main__ import main
from bench.peers import MissingPeerError, need
from bench.results import Report, row_of


@pytest.fixture
def fake_parts(monkeypatch):
    """Parts that measure nothing: per_call gives two rows, node has no ROS, startup breaks."""
    rows = [row_of(("per_call", robot, "rnea"), "pin", ([1e-6], [2e-6])) for robot in ("ur5", "panda")]

    def fail(error):
        def run(options):
            raise error
            yield

        return run

    parts = {
        "per_call": lambda options: iter(rows),
        "node": fail(MissingPeerError("rclpy cannot be imported: pip install it")),
        "startup": fail(RuntimeError("broken")),
        "numpy_loop": fail(MissingPeerError("no peer")),
    }
    for part, run in parts.items():
        monkeypatch.setattr(importlib.import_module(f"bench.{part}"), "run", run)


def test_files_are_written_and_the_table_printed(fake_parts, tmp_path, capsys):
    files = tmp_path / "new" / "a.json", tmp_path / "a.png"
    assert main(["--parts", "per_call", "--json", str(files[0]), "--plot", str(files[1])]) == 0
    written = json.loads(files[0].read_text())
    assert [(row["name"], row["ratio"]) for row in written["rows"]] == [("rnea", 0.5)] * 2
    assert {"date", "processor", "numpy"} <= set(written["machine"])
    assert files[1].read_bytes().startswith(b"\x89PNG")
    assert "0.50" in capsys.readouterr().out


def test_parts_that_cannot_run_do_not_stop_the_others(fake_parts, tmp_path, capsys):
    file = tmp_path / "a.json"
    assert main(["--parts", "node,startup,per_call", "--json", str(file), "--plot", "none"]) == 1
    written = json.loads(file.read_text())
    assert len(written["rows"]) == 2
    assert written["failures"] == {
        "node": "rclpy cannot be imported: pip install it",
        "startup": "RuntimeError: broken",
    }
    assert "node: not measured" in capsys.readouterr().out


def test_an_optional_part_without_its_peer_is_no_failure(fake_parts, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("bench.__main__.OPTIONAL", ("numpy_loop",))
    file = tmp_path / "a.json"
    assert main(["--parts", "numpy_loop,per_call", "--json", str(file), "--plot", "none"]) == 0
    written = json.loads(file.read_text())
    assert (written["failures"], written["left_out"]) == ({}, {"numpy_loop": "no peer"})
    assert "numpy_loop: left out: no peer" in capsys.readouterr().out


def test_a_missing_peer_is_named_with_its_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pinocchio", None)
    with pytest.raises(MissingPeerError, match=r"pip install pin$"):
        need("pinocchio")


def test_without_matplotlib_there_is_no_picture(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingPeerError, match="pip install matplotlib"):
        plot.write(Report(machine.describe()), tmp_path / "a.png")


@pytest.mark.parametrize("arguments", [["--parts", "nonsense"], ["--robots", "r2d2"], ["--parts", ""]])
def test_unknown_names_are_refused_with_the_known_ones(arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert "expected some of" in capsys.readouterr().err


def test_a_process_is_pinned_and_let_go():
    before = machine.cores()
    if not before:
        pytest.skip("this system does not bind processes to cores")
    with machine.pinned() as core:
        assert machine.cores() == [core]
    assert machine.cores() == before
