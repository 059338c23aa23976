"""A joint from what a user gave for it, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import ModelError
from ..spatial import SE3
from .joint import Joint, Mimic, SubJoint
from .joint_kinds import KINDS, Array

#: What a user gives for the coordinates of a joint: one number for all, or one each.
Values = float | Sequence[float] | Array | None

_ZYX = tuple(SubJoint("revolute", axis=axis) for axis in np.eye(3)[::-1])
_NONE = np.zeros(3)


def make_joint(
    name: str,
    index: int,
    parent: int,
    placement: SE3,
    shape: SubJoint,
    mimic: Mimic | None,
    arrays: Mapping[str, Values],
) -> Joint:
    """A joint from checked parameters, ModelError otherwise.

    Args:
        shape: kind, axes, pitch and parts; its own placement is not used.
        arrays: by attribute of Joint, limits and coefficients.
    """
    what = f"joint {name!r}"
    parts = tuple(_elements(shape, what))
    first = parts[0]
    nq, nv = (sum(getattr(KINDS[part.kind], size) for part in parts) for size in ("nq", "nv"))
    sizes_and_defaults = {"lower": (nq, -np.inf), "upper": (nq, np.inf)}
    sizes_and_defaults.update(dict.fromkeys(("velocity_limit", "effort_limit"), (nv, np.inf)))
    sizes_and_defaults.update(dict.fromkeys(("damping", "friction", "armature"), (nv, 0.0)))
    values = {
        key: _per_coordinate(arrays.get(key), size, default, f"{what}, {key.replace('_', ' ')}")
        for key, (size, default) in sizes_and_defaults.items()
    }
    crossed = np.flatnonzero(values["lower"] > values["upper"])
    if crossed.size:
        low, high = values["lower"][crossed[0]], values["upper"][crossed[0]]
        message = f"{what}: lower limit {low:g} is above upper limit {high:g}"
        raise ModelError(message, (low, high), "lower <= upper")
    chain = KINDS[shape.kind].code is None
    return Joint(
        name,
        index,
        shape.kind,
        parent,
        0,
        0,
        placement,
        _NONE if chain else first.axis,
        0.0 if chain else first.pitch,
        mimic=mimic,
        parts=parts if chain else (),
        **values,
    )


def _elements(shape: SubJoint, what: str) -> Iterable[SubJoint]:
    """The elementary joints of a joint of any type, each placed in the one before it."""
    kind = KINDS.get(shape.kind)
    if kind is None or kind.name == "universe":
        allowed = tuple(key for key in KINDS if key != "universe")
        message = f"{what}: unknown type {shape.kind!r}; known: {', '.join(allowed)}"
        raise ModelError(message, shape.kind, allowed)
    if not np.isfinite(shape.pitch):
        raise ModelError(f"{what}: pitch {shape.pitch} is not finite", shape.pitch, "a finite number")
    if kind.name == "composite":
        parts = _composite(shape, what)
    elif kind.name == "spherical_zyx":
        parts = list(_ZYX)
    elif kind.name == "universal":
        axes = (_unit_axis(axis, kind.name, what) for axis in (shape.axis, shape.axis2))
        parts = [SubJoint("revolute", axis=axis) for axis in axes]
    else:
        axis = _unit_axis(shape.axis, kind.name, what) if kind.axes else _NONE
        parts = [SubJoint(kind.name, axis=axis, pitch=float(shape.pitch))]
    return parts


def _composite(shape: SubJoint, what: str) -> list[SubJoint]:
    if not shape.parts:
        message = f"{what}: a composite joint needs parts, each a SubJoint"
        raise ModelError(message, shape.parts, "at least one SubJoint")
    found = []
    for number, part in enumerate(shape.parts, 1):
        if not isinstance(part, SubJoint):
            raise ModelError(f"{what}, part {number}: expected a SubJoint, given {part!r}", part, "SubJoint")
        first, *others = _elements(part, f"{what}, part {number}")
        found += [replace(first, placement=part.placement * first.placement), *others]
    return found


def _per_coordinate(value: Values, size: int, default: float, what: str) -> Array:
    """`value` as `size` numbers, one number repeated, `default` for None; NaN and wrong sizes are refused."""
    if value is None:
        return np.full(size, default)
    array = np.array(value, dtype=np.float64)
    if array.ndim == 0:
        array = np.full(size, float(array))
    if array.shape != (size,):
        raise ModelError(f"{what}: expected one number or {size}, given shape {array.shape}", value, size)
    if np.isnan(array).any():
        raise ModelError(f"{what}: not a number in {array.tolist()}", value, "numbers")
    return array


def _unit_axis(axis: Array, kind: str, what: str) -> Array:
    """The axis as a unit vector (3,); ModelError if it has no direction."""
    if axis.shape != (3,) or not np.isfinite(axis).all():
        message = f"{what}: axis has to be three finite numbers, given {axis.tolist()}"
        raise ModelError(message, axis, "three finite numbers")
    largest = np.abs(axis).max()
    if largest == 0.0:
        needs = "two axes, each with a direction" if KINDS[kind].axes == 2 else "an axis with a direction"
        raise ModelError(f"{what}: axis is zero, a {kind} joint needs {needs}", axis, "a direction")
    # Scaled first: the square of a tiny entry would underflow.
    vector = axis / largest
    return vector / np.sqrt(vector @ vector)
