"""One algorithm of one robot: its program, the machine code, and what happens when that refuses."""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.arguments import REFUSED, configurations, output, tangents
from ..algorithms.threads import check_count, get_threads, parts_for, run_together
from ..kernels import engine
from .algorithms import Algorithm
from .program import Program, angles_of, record
from .tape import NotStraightError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..model import Data, Model

    Array = NDArray[np.float64]

#: So many states are worth a thread of their own.
_WORTH_A_THREAD = 2000
_source = Path(__file__).parent


class Function:
    """One algorithm of one robot.

    Attributes:
        call: what Python calls, `call(x, ..., out=None, threads=None)`.
    """

    def __init__(self, model: Model, algorithm: Algorithm, numbers: tuple[int, ...] = ()) -> None:
        """The algorithm for this robot; `numbers` are those of a frame and its reference frame."""
        self._model, self._algorithm, self._numbers = model, algorithm, numbers
        self._sizes, self._shape = algorithm.sizes(model), algorithm.result_shape(model)
        self._scratch = threading.local()
        self._loops: Callable[..., Array] | None = None
        self._ending = (*numbers, *algorithm.between)
        self._code: Any = None
        self._made = False
        self._making = threading.Lock()
        self.call: Callable[..., Array] = self._again
        if engine.has_doors():
            from ..kernels.program_entry import ProgramDoor

            doc = f"{algorithm.name}({', '.join(algorithm.vectors)}, *, out=None, threads=None)"
            self._door = ProgramDoor(algorithm.name, self._sizes, self._shape, self._again, doc)
            self.call = self._door.call

    @property
    def is_straight(self) -> bool:
        """Whether machine code of its own answers; compiles it where that was not done."""
        self.make()
        return self._code is not None

    def make(self) -> None:
        """Compile, or load from disk, unless that was done."""
        if self._made or not engine.has_doors():
            return
        with self._making:  # what is interrupted is tried again
            if not self._made:
                self._compile()
                self._made = True

    def _compile(self) -> None:
        from ..kernels.machine_code import machine as circumstances
        from . import machine

        try:
            self._code = machine.compiled(self.program, len(self._sizes), self._file(circumstances()))
        except NotStraightError:
            self._loops = self._algorithm.loops(self._model)
        else:
            self._door.open(self._code.one, self._code)

    def program(self) -> Program:
        """The operations. Raises NotStraightError where there is no straight line of them."""
        run = self._algorithm.run(self._model, *self._numbers)
        return record(self._model, run, self._sizes, self._shape, angles_of(self._model))

    def _file(self, machine: str) -> Path | None:
        """Where the code is kept: named by all that it depends on."""
        base = engine.cache_base()
        if base is None:
            return None
        records = self._model.records.copy()
        records["stamp"] = 0
        digest = hashlib.sha256(f"{self._algorithm.name} {self._numbers} {machine}".encode())
        digest.update(records.tobytes())
        digest.update(self._model.frame_records.tobytes())
        digest.update(_sources())
        return base / "programs" / f"{self._algorithm.name}-{digest.hexdigest()[:24]}.o"

    def _again(
        self, *vectors: Any, out: Array | None = None, threads: int | None = None, **others: Any
    ) -> Array:
        """What the door hands on: not compiled yet, to be converted, a batch, or for the general function."""
        if self._loops is not None:
            try:
                head = self._model.records, self._data.work
                looped: Array = self._loops(*head, *vectors, *self._ending, out)
            except REFUSED:
                pass
            else:
                return looped
        self.make()
        names = self._algorithm.vectors
        if len(vectors) != len(names) or others:
            given = ", ".join([f"{len(vectors)} arrays", *others])
            raise TypeError(
                f"{self._algorithm.name} takes {', '.join(names)} in this order, and out, threads by name; "
                f"given {given}"
            )
        if threads is not None:
            check_count(threads, "threads")
        checked = [
            configurations(self._model, x) if name == "q" else tangents(self._model, x, name)
            for name, x in zip(names, vectors, strict=True)
        ]
        lengths = {len(x) for x in checked if x.ndim == 2}
        if self._code is None or len(lengths) > 1:
            return self._in_general(checked, out)
        if lengths:
            return self._batch(checked, lengths.pop(), out, threads)
        result = np.empty(self._shape) if out is None else output(out, self._shape)
        if self._code.alone(*[x.ctypes.data for x in (*checked, result)]):
            return self._in_general(checked, out)  # not finite, or turned very often
        return result

    @property
    def _data(self) -> Data:
        """Scratch of this thread for the general function."""
        data: Data | None = getattr(self._scratch, "data", None)
        if data is None:
            data = self._scratch.data = self._model.create_data()
        return data

    def _in_general(self, vectors: Sequence[Array], out: Array | None) -> Array:
        result: Array = self._algorithm.general(self._model, self._data, *vectors, *self._numbers)
        if out is None:
            return result
        output(out, result.shape)[...] = result
        return out

    def _batch(self, vectors: Sequence[Array], count: int, out: Array | None, threads: int | None) -> Array:
        rows = [
            x if x.ndim == 2 else np.ascontiguousarray(np.broadcast_to(x, (count, len(x)))) for x in vectors
        ]
        result = np.empty((count, *self._shape)) if out is None else output(out, (count, *self._shape))
        # Rows of the result must not be rows that are still to be read.
        rows = [x.copy() if np.may_share_memory(x, result) else x for x in rows]
        several = max(1, min(threads or get_threads(), count // _WORTH_A_THREAD))
        parts = parts_for(several)
        bounds = [count * k // parts for k in range(parts + 1)]
        left = [0] * parts

        def task(k: int) -> Callable[[], None]:
            def run() -> None:  # holds the arrays for as long as anybody writes to them
                addresses = [x.ctypes.data for x in (*rows, result)]
                left[k] = self._code.many(*addresses, bounds[k], bounds[k + 1])

            return run

        run_together([task(k) for k in range(parts)], several)
        return self._in_general(rows, result) if any(left) else result


@functools.cache
def _sources() -> bytes:
    """A hash of all that a program is made by."""
    digest = hashlib.sha256()
    for folder in (_source, _source.parent / "kernels"):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    return digest.digest()
