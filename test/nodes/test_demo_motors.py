"""The demo robot's brakes, motors and servo."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from dyn_node.nodes.demo_motors import Mode, Motors, Servo

TIMEOUT = 0.1
EXACT = 1e-12


@pytest.fixture
def motors() -> Motors:
    return Motors(2, TIMEOUT, fall=False)


def test_brakes_hold_until_the_first_effort(motors):
    motors.wait(10.0)
    assert motors.mode is Mode.BRAKED
    motors.receive(np.array([1.0, 2.0]))
    assert motors.mode is Mode.DRIVEN
    assert_allclose(motors.command, [1.0, 2.0])


@pytest.mark.parametrize(("fall", "after"), [(False, Mode.BRAKED), (True, Mode.LIMP)])
def test_silence_ends_driving_and_a_new_effort_resumes_it(fall, after):
    motors = Motors(2, TIMEOUT, fall)
    motors.receive(np.ones(2))
    motors.wait(TIMEOUT)
    assert motors.mode is Mode.DRIVEN
    motors.wait(0.001)
    assert motors.mode is after
    motors.receive(np.ones(2))
    assert motors.mode is Mode.DRIVEN


def test_switches_stand_above_efforts_and_brakes_above_power(motors):
    motors.receive(np.ones(2))
    motors.powered = False
    motors.receive(np.ones(2))
    assert motors.mode is Mode.LIMP
    motors.brake = True
    assert motors.mode is Mode.BRAKED
    motors.brake, motors.powered = False, True
    assert motors.mode is Mode.DRIVEN


def test_cut_before_the_first_effort_makes_the_robot_fall(motors):
    motors.powered = False
    assert motors.mode is Mode.LIMP


def test_command_is_a_copy(motors):
    effort = np.ones(2)
    motors.receive(effort)
    effort[:] = 7.0
    assert_allclose(motors.command, 1.0)


def _moving_servo() -> Servo:
    servo = Servo(2, 10.0)
    points, times, inertia = np.array([[1.0, -2.0], [1.0, 0.0]]), np.array([2.0, 3.0]), np.array([1.0, 4.0])
    servo.follow(np.zeros(2), points, times, 5.0, inertia)
    return servo


def test_reference_starts_passes_and_ends_at_rest_in_the_points():
    servo = _moving_servo()
    for now, position in ((5.0, (0.0, 0.0)), (7.0, (1.0, -2.0)), (8.0, (1.0, 0.0)), (99.0, (1.0, 0.0))):
        target, rate = servo.reference(now)
        assert_allclose(target, position, atol=EXACT, err_msg=f"position at {now}")
        assert_allclose(rate, 0.0, atol=EXACT, err_msg=f"velocity at {now}")


def test_reference_velocity_is_the_derivative_of_its_position():
    servo, step = _moving_servo(), 1e-6
    for now in (5.3, 6.0, 6.9, 7.5):
        ahead, behind = servo.reference(now + step)[0], servo.reference(now - step)[0]
        assert_allclose(servo.reference(now)[1], (ahead - behind) / (2 * step), atol=1e-8)


def test_gains_are_those_of_a_critically_damped_mass_and_there_is_no_gravity_term():
    servo = _moving_servo()
    target, rate = servo.reference(99.0)
    assert_allclose(servo.effort(target, rate, 99.0), 0.0, atol=EXACT)
    assert_allclose(servo.effort(target - 0.1, rate, 99.0), 0.1 * 100.0 * np.array([1.0, 4.0]))
    assert_allclose(servo.effort(target, rate + 0.1, 99.0), -0.1 * 20.0 * np.array([1.0, 4.0]))


def test_release_ends_it():
    servo = _moving_servo()
    assert servo.active
    servo.release()
    assert not servo.active
