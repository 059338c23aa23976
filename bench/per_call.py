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
    model, other = load_ours(robot), load_pin(robot)
    frame, point = model.frame_id(robot.tool), np.array([0.1, -0.2, 0.3])
    joint = model.frames[frame].parent_joint
    rng = np.random.default_rng(7)
    ours = vars(dyn_node) | {
        "model": model,
        "data": model.create_data(),
        "frame": frame,
        "joint": joint,
        "joint_frame": model.joint_frames[joint],
        "point": point,
        "LWA": dyn_node.LOCAL_WORLD_ALIGNED,
        "out_q": np.zeros(model.nq),
        "out_v": np.zeros(model.nv),
        "rng": rng,
        "np": np,
    }
    limits = (other.lowerPositionLimit, -2.0), (other.upperPositionLimit, 2.0)
    lower, upper = (np.where(np.isfinite(limit), limit, far) for limit, far in limits)
    theirs = vars(pin) | {
        "model": other,
        "data": other.createData(),
        "frame": other.getFrameId(robot.tool),
        "joint": joint,
        "place": pin.SE3(np.eye(3), point),
        "LWA": pin.LOCAL_WORLD_ALIGNED,
        "lower": lower,
        "upper": upper,
        "np": np,
    }
    if robot.feet:
        ours |= {"ties": _ties(robot, model)}
        theirs |= _contacts(robot, other, theirs["data"])
    return Pair(ours, theirs, [_in_both(pin, random_state(model, rng)) for _ in range(STATES)])


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
    state |= {name: rng.uniform(-1.0, 1.0, model.nv) for name in ("v", "a", "tau", "dv")}
    state["f_ext"] = rng.uniform(-1.0, 1.0, (model.njoints, 6))
    state["J"] = rng.uniform(-1.0, 1.0, (model.nv, model.nv))
    return state


def _in_both(pin: Any, state: dict[str, np.ndarray]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A state, and the motion of one body, as each library takes them."""
    body = {"V": np.resize(state["v"], 6), "A": np.resize(state["a"], 6)}
    forces = pin.StdVec_Force()
    forces.extend(pin.Force(force) for force in state["f_ext"])
    ours = state | {name: dyn_node.Motion.from_vector(six) for name, six in body.items()}
    return ours, state | {name: pin.Motion(six) for name, six in body.items()} | {"f_ext": forces}


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
