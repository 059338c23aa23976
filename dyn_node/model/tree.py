"""A model as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .joint import Joint
from .joint_kinds import KINDS, Array

if TYPE_CHECKING:
    from .model import Model

_AXES = {(1.0, 0.0, 0.0): "x", (0.0, 1.0, 0.0): "y", (0.0, 0.0, 1.0): "z"}


def format_tree(model: Model) -> str:
    """The joints of a model as an indented tree, with type, axis, limits and moved mass."""
    lines = [
        f"{model.name}: {model.njoints - 1} joints, nq {model.nq}, nv {model.nv}, "
        f"{model.nframes} frames, {model.total_mass:.4g} kg"
    ]
    children: list[list[Joint]] = [[] for _ in model.joints]
    for joint in model.joints[1:]:
        children[joint.parent].append(joint)
    # A list of its own instead of recursion: a chain may be longer than Python's stack is deep.
    stack: list[tuple[Joint, str, str]] = [(model.joints[0], "", "")]
    while stack:
        joint, lead, indent = stack.pop()
        lines.append(lead + _describe(joint, model.inertias[joint.index].mass))
        below = children[joint.index]
        for child in reversed(below):
            is_last = child is below[-1]
            stack.append(
                (child, indent + ("`- " if is_last else "|- "), indent + ("   " if is_last else "|  "))
            )
    return "\n".join(lines)


def _describe(joint: Joint, mass: float) -> str:
    if joint.index == 0:
        return f"universe  {mass:.4g} kg" if mass else "universe"
    words = [f"{joint.name} ({joint.index})", joint.kind]
    if joint.kind in ("universal", "composite"):
        words.append(
            " ".join(f"{p.kind} {_axis(p.axis)}" if KINDS[p.kind].axes else p.kind for p in joint.parts)
        )
    elif KINDS[joint.kind].axes:
        words.append(_axis(joint.axis))
    if len(joint.lower) == 1 and np.isfinite([joint.lower[0], joint.upper[0]]).any():
        unit = "m" if joint.kind == "prismatic" else "rad"
        words.append(f"[{joint.lower[0]:.4g}, {joint.upper[0]:.4g}] {unit}")
    if joint.mimic is not None:
        words.append(f"= {joint.mimic.multiplier:g} * {joint.mimic.joint} + {joint.mimic.offset:g}")
    words.append(f"{mass:.4g} kg")
    return "  ".join(words)


def _axis(axis: Array) -> str:
    exact = tuple(float(x) for x in axis)
    if exact in _AXES:
        return _AXES[exact]
    opposite = tuple(float(-x) + 0.0 for x in axis)
    if opposite in _AXES:
        return "-" + _AXES[opposite]
    return "(" + " ".join(f"{x:.4g}" for x in axis) + ")"
