"""What the markers show, against the library."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("rclpy", reason="rclpy is not installed")

import dyn_node
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.marker_parts import arc_points
from dyn_node.nodes.markers import Markers
from dyn_node.nodes.outputs import Moment
from dyn_node.nodes.stance import Contacts, Stance
from dyn_node.spatial import SE3

FEET = ("FL_foot", "FR_foot", "RL_foot", "RR_foot")


def shown(robot: str, root: str, frames: list[str], **given: Any) -> tuple[dict[str, Any], Moment]:
    """The markers of a robot in a random state, by name, and that state."""
    model = dyn_node.robots.load(robot, root=root)
    settings = DynamicsSettings(root_joint=root, **given)
    moment = Moment.of(model)
    if settings.contact_frames:
        moment.stance = Stance(model, Contacts(settings))
    rng = np.random.default_rng(3)
    moment.take(
        dyn_node.random_configuration(model, rng, unbounded=1.0), rng.normal(size=model.nv), 2_000_000_003
    )
    moment.compute_gravity()
    moment.compute_kinematics()
    sent: list[Any] = []
    publisher = SimpleNamespace(publish=sent.append, get_subscription_count=lambda: 1)
    indices = {name: model.frame_id(name) for name in frames}
    output = Markers(publisher, model, indices, settings, stands=moment.stance is not None)
    output.publish(moment)
    names = [marker.ns for marker in sent[0].markers]
    assert len(set(names)) == len(names), "rviz takes two of one name for the same"
    return dict(zip(names, sent[0].markers, strict=True)), moment


def xyz(message: Any) -> np.ndarray:
    return np.array([message.x, message.y, message.z])


def length(marker: Any) -> np.ndarray:
    """From the first point of an arrow to the second."""
    return xyz(marker.points[1]) - xyz(marker.points[0])


def test_twists_and_ellipsoid_are_at_the_frame_and_as_long_as_they_should_be() -> None:
    markers, moment = shown("panda", "fixed", ["panda_hand"], markers=("twist", "velocity_ellipsoid"))
    model, data = moment.model, moment.data
    index = model.frame_id("panda_hand")
    twist = dyn_node.frame_velocity(model, data, index, "LOCAL_WORLD_ALIGNED").vector
    assert length(markers["panda_hand linear"]) == pytest.approx(0.25 * twist[:3])
    assert length(markers["panda_hand angular"]) == pytest.approx(0.25 * twist[3:])
    ellipsoid = markers["panda_hand velocity ellipsoid"]
    assert xyz(ellipsoid.pose.position) == pytest.approx(data.oMf[index].translation)
    jacobian = dyn_node.frame_jacobian(model, data, moment.q, index, "LOCAL_WORLD_ALIGNED")[:3]
    turn = ellipsoid.pose.orientation
    axes = SE3.from_quaternion(np.array([turn.x, turn.y, turn.z, turn.w]), np.zeros(3)).rotation
    radii = xyz(ellipsoid.scale) / (2 * 0.2)
    assert axes @ np.diag(radii**2) @ axes.T == pytest.approx(jacobian @ jacobian.T, abs=1e-9)


def test_torques_go_round_the_joints_axes_by_their_size() -> None:
    markers, moment = shown("panda", "fixed", [], markers=("torques",))
    for joint in moment.model.actuated_joints:
        effort = moment.gravity[joint.idx_v]
        place = moment.data.oMi[joint.index]
        axis = place.rotation @ joint.axis
        points = np.array([xyz(point) for point in markers[f"{joint.name} torque"].points])
        spokes = points - place.translation
        assert spokes @ axis == pytest.approx(0.0, abs=1e-12), joint.name
        radius = np.linalg.norm(spokes[0])
        steps = np.arcsin(np.clip(np.cross(spokes[:-1], spokes[1:]) @ axis / radius**2, -1.0, 1.0))
        assert steps.sum() == pytest.approx(np.clip(0.05 * effort, -5.5, 5.5)), joint.name


def test_an_arc_is_never_a_whole_circle() -> None:
    points = arc_points(np.zeros(3), np.array([0.0, 0.0, 1.0]), 1.0, 1e9)
    assert np.linalg.norm(points[0] - points[-1]) > 0.5


def test_a_quadruped_shows_centre_of_mass_and_the_grounds_forces() -> None:
    markers, moment = shown(
        "go2", "free_flyer", [], contact_frames=FEET, markers=("center_of_mass", "contact_forces")
    )
    data = moment.model.create_data()
    centre = dyn_node.center_of_mass(moment.model, data, moment.q).position
    assert xyz(markers["centre of mass"].pose.position) == pytest.approx(centre, abs=1e-9)
    assert xyz(markers["centre of mass on the ground"].pose.position) == pytest.approx([*centre[:2], 0.0])
    for k, foot in enumerate(FEET):
        assert length(markers[f"{foot} force"]) == pytest.approx(0.002 * moment.stance.forces[k]), foot
    assert all(marker.header.stamp.sec == 2 for marker in markers.values())


def test_sizes_and_colours_are_parameters() -> None:
    given = {"marker_thickness": 0.05, "marker_com_color": (1.0, 0.0, 0.5, 0.25), "world_frame": "map"}
    markers, _ = shown("panda", "fixed", ["panda_hand"], **given)
    com = markers["centre of mass"]
    assert (com.color.r, com.color.g, com.color.b, com.color.a) == (1.0, 0.0, 0.5, 0.25)
    assert com.scale.x == pytest.approx(0.2)
    assert markers["panda_hand linear"].scale.x == 0.05
    assert {marker.header.frame_id for marker in markers.values()} == {"map"}
