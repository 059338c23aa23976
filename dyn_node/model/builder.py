"""ModelBuilder: a robot put together joint by joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..errors import ModelError, UnknownFrameError, UnknownJointError
from ..spatial import SE3, Inertia
from .frame import FRAME_KINDS, Frame, Link
from .joint import Joint, Mimic, SubJoint, universe_joint
from .joint_kinds import Array
from .joint_parameters import Values, make_joint
from .mimic import resolve
from .model import Model

#: m/s^2, world axes, z up.
STANDARD_GRAVITY = (0.0, 0.0, -9.81)


class ModelBuilder:
    """Collects joints, bodies and frames, then makes a `Model` of them.

    Joints are named by name or by the number that `add_joint` gave back; 0 and "universe" are the
    world. `build` puts joints in depth-first order (siblings as they were added), so a joint's index
    in the model equals its number here only if they were added in that order. Frames keep their order.
    """

    def __init__(self, name: str = "robot") -> None:
        self.name = name
        self._joints = [universe_joint()]
        self._inertias = [Inertia.Zero()]
        self._frames = [Frame("universe", 0, "universe", 0, 0, SE3.Identity())]
        self._links: list[Link] = []
        self._joint_frames = [0]
        self._joint_numbers = {"universe": 0}
        self._frame_keys = {("universe", "universe")}

    def add_joint(
        self,
        parent: int | str,
        kind: str,
        placement: SE3 | None = None,
        name: str | None = None,
        *,
        axis: Sequence[float] | Array | None = None,
        axis2: Sequence[float] | Array | None = None,
        pitch: float = 0.0,
        parts: Sequence[SubJoint] = (),
        lower: Values = None,
        upper: Values = None,
        velocity_limit: Values = None,
        effort_limit: Values = None,
        armature: Values = None,
        damping: Values = None,
        friction: Values = None,
        mimic: Mimic | None = None,
        parent_frame: int | None = None,
    ) -> int:
        """Hang a joint on another, and give it a frame of its name. Returns its number.

        Args:
            parent: the joint before it.
            kind: "revolute", "prismatic", "continuous", "helical", "free_flyer", "planar", "spherical",
                "spherical_zyx", "translation", "universal" or "composite".
            placement: in the parent joint's frame; identity if left out.
            name: "joint_<number>" if left out.
            axis: direction in the joint's own frame, any length; for the types that have one.
            axis2: the second one of a universal joint, in its frame after the first has turned.
            pitch: metres per radian of a helical joint.
            parts: what a composite joint is made of, from the parent's side on.
            lower, upper, velocity_limit, effort_limit: one number for all coordinates or one each
                (nq for the first two, nv for the others); none where left out.
            armature, damping, friction: likewise, nv, zero where left out.
            mimic: the joint that it follows, which may be added later; both have one degree of freedom.
            parent_frame: number of the frame that it hangs on in the robot's description.

        Raises:
            ModelError: unknown type, name in use, no axis, wrong number of limits, limits crossed.
            UnknownJointError: no such parent.
        """
        number = len(self._joints)
        name = f"joint_{number}" if name is None else name
        parent_number = self._joint_number(parent)
        arrays: dict[str, Values] = {
            "lower": lower,
            "upper": upper,
            "velocity_limit": velocity_limit,
            "effort_limit": effort_limit,
            "damping": damping,
            "friction": friction,
            "armature": armature,
        }
        where = SE3.Identity() if placement is None else placement
        first, second = (np.zeros(3) if given is None else np.asarray(given) for given in (axis, axis2))
        shape = SubJoint(kind, axis=first, axis2=second, pitch=pitch, parts=tuple(parts))
        joint = make_joint(name, number, parent_number, where, shape, mimic, arrays)
        return self._push_joint(joint, parent_frame)

    def copy_joint(
        self, joint: Joint, parent: int | str, placement: SE3, name: str, parent_frame: int | None = None
    ) -> int:
        """Hang a joint with the parameters of another model's joint. Returns its number."""
        copy = replace(
            joint, name=name, index=len(self._joints), parent=self._joint_number(parent), placement=placement
        )
        return self._push_joint(copy, parent_frame)

    def _push_joint(self, joint: Joint, parent_frame: int | None) -> int:
        if joint.name in self._joint_numbers:
            raise ModelError(f"joint {joint.name!r}: the name is in use", joint.name, "a name not in use")
        before = self._joint_frames[joint.parent] if parent_frame is None else parent_frame
        self._check_frame(joint.name, "joint", joint.parent, before)
        self._joints.append(joint)
        self._inertias.append(Inertia.Zero())
        self._joint_numbers[joint.name] = joint.index
        self._joint_frames.append(self._push_frame(joint.name, "joint", joint.index, before, SE3.Identity()))
        return joint.index

    def append_body(
        self,
        joint: int | str,
        inertia: Inertia,
        placement: SE3 | None = None,
        name: str | None = None,
        *,
        parent_frame: int | None = None,
    ) -> int | None:
        """Fix a body to what a joint moves. With a name it gets a body frame, whose number is returned.

        Args:
            joint: the joint that moves it; 0 or "universe" fixes it to the world.
            inertia: in the body's own frame; placement: of that frame in the joint's frame.
        """
        number = self._joint_number(joint)
        placement = SE3.Identity() if placement is None else placement
        if name is None:
            self.add_link("", self._joint_frames[number], placement.act(inertia))
            return None
        frame = self.add_frame(name, number, placement, kind="body", parent_frame=parent_frame)
        self.add_link(name, frame, inertia)
        return frame

    def add_link(self, name: str, frame: int, inertia: Inertia) -> None:
        """Fix a body, given in the axes of a frame that exists, to what carries that frame."""
        carrier = self._frames[frame]
        self._links.append(Link(name, frame, inertia))
        lumped = self._inertias[carrier.parent_joint]
        self._inertias[carrier.parent_joint] = lumped + carrier.placement.act(inertia)

    def add_frame(
        self,
        name: str,
        joint: int | str,
        placement: SE3 | None = None,
        *,
        kind: str = "operational",
        parent_frame: int | None = None,
    ) -> int:
        """Name a place in a joint's frame. Returns the frame's number, which is its index in the model."""
        number = self._joint_number(joint)
        before = self._joint_frames[number] if parent_frame is None else parent_frame
        self._check_frame(name, kind, number, before)
        return self._push_frame(
            name, kind, number, before, SE3.Identity() if placement is None else placement
        )

    def joint_frame(self, joint: int | str) -> int:
        """Number of the frame of a joint."""
        return self._joint_frames[self._joint_number(joint)]

    def set_mimic(self, joint: int | str, mimic: Mimic | None) -> None:
        """Say which joint another follows, or that it follows none."""
        number = self._joint_number(joint)
        self._joints[number] = replace(self._joints[number], mimic=mimic)

    def build(self, gravity: Sequence[float] | Array = STANDARD_GRAVITY) -> Model:
        """The model. The builder can go on afterwards; the model does not change with it.

        Raises:
            ModelError: a joint follows another that cannot lead it; it names both.
        """
        order = self._depth_first()
        index = {number: i for i, number in enumerate(order)}
        joints, idx_q, idx_v = [], 0, 0
        for number in order:
            old = self._joints[number]
            parent = -1 if number == 0 else index[old.parent]
            joint = replace(old, index=index[number], parent=parent, idx_q=idx_q, idx_v=idx_v)
            joints.append(joint)
            idx_q, idx_v = idx_q + joint.nq, idx_v + joint.nv
        joints = self._led(joints)
        inertias = [self._inertias[number] for number in order]
        frames = [replace(frame, parent_joint=index[frame.parent_joint]) for frame in self._frames]
        return Model(self.name, joints, inertias, frames, self._links, gravity)

    def _led(self, joints: list[Joint]) -> list[Joint]:
        """The joints with followers at the entries of the joints that lead them."""
        by_name = {joint.name: joint for joint in joints}
        fixed = frozenset(frame.name for frame in self._frames if frame.kind == "fixed_joint")
        led = []
        for joint in joints:
            if joint.mimic is not None:
                mimic = resolve(joint, by_name, fixed)
                leader = by_name[mimic.joint]
                joint = replace(joint, mimic=mimic, idx_q=leader.idx_q, idx_v=leader.idx_v)
            led.append(joint)
        return led

    def _depth_first(self) -> list[int]:
        children: list[list[int]] = [[] for _ in self._joints]
        for joint in self._joints[1:]:
            children[joint.parent].append(joint.index)
        order, stack = [], [0]
        while stack:
            order.append(stack.pop())
            stack.extend(reversed(children[order[-1]]))
        return order

    def _joint_number(self, joint: int | str) -> int:
        number = self._joint_numbers.get(joint, -1) if isinstance(joint, str) else int(joint)
        if not 0 <= number < len(self._joints):
            raise UnknownJointError(str(joint), self._joint_numbers, "the builder")
        return number

    def _check_frame(self, name: str, kind: str, joint: int, before: int) -> None:
        if kind not in FRAME_KINDS:
            raise ModelError(f"frame {name!r}: unknown kind {kind!r}", kind, FRAME_KINDS)
        if (kind, name) in self._frame_keys:
            raise ModelError(f"{kind} frame {name!r}: the name is in use", name, "a name not in use")
        if not 0 <= before < len(self._frames):
            names = [frame.name for frame in self._frames]
            raise UnknownFrameError(
                str(before), names, f"the builder, whose frames are 0 to {len(names) - 1}"
            )
        carrier = self._frames[before].parent_joint
        if carrier != joint:
            raise ModelError(
                f"frame {name!r}: parent frame {self._frames[before].name!r} moves with joint "
                f"{self._joints[carrier].name!r}, not with {self._joints[joint].name!r}",
                before,
                "a frame of the same joint",
            )

    def _push_frame(self, name: str, kind: str, joint: int, before: int, placement: SE3) -> int:
        frame = Frame(name, len(self._frames), kind, joint, before, placement)
        self._frames.append(frame)
        self._frame_keys.add((kind, name))
        return frame.index
