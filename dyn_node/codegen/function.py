"""One algorithm of one robot: its program, the machine code, and what happens when that refuses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.arguments import REFUSED, configurations, output, tangents
from ..algorithms.threads import get_threads, run_together
from ..kernels import engine, entry
from .algorithms import Algorithm
from .program import Program, angles_of, record
from .tape import NotStraightError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..model import Model

    Array = NDArray[np.float64]

#: So many states are worth a thread of their own.
_WORTH_A_THREAD = 2000
_source = Path(__file__).parent


class Function:
    """One algorithm of one robot, to be called with its vectors; see `CompiledModel`."""

    __slots__ = ("_algorithm", "_code", "_data", "_door", "_made", "_model", "_numbers", "_shape", "_sizes")

    def __init__(self, model: Model, algorithm: Algorithm, numbers: tuple[int, ...] = ()) -> None:
        """The algorithm for this robot; `numbers` are those of a frame and its reference frame."""
        self._model, self._algorithm, self._numbers = model, algorithm, numbers
        self._sizes, self._shape = algorithm.sizes(model), algorithm.result_shape(model)
        self._data = model.create_data()
        self._code: Any = None
        self._made = False
        self._door: Callable[..., Any] = _not_yet

    def __call__(self, *vectors: ArrayLike, out: Array | None = None, threads: int | None = None) -> Array:
        """The result for one state, vectors (n,), or for a batch, arrays (N, n).

        Args:
            vectors: as the algorithm's own; in a batch, those without the axis hold for all states.
            out: array for the result.
            threads: of a batch; by default `get_threads()`.
        """
        try:
            return self._door(*vectors, out)
        except REFUSED:
            return self._again(vectors, out, threads)

    def make(self) -> bool:
        """Compile, or load from disk; False where that was done."""
        if self._made:
            return False
        self._made = True
        if not entry.usable():
            return False
        from ..kernels.program_entry import program_door
        from . import machine

        try:
            self._code = machine.compiled(self.program, len(self._sizes), self._file(machine.machine()))
        except NotStraightError:
            return False
        self._door = program_door(self._algorithm.name, self._code.one, self._sizes, self._shape)
        return True

    def program(self) -> Program:
        """The operations. Raises NotStraightError where there is no straight line of them."""
        if self._algorithm.name.startswith("aba") and self._model.records[0]["followers"]:
            raise NotStraightError("joints that follow others")  # which its recursion refuses
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
        for source in (*sorted(_source.glob("*.py")), *sorted((_source.parent / "kernels").glob("*.py"))):
            digest.update(source.read_bytes())
        return base / "programs" / f"{self._algorithm.name}-{digest.hexdigest()[:24]}.o"

    def _again(self, vectors: Sequence[Any], out: Any, threads: int | None) -> Array:
        """What the door refused: not compiled yet, to be converted, a batch, or for the general function."""
        names = self._algorithm.vectors
        if len(vectors) != len(names):
            raise TypeError(f"{self._algorithm.name} takes {', '.join(names)}; given {len(vectors)} arrays")
        checked = [
            configurations(self._model, x) if name == "q" else tangents(self._model, x, name)
            for name, x in zip(names, vectors, strict=True)
        ]
        self.make()
        lengths = {len(x) for x in checked if x.ndim == 2}
        if self._code is None or len(lengths) > 1:
            return self._in_general(checked, out)
        if lengths:
            return self._batch(checked, lengths.pop(), out, threads)
        try:
            result: Array = self._door(*checked, None if out is None else output(out, self._shape))
        except ValueError:  # not finite, or turned very often: the general function knows what to do
            return self._in_general(checked, out)
        return result

    def _in_general(self, vectors: Sequence[Array], out: Any) -> Array:
        result = self._algorithm.general(self._model, self._data, *vectors, *self._numbers)
        if out is None:
            return result
        output(out, result.shape)[...] = result
        return out

    def _batch(self, vectors: Sequence[Array], count: int, out: Any, threads: int | None) -> Array:
        rows = [
            x if x.ndim == 2 else np.ascontiguousarray(np.broadcast_to(x, (count, len(x)))) for x in vectors
        ]
        result = np.empty((count, *self._shape)) if out is None else output(out, (count, *self._shape))
        addresses = [x.ctypes.data for x in (*rows, result)]
        parts = max(1, min(threads or get_threads(), count // _WORTH_A_THREAD))
        bounds = [count * k // parts for k in range(parts + 1)]
        left = [0] * parts

        def task(k: int) -> Callable[[], None]:
            def run() -> None:
                left[k] = self._code.many(*addresses, bounds[k], bounds[k + 1])

            return run

        run_together([task(k) for k in range(parts)])
        return self._in_general(rows, result) if any(left) else result


def _not_yet(*_: Any) -> Any:
    raise TypeError("not compiled")
