"""No child of the demo outlives it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from dyn_node.tools.demo_processes import (
    ChildDiedError,
    Children,
    InterruptedDemoError,
    signals_as_exceptions,
)

DEADLINE = 30.0
SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
# Does nothing on the first two signals, and says when it is ready to ignore them.
STUBBORN = [
    sys.executable,
    "-c",
    textwrap.dedent("""
    import signal, time
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    print("deaf", flush=True)
    time.sleep(600)"""),
]


def _wait(what, condition) -> None:
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, f"waited {DEADLINE} s for {what}"
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_children_end_with_the_block():
    with Children(os.environ) as children:
        children.start("sleeper", SLEEPER)
        pid = children.pids()["sleeper"]
        children.check()
        assert _alive(pid)
    assert not _alive(pid)
    assert children.exit_codes == {"sleeper": -signal.SIGINT}
    assert not children.folder.exists()


def test_a_child_that_ignores_signals_is_killed(monkeypatch):
    monkeypatch.setattr("dyn_node.tools.demo_processes.PATIENCE", (0.2, 0.2))
    with Children(os.environ) as children:
        children.start("stubborn", STUBBORN)
        pid = children.pids()["stubborn"]
        _wait("the child", lambda: "deaf" in children.tail("stubborn"))
    assert not _alive(pid)
    assert children.exit_codes == {"stubborn": -signal.SIGKILL}


def test_a_child_that_dies_is_reported_with_its_last_words():
    with Children(os.environ) as children:
        children.start("mortal", [sys.executable, "-c", "print('no such frame'); raise SystemExit(3)"])
        with pytest.raises(ChildDiedError, match=r"(?s)mortal ended with exit code 3.*no such frame"):
            _wait("the check", lambda: children.check())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_unwind(number):
    before = signal.getsignal(number)

    def be_signalled() -> None:
        with signals_as_exceptions():
            os.kill(os.getpid(), number)
            time.sleep(DEADLINE)

    with pytest.raises(InterruptedDemoError) as caught:
        be_signalled()
    assert caught.value.number == number
    assert signal.getsignal(number) is before


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_children_end_when_the_parent_is_killed():
    script = textwrap.dedent("""
        import os, sys, time
        from dyn_node.tools.demo_processes import Children
        with Children(os.environ) as children:
            children.start("sleeper", [sys.executable, "-c", "import time; time.sleep(600)"])
            print(children.pids()["sleeper"], flush=True)
            time.sleep(600)""")
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    assert _alive(pid)
    parent.kill()
    parent.wait()
    parent.stdout.close()
    _wait("the orphan to end", lambda: not _alive(pid))
