"""The algorithms over any scalars: complex numbers, symbols, intervals, whatever has + and *.

The same kernel source runs uncompiled over object arrays (`kernels.plain`). Slow, and exact in what
the scalars can do: a complex step gives derivatives to the last digit, symbols give expressions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import empty

from ..errors import ShapeError
from ..kernels.plain import plain, with_objects
from ..kernels.records import FRAME, JOINT, KINEMATICS, WORK
from .reference import LOCAL, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..model import Model

    Objects = NDArray[np.object_]


def objects(records: NDArray[np.void], dtype: np.dtype[Any]) -> Any:
    """Records whose numbers may be any scalars."""
    result = np.zeros(len(records), dtype=with_objects(dtype))
    for name in dtype.names or ():
        result[name] = records[name]
    return result.view(np.recarray)


class ScalarModel:
    """A model whose algorithms take and return arrays of any scalars (dtype object).

    Shapes, frames and units are those of the functions of the same names. Each call works in
    scratch of its own. Values that decide a branch do not occur in these algorithms.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        data = model.create_data()
        self._joints = objects(model.records, JOINT)
        self._frames = objects(model.frame_records, FRAME)
        self._work = objects(data.work, WORK)
        self._kinematics = objects(data.kinematics, KINEMATICS)

    def _vector(self, name: str, value: Sequence[Any] | Objects, size: int) -> Objects:
        vector = empty(len(value), dtype=object)
        vector[:] = list(value)
        if len(vector) != size:
            raise ShapeError(name, f"{len(vector)} entries", f"{size} entries")
        return vector

    def _call(self, module: str, name: str, out: Objects, **arguments: Sequence[Any] | Objects) -> Objects:
        model = self.model
        sizes = {"q": model.nq}
        vectors = [self._vector(k, x, sizes.get(k, model.nv)) for k, x in arguments.items()]
        getattr(plain(module), name)(self._joints, self._work.copy(), *vectors, out)
        return out

    def _zeros(self, *shape: int) -> Objects:
        return np.zeros(shape, dtype=object)

    def rnea(self, q: Sequence[Any], v: Sequence[Any], a: Sequence[Any]) -> Objects:
        """M a + C v + g, (nv,)."""
        return self._call("rnea", "rnea", self._zeros(self.model.nv), q=q, v=v, a=a)

    def generalized_gravity(self, q: Sequence[Any]) -> Objects:
        """g(q), (nv,)."""
        return self._call("rnea", "generalized_gravity", self._zeros(self.model.nv), q=q)

    def nonlinear_effects(self, q: Sequence[Any], v: Sequence[Any]) -> Objects:
        """C v + g, (nv,)."""
        return self._call("rnea", "nonlinear_effects", self._zeros(self.model.nv), q=q, v=v)

    def crba(self, q: Sequence[Any]) -> Objects:
        """M(q), (nv, nv)."""
        return self._call("crba", "crba", self._zeros(self.model.nv, self.model.nv), q=q)

    def aba(self, q: Sequence[Any], v: Sequence[Any], tau: Sequence[Any]) -> Objects:
        """M^-1 (tau - C v - g), (nv,)."""
        if any(joint.mimic is not None for joint in self.model.joints):
            # The recursion takes each joint's acceleration by itself, which a follower does not have.
            bias = self.nonlinear_effects(q, v)
            return _solved(self.crba(q), self._vector("tau", tau, self.model.nv) - bias)
        return self._call("aba", "aba", self._zeros(self.model.nv), q=q, v=v, tau=tau)

    def _energy(self, name: str, **arguments: Sequence[Any] | Objects) -> Objects:
        result = self._zeros(1)
        sizes = {"q": self.model.nq, "v": self.model.nv}
        vectors = [self._vector(k, x, sizes[k]) for k, x in arguments.items()]
        result[0] = getattr(plain("energy"), name)(self._joints, self._work.copy(), *vectors)
        return result

    def kinetic_energy(self, q: Sequence[Any], v: Sequence[Any]) -> Objects:
        """v^T M v / 2, (1,)."""
        return self._energy("kinetic_energy", q=q, v=v)

    def potential_energy(self, q: Sequence[Any]) -> Objects:
        """Energy of the weight, zero at the world's origin, (1,)."""
        return self._energy("potential_energy", q=q)

    def _placed(self, q: Sequence[Any], v: Sequence[Any] | None = None) -> Any:
        """Kinematics records after forward kinematics of order 0 or 1."""
        kinematics = self._kinematics.copy()
        state = [self._vector("q", q, self.model.nq)]
        if v is not None:
            state.append(self._vector("v", v, self.model.nv))
        module = plain("kinematics")
        run = (module.forward_kinematics_0, module.forward_kinematics_1)[len(state) - 1]
        run(self._joints, kinematics, *state)
        return kinematics

    def frame_placement(self, q: Sequence[Any], frame_id: int | str) -> Objects:
        """World placement of a frame, homogeneous (4, 4)."""
        placed = self._frames.copy()
        plain("frames").update_frame_placements(self._joints, self._placed(q), self._frames, placed)
        frame = placed[self.model.frame_id(frame_id)]
        T = self._zeros(4, 4)
        T[:3, :3], T[:3, 3], T[3, 3] = frame.R, frame.p, 1.0
        return T

    def frame_velocity(
        self,
        q: Sequence[Any],
        v: Sequence[Any],
        frame_id: int | str,
        reference: ReferenceFrame | str = LOCAL,
    ) -> Objects:
        """Spatial velocity of a frame, (6,)."""
        out = self._zeros(6)
        where = self.model.frame_id(frame_id), reference_code(reference)
        plain("frames").frame_velocity(self._joints, self._placed(q, v), self._frames, *where, out)
        return out

    def frame_jacobian(
        self, q: Sequence[Any], frame_id: int | str, reference: ReferenceFrame | str = LOCAL
    ) -> Objects:
        """Jacobian of a frame, (6, nv)."""
        J, work = self._zeros(6, self.model.nv), self._work.copy()
        where = self.model.frame_id(frame_id), reference_code(reference)
        vector = self._vector("q", q, self.model.nq)
        plain("frames").frame_jacobian(self._joints, work, self._frames, vector, *where, J)
        return J


def _solved(M: Objects, b: Objects) -> Objects:
    """M^-1 b by M = L D L^T, for M symmetric and positive definite: no scalar is compared.

    Entry by entry, because CasADi's symbols do not multiply arrays.
    """
    n, x, L = len(b), b.copy(), M.copy()
    for k in range(n):
        for r in range(k + 1, n):
            factor = L[r, k] / L[k, k]
            for c in range(k + 1, r + 1):
                L[r, c] = L[r, c] - factor * L[c, k]
            x[r] = x[r] - factor * x[k]
    for k in range(n - 1, -1, -1):
        for r in range(k + 1, n):
            x[k] = x[k] - L[r, k] * x[r]
        x[k] = x[k] / L[k, k]
    return x


def with_scalars(model: Model) -> ScalarModel:
    """The model's algorithms over any scalars; see `ScalarModel`."""
    return ScalarModel(model)
