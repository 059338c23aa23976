"""One robot's algorithm as a list of operations on numbers, and how it comes from a kernel."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ..algorithms.scalars import objects
from ..kernels.kinds import FOLLOWER_OF_LINE, HELICAL, REVOLUTE
from ..kernels.records import FRAME, JOINT, KINEMATICS, WORK
from .tape import NotStraightError, Tape, Value

if TYPE_CHECKING:
    from ..model import Model

#: Operations, before those are left out that nothing comes of. Longer programs take LLVM far more than ten
#: seconds, and overflow the instruction cache until they are no faster than the loops.
LONGEST = 32_000
#: Entries of rotations and motion subspaces that are this close to 0, 1 and -1 come from rounding pi / 2.
_ROUNDING = 4e-16
_UNIT_FIELDS = ("R", "R_cos", "R_sin", "axis", "S")
#: A follower's ratio, and its offset (rad): with it and `trigonometry.LARGEST`, sines are still good.
_MOST_TURNS = 10.0
_TURNING = (REVOLUTE, HELICAL, FOLLOWER_OF_LINE)


@dataclasses.dataclass(frozen=True)
class Program:
    """Operations on the entries of some vectors.

    Attributes:
        sizes: lengths of the vectors that come in.
        angles: numbers of the inputs whose sine and cosine are taken.
        steps: (operation, operands); an operand is the number of a step, as an int, or a float. Of
            "input" it is the number of the input, counted through all vectors.
        results: for each entry of the result the number of a step, or a float.
        shape: of the result.
    """

    sizes: tuple[int, ...]
    angles: tuple[int, ...]
    steps: tuple[tuple[Any, ...], ...]
    results: tuple[int | float, ...]
    shape: tuple[int, ...]

    def __call__(self, *vectors: Sequence[float]) -> npt.NDArray[np.float64]:
        """The result in plain Python, one step after the other: what machine code is tested against."""
        inputs = np.concatenate([np.asarray(vector, dtype=float) for vector in vectors]).tolist()
        act: dict[str, Callable[..., float]] = {
            "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
            "/": lambda a, b: a / b, "neg": lambda a: -a,
            "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos,
        }  # fmt: skip
        values: list[float] = []
        for name, *operands in self.steps:
            if name == "input":
                values.append(inputs[operands[0]])
            else:
                values.append(act[name](*(values[x] if type(x) is int else x for x in operands)))
        entries = [values[x] if type(x) is int else x for x in self.results]
        return np.array(entries, dtype=np.float64).reshape(self.shape)


def record(
    model: Model,
    run: Callable[[Any, Sequence[Any]], Any],
    sizes: Sequence[int],
    shape: tuple[int, ...],
    angles: Sequence[int] = (),
) -> Program:
    """Run an algorithm over the robot once, and keep what it does.

    Args:
        model: the robot.
        run: called with `Records` and the vectors; returns the result, an array of objects.
        sizes: lengths of the vectors.
        shape: of the result.
        angles: numbers of the inputs that are angles.

    Raises:
        NotStraightError: it branches on a value, divides by zero, refuses the robot, or is longer than
            `LONGEST`.
        ValueError: the result has another shape: machine code would write past its array.
    """
    tape = Tape(LONGEST)
    numbers = iter(range(sum(sizes)))
    vectors = []
    for size in sizes:
        vector = np.empty(size, dtype=object)
        for k in range(size):
            vector[k] = tape.input(next(numbers))
        vectors.append(vector)
    try:
        result = run(Records(model), vectors)
    except (ArithmeticError, IndexError, ValueError) as error:
        # A mass of zero, no joint at all, joints that follow others: kernels refuse or divide.
        raise NotStraightError(str(error)) from error
    if result.shape != shape:
        raise ValueError(f"the result has shape {result.shape}, not {shape}")
    return _kept(tape, result, tuple(sizes), tuple(angles))


def _kept(tape: Tape, result: Any, sizes: tuple[int, ...], angles: tuple[int, ...]) -> Program:
    """The steps that the result depends on."""
    entries = list(result.ravel())
    needed = [False] * len(tape.steps)
    for entry in entries:
        if type(entry) is Value:
            needed[entry.index] = True
    for index in range(len(needed) - 1, -1, -1):
        if needed[index]:
            for operand in tape.steps[index][1:]:
                if type(operand) is Value:
                    needed[operand.index] = True
    place = {index: k for k, index in enumerate(index for index, need in enumerate(needed) if need)}

    def named(x: Any) -> Any:
        return place[x.index] if type(x) is Value else float(x)

    steps = []
    for index in place:
        name, *operands = tape.steps[index]
        steps.append((name, *(operands if name == "input" else map(named, operands))))
    return Program(sizes, angles, tuple(steps), tuple(map(named, entries)), result.shape)


class Records:
    """The robot's records with fields that may hold Values.

    Attributes:
        joints, frames, work, kinematics: as kernels take them.
        of_joints: the record that is each joint's own; a composite joint has several.
    """

    def __init__(self, model: Model) -> None:
        data = model.create_data()
        self.of_joints = tuple(model.joint_records)
        self.joints = objects(_rounded(model.records), JOINT)
        self.frames = objects(_rounded(model.frame_records), FRAME)
        self.work, self.kinematics = objects(data.work, WORK), objects(data.kinematics, KINEMATICS)
        for scratch in (self.work, self.kinematics):
            scratch.S = self.joints.S


def _rounded(records: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
    """A copy in which what should be 0, 1 or -1 is."""
    copied = records.copy()
    for name in _UNIT_FIELDS:
        if name in (copied.dtype.names or ()):
            field = copied[name]
            nearest = np.round(field)
            close = np.abs(field - nearest) <= _ROUNDING
            field[close] = nearest[close] + 0.0
    return copied


def angles_of(model: Model) -> tuple[int, ...]:
    """Entries of q whose sine and cosine are taken.

    Raises:
        NotStraightError: a joint turns so many times as far as its leader that the leader's limit is none.
    """
    for record in model.records[model.records["kind"] == FOLLOWER_OF_LINE]:
        if not (abs(record["ratio"]) <= _MOST_TURNS and abs(record["offset"]) <= _MOST_TURNS):
            raise NotStraightError(f"a follower with ratio {record['ratio']:g}, offset {record['offset']:g}")
    turning = {int(record["idx_q"]) for record in model.records if int(record["kind"]) in _TURNING}
    return tuple(sorted(turning))
