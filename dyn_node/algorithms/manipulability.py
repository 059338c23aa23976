"""How well a frame can be moved from a configuration: what its Jacobian does to unit joint velocities.

Joint velocities on the unit sphere give twists on an ellipsoid. Its half axes are the singular values
of the Jacobian times the left singular vectors; Yoshikawa's measure is proportional to its volume
(Yoshikawa 1985, "Manipulability of robotic mechanisms"; Siciliano et al. 2009, section 3.9).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InvalidValueError
from .arguments import tangent
from .jacobian import frame_jacobian
from .reference import LOCAL_WORLD_ALIGNED, ReferenceFrame

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model

#: Rows of the Jacobian that each part of a twist has.
PARTS = {"linear": slice(0, 3), "angular": slice(3, 6), "all": slice(0, 6)}


@dataclass(frozen=True, eq=False)
class Manipulability:
    """The velocity ellipsoid of a frame; of a batch, with one axis more in front of everything.

    Attributes:
        measure: Yoshikawa's sqrt(det(J J^T)), the product of the singular values; zero in a singular
            configuration and where there are fewer joints than directions.
        singular_values: (n,), descending, n = 3 or 6 directions: the twist that a unit joint velocity
            makes along each axis, at best; zero for a direction in which nothing moves.
        directions: (n, n), column k is the unit direction of axis k.
    """

    measure: float
    singular_values: NDArray[np.float64]
    directions: NDArray[np.float64]

    @property
    def axes(self) -> NDArray[np.float64]:
        """The half axes of the ellipsoid, (n, n), one a column."""
        return self.directions * self.singular_values[..., None, :]

    @property
    def condition_number(self) -> float:
        """Longest over shortest axis; infinite in a singular configuration."""
        largest, smallest = self.singular_values[..., 0], self.singular_values[..., -1]
        ratio: Any = np.full(smallest.shape, np.inf)
        np.divide(largest, smallest, out=ratio, where=smallest > 0.0)
        return ratio if ratio.ndim else float(ratio)


def manipulability(
    model: Model,
    data: Data,
    q: ArrayLike,
    frame_id: int | str,
    reference: ReferenceFrame | str = LOCAL_WORLD_ALIGNED,
    part: str = "all",
    weights: ArrayLike | None = None,
) -> Manipulability:
    """The velocity ellipsoid of a frame and its volume.

    "all" mixes metres and radians; the two other parts do not.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,).
        frame_id: number or name.
        reference: the axes that directions are in: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.
        part: of the twist: "all", "linear" or "angular".
        weights: (nv,), each coordinate's share in the unit velocity, for example its velocity limit;
            zero leaves it out (say, a floating base); ones if not given.

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: an unknown part or reference, or data of another model.
    """
    if part not in PARTS:
        names = ", ".join(map(repr, PARTS))
        raise InvalidValueError(f"part: expected one of {names}, given {part!r}", part, tuple(PARTS))
    J = frame_jacobian(model, data, q, frame_id, reference)[..., PARTS[part], :]
    if weights is not None:
        J = J * tangent(model, weights, "weights")
    directions, found, _ = np.linalg.svd(J)
    values = np.zeros(J.shape[:-1])
    values[..., : found.shape[-1]] = found
    measure: Any = np.prod(values, axis=-1)
    return Manipulability(measure if measure.ndim else float(measure), values, directions)
