"""A call that is compared: one statement for each library, and what both must give.

Statements are the text that a user would write, run in a namespace that holds the library's names
and what `per_call.robot_pair` lays out: `model`, `data`, states, `frame`, `joint`, `LWA` and so on.
"""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Call:
    """A call in both libraries.

    Attributes:
        name: the same for both.
        ours, theirs: the timed statements, expressions unless `value` is given.
        before: statements that have to run first and are not timed (ours, theirs).
        value: expressions (ours, theirs) for what the statements left behind, where they return nothing; an
            empty one is the statement itself.
    """

    name: str
    ours: str
    theirs: str
    before: tuple[str, str] = ("", "")
    value: tuple[str, str] | None = None


def same(name: str, arguments: str, pin: str = "") -> Call:
    """A function that returns the same there."""
    return Call(name, f"{name}(model, data, {arguments})", f"{pin or name}(model, data, {arguments})")


def fields(name: str, arguments: str, pin: str, *names: str) -> Call:
    """A function whose results have names here and stand in the data there."""
    ours = f"{name}(model, data, {arguments})"
    value = f"(lambda r: [{', '.join('r.' + field for field in names)}])({ours})"
    theirs = f"[{', '.join('data.' + field for field in names)}]"
    return Call(name, ours, f"{pin}(model, data, {arguments})", value=(value, theirs))


def in_turn(name: str, arguments: str, *statements: str, result: str, own: str = "{}") -> Call:
    """A function whose numbers are in `result` there after some statements, here in `own` of what it is."""
    ours = f"{name}(model, data, {arguments})"
    return Call(name, ours, "; ".join(statements), value=(own.format(ours), result))


def of_model(name: str, arguments: str, pin: str = "") -> Call:
    """A function of the model alone."""
    return Call(name, f"{name}(model, {arguments})", f"{pin or name}(model, {arguments})")
