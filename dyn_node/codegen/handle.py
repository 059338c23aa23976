"""What `dyn_node.compile` returns: the algorithms of one robot, compiled for it alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..algorithms.reference import LOCAL, ReferenceFrame, reference_code
from ..errors import InvalidValueError
from ..model import Model
from .algorithms import ALGORITHMS, FRAME_JACOBIAN, FRAME_PLACEMENT
from .function import Function
from .program import Program

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class CompiledModel:
    """A robot's algorithms as straight-line machine code, with its constants in the code.

        fast = dyn_node.compile(model)
        tau = fast.rnea(q, v, a)             # one state: (nq,), (nv,), (nv,) -> (nv,)
        fast.rnea(Q, V, A, out=T, threads=2) # a batch: (N, nq), ... -> (N, nv)
        tool = fast.frame("tool0", dyn_node.LOCAL_WORLD_ALIGNED)
        J = tool.jacobian(q)

    Names, results, units and frames are those of the functions of `dyn_node`, without model and data.
    The first call of each compiles it: tenths of a second to some seconds, once a machine; `warm` does
    so ahead. States of a batch run side by side in wide registers, on `threads` threads (by default
    `get_threads()`). Any number of threads may use one CompiledModel.

    Where there is no straight line (very many joints, joints that follow others in `aba`), and for
    states that are not finite or have an angle above 1e5 rad, the general functions answer.

    All raise ShapeError for an array of the wrong size or type.

    Attributes:
        model: the robot.
        rnea (q, v, a), generalized_gravity (q), nonlinear_effects (q, v), aba (q, v, tau): (nv,).
        crba (q), minverse (q), coriolis_matrix (q, v), gravity_derivatives (q): (nv, nv).
        rnea_derivatives (q, v, a), aba_derivatives (q, v, tau): (3, nv, nv), by each argument in turn.
        forward_kinematics (q): world placements of all joints, homogeneous, (njoints, 4, 4).
        joint_jacobians (q): columns of all joints in WORLD, (6, nv).
        center_of_mass (q): (3,); jacobian_center_of_mass (q): (3, nv).
        centroidal_map (q): (6, nv); centroidal_momentum (q, v): (6,), about the centre of mass.
    """

    rnea: Callable[..., Array]
    generalized_gravity: Callable[..., Array]
    nonlinear_effects: Callable[..., Array]
    aba: Callable[..., Array]
    crba: Callable[..., Array]
    minverse: Callable[..., Array]
    coriolis_matrix: Callable[..., Array]
    gravity_derivatives: Callable[..., Array]
    rnea_derivatives: Callable[..., Array]
    aba_derivatives: Callable[..., Array]
    forward_kinematics: Callable[..., Array]
    joint_jacobians: Callable[..., Array]
    center_of_mass: Callable[..., Array]
    jacobian_center_of_mass: Callable[..., Array]
    centroidal_map: Callable[..., Array]
    centroidal_momentum: Callable[..., Array]

    def __init__(self, model: Model) -> None:
        self.model = model
        self._functions: dict[str, Function] = {}
        self._frames: dict[tuple[int, int], CompiledFrame] = {}

    def __getattr__(self, name: str) -> Callable[..., Array]:
        """A function, when it is first asked for: its door is compiled too."""
        if name not in ALGORITHMS:
            raise AttributeError(f"a compiled model has no {name!r}; it has: {', '.join(ALGORITHMS)}")
        call = self._function(name).call
        setattr(self, name, call)
        return call

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *ALGORITHMS})

    def frame(self, frame_id: int | str, reference: ReferenceFrame | str = LOCAL) -> CompiledFrame:
        """The functions of one frame: fetch them once, call them often.

        Args:
            frame_id: number or name.
            reference: of the Jacobian: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.

        Raises:
            UnknownFrameError: no such frame.
            InvalidValueError: an unknown reference.
        """
        numbers = self.model.frame_id(frame_id), reference_code(reference)
        if numbers not in self._frames:
            self._frames[numbers] = CompiledFrame(self.model, *numbers)
        return self._frames[numbers]

    def warm(self, *names: str) -> None:
        """Compile the named functions (all of them without a name) before they are needed.

        Raises:
            InvalidValueError: a name that is not one of the attributes.
        """
        for name in names or ALGORITHMS:
            self._function(name).make()

    def is_straight(self, name: str) -> bool:
        """Whether code of its own answers, not the general function; compiles it to know."""
        return self._function(name).is_straight

    def program(self, name: str) -> Program:
        """The operations of a function, for inspection or as C (`c_source`).

        Raises:
            NotStraightError: there is no straight line of them.
            InvalidValueError: a name that is not one of the attributes.
        """
        return self._function(name).program()

    def _function(self, name: str) -> Function:
        if name not in ALGORITHMS:
            names = tuple(ALGORITHMS)
            raise InvalidValueError(f"nothing is compiled as {name!r}; all: {', '.join(names)}", name, names)
        if name not in self._functions:
            self._functions.setdefault(name, Function(self.model, ALGORITHMS[name]))
        return self._functions[name]

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_model, (self.model,)

    def __repr__(self) -> str:
        return f"CompiledModel({self.model!r})"


class CompiledFrame:
    """The compiled functions of one frame.

    Attributes:
        placement (q): in the world, homogeneous, (4, 4).
        jacobian (q): in the reference frame it was made for, (6, nv).
    """

    placement: Callable[..., Array]
    jacobian: Callable[..., Array]

    def __init__(self, model: Model, frame: int, reference: int) -> None:
        self._made_of = (model, frame, reference)
        self._functions = (
            Function(model, FRAME_PLACEMENT, (frame,)),
            Function(model, FRAME_JACOBIAN, (frame, reference)),
        )
        self.placement, self.jacobian = (function.call for function in self._functions)

    def warm(self) -> None:
        """Compile both before they are needed."""
        for function in self._functions:
            function.make()

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledFrame, self._made_of


def compile_model(model: Model) -> CompiledModel:
    """The algorithms of one robot, compiled for it alone; see `CompiledModel`.

    Raises:
        InvalidValueError: not a model.
    """
    if not isinstance(model, Model):
        raise InvalidValueError(f"model: expected a Model, given {model!r}", model, "dyn_node.load_urdf(...)")
    return CompiledModel(model)
