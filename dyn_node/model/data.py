"""Data: the scratch of one model, and what the last kinematics left in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..errors import NotComputedError
from ..kernels.engine import as_records, slow_notice
from ..kernels.records import FRAME, KINEMATICS, WORK
from ..spatial import SE3

if TYPE_CHECKING:
    from .model import Model


class Placements(Sequence[SE3]):
    """World placements as SE3 values, read from a record array when asked for."""

    __slots__ = ("_data", "_of_frames")

    def __init__(self, data: Data, of_frames: bool) -> None:
        self._data = data
        self._of_frames = of_frames

    def __len__(self) -> int:
        model = self._data.model
        return model.nframes if self._of_frames else model.njoints

    @overload
    def __getitem__(self, index: int | str) -> SE3: ...
    @overload
    def __getitem__(self, index: slice) -> list[SE3]: ...

    def __getitem__(self, index: int | str | slice) -> SE3 | list[SE3]:
        """Placement by number, or by the joint's or frame's name.

        Raises:
            NotComputedError: before the kinematics that fill it.
        """
        data = self._data
        if self._of_frames:
            data.require_frames()
        else:
            data.require_order(0)
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        if isinstance(index, str):
            index = data.model.frame_id(index) if self._of_frames else data.model.joint_id(index)
        if self._of_frames:
            record = data.frames[index]
        else:
            record = data.kinematics[data.model.joint_records[index]]
        return SE3._trusted(record["R"].copy(), record["p"].copy())

    def __iter__(self) -> Iterator[SE3]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} world placements of {'frames' if self._of_frames else 'joints'}>"


class Data:
    """Scratch memory of the algorithms for one model, and the results of the last kinematics.

    One Data serves one thread at a time. Results that algorithms return are copies of the
    caller's own; what stays here are the placements of `forward_kinematics` and
    `update_frame_placements`.

    Attributes:
        model: the model that it was made for; no other may use it.
        oMi: world placements of the joints, by number or name.
        oMf: world placements of the frames, by number or name.
        kinematics, work, frames: the record arrays that kernels fill (see kernels.records).
    """

    __slots__ = ("__weakref__", "frames", "frames_current", "kinematics", "model", "work")

    def __init__(self, model: Model) -> None:
        slow_notice()
        self.model = model
        self.kinematics = as_records(self._fresh(KINEMATICS, len(model.records)))
        self.work = as_records(self._fresh(WORK, len(model.records)))
        self.frames = as_records(self._fresh(FRAME, model.nframes))
        self.frames["joint"] = model.frame_records["joint"]
        self.frames_current = False
        for scratch in (self.kinematics, self.work):
            scratch["S"] = model.records["S"]
            scratch["stamp"][0] = model.stamp
        self.kinematics["order"] = -1

    @staticmethod
    def _fresh(dtype: np.dtype[Any], count: int) -> np.ndarray:
        array = np.zeros(count, dtype)
        array["R"] = np.eye(3)
        return array

    @property
    def oMi(self) -> Placements:
        """World placements of the joints (after `forward_kinematics`)."""
        return Placements(self, of_frames=False)

    @property
    def oMf(self) -> Placements:
        """World placements of the frames (after `update_frame_placements`)."""
        return Placements(self, of_frames=True)

    def require_order(self, order: int) -> None:
        """Raise NotComputedError unless forward kinematics of this order has run."""
        has = int(self.kinematics["order"][0])
        if has < order:
            call = ("q", "q, v", "q, v, a")[order]
            done = ("nothing", "placements", "placements and velocities")[has + 1]
            raise NotComputedError(
                f"forward_kinematics(model, data, {call}) has to run first; this data holds {done}",
                given=has,
                allowed=order,
            )

    def require_frames(self) -> None:
        """Raise NotComputedError unless the frame placements belong to the joint placements."""
        self.require_order(0)
        if not self.frames_current:
            raise NotComputedError(
                "update_frame_placements(model, data) has to run first, after forward_kinematics",
                given=None,
                allowed="update_frame_placements",
            )

    def copy(self) -> Data:
        """An independent Data with the same contents."""
        other = Data(self.model)
        for name in ("kinematics", "work", "frames"):
            getattr(other, name)[...] = getattr(self, name)
        other.frames_current = self.frames_current
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        # A model gets a new stamp where it is unpickled; the contents follow without theirs.
        order = int(self.kinematics["order"][0])
        return (_restore, (self.model, self.kinematics, self.frames, order, self.frames_current))

    def __repr__(self) -> str:
        return f"Data({self.model!r})"


def _restore(
    model: Model, kinematics: np.ndarray, frames: np.ndarray, order: int, frames_current: bool
) -> Data:
    data = Data(model)
    data.kinematics[...] = kinematics
    data.kinematics["stamp"][0] = model.stamp
    data.kinematics["order"][0] = order
    data.frames[...] = frames
    data.frames_current = frames_current
    return data
