"""What the nodes warm is what they use: nothing is left to be compiled inside a callback."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("numba", reason="without numba nothing is compiled")
pytest.importorskip("rclpy", reason="rclpy is not installed")
pytest.importorskip("dyn_node_msgs", reason="dyn_node_msgs is not built")

# In a process of its own: the kernels that other tests have compiled would hide one that is missing.
SCRIPT = """
import numpy as np, dyn_node
from dyn_node.kernels import engine
from dyn_node.nodes.dynamics import DynamicsNode
from dyn_node.nodes.solver import SolverNode, _SERVICES
from dyn_node.nodes.answers import answer
from dyn_node.nodes.marker_parts import VelocityEllipsoids, centre_of_mass
from dyn_node.nodes.dynamics_settings import DynamicsSettings
from dyn_node.nodes.model_source import configured, read_model
from dyn_node.nodes.outputs import Moment
from dyn_node.nodes.request_parts import Context
from dyn_node.nodes.solver_settings import SolverSettings
from dyn_node.nodes.state import RobotState
from dyn_node_msgs.msg import FrameWrench

def compiled():
    return {name for name, kernel in engine._registry.items() if kernel.compiled}

kind = {kind}
dyn_node.warm(*kind.intake_kernels, *kind.kernels)
warmed = compiled()
settings = SolverSettings(root_joint="free_flyer", payload_frame="base", payload_mass=1.0)
text = open(dyn_node.robots.path("go2")).read()
model = configured(read_model(text, settings), settings)
state = RobotState(model, settings)
count = len(state.map.names)
state.joints.update(list(state.map.names), np.zeros(count), np.zeros(count), 5, 5)
state.base.odometry("imu", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), np.zeros(6), 5, 5)
for stamp in (5, 6):
    state.base.pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), stamp, stamp)
if kind is DynamicsNode:
    moment = Moment.of(model)
    moment.take(state.q, state.v, state.refresh())
    moment.compute_gravity()
    moment.compute_kinematics()
    dyn_node.crba(model, moment.data, moment.q)
    dyn_node.frame_velocity(model, moment.data, "imu", "LOCAL_WORLD_ALIGNED")
    centre_of_mass(moment)
    VelocityEllipsoids(DynamicsSettings(), model, {"imu": model.frame_id("imu")}).update(moment)
else:
    context = Context(model, model.create_data(), state.map, state.snapshot(6, 1.0), settings)
    references = ("LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED")
    wrenches = [FrameWrench(frame="imu", reference=reference) for reference in references]
    for service, name, handler in _SERVICES:
        request = service.Request()
        if hasattr(request, "frame"):
            request.frame = "FL_foot"
        if hasattr(request, "external_wrenches"):
            request.external_wrenches = wrenches
        print(name, answer(handler, context, request, service.Response()).message)
        if hasattr(request, "external_wrenches"):
            request.external_wrenches = []
            print(name, answer(handler, context, request, service.Response()).message)
            # The second set holds one foot more than once, which is solved in another way.
            for frames, kinds in ((["FL_foot", "RR_foot"], [1, 0]), (["FL_foot", "FL_foot"], [])):
                request.contact_frames, request.contact_kinds = frames, kinds
                for given in ([], wrenches):
                    request.external_wrenches = given
                    print(name, answer(handler, context, request, service.Response()).message)
print("NOT WARMED", sorted(compiled() - warmed))
"""


@pytest.mark.parametrize("kind", ["DynamicsNode", "SolverNode"])
def test_nothing_is_left_to_compile(kind: str) -> None:
    command = [sys.executable, "-c", SCRIPT.replace("{kind}", kind)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "NOT WARMED []", result.stdout


STANDING = """
import numpy as np, dyn_node
from dyn_node.kernels import engine
from dyn_node.nodes.demo_build import build
from dyn_node.nodes.demo_robot import STANDING_KERNELS
from dyn_node.nodes.demo_settings import DemoSettings

def compiled():
    return {name for name, kernel in engine._registry.items() if kernel.compiled}

dyn_node.warm(*STANDING_KERNELS)
body = build(DemoSettings(robot="go2", feet=dyn_node.robots.describe("go2").feet)).body
warmed = compiled()
body.stop()
body.inertia()
while not any(isinstance(key, int) for key in body._held):  # until a joint is at the end of its range
    body.step(np.zeros(12), 1e-3)
body.base()
print("NOT WARMED", sorted(compiled() - warmed))
"""


def test_nothing_is_left_to_compile_in_the_standing_robot() -> None:
    result = subprocess.run(
        [sys.executable, "-c", STANDING], capture_output=True, text=True, timeout=280, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1] == "NOT WARMED []", result.stdout
