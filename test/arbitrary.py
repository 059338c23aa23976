"""Arbitrary messages and parts of requests: any names, lengths, numbers and stamps."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from dyn_node_msgs.msg import BaseState, FrameWrench, NamedValues
from geometry_msgs.msg import Accel, Wrench
from hypothesis import strategies as st
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState

import dyn_node
from dyn_node.nodes.conversions import field, fill_six

ROBOT = dyn_node.robots.load("go2", root="free_flyer")
JOINTS = [joint.name for joint in ROBOT.actuated_joints]


def cases(usual: int) -> int:
    """How many cases a test tries; `make fuzz` sets more than the usual number."""
    return int(os.environ.get("DYN_NODE_FUZZ_CASES", usual))


numbers = st.one_of(st.floats(), st.floats(-3.0, 3.0), st.just(0.0))
names = st.one_of(st.sampled_from(JOINTS), st.sampled_from(["", "root_joint", "base"]), st.text(max_size=5))
frames = st.one_of(st.sampled_from(["FL_foot", "base", "imu", "universe"]), st.text(max_size=4))
references = st.sampled_from(["", "LOCAL", "WORLD", "LOCAL_WORLD_ALIGNED", "x"])
name_lists = st.one_of(st.just(JOINTS), st.lists(names, max_size=6))


def arrays(size: int) -> st.SearchStrategy[list[float]]:
    """Mostly of the right length."""
    return st.one_of(
        st.lists(numbers, min_size=size, max_size=size), st.lists(numbers, max_size=5), st.just([])
    )


@st.composite
def joint_states(draw: Any) -> JointState:
    chosen = draw(name_lists)
    message = JointState(name=list(chosen))
    message.position = field(np.array(draw(arrays(len(chosen))), dtype=float))
    message.velocity = field(np.array(draw(arrays(len(chosen))), dtype=float))
    return message


def six() -> st.SearchStrategy[np.ndarray]:
    return st.lists(numbers, min_size=6, max_size=6).map(np.array)


@st.composite
def bases(draw: Any) -> BaseState:
    state = BaseState()
    pose = state.pose
    pose.position.x, pose.position.y, pose.position.z = draw(st.tuples(numbers, numbers, numbers))
    if draw(st.booleans()):
        orientation = draw(st.tuples(numbers, numbers, numbers, numbers))
        pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w = orientation
    fill_six(state.twist.linear, state.twist.angular, draw(six()))
    return state


@st.composite
def odometries(draw: Any) -> Odometry:
    base, message = draw(bases()), Odometry(child_frame_id=draw(frames))
    message.header.frame_id = draw(frames)
    message.pose.pose, message.twist.twist = base.pose, base.twist
    return message


#: Stamps as a message can carry them: seconds, nanoseconds.
stamps = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1))


@st.composite
def wrenches(draw: Any) -> FrameWrench:
    wrench = FrameWrench(frame=draw(frames), reference=draw(references))
    fill_six(wrench.wrench.force, wrench.wrench.torque, draw(six()))
    return wrench


@st.composite
def values(draw: Any) -> NamedValues:
    chosen = draw(name_lists)
    return NamedValues(names=list(chosen), values=field(np.array(draw(arrays(len(chosen))), dtype=float)))


def accelerations() -> st.SearchStrategy[Accel]:
    def make(numbers: np.ndarray) -> Accel:
        message = Accel()
        fill_six(message.linear, message.angular, numbers)
        return message

    return six().map(make)


def base_wrenches() -> st.SearchStrategy[Wrench]:
    def make(numbers: np.ndarray) -> Wrench:
        message = Wrench()
        fill_six(message.force, message.torque, numbers)
        return message

    return six().map(make)


contacts = st.one_of(
    st.just({}),
    st.fixed_dictionaries(
        {
            "contact_frames": st.lists(
                st.one_of(frames, st.sampled_from(["FL_foot", "RR_foot"])), max_size=3
            ),
            "contact_kinds": st.lists(st.integers(0, 2), max_size=3),
        }
    ),
)
common = st.fixed_dictionaries({"state": joint_states(), "base": st.lists(bases(), max_size=1)})
