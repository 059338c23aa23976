"""The algorithms as CasADi expressions, and as C code, from the same kernel source.

CasADi (Andersson et al. 2019) is optional: `pip install casadi`.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidValueError, MissingDependencyError
from .reference import LOCAL, ReferenceFrame
from .scalars import ScalarModel

if TYPE_CHECKING:
    from ..model import Model

#: What `SymbolicModel.function` offers, with the arguments of each.
ALGORITHMS = {
    "rnea": ("q", "v", "a"),
    "generalized_gravity": ("q",),
    "nonlinear_effects": ("q", "v"),
    "crba": ("q",),
    "aba": ("q", "v", "tau"),
    "kinetic_energy": ("q", "v"),
    "potential_energy": ("q",),
}
OF_FRAMES = {
    "frame_placement": ("q",),
    "frame_velocity": ("q", "v"),
    "frame_jacobian": ("q",),
}


def _casadi() -> Any:
    try:
        import casadi
    except ImportError as error:
        raise MissingDependencyError(
            "symbolic algorithms need CasADi: pip install casadi", "casadi", "casadi"
        ) from error
    return casadi


class SymbolicModel:
    """A robot's algorithms as CasADi SX expressions.

    Attributes:
        model: the robot.
        q, v, a, tau: symbols, columns of nq, nv, nv, nv.

    Every method returns an expression in these symbols; differentiate it, or substitute for them.
    """

    def __init__(self, model: Model) -> None:
        casadi = self._casadi = _casadi()
        self.model = model
        self._scalars = ScalarModel(model)
        self.q = casadi.SX.sym("q", model.nq)
        self.v, self.a, self.tau = (casadi.SX.sym(name, model.nv) for name in ("v", "a", "tau"))

    def expression(self, name: str, *frame: Any) -> Any:
        """The SX expression of an algorithm; `frame` holds frame and reference where it has them.

        Raises:
            InvalidValueError: an algorithm that is not offered; it lists those that are.
        """
        arguments = {**ALGORITHMS, **OF_FRAMES}.get(name)
        if arguments is None:
            names = (*ALGORITHMS, *OF_FRAMES)
            raise InvalidValueError(f"{name!r} is not offered; all: {', '.join(names)}", name, names)
        entries = [self._entries(getattr(self, argument)) for argument in arguments]
        with warnings.catch_warnings():
            # np.sin of a symbol keeps its meaning here; CasADi warns that other uses may change.
            warnings.simplefilter("ignore", FutureWarning)
            result = getattr(self._scalars, name)(*entries, *frame)
        SX = self._casadi.SX
        expression = SX(*result.shape) if result.ndim == 2 else SX(len(result), 1)
        for index, entry in zip(_indices(result.shape), result.flat, strict=True):
            expression[index] = entry
        return self._casadi.densify(expression)

    def _entries(self, column: Any) -> Sequence[Any]:
        return [column[k] for k in range(column.numel())]

    def rnea(self) -> Any:
        """Inverse dynamics tau(q, v, a), (nv, 1)."""
        return self.expression("rnea")

    def generalized_gravity(self) -> Any:
        """Gravity efforts g(q), (nv, 1)."""
        return self.expression("generalized_gravity")

    def nonlinear_effects(self) -> Any:
        """Bias efforts C v + g, (nv, 1)."""
        return self.expression("nonlinear_effects")

    def crba(self) -> Any:
        """Mass matrix M(q), (nv, nv)."""
        return self.expression("crba")

    def aba(self) -> Any:
        """Forward dynamics ddq(q, v, tau), (nv, 1)."""
        return self.expression("aba")

    def kinetic_energy(self) -> Any:
        """Kinetic energy, (1, 1)."""
        return self.expression("kinetic_energy")

    def potential_energy(self) -> Any:
        """Potential energy, (1, 1)."""
        return self.expression("potential_energy")

    def frame_placement(self, frame_id: int | str) -> Any:
        """World placement of a frame, homogeneous (4, 4)."""
        return self.expression("frame_placement", frame_id)

    def frame_velocity(self, frame_id: int | str, reference: ReferenceFrame | str = LOCAL) -> Any:
        """Spatial velocity of a frame, (6, 1)."""
        return self.expression("frame_velocity", frame_id, reference)

    def frame_jacobian(self, frame_id: int | str, reference: ReferenceFrame | str = LOCAL) -> Any:
        """Jacobian of a frame, (6, nv)."""
        return self.expression("frame_jacobian", frame_id, reference)

    def function(self, name: str, *frame: Any, label: str = "") -> Any:
        """A casadi.Function of an algorithm, its arguments in the order of the algorithm's own."""
        arguments = {**ALGORITHMS, **OF_FRAMES}.get(name, ())
        expression = self.expression(name, *frame)
        symbols = [getattr(self, argument) for argument in arguments]
        return self._casadi.Function(label or name, symbols, [expression], list(arguments), ["result"])

    def codegen(self, path: str | Path, functions: Iterable[Any]) -> Path:
        """Write functions to one C file without dependencies, and its header.

        Args:
            path: of the C file; its folder must exist.
            functions: casadi Functions, from `function` or made of these expressions, or names.

        Returns:
            The path of the C file.
        """
        target = Path(path)
        options = {"with_header": True}
        generator = self._casadi.CodeGenerator(target.name, options)
        for function in functions:
            generator.add(self.function(function) if isinstance(function, str) else function)
        generator.generate(f"{target.parent}/")
        return target


def _indices(shape: tuple[int, ...]) -> Iterable[Any]:
    if len(shape) == 1:
        return range(shape[0])
    return [(row, column) for row in range(shape[0]) for column in range(shape[1])]


def symbolic(model: Model) -> SymbolicModel:
    """The model's algorithms as CasADi expressions; see `SymbolicModel`.

    Raises:
        MissingDependencyError: CasADi is not installed.
    """
    return SymbolicModel(model)
