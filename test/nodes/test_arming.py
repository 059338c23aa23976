"""When torques may be commanded, and that no command steps."""

from __future__ import annotations

import numpy as np
import pytest

from dyn_node.nodes.arming import Arming, Envelope

SECOND = 1_000_000_000
WISH = np.array([10.0, -4.0])
FREE = np.full(2, np.inf)


def shaped(
    envelope: Envelope, at: float, wish: np.ndarray = WISH, ramp: float = 1.0, **more: object
) -> np.ndarray:
    """The command at a time in seconds, without bounds unless given."""
    given = {"rate": None, "bound": FREE, "pause": 0.5, **more}
    return envelope.shape(wish, round((1.0 + at) * SECOND), ramp, **given)


def test_a_command_begins_at_zero_and_is_whole_after_the_ramp() -> None:
    envelope = Envelope()
    for step in range(41):
        expected = min(1.0, 0.05 * step) * WISH
        assert shaped(envelope, 0.05 * step) == pytest.approx(expected), f"{0.05 * step:.2f} s"
        assert envelope.share(round((1.0 + 0.05 * step) * SECOND), 1.0) == pytest.approx(
            min(1.0, 0.05 * step)
        )


def test_without_a_ramp_the_first_command_is_whole() -> None:
    assert shaped(Envelope(), 0.0, ramp=0.0) == pytest.approx(WISH)


def test_a_pause_begins_anew_from_zero() -> None:
    envelope = Envelope()
    for step in range(30):
        shaped(envelope, 0.1 * step)
    assert shaped(envelope, 2.9 + 0.6) == pytest.approx([0.0, 0.0])
    assert shaped(envelope, 2.9 + 0.7) == pytest.approx(0.1 * WISH)


def test_a_changed_parameter_is_reached_in_a_ramp_from_the_last_command() -> None:
    envelope = Envelope()
    shaped(envelope, 0.0, ramp=0.0)
    envelope.change()
    # The ramp begins with the first command that has the new numbers.
    for step in range(11):
        expected = WISH + 0.1 * step * WISH
        assert shaped(envelope, 0.1 + 0.1 * step, 2.0 * WISH) == pytest.approx(expected), step


def test_the_rate_is_bounded_and_reported() -> None:
    envelope, rate = Envelope(), np.array([20.0, 1000.0])
    last = shaped(envelope, 0.0, ramp=0.0, rate=rate)
    assert last == pytest.approx([0.0, 0.0])
    for step in range(1, 80):
        command = shaped(envelope, 0.01 * step, ramp=0.0, rate=rate)
        assert (np.abs(command - last) <= 0.01 * rate + 1e-9).all(), step
        if step != 50:  # there it is reached, to within rounding
            assert envelope.rate_limited.tolist() == [step < 50, False], step
        last = command
    assert last == pytest.approx(WISH)


def test_the_bound_holds_whatever_else_is_asked() -> None:
    envelope, bound = Envelope(), np.array([3.0, 5.0])
    for step in range(40):
        command = shaped(envelope, 0.05 * step, bound=bound)
        assert (np.abs(command) <= bound).all(), step
    assert command == pytest.approx([3.0, -4.0])
    assert envelope.cut.tolist() == [True, False]
    # A bound that is made smaller holds at once, however slow the rate.
    assert shaped(envelope, 2.0, bound=np.array([1.0, 1.0]), rate=np.full(2, 0.01)) == pytest.approx(
        [1.0, -1.0]
    )


def test_only_arming_lets_commands_through_and_a_fault_is_told_from_a_request() -> None:
    arming = Arming()
    assert (arming.armed, arming.reason) == (False, "not armed yet; call ~/enable")
    arming.disarm("stale")
    assert not arming.stopped, "nothing was stopped"
    arming.arm(SECOND)
    assert (arming.armed, arming.reason) == (True, "")
    arming.disarm("stale")
    assert (arming.armed, arming.reason, arming.stopped, arming.stops) == (False, "stale", True, 1)
    arming.disarm("later")
    assert arming.reason == "stale", "the first reason is the one that counts"
    arming.disarm("asked", asked=True)
    assert (arming.reason, arming.stopped) == ("asked", False)


def test_a_state_that_was_silent_is_noticed_when_it_comes_back() -> None:
    arming = Arming()
    arming.arm(SECOND)
    assert arming.silence(SECOND + SECOND // 2, 0.5) == 0.0
    assert arming.silence(2 * SECOND + SECOND // 2, 0.5) == pytest.approx(1.0)
    assert arming.silence(2 * SECOND + SECOND // 2, 0.5) == 0.0
