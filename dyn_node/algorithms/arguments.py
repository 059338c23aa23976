"""What happens when a kernel refuses its arguments: convert what can be converted, or say why not.

The happy path of an algorithm is the bare call of its kernel. Only when that raises do these
functions look closer, so that a friendly error costs nothing until it is needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DynNodeError, InvalidValueError, ShapeError
from ..kernels.engine import compile_kernel

if TYPE_CHECKING:
    from ..model import Data, Model

#: What a kernel raises when an argument is of the wrong type or size, or when it is not compiled.
REFUSED = (TypeError, ValueError, AttributeError)

_FLOAT64 = np.dtype(np.float64)


def array(name: str, value: Any, shape: tuple[int, ...], meaning: str, *, batch: bool = False) -> np.ndarray:
    """`value` as a C-contiguous float64 array of this shape; with `batch`, or of one axis more in front.

    Raises:
        ShapeError: when it has another shape, or is not made of real numbers.
    """
    if type(value) is np.ndarray and value.dtype is _FLOAT64 and value.flags.carray:
        given = value.shape
        if given == shape or (batch and given and given[1:] == shape):
            return value
    expected = f"{meaning}, shape {shape}"
    if batch:
        expected += f" or, for a batch, ({', '.join(map(str, ('N', *shape)))})"
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise ShapeError(name, "a masked array", expected, "fill the masked entries first")
    try:
        numbers = np.asarray(value)
        if numbers.dtype.kind not in "fiub":
            numbers = _numbers(name, numbers, expected)
        result = np.ascontiguousarray(numbers, dtype=np.float64)
    except (TypeError, ValueError) as error:
        if isinstance(error, DynNodeError):
            raise
        raise ShapeError(name, repr(value)[:80], expected) from error
    if result.shape != shape and not (batch and result.ndim and result.shape[1:] == shape):
        raise ShapeError(name, f"shape {result.shape}", expected)
    return result if result.flags.writeable else result.copy()


def _numbers(name: str, given: np.ndarray, expected: str) -> np.ndarray:
    """An object array of real numbers as float64; anything else is refused."""
    if given.dtype.kind == "O" and all(isinstance(x, (int, float, np.number)) for x in given.flat):
        return given.astype(np.float64)
    raise ShapeError(name, f"an array of dtype {given.dtype}", expected)


def configuration(model: Model, q: Any, name: str = "q", *, batch: bool = False) -> np.ndarray:
    """A configuration of the model, (nq,); with `batch`, or (N, nq)."""
    try:
        meaning = f"a configuration of {model.name!r} (nq = {model.nq})"
        return array(name, q, (model.nq,), meaning, batch=batch)
    except ShapeError as error:
        shape = np.shape(q)[1:] if batch and np.ndim(q) == 2 else np.shape(q)
        if shape == (model.nv,) and model.nv != model.nq:
            hint = "this has nv entries; continuous joints and floating bases have more in q than in v"
            raise ShapeError(name, error.given, error.allowed, hint) from None
        raise


def tangent(model: Model, v: Any, name: str = "v", *, batch: bool = False) -> np.ndarray:
    """A velocity, acceleration, effort or increment of the model, (nv,); with `batch`, or (N, nv)."""
    return array(name, v, (model.nv,), f"a tangent vector of {model.name!r} (nv = {model.nv})", batch=batch)


def configurations(model: Model, q: Any, name: str = "q") -> np.ndarray:
    """A configuration, (nq,), or a batch of them, (N, nq)."""
    return configuration(model, q, name, batch=True)


def tangents(model: Model, v: Any, name: str = "v") -> np.ndarray:
    """A tangent vector, (nv,), or a batch of them, (N, nv)."""
    return tangent(model, v, name, batch=True)


#: What kernels take for no external forces.
NO_FORCES = np.zeros((0, 6))


def joint_forces(model: Model, f_ext: Any) -> np.ndarray:
    """One force a joint, linear first, in the joint's own frame: (njoints, 6), or (N, njoints, 6)."""
    meaning = "one wrench a joint in its own frame"
    return array("f_ext", f_ext, (model.njoints, 6), meaning, batch=True)


def external_forces(model: Model, f_ext: Any) -> np.ndarray:
    """One force a joint, linear first, in the joint's own frame, as kernels take it.

    (njoints, 6), or (N, njoints, 6) for a batch. Kernels take one a record: a composite joint's goes
    to the record that carries its body.
    """
    forces = joint_forces(model, f_ext)
    if len(model.records) == model.njoints:
        return forces
    spread = np.zeros((*forces.shape[:-2], len(model.records), 6))
    spread[..., list(model.joint_records), :] = forces
    return spread


def output(out: Any, shape: tuple[int, ...]) -> np.ndarray:
    """A caller's `out` as it is.

    Raises:
        ShapeError: when results cannot be written straight into it.
    """
    good = (
        isinstance(out, np.ndarray)
        and out.shape == shape
        and out.dtype == np.float64
        and out.flags.c_contiguous
        and out.flags.aligned
        and out.flags.writeable
    )
    if not good:
        given = f"shape {out.shape}, dtype {out.dtype}" if isinstance(out, np.ndarray) else repr(out)[:80]
        raise ShapeError("out", given, f"a writeable, aligned, C-contiguous float64 array, shape {shape}")
    return out


def frame_of_joint(model: Model, joint_id: int | str) -> int:
    """Number of the frame that is a joint's own; UnknownJointError without such a joint."""
    # The usual case is not worth a look-up that takes longer than the algorithm.
    if type(joint_id) is int and 0 <= joint_id < model.njoints:
        return model.joint_frames[joint_id]
    return model.joint_frames[model.joint_id(joint_id)]


def check_data(model: Model, data: Data) -> None:
    """The data was made for this model.

    Raises:
        InvalidValueError: when it was made for another, or is none.
    """
    other = getattr(data, "model", None)
    if other is None:
        raise InvalidValueError(
            f"data: expected the result of model.create_data(), given {data!r}", data, "Data"
        )
    if other is not model:
        raise InvalidValueError(
            f"data: it was made for {other!r}, not for {model!r}; call model.create_data()", other, model
        )


def again(compiled: Any, *arguments: Any) -> Any:
    """Call a kernel that refused once more, compiled and with arguments that were looked at."""
    compile_kernel(compiled)
    return compiled(*arguments)
