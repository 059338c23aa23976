"""Data: what the algorithms leave behind, under Pinocchio's field names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import algorithms as _algorithms
from ..errors import InvalidValueError
from ..model import Data as CoreData
from ..model import Model as CoreModel
from .containers import Owned, StdVec
from .inertia import Inertia
from .placement import SE3
from .sixvectors import Force, Motion
from .values import Array, Value

if TYPE_CHECKING:
    from .model import Model

#: Joint-space results: shape from (nq, nv, njoints).
_SHAPES = {
    **dict.fromkeys(("tau", "nle", "g", "ddq", "D"), "v"),
    **dict.fromkeys(("M", "Minv", "C", "U", "dtau_dq", "dtau_dv", "ddq_dq", "ddq_dv", "ddq_dtau"), "vv"),
    **dict.fromkeys(("Ag", "dAg"), "6v"),
    "Jcom": "3v",
    "dvc_dq": "3v",
}
#: What Pinocchio's Data has besides: intermediate results that nothing here fills.
NOT_FILLED = frozenset(
    [
        "B",
        "dHdq",
        "dFdq",
        "dFdv",
        "dFda",
        "q_in",
        "v_in",
        "oa_gf",
        "Fcrb",
        "Ivx",
        "Yaba",
        "Ycrb",
        "a_in",
        "constraint_chol",
        "contact_chol",
        "dAdq",
        "dAdv",
        "dac_da",
        "dac_dq",
        "dac_dv",
        "end_idx_v_fromRow",
        "h",
        "iMf",
        "idx_vExtended_to_idx_v_fromRow",
        "joints",
        "lambda_c_prox",
        "lastChild",
        "mimic_parents_fromRow",
        "mimic_subtree_joint",
        "non_mimic_parents_fromRow",
        "nvSubtree",
        "nvSubtree_fromRow",
        "oK",
        "oL",
        "oYaba",
        "oYaba_augmented",
        "oYcrb",
        "of",
        "of_augmented",
        "oh",
        "osim",
        "parents_fromRow",
        "primal_dual_contact_solution",
        "primal_rhs_contact",
        "start_idx_v_fromRow",
        "supports_fromRow",
        "tau_in",
        "vxI",
    ]
)


class Data:
    """Results of the algorithms on one model, and their scratch.

    Attributes:
        oMi, liMi: placements of the joints in the world and in their parents; oMf: of the frames.
        v, a: spatial velocities and accelerations of the joints; a_gf: accelerations less gravity;
            f: forces that the joints transmit; all in the joints' frames.
        core: the library's Data.
        The others (tau, M, J, com, hg ...): as in Pinocchio, zero until an algorithm fills them.
    """

    # Allocated by name in __init__.
    tau: Array
    nle: Array
    g: Array
    ddq: Array
    D: Array
    M: Array
    Minv: Array
    C: Array
    U: Array
    dtau_dq: Array
    dtau_dv: Array
    ddq_dq: Array
    ddq_dv: Array
    ddq_dtau: Array
    Ag: Array
    dAg: Array
    Jcom: Array
    dvc_dq: Array

    def __init__(self, model: Model) -> None:
        core = model.core
        self._count = model.njoints
        n, f = model.njoints, model.nframes
        self.oMi, self.liMi = _identities(n), _identities(n)
        self.oMf = _identities(f)
        self.v, self.a, self.a_gf = _zeros(Motion, n), _zeros(Motion, n), _zeros(Motion, n)
        self.f = _zeros(Force, n)
        self._join(core)
        sizes = {"v": model.nv, "6": 6, "3": 3}
        for name, shape in _SHAPES.items():
            setattr(self, name, np.zeros([sizes[letter] for letter in shape]))
        for name in ("com", "vcom", "acom"):
            setattr(self, name, StdVec(np.zeros((n, 3))))
        self.mass = np.zeros(n)
        self.hg, self.dhg, self.Ig = Force.Zero(), Force.Zero(), Inertia.Zero()
        self.kinetic_energy = self.potential_energy = self.mechanical_energy = 0.0
        bodies = n - 1
        self.jointTorqueRegressor = np.zeros((model.nv, 10 * bodies))
        self.staticRegressor = np.zeros((3, 4 * bodies))
        self.kineticEnergyRegressor = np.zeros(10 * bodies)
        self.potentialEnergyRegressor = np.zeros(10 * bodies)
        #: Multipliers and impulses of constraints, velocity after an impact, derivatives of multipliers.
        self.lambda_c, self.impulse_c, self.dq_after = np.zeros(0), np.zeros(0), np.zeros(model.nv)
        self.dlambda_dq, self.dlambda_dv, self.dlambda_dtau = (np.zeros((0, model.nv)) for _ in range(3))
        #: Constraints of the last call, and what they were made from.
        self._ties: tuple[Any, Any] = ([], None)
        #: Masses of the subtrees, and the model that they are of.
        self._masses: tuple[Any, Any] = (None, None)
        #: Efforts of the last aba, and factors of the last cholesky.decompose.
        self.applied: Array = np.zeros(model.nv)
        self.factor: Any = None
        #: State of the last kinematics: what functions without q, v or a read. q alone is certain.
        self.state: tuple[Array, Array, Array] = (core.neutral, np.zeros(model.nv), np.zeros(model.nv))

    def _join(self, core: CoreModel) -> None:
        """Make the values views of the memory that the library's algorithms fill."""
        self.core = data = CoreData(core)
        # As in Pinocchio, what was not computed reads as zero, or as it was before.
        data.kinematics["order"][0] = 2
        records = list(core.joint_records)
        _view(self.oMi, data.kinematics, "R", (4, 3), records)
        _view(self.v, data.kinematics, "v_lin", (6,), records)
        _view(self.a, data.kinematics, "a_lin", (6,), records)
        _view(self.oMf, data.frames, "R", (4, 3), range(len(self.oMf)))
        single = [i for i, joint in enumerate(core.joints) if len(joint.elements) == 1]
        _view([self.liMi[i] for i in single], data.kinematics, "li_R", (4, 3), [records[i] for i in single])
        #: Joints of several records: their placement in the parent comes from those in the world.
        self._chains = [(i, core.joints[i].parent) for i in range(self._count) if i not in set(single)]
        # v, a and f stand one after the other in the scratch: one copy takes all three.
        self._dynamics = np.zeros((len(core.records), 18))
        self._scratch_dynamics = _strided(data.work, "v_lin", 18)
        self._kinematics_v = _strided(data.kinematics, "v_lin", 6)
        _views_of_rows(self.a_gf, self._dynamics[:, 6:12], records)
        _views_of_rows(self.f, self._dynamics[:, 12:], records)

    def fits(self, model: Model) -> bool:
        """Whether it was made for a model of this structure."""
        core = self.core.model
        return self._count == model.njoints and (core.nq, core.nv) == (model.nq, model.nv)

    def for_model(self, model: Model) -> tuple[CoreModel, CoreData]:
        """The library's model and data, the latter made anew where the model has changed.

        Raises:
            InvalidValueError: the data was made for a model of another structure.
        """
        core = model.core
        if self.core.model is not core:
            if not self.fits(model) or len(self.oMf) > len(core.frames):
                raise InvalidValueError(
                    "data: made for a model of another structure; call model.createData()",
                    self,
                    "createData()",
                )
            self._grow(model)
            self._join(core)
        return core, self.core

    def _grow(self, model: Model) -> None:
        """Placements of frames that came since; Pinocchio needs a new Data for them."""
        self.oMf.extend(SE3.Identity() for _ in range(model.nframes - len(self.oMf)))

    def kinematics_done(self, q: Any, v: Any = None, a: Any = None) -> None:
        """Remember the state that the placements, velocities and accelerations are of."""
        self.core.kinematics["order"][0] = 2
        _, v_before, a_before = self.state
        self.state = (
            np.array(q, dtype=np.float64),
            v_before if v is None else np.array(v, dtype=np.float64),
            a_before if a is None else np.array(a, dtype=np.float64),
        )
        for joint, parent in self._chains:
            self.liMi[joint].assign(self.oMi[parent].actInv(self.oMi[joint]))

    def dynamics_done(self, v: Any) -> None:
        """Take velocities, accelerations less gravity and forces from the scratch of rnea."""
        self._dynamics[...] = self._scratch_dynamics
        self._kinematics_v[...] = self._dynamics[:, :6]
        q, _, a = self.state
        self.state = q, np.array(v, dtype=np.float64), a

    @property
    def J(self) -> Array:
        """(6, nv): WORLD Jacobian columns of all joints at the last placements, computed when asked for."""
        return _algorithms.joint_jacobians(self.core.model, self.core, self.state[0])

    @property
    def dJ(self) -> Array:
        """(6, nv): rate of J at the last state, computed when asked for."""
        return _algorithms.joint_jacobians_time_variation(self.core.model, self.core, *self.state[:2])

    @property
    def ov(self) -> StdVec:
        """Velocities of the joints in WORLD, computed when asked for."""
        return StdVec(M.act(v) for M, v in zip(self.oMi, self.v, strict=True))

    @property
    def oa(self) -> StdVec:
        """Accelerations of the joints in WORLD, computed when asked for."""
        return StdVec(M.act(a) for M, a in zip(self.oMi, self.a, strict=True))

    def __getattr__(self, name: str) -> Any:
        if name in NOT_FILLED:
            raise AttributeError(f"Data.{name} exists in Pinocchio, but dyn_node.pin does not fill it")
        raise AttributeError(f"'Data' object has no attribute {name!r}")

    def copy(self) -> Data:
        """An independent copy."""
        other = Data.__new__(Data)
        core, values = self.__getstate__()
        other.__setstate__((core, {name: _copy_of(value) for name, value in values.items()}))
        return other

    def __getstate__(self) -> tuple[CoreModel, dict[str, Any]]:
        """The library's model, and all but what `_join` makes."""
        made = ("core", "_dynamics", "_scratch_dynamics", "_kinematics_v", "_ties", "_masses")
        return self.core.model, {name: value for name, value in vars(self).items() if name not in made}

    def __setstate__(self, state: tuple[CoreModel, dict[str, Any]]) -> None:
        core, values = state
        self.__dict__.update(values, _ties=([], None), _masses=(None, None))
        self._join(core)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Data:
        return self.copy()


def _copy_of(value: Any) -> Any:
    if isinstance(value, Owned):
        return Owned(x.copy() for x in value)
    return value.copy() if isinstance(value, (Value, np.ndarray, StdVec)) else value


def _identities(count: int) -> Owned:
    return Owned(SE3.Identity() for _ in range(count))


def _zeros(kind: type[Any], count: int) -> Owned:
    return Owned(kind.Zero() for _ in range(count))


def _strided(records: Any, first: str, count: int) -> Array:
    """(records, count): `count` numbers of every record, from a field on, as a view."""
    base = records.view(np.ndarray)
    offset = base.dtype.fields[first][1]
    return np.ndarray((len(base), count), np.float64, base, offset, (base.strides[0], 8))


def _view(values: Any, records: Any, first: str, shape: tuple[int, ...], which: Any) -> None:
    """Move values into records, from a field on."""
    _views_of_rows(values, _strided(records, first, int(np.prod(shape))), which)


def _views_of_rows(values: Any, rows: Array, which: Any) -> None:
    for value, index in zip(values, which, strict=True):
        value._rebind(rows[index].reshape(value._SHAPE))
