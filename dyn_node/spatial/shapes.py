"""Rotational inertia per kilogram of solid bodies of uniform density, about their centre of mass.

Formulas: Goldstein, Poole and Safko, Classical Mechanics, chapter 5. `Inertia.from_box` and its
sisters are what users call.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import InvalidValueError, MissingDependencyError
from ._call import finite


def box(size: Any) -> np.ndarray:
    """Full lengths along x, y and z (m) to moments (3, 3), m^2."""
    x, y, z = _positive("size", size, 3) ** 2
    return np.diag([y + z, x + z, x + y]) / 12.0


def cylinder(radius: float, length: float) -> np.ndarray:
    """Radius, and length along z (m), to moments (3, 3), m^2."""
    r, h = _positive("radius, length", (radius, length), 2) ** 2
    side = r / 4.0 + h / 12.0
    return np.diag([side, side, r / 2.0])


def ellipsoid(semi_axes: Any) -> np.ndarray:
    """Half the extent along x, y and z (m) to moments (3, 3), m^2."""
    x, y, z = _positive("semi_axes", semi_axes, 3) ** 2
    return np.diag([y + z, x + z, x + y]) / 5.0


def mesh(shape: Any) -> tuple[np.ndarray, np.ndarray]:
    """A `trimesh.Trimesh`, or the path of a file that trimesh reads, to centre (m) and moments (m^2)."""
    if not hasattr(shape, "moment_inertia"):
        shape = _load(shape)
    volume = float(shape.volume)
    if not (shape.is_watertight and volume > 0.0):
        raise InvalidValueError(
            f"mesh: expected a closed surface around a positive volume, given volume {volume:g} m^3,"
            f" watertight: {bool(shape.is_watertight)}",
            shape,
            "a watertight mesh with outward normals",
        )
    # trimesh gives the moments of a body of the mesh's own density, about the centre of mass.
    moments = np.array(shape.moment_inertia, dtype=np.float64) / float(shape.mass)
    return np.array(shape.center_mass, dtype=np.float64), 0.5 * (moments + moments.T)


def _load(path: Any) -> Any:
    try:
        import trimesh
    except ImportError:
        raise MissingDependencyError(
            "reading a mesh needs trimesh: pip install trimesh", "no trimesh", "trimesh"
        ) from None
    return trimesh.load(str(path), force="mesh")


def _positive(argument: str, given: Any, count: int) -> np.ndarray:
    lengths = finite(argument, given, (count,))
    if (lengths <= 0.0).any():
        raise InvalidValueError(
            f"{argument}: expected positive lengths, given {lengths.tolist()} m", given, "above 0"
        )
    return lengths
