"""The StdVec types: lists that answer to Pinocchio's extra methods."""

from __future__ import annotations

from typing import Any

from .values import Value


class StdVec(list):
    """A list."""

    def tolist(self, deep_copy: bool = False) -> list[Any]:
        """A plain list of the same elements, or of copies."""
        return [_copied(x) for x in self] if deep_copy else list(self)

    def copy(self) -> StdVec:
        """A list of copies of the elements."""
        return type(self)(_copied(x) for x in self)

    def reserve(self, count: int) -> None:
        """Nothing to do here."""


class Owned(StdVec):
    """The values of a model or a data: assigning to one writes into its memory."""

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            for own, new in zip(self[index], value, strict=True):
                own.assign(new)
        else:
            self[index].assign(value)

    def copy(self) -> StdVec:
        """A plain list of copies of the elements."""
        return StdVec(_copied(x) for x in self)


def _copied(x: Any) -> Any:
    return x.copy() if isinstance(x, Value) or hasattr(x, "copy") else x


def _named(name: str) -> type[StdVec]:
    return type(name, (StdVec,), {"__doc__": "A list.", "__module__": __name__})


#: Every list type has the name that Pinocchio gives it; here they differ in nothing else.
NAMES = tuple(
    f"StdVec_{of}"
    for of in [
        "Bool",
        "Double",
        "EigenIndex",
        "Force",
        "Frame",
        "Index",
        "IndexVector",
        "Inertia",
        "JointDataVector",
        "JointModelVector",
        "Matrix6",
        "Matrix6x",
        "MatrixXs",
        "Motion",
        "RigidConstraintData",
        "RigidConstraintModel",
        "SE3",
        "Scalar",
        "StdString",
        "Symmetric3",
        "Vector3",
        "int",
    ]
)
globals().update({name: _named(name) for name in NAMES})

__all__ = [*NAMES]
