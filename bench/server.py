"""A process that answers joint_states: its topics, its start, and what it has cost so far."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from typing import Any

from dyn_node.tools.demo_processes import Children

#: Where a process's user and system time stand in /proc/<pid>/stat, after the name.
_USER, _SYSTEM = 11, 12


@dataclasses.dataclass(frozen=True)
class Server:
    """A node in a process of its own.

    Attributes:
        name: of the node; namespace: keeps its topics apart from the other's.
        module: what `python -m` runs; answer: its answer's topic, relative to the namespace.
        parameters: of the node.
    """

    name: str
    namespace: str
    module: str
    answer: str
    parameters: dict[str, Any] = dataclasses.field(default_factory=dict)

    @property
    def topics(self) -> tuple[str, str]:
        """Where it listens, and where it answers."""
        return f"{self.namespace}/joint_states", f"{self.namespace}/{self.answer}"

    def start(self, children: Children, core: int | None) -> int:
        """Start it, on one core where one is given; its process id."""
        file = children.folder / f"{self.name}.yaml"
        content = {f"{self.namespace}/{self.name}": {"ros__parameters": self.parameters}}
        file.write_text(json.dumps(content), encoding="utf-8")  # JSON is YAML
        remaps = ["-r", f"__ns:={self.namespace}"]
        remaps += ["--params-file", str(file)] if self.parameters else []
        children.start(self.name, [sys.executable, "-m", self.module, "--ros-args", *remaps])
        pid = children.pids()[self.name]
        if core is not None:
            os.sched_setaffinity(pid, {core})
        return pid


def processor_time(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / os.sysconf("SC_CLK_TCK")
