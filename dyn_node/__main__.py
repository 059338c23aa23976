"""`python -m dyn_node <command>`: the command-line tools, by name."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence

#: Each has a module with a `main(arguments) -> exit code`, imported when it is asked for.
COMMANDS = {
    "check": "look at a robot's URDF: tree, masses, limits, and whether to trust it",
    "workspace": "map where a frame of a robot can be brought, in how many orientations, and plot it",
    "warm": "compile ahead of the first call, which else takes minutes once a machine",
    "demo": "a simulated robot and the two ROS 2 nodes, and claims put to the test",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code, 2 for a command that does not exist."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in COMMANDS:
        return importlib.import_module(f"dyn_node.tools.{given[0]}").main(given[1:])
    asked = bool(given) and given[0] in ("-h", "--help")
    lines = ["usage: python -m dyn_node <command> ...", ""]
    lines += [f"  {name:11}{text}" for name, text in COMMANDS.items()]
    if given and not asked:
        lines.append(f"\nno command {given[0]!r}; there are: {', '.join(COMMANDS)}")
    print("\n".join(lines), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main())
