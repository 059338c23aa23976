"""Placements, velocities and accelerations of frames straight from q, v and a: of one state, or of a batch.

`forward_kinematics` leaves one state in a Data. These return arrays instead, and leave the kinematics
that the Data holds as they are. A joint's frame is `model.joint_frames[joint]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..kernels import frame_states as _frames
from .arguments import REFUSED, check_data, configurations, tangents
from .batch import evaluate
from .reference import LOCAL, ReferenceFrame, reference_code

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Data, Model


def _chosen(model: Model, frame_ids: int | str | Sequence[int | str]) -> tuple[Any, bool]:
    """Records of the frames, and whether one was asked for by itself."""
    alone = isinstance(frame_ids, (int, str, np.integer))
    asked: Any = [frame_ids] if alone else frame_ids
    numbers = np.array([model.frame_id(frame) for frame in asked], np.intp)
    return model.frame_records[numbers], alone


def frame_placements(
    model: Model, data: Data, q: ArrayLike, frame_ids: int | str | Sequence[int | str] | None = None
) -> NDArray[np.float64]:
    """World placements of frames, as homogeneous matrices.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,), or a batch, (N, nq).
        frame_ids: numbers or names; None for all frames of the model.

    Returns:
        (frames, 4, 4); of one frame that is given by itself (4, 4). A batch has N in front.

    Raises:
        UnknownFrameError: no such frame.
        ShapeError: an array of the wrong size or type.
        InvalidValueError: data of another model.
    """
    frames, alone = (model.frame_records, False) if frame_ids is None else _chosen(model, frame_ids)
    try:
        out = _frames.frame_placements(model.records, data.work, frames, q, None)
    except REFUSED:
        check_data(model, data)
        head = model.records, data.work, frames, configurations(model, q)
        out = evaluate(_frames.frame_placements, head, [(len(frames), 4, 4)])[0]
    return out[..., 0, :, :] if alone else out


def frame_velocities(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    frame_ids: int | str | Sequence[int | str] | None = None,
    reference: ReferenceFrame | str = LOCAL,
) -> NDArray[np.float64]:
    """Spatial velocities of frames, linear (m/s) then angular (rad/s); see `frame_velocity`.

    Args:
        model, data: the robot and its scratch.
        q: configuration, (nq,), or a batch, (N, nq).
        v: velocity, (nv,), or a batch, (N, nv).
        frame_ids: numbers or names; None for all frames of the model.
        reference: LOCAL, WORLD or LOCAL_WORLD_ALIGNED.

    Returns:
        (frames, 6); of one frame that is given by itself (6,). A batch has N in front.

    Raises: as `frame_placements`; InvalidValueError for an unknown reference too.
    """
    frames, alone = (model.frame_records, False) if frame_ids is None else _chosen(model, frame_ids)
    try:
        out = _frames.frame_velocities(model.records, data.work, frames, q, v, reference, None)
    except REFUSED:
        check_data(model, data)
        code = reference_code(reference)
        head = model.records, data.work, frames, configurations(model, q), tangents(model, v), code
        out = evaluate(_frames.frame_velocities, head, [(len(frames), 6)])[0]
    return out[..., 0, :] if alone else out


def frame_accelerations(
    model: Model,
    data: Data,
    q: ArrayLike,
    v: ArrayLike,
    a: ArrayLike,
    frame_ids: int | str | Sequence[int | str] | None = None,
    reference: ReferenceFrame | str = LOCAL,
    *,
    classical: bool = False,
) -> NDArray[np.float64]:
    """Accelerations of frames, linear (m/s^2) then angular (rad/s^2).

    Args:
        model, data, q, v, frame_ids, reference: as in `frame_velocities`.
        a: acceleration, (nv,), or a batch, (N, nv).
        classical: the second derivative of the origin's position, as in `frame_classical_acceleration`,
            instead of the spatial acceleration of `frame_acceleration`.

    Returns:
        (frames, 6); of one frame that is given by itself (6,). A batch has N in front.

    Raises: as `frame_velocities`.
    """
    frames, alone = (model.frame_records, False) if frame_ids is None else _chosen(model, frame_ids)
    try:
        out = _frames.frame_accelerations(
            model.records, data.work, frames, q, v, a, reference, int(classical), None
        )
    except REFUSED:
        check_data(model, data)
        codes = reference_code(reference), int(classical)
        state = configurations(model, q), tangents(model, v), tangents(model, a, "a")
        head = model.records, data.work, frames, *state, *codes
        out = evaluate(_frames.frame_accelerations, head, [(len(frames), 6)])[0]
    return out[..., 0, :] if alone else out
