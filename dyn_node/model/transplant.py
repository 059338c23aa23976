"""Copying a model into a builder, some joints locked or some parts left out: what every edit is made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from ..spatial import SE3
from .builder import ModelBuilder
from .frame import Frame
from .model import Model


@dataclass(frozen=True)
class Place:
    """Where something is in a builder: number of the joint, placement in it, number of the frame."""

    joint: int
    placement: SE3
    frame: int


class Transplant:
    """One copy of `source` into `builder`.

    Args:
        base: takes the place of the source's universe; the builder's universe if left out.
        prefix: put before every name.
        locked: placement in the parent joint of each joint that becomes fixed, by index.
    """

    def __init__(
        self,
        builder: ModelBuilder,
        source: Model,
        base: Place | None = None,
        prefix: str = "",
        locked: Mapping[int, SE3] | None = None,
    ) -> None:
        self.builder, self.source, self.prefix = builder, source, prefix
        self.base = Place(0, SE3.Identity(), 0) if base is None else base
        self.locked = locked or {}
        #: What became of the source's joints and frames, by index.
        self.joints, self.frames = {0: self.base}, {0: self.base.frame}

    def run(self, gone: Collection[int] = ()) -> None:
        """Copy all but the frames `gone` (indices) and what they carry; a joint goes with its frame.

        Whatever hangs on one of these frames has to be among them.
        """
        for frame in self.source.frames[1:]:
            if frame.index not in gone:
                copy = self._copy_joint if frame.kind == "joint" else self._copy_frame
                self.frames[frame.index] = copy(frame)
        self._copy_links()
        self._follow_leaders()

    def _copy_frame(self, frame: Frame) -> int:
        on = self.joints[frame.parent_joint]
        placement = on.placement * frame.placement
        before = self.frames[frame.parent_frame]
        name = self.prefix + frame.name
        return self.builder.add_frame(name, on.joint, placement, kind=frame.kind, parent_frame=before)

    def _copy_joint(self, frame: Frame) -> int:
        joint = self.source.joints[frame.parent_joint]
        on, before = self.joints[joint.parent], self.frames[frame.parent_frame]
        name = self.prefix + joint.name
        if joint.index in self.locked:
            placement = on.placement * self.locked[joint.index]
            number = self.builder.add_frame(
                name, on.joint, placement, kind="fixed_joint", parent_frame=before
            )
            self.joints[joint.index] = Place(on.joint, placement, number)
            return number
        copy = self.builder.copy_joint(joint, on.joint, on.placement * joint.placement, name, before)
        number = self.builder.joint_frame(copy)
        self.joints[joint.index] = Place(copy, SE3.Identity(), number)
        return number

    def _copy_links(self) -> None:
        for link in self.source.links:
            if link.frame == 0:
                # The frame that takes the universe's place need not lie where the universe lies.
                self.builder.append_body(self.base.joint, link.inertia, self.base.placement)
            elif link.frame in self.frames:
                name = self.prefix + link.name if link.name else ""
                self.builder.add_link(name, self.frames[link.frame], link.inertia)

    def _follow_leaders(self) -> None:
        """Followers keep the leaders that still move, under their new names."""
        moving = {
            self.source.joints[index].name: place.joint
            for index, place in self.joints.items()
            if index not in self.locked
        }
        for name, number in moving.items():
            mimic = self.source.joints[self.source.joint_id(name)].mimic
            if mimic is not None:
                leads = mimic.joint in moving
                self.builder.set_mimic(
                    number, replace(mimic, joint=self.prefix + mimic.joint) if leads else None
                )
