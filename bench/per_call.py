"""Part `per_call`: what one call from Python costs, as a ratio to Pinocchio's binding in the same process."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from timeit import Timer
from typing import Any

import numpy as np

import dyn_node
from dyn_node.kernels import pose

from . import agreement
from .calls import FEET_CALLS, POSE_CALLS, ROBOT_CALLS, Call
from .machine import pinned
from .options import Options
from .peers import need
from .results import Row, row_of
from .robots import Robot, load_ours, load_pin
from .timing import interleave

PART = "per_call"
#: Every repetition of a measurement takes the next of so many random states.
STATES = 16


@dataclasses.dataclass
class Pair:
    """The namespaces in which the two libraries' statements run, and the inputs they take in turn."""

    ours: dict[str, Any]
    theirs: dict[str, Any]
    inputs: list[tuple[dict[str, Any], dict[str, Any]]]

    def lay_out(self, call: Call, number: int) -> None:
        """Give both the same inputs, and run what has to run before the call."""
        spaces, inputs = (self.ours, self.theirs), self.inputs[number % len(self.inputs)]
        for space, values, before in zip(spaces, inputs, call.before, strict=True):
            space.update(values)
            exec(before, space)

    def check(self, where: str, call: Call) -> None:
        """The results of both are the same for all inputs."""
        for number in range(len(self.inputs)):
            self.lay_out(call, number)
            results = []
            for side, (space, text) in enumerate(((self.ours, call.ours), (self.theirs, call.theirs))):
                if call.value is not None:
                    exec(text, space)
                results.append(eval((call.value and call.value[side]) or text, space))
            agreement.check(f"{where} {call.name}", *results)

    def compare(self, subject: str, call: Call, options: Options, part: str = PART, peer: str = "pin") -> Row:
        """Check, then time."""
        self.check(subject, call)
        # Processor time: what the system gives to other processes meanwhile does not count.
        ours, theirs = (
            Timer(text, timer=time.thread_time, globals=space)
            for text, space in ((call.ours, self.ours), (call.theirs, self.theirs))
        )

        def before(number: int) -> None:
            self.lay_out(call, number)

        return row_of((part, subject, call.name), peer, interleave(ours, theirs, options.calls, before))


def run(options: Options) -> Iterator[Row]:
    """The rows of this part, as they come."""
    need("pinocchio")
    with pinned():
        for robot in options.robots:
            pair = robot_pair(robot)
            for call in (*ROBOT_CALLS, *(FEET_CALLS if robot.feet else ())):
                yield pair.compare(robot.name, call, options)
        pair = pose_pair()
        for call in POSE_CALLS:
            yield pair.compare("SE3", call, options)


def robot_pair(robot: Robot) -> Pair:
    """Both libraries with a robot loaded."""
    pin = need("pinocchio")
    models = load_ours(robot), load_pin(robot)
    frame = models[0].frame_id(robot.tool)
    joint = models[0].frames[frame].parent_joint
    shared = {"joint": joint}
    ours = vars(dyn_node) | shared | {"frame": frame, "LWA": dyn_node.LOCAL_WORLD_ALIGNED}
    theirs = vars(pin) | shared | {"frame": models[1].getFrameId(robot.tool), "LWA": pin.LOCAL_WORLD_ALIGNED}
    ours |= {"model": models[0], "data": models[0].create_data()}
    ours |= {"out_q": np.zeros(models[0].nq), "out_v": np.zeros(models[0].nv)}
    theirs |= {"model": models[1], "data": models[1].createData()}
    if robot.feet:
        ours |= {"ties": _ties(robot, models[0])}
        theirs |= _contacts(robot, models[1], theirs["data"])
    rng = np.random.default_rng(7)
    states = [random_state(models[0], rng) for _ in range(STATES)]
    return Pair(ours, theirs, [(state, state) for state in states])


def _ties(robot: Robot, model: Any) -> Any:
    """The robot's feet, held on the ground, here."""
    kind = dyn_node.RigidConstraint if robot.flat else dyn_node.PointConstraint
    return dyn_node.ConstraintSet(model, [kind(foot) for foot in robot.feet])


def _contacts(robot: Robot, model: Any, data: Any) -> dict[str, Any]:
    """The same there."""
    pin = need("pinocchio")
    kind = pin.ContactType.CONTACT_6D if robot.flat else pin.ContactType.CONTACT_3D
    contacts, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for foot in robot.feet:
        frame = model.frames[model.getFrameId(foot)]
        contacts.append(pin.RigidConstraintModel(kind, model, frame.parentJoint, frame.placement, pin.LOCAL))
    for contact in contacts:
        datas.append(contact.createData())
    pin.initConstraintDynamics(model, data, contacts, datas)
    # No regularisation and one iteration: the direct solution, as here.
    proximal = pin.ProximalSettings(1e-12, 0.0, 1)
    return {"contacts": contacts, "contact_datas": datas, "proximal": proximal}


def random_state(model: Any, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """A random state of a robot; positions without limits stay within two metres or radians."""
    state = {name: dyn_node.random_configuration(model, rng, unbounded=2.0) for name in ("q", "q1")}
    return state | {name: rng.uniform(-1.0, 1.0, model.nv) for name in ("v", "a", "tau", "dv")}


def pose_pair() -> Pair:
    """Both libraries with the same placements."""
    pin = need("pinocchio")
    rng = np.random.default_rng(7)
    inputs = []
    for _ in range(STATES):
        A, B, xi, x = dyn_node.SE3.Random(rng), dyn_node.SE3.Random(rng), rng.uniform(-1, 1, 6), rng.random(3)
        shared = {"xi": xi, "x": x}
        ours = {"A": A, "B": B, "m": dyn_node.Motion.from_vector(xi)}
        inputs.append((shared | ours, shared | {name: _to_pin(pin, value) for name, value in ours.items()}))
    dyn_node.warm("pose_exp", "pose_log")
    ours = dict(vars(dyn_node)) | {"pose_exp": pose.pose_exp, "pose_log": pose.pose_log}
    ours |= {"pose": np.zeros((4, 3)), "six": np.zeros(6)}
    return Pair(ours, dict(vars(pin)), inputs)


def _to_pin(pin: Any, value: Any) -> Any:
    return pin.SE3(value.homogeneous) if isinstance(value, dyn_node.SE3) else pin.Motion(value.vector)
