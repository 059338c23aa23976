"""Cases worked out by hand: signs, frames and what a fixed link weighs."""

from __future__ import annotations

import numpy as np
import pytest
from tolerances import IDENTITY

import dyn_node
from dyn_node import LOCAL, LOCAL_WORLD_ALIGNED, SE3, WORLD, Inertia, ModelBuilder

G = 9.81


def pendulum(mass: float = 2.0, length: float = 0.5) -> dyn_node.Model:
    """Turns about +y; at zero the point mass hangs straight down."""
    builder = ModelBuilder("pendulum")
    joint = builder.add_joint(0, "revolute", SE3.Identity(), "hinge", axis=(0.0, 1.0, 0.0))
    builder.append_body(joint, Inertia(mass, [0.0, 0.0, -length], np.zeros((3, 3))), SE3.Identity())
    return builder.build()


@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 2, -1.0])
def test_a_pendulum_is_held_by_m_g_l_sin_q(angle: float) -> None:
    """A turn about +y swings the mass to -x; +y torque carries it further, gravity brings it back."""
    model = pendulum()
    tau = dyn_node.generalized_gravity(model, model.create_data(), [angle])
    assert tau == pytest.approx([2.0 * G * 0.5 * np.sin(angle)], abs=IDENTITY)


def test_a_released_pendulum_falls_towards_the_bottom() -> None:
    model = pendulum()
    acceleration = dyn_node.aba(model, model.create_data(), [0.3], [0.0], [0.0])
    assert acceleration == pytest.approx([-G / 0.5 * np.sin(0.3)], abs=IDENTITY)


def test_a_fixed_links_mass_behind_the_last_joint_is_carried() -> None:
    model = dyn_node.load_urdf(
        """<robot name="arm">
          <link name="base"/><link name="rod"/>
          <link name="tool"><inertial><origin xyz="0.1 0 0"/><mass value="3"/>
            <inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial></link>
          <joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/>
            <limit lower="-3" upper="3" effort="9" velocity="9"/></joint>
          <joint name="mount" type="fixed"><parent link="rod"/><child link="tool"/>
            <origin xyz="0.4 0 0"/></joint>
        </robot>"""
    )
    # 3 kg at x = 0.5 m: gravity turns the hinge about +y, the motor has to hold with -y.
    tau = dyn_node.generalized_gravity(model, model.create_data(), [0.0])
    assert tau == pytest.approx([-3.0 * G * 0.5], abs=IDENTITY)


def test_a_floating_base_is_carried_by_its_weight() -> None:
    model = dyn_node.robots.load("go2")
    q = dyn_node.neutral(model)
    gravity = dyn_node.generalized_gravity(model, model.create_data(), q)
    assert gravity[:3] == pytest.approx([0.0, 0.0, model.total_mass * G], rel=IDENTITY)


def test_a_yawed_bases_forward_velocity_points_along_world_y() -> None:
    model = dyn_node.robots.load("go2")
    data = model.create_data()
    q = dyn_node.neutral(model)
    q[3:7] = [0.0, 0.0, np.sin(np.pi / 4), np.cos(np.pi / 4)]
    v = np.zeros(model.nv)
    v[:3] = [1.0, 0.0, 0.0]
    dyn_node.forward_kinematics(model, data, q, v)
    twist = dyn_node.frame_velocity(model, data, "base", LOCAL_WORLD_ALIGNED)
    assert twist.linear == pytest.approx([0.0, 1.0, 0.0], abs=IDENTITY)
    assert dyn_node.frame_velocity(model, data, "base", LOCAL).linear == pytest.approx(
        [1.0, 0.0, 0.0], abs=IDENTITY
    )


def test_a_tool_that_turns_about_z_in_the_three_frames() -> None:
    """At (1, 0, 0), turning about the world's z: along +y there, nothing at the world's origin."""
    builder = ModelBuilder("turntable")
    joint = builder.add_joint(0, "revolute", SE3.Identity(), "table", axis=(0.0, 0.0, 1.0))
    builder.append_body(joint, Inertia(1.0, np.zeros(3), np.eye(3)), SE3.Identity())
    builder.add_frame("tool", joint, SE3(np.eye(3), [1.0, 0.0, 0.0]))
    model = builder.build()
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, [0.0], [1.0])
    twist = dyn_node.frame_velocity(model, data, "tool", LOCAL_WORLD_ALIGNED)
    assert twist.vector == pytest.approx([0, 1, 0, 0, 0, 1], abs=IDENTITY)
    assert dyn_node.frame_velocity(model, data, "tool", WORLD).vector == pytest.approx(
        [0, 0, 0, 0, 0, 1], abs=IDENTITY
    )
    # A quarter turn on, LOCAL still moves along its own y; the world sees -x.
    dyn_node.forward_kinematics(model, data, [np.pi / 2], [1.0])
    assert dyn_node.frame_velocity(model, data, "tool", LOCAL).linear == pytest.approx(
        [0, 1, 0], abs=IDENTITY
    )
    aligned = dyn_node.frame_velocity(model, data, "tool", LOCAL_WORLD_ALIGNED)
    assert aligned.linear == pytest.approx([-1, 0, 0], abs=IDENTITY)


def test_a_turning_tool_has_a_centripetal_acceleration_only_classically() -> None:
    builder = ModelBuilder("turntable")
    joint = builder.add_joint(0, "revolute", SE3.Identity(), "table", axis=(0.0, 0.0, 1.0))
    builder.add_frame("tool", joint, SE3(np.eye(3), [1.0, 0.0, 0.0]))
    model = builder.build()
    data = model.create_data()
    dyn_node.forward_kinematics(model, data, [0.0], [2.0], [0.0])
    spatial = dyn_node.frame_acceleration(model, data, "tool", LOCAL)
    classical = dyn_node.frame_classical_acceleration(model, data, "tool", LOCAL)
    assert spatial.linear == pytest.approx([0.0, 0.0, 0.0], abs=IDENTITY)
    assert classical.linear == pytest.approx([-4.0, 0.0, 0.0], abs=IDENTITY)


def test_gravity_can_point_elsewhere() -> None:
    tilted = pendulum().with_gravity((-G, 0.0, 0.0))
    tau = dyn_node.generalized_gravity(tilted, tilted.create_data(), [0.0])
    # Gravity pulls the hanging mass towards -x, which is a turn about +y: the motor holds with -y.
    assert tau == pytest.approx([-2.0 * G * 0.5], abs=IDENTITY)
