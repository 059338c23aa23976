"""Declaring the nodes' ROS parameters from their specs, and reading them back as settings."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor, SetParametersResult
from rclpy.exceptions import InvalidParameterTypeException, InvalidParameterValueException
from rclpy.node import Node
from rclpy.parameter import Parameter

from dyn_node.errors import InvalidValueError

from .dynamics_settings import DynamicsSettings
from .settings import Settings, specs
from .solver_settings import SolverSettings
from .spec import Spec

S = TypeVar("S", bound=Settings)

_TYPES = {
    "bool": Parameter.Type.BOOL,
    "integer": Parameter.Type.INTEGER,
    "double": Parameter.Type.DOUBLE,
    "string": Parameter.Type.STRING,
    "doubles": Parameter.Type.DOUBLE_ARRAY,
    "strings": Parameter.Type.STRING_ARRAY,
}
#: Parameters that rclpy declares itself, or later.
_NOT_OURS = ("qos_overrides.", "use_sim_time", "start_type_description_service")
_WRITE_AS = {
    "double": "a number with a decimal point, such as 1.0",
    "doubles": "numbers with decimal points, such as [0.0, 0.0, -9.81]",
    "strings": "a list of texts, such as ['a', 'b'] ([''] for none)",
    "string": "text",
    "integer": "a whole number",
    "bool": "true or false",
}


def descriptor(spec: Spec) -> ParameterDescriptor:
    """What `ros2 param describe` shows of a parameter."""
    result = ParameterDescriptor(
        name=spec.name,
        type=_TYPES[spec.kind].value,
        description=spec.description,
        additional_constraints=spec.allowed,
        read_only=not spec.live,
    )
    bounded = math.isfinite(spec.minimum) and math.isfinite(spec.maximum)
    if spec.kind == "double" and bounded:
        result.floating_point_range = [FloatingPointRange(from_value=spec.minimum, to_value=spec.maximum)]
    if spec.kind == "integer" and bounded:
        low, high = int(spec.minimum), int(spec.maximum)
        result.integer_range = [IntegerRange(from_value=low, to_value=high, step=1)]
    return result


def declare(node: Node, spec: Spec) -> Any:
    """Declare one parameter and return its value; None where none was given (an empty list).

    Raises InvalidValueError with the parameter's name when the given value is of a wrong type or
    outside its range.
    """
    # An empty list has no type in ROS: such a parameter is declared by its type, without a value.
    empty = spec.kind in ("doubles", "strings") and not spec.default
    default = list(spec.default) if isinstance(spec.default, tuple) else spec.default
    try:
        declared = node.declare_parameter(
            spec.name, _TYPES[spec.kind] if empty else default, descriptor(spec)
        )
    except InvalidParameterTypeException as error:
        given = error.args[0] if error.args else ""
        raise InvalidValueError(
            f"parameter {spec.name} has the wrong type: write {_WRITE_AS[spec.kind]} ({given})",
            None,
            _WRITE_AS[spec.kind],
        ) from error
    except InvalidParameterValueException as error:
        raise InvalidValueError(
            f"parameter {spec.name}: {error}; it must be {spec.allowed}", None, spec.allowed
        ) from error
    return declared.value


class Parameters(Generic[S]):
    """A node's declared parameters as one settings object, kept up to date.

    `settings` is the current object. `examine` (settled by the node) may refuse new settings by
    raising a DynNodeError before they take effect; `changed` is called after they did.
    """

    def __init__(self, node: Node, kind: type[S]) -> None:
        self._kind = kind
        self._node = node
        self._values = {spec.name: declare(node, spec) for spec in specs(kind)}
        self.settings: S = kind.from_values(self._values)
        _warn_of_unknown(node)
        self.examine: Callable[[S], None] = lambda settings: None
        self.changed: Callable[[S], None] = lambda settings: None
        node.add_on_set_parameters_callback(self._on_set)
        node.add_post_set_parameters_callback(self._after_set)

    def _merged(self, parameters: list[Parameter]) -> dict[str, Any]:
        given = {p.name: p.value for p in parameters if p.name in self._values}
        return {**self._values, **given}

    def _on_set(self, parameters: list[Parameter]) -> SetParametersResult:
        # Several parameters set in one request are judged together (mass and inertia of a payload).
        try:
            self.examine(self._kind.from_values(self._merged(parameters)))
        except ValueError as error:  # every refusal of a value is one
            return SetParametersResult(successful=False, reason=str(error))
        except KeyError as error:  # a name that the robot does not have
            return SetParametersResult(successful=False, reason=str(error))
        return SetParametersResult(successful=True)

    def _after_set(self, parameters: list[Parameter]) -> None:
        merged = self._merged(parameters)
        if merged == self._values:
            return
        for name, value in merged.items():
            if value != self._values[name]:
                self._node.get_logger().info(f"parameter {name}: {self._values[name]} -> {value}")
        self._values = merged
        self.settings = self._kind.from_values(merged)
        self.changed(self.settings)


def _warn_of_unknown(node: Node) -> None:
    """Warn of given parameters that neither node has: ROS itself drops a misspelt one without a word."""
    known = {spec.name for kind in (DynamicsSettings, SolverSettings) for spec in specs(kind)}
    given = getattr(node, "_parameter_overrides", {})
    for name in given:
        if name in known or node.has_parameter(name) or name.startswith(_NOT_OURS):
            continue
        closest = difflib.get_close_matches(name, known, n=1)
        hint = f"; did you mean {closest[0]}?" if closest else ""
        node.get_logger().warning(f"parameter {name} is not one of this node's and has no effect{hint}")
