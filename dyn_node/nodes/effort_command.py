"""The output ~/effort_command: what a controller of motor torques takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from std_msgs.msg import Float64MultiArray, MultiArrayDimension

from dyn_node.errors import InvalidValueError
from dyn_node.model.model import Model

from .arming import Arming
from .conversions import field
from .dynamics_settings import DynamicsSettings
from .joint_map import JointMap
from .outputs import Moment, Output

Array = npt.NDArray[np.float64]


class EffortCommand(Output):
    """Gravity torques in a controller's order, scaled, bounded in rate and size; sent while armed.

    Attributes:
        saturated: names of the joints whose command was cut in the last message;
        times_saturated: in how many it was; times_rate_limited: in how many one's rate was bounded.
    """

    needs_gravity = True

    def __init__(
        self, publisher: Any, model: Model, joints: JointMap, settings: DynamicsSettings, arming: Arming
    ) -> None:
        super().__init__(publisher)
        self._names = settings.command_joints
        slots = [joints.slot(name) for name in self._names]
        self._index = joints.v_index[slots]
        self._settings, self._arming = settings, arming
        self._bound = self._bounds(model.effort_limit[self._index], np.array(settings.max_effort))
        rate = np.array(settings.max_effort_rate)
        self._rate = np.broadcast_to(rate, len(slots)).copy() if len(rate) else None
        dimension = MultiArrayDimension(label=",".join(self._names), size=len(slots), stride=len(slots))
        self._message = Float64MultiArray()
        self._message.layout.dim = [dimension]
        self.saturated: tuple[str, ...] = ()
        self.times_saturated = self.times_rate_limited = 0

    def wanted(self) -> bool:
        """Whether it is armed and anybody subscribes."""
        return self._arming.armed and super().wanted()

    def _bounds(self, limits: Array, given: Array) -> Array:
        """The bound of each command: max_effort, or the URDF's limits, of which none may be zero."""
        if len(given):
            return np.broadcast_to(given, len(limits)).copy()
        # Exporters write effort="0" for "not known": as a bound it would command zero and drop the arm.
        without = [name for name, limit in zip(self._names, limits, strict=True) if limit == 0.0]
        if without:
            raise InvalidValueError(
                f"the URDF's effort limit of {', '.join(without)} is 0, which would command zero; "
                "set the parameter max_effort",
                without,
                "an effort limit above 0, or max_effort",
            )
        return limits.copy()

    def publish(self, moment: Moment) -> None:
        """Publish the bounded command."""
        settings, envelope = self._settings, self._arming.envelope
        wish = settings.gravity_scale * moment.gravity[self._index]
        command = envelope.shape(
            wish, moment.now, settings.start_ramp, self._rate, self._bound, settings.state_timeout
        )
        if envelope.cut.any():
            self.saturated = tuple(self._names[k] for k in np.flatnonzero(envelope.cut))
            self.times_saturated += 1
        elif self.saturated:
            self.saturated = ()
        if self._rate is not None and envelope.rate_limited.any():
            self.times_rate_limited += 1
        self._message.data = field(command)
        self.publisher.publish(self._message)

    def report(self, now: int) -> dict[str, str]:
        """For the diagnostics."""
        share = self._arming.envelope.share(now, self._settings.start_ramp)
        return {
            "effort_command": f"armed, ramp {100.0 * share:.0f} %" if self._arming.armed else "disarmed",
            "saturated": ", ".join(self.saturated),
            "times saturated": str(self.times_saturated),
            "times limited in rate": str(self.times_rate_limited),
        }
