"""What the demo prints, and what its command line refuses."""

from __future__ import annotations

import numpy as np
import pytest

from dyn_node.nodes.demo_telemetry import Arrivals, State, Telemetry
from dyn_node.tools import demo
from dyn_node.tools.demo_view import Outcome, PlainView, make_view, numbers


def _heard() -> Telemetry:
    heard = Telemetry(mode="driven")
    heard.add_state(("a", "b"), 10.0, State(9.999, np.array([0.1, -0.2]), np.zeros(2), np.ones(2)))
    heard.add_torques(("b", "a"), 10.002, 9.999, np.array([3.0, 4.0]))
    return heard


def test_torques_are_put_in_the_order_of_the_joints():
    assert list(_heard().torque) == [4.0, 3.0]


def test_rate_and_latency_are_of_the_last_seconds():
    arrivals = Arrivals()
    arrivals.add(0.0, -5.0)
    for i in range(200):
        arrivals.add(10.0 + 0.01 * i, 10.0 + 0.01 * i - 0.002)
    assert arrivals.rate == pytest.approx(100.0)
    assert arrivals.latency(99) == pytest.approx(0.002)
    assert arrivals.count == 201


def test_no_messages_is_no_rate_and_no_latency():
    assert Arrivals().rate == 0.0
    assert np.isnan(Arrivals().latency(50))


def test_condition_number():
    heard = Telemetry()
    heard.add_mass_matrix(np.diag([8.0, 2.0]))
    assert heard.condition == pytest.approx(4.0)


def test_plain_view_prints_numbers_and_the_summary(capsys):
    view = PlainView("tool0")
    view.show(_heard())
    view.summary([Outcome("stands", "below 1", "2", False), Outcome("moves", "1", "1", True)])
    text = capsys.readouterr().out
    assert "q [0.1000 -0.2000] rad" in text
    assert "gravity torque [4.00 3.00] N m" in text
    assert "FAILED stands: 2 (required: below 1)" in text
    assert "held   moves" in text


def test_a_pipe_gets_plain_lines():
    assert isinstance(make_view("tool0", plain=False, color=True), PlainView)


def test_live_view_draws_and_leaves_a_summary(capsys):
    pytest.importorskip("rich")
    from dyn_node.tools.demo_live import LiveView

    with LiveView("tool0", color=False) as view:
        view.stage("standing")
        view.show(_heard())
        view.summary([Outcome("stands", "below 1", "2", False)])
    text = capsys.readouterr().out
    assert "== standing" in text
    assert "FAILED" in text


def test_a_rounded_zero_has_no_sign():
    assert numbers(np.array([-1e-9]), 3) == "0.000"


@pytest.mark.parametrize(
    "arguments", [["--robot", "dog"], ["--duration", "-1"], ["--duration", "nan"], ["--duration", "x"]]
)
def test_bad_arguments_exit_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        demo.main(arguments)
    assert caught.value.code == 2
    assert arguments[1] in capsys.readouterr().err


def test_environment_keeps_what_is_set_and_stays_on_this_machine():
    environment = {"ROS_DOMAIN_ID": "5", "PYTHONPATH": "there"}
    demo.prepare_environment(environment)
    assert environment["ROS_DOMAIN_ID"] == "5"
    assert environment["ROS_AUTOMATIC_DISCOVERY_RANGE"] == "LOCALHOST"
    assert environment["FASTDDS_BUILTIN_TRANSPORTS"] == "UDPv4"
    assert environment["PYTHONPATH"].endswith("there")
    other: dict[str, str] = {}
    demo.prepare_environment(other)
    assert 1 <= int(other["ROS_DOMAIN_ID"]) <= 100
