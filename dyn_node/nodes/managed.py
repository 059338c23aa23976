"""Nodes under a lifecycle manager, where the parameter `lifecycle` asks for it.

unconfigured: parameters are known, nothing is subscribed or offered. inactive: the model and the state are
followed, nothing is published or answered. active: everything. What is left again is left completely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.lifecycle import LifecycleNodeMixin, LifecycleState, TransitionCallbackReturn

INACTIVE = "the node is inactive (lifecycle)"


class Managed(LifecycleNodeMixin):
    """Part of a node: its transitions. The rest of it has `start`, `stop`, `interrupted` and `settings`.

    Attributes:
        active: whether anything may be published or answered; always, where nobody manages the node.
    """

    active = True

    def begin(self: Any) -> None:
        """Start, or wait for a manager to say so."""
        if not self.settings.lifecycle:
            self.start()
            return
        self.active = False
        LifecycleNodeMixin.__init__(self)
        # rclpy lets the exception for a transition that is not possible now end the process.
        service = self._service_change_state
        service.callback = self._refusing(service.callback)
        self.get_logger().info("unconfigured: waiting for a lifecycle manager (parameter lifecycle)")

    def _refusing(self: Any, change: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def callback(request: Any, response: Any) -> Any:
            try:
                return change(request, response)
            except Exception as error:  # an answer is owed for every request
                self.get_logger().warning(
                    f"transition {request.transition.label or request.transition.id}: {error}"
                )
                response.success = False
                return response

        return callback

    def on_configure(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Look for the model, listen to the state."""
        return self._after("configured: model and state are followed, nothing is sent", self.start)

    def on_activate(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Publish and answer."""
        self.active = True
        return self._after("active")

    def on_deactivate(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Publish and answer nothing."""
        self.active = False
        return self._after("inactive", lambda: self.interrupted("the node was deactivated"))

    def on_cleanup(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Leave every topic and forget the robot."""
        return self._after("unconfigured", self._leave)

    def on_shutdown(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Leave every topic for good."""
        return self._after("finalized", self._leave)

    def on_error(self: Any, state: LifecycleState) -> TransitionCallbackReturn:
        """Back to the beginning."""
        return self._after("unconfigured, after an error", self._leave)

    def _leave(self: Any) -> None:
        self.active = False
        self.interrupted("the node was shut down")
        self.stop()

    def _after(self: Any, reached: str, work: Callable[[], None] | None = None) -> TransitionCallbackReturn:
        """Do a transition's work and say where it has led; an exception is logged, which rclpy does not."""
        try:
            if work is not None:
                work()
        except Exception as error:
            self.get_logger().error(f"lifecycle transition failed: {type(error).__name__}: {error}")
            return TransitionCallbackReturn.ERROR
        self.get_logger().info(reached)
        return TransitionCallbackReturn.SUCCESS
