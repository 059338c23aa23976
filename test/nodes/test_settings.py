"""The nodes' parameters: what is accepted, and the sentence that refuses the rest."""

from __future__ import annotations

import math

import pytest

from dyn_node.errors import InvalidValueError
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.settings import specs
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.spec import KINDS


@pytest.mark.parametrize("kind", [DynamicsSettings, SolverSettings])
def test_every_parameter_is_described_and_its_default_is_allowed(kind: type) -> None:
    for spec in specs(kind):
        assert spec.kind in KINDS, spec.name
        assert len(spec.description) > 15, spec.name
    assert kind() == kind.from_values({spec.name: spec.default for spec in specs(kind)})


def test_both_nodes_declare_shared_parameters_alike() -> None:
    ours = {spec.name: spec for spec in specs(DynamicsSettings)}
    for spec in specs(SolverSettings):
        assert ours.get(spec.name, spec) == spec


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"rate": -1.0}, ("rate", "-1.0", "from 0 to 10000")),
        ({"rate": math.nan}, ("rate", "nan", "finite")),
        ({"gravity": [0.0, 0.0]}, ("gravity", "3 entries")),
        ({"gravity": [0.0, 0.0, math.inf]}, ("gravity", "finite")),
        ({"root_joint": "floating"}, ("root_joint", "floating", "free_flyer")),
        ({"outputs": ["gravity_torque"]}, ("outputs", "did you mean gravity_torques?")),
        ({"world_frame": 3}, ("world_frame", "text")),
        ({"state_timeout": 0.0}, ("state_timeout", "0.001")),
        ({"gravity_scale": 1.5}, ("gravity_scale", "from 0 to 1")),
        ({"payload.mass": 1.0}, ("payload.mass", "payload.frame")),
        ({"payload.inertia": [1.0, 0.0, 0.0, 1.0, 0.0, 1.0]}, ("payload.inertia", "payload.mass")),
        ({"max_effort": [1.0, 2.0], "command_joints": ["a"]}, ("max_effort", "2 entries", "command_joints")),
        (
            {"max_effort_rate": [1.0, 2.0], "command_joints": ["a"]},
            ("max_effort_rate", "2 entries", "command_joints"),
        ),
        ({"max_effort_rate": [0.0], "command_joints": ["a"]}, ("max_effort_rate", "from 0.001")),
        ({"start_ramp": -1.0}, ("start_ramp", "from 0 to 60")),
        ({"command_joints": ["a", "b", "a"]}, ("command_joints", "twice")),
    ],
)
def test_a_refusal_names_the_parameter_and_what_is_allowed(values: dict, words: tuple[str, ...]) -> None:
    with pytest.raises(InvalidValueError) as refusal:
        DynamicsSettings.from_values(values)
    for word in words:
        assert word in str(refusal.value), str(refusal.value)


def test_ik_timeout_has_to_fit_below_the_longest() -> None:
    with pytest.raises(InvalidValueError, match=r"ik\.max_timeout"):
        SolverSettings.from_values({"ik.timeout": 2.0, "ik.max_timeout": 1.0})


def test_empty_texts_in_a_list_are_how_ros_writes_an_empty_list() -> None:
    assert DynamicsSettings.from_values({"frames": [""], "outputs": [""]}).outputs == ()


def test_missing_values_take_the_default_and_names_with_points_find_their_field() -> None:
    settings = DynamicsSettings.from_values({"frames": None, "payload.frame": "hand", "payload.mass": 2})
    assert settings.frames == ()
    assert (settings.payload_frame, settings.payload_mass) == ("hand", 2.0)
