"""What is looked at once a second rather than with every message: things that are wrong but stop nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .diagnostics import outside_limits
from .qos_watch import full_name

if TYPE_CHECKING:
    from .robot_node import RobotNode
    from .state import RobotState

#: What the look can find, by its entry in the diagnostics.
CONCERNS = (
    "outside limits",
    "jumped",
    "mimic disagreement",
    "contradicting publishers",
    "stamps apart",
    "incompatible QoS",
)


class Watch:
    """Collects concerns and warns of each, at most every five seconds."""

    def __init__(self, node: RobotNode) -> None:
        self._node = node

    def look(self) -> dict[str, str]:
        """Every entry of CONCERNS, empty where all is well."""
        found = dict.fromkeys(CONCERNS, "")
        if self._node.state is not None:
            found.update(self._of_state(self._node.state))
        found["incompatible QoS"] = "; ".join(self._node.qos.look().values())
        for concern, text in found.items():
            if text:
                self._node.notices.every(concern, f"{concern}: {text}")
        return found

    def _of_state(self, state: RobotState) -> dict[str, str]:
        settings, scrutiny = self._node.settings, state.joints.scrutiny
        jumps = ", ".join(f"{name} by {size:.3g}" for name, size in scrutiny.jumps().items())
        skew = state.skew()
        return {
            "outside limits": ", ".join(outside_limits(state)),
            "jumped": f"{jumps} from one joint_states message to the next" if jumps else "",
            "mimic disagreement": "; ".join(state.joints.disagreement.values()),
            "contradicting publishers": self._rivals(state),
            "stamps apart": f"joints and base by {skew:.3g} s, more than max_skew"
            if 0.0 < settings.max_skew < skew
            else "",
        }

    def _rivals(self, state: RobotState) -> str:
        """Who publishes, where joints are said to be in two places at once."""
        scrutiny, topic = state.joints.scrutiny, self._node.resolve_topic_name("joint_states")
        joints = scrutiny.rivals()
        scrutiny.several = self._node.count_publishers(topic) > 1
        if not (joints and scrutiny.several):
            return ""
        nodes = sorted({full_name(other) for other in self._node.get_publishers_info_by_topic(topic)})
        return f"{topic} of {' and '.join(nodes)} about {', '.join(joints)}; the newest message counts"
