"""Compiled code on disk: linked without Numba, and never trusted blindly."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dyn_node.kernels import engine, native

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(not engine.has_doors(), reason="no Numba, or memory of another layout")

#: Uses one kernel, and says where it came from and whether Numba was imported.
ONE = """
import sys, dyn_node
from dyn_node.kernels import engine
dyn_node.warm("dot6")
print(engine._registry["dot6"].from_cache, "numba" in sys.modules)
print(dyn_node.Force([1, 2, 3], [4, 5, 6]).dot(dyn_node.Motion([1, 1, 1], [1, 1, 1])))
"""


def run(code: str, cache: Path, *paths: Path, **more: str) -> list[str]:
    """Lines that Python code prints in a process of its own, which keeps compiled code in a folder."""
    path = os.pathsep.join(map(str, (*paths, ROOT)))
    environment = {**os.environ, "DYN_NODE_CACHE_DIR": str(cache), "PYTHONPATH": path, **more}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=250
    )
    assert done.returncode == 0, done.stderr
    return [*done.stdout.splitlines(), *done.stderr.splitlines()]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which one kernel was compiled."""
    folder = tmp_path_factory.mktemp("cache")
    assert run(ONE, folder) == ["False True", "21.0"]
    return folder


def test_what_was_compiled_is_linked_without_numba(cache: Path) -> None:
    assert run(ONE, cache) == ["True False", "21.0"]


@pytest.mark.parametrize("spoil", ["cut", "empty", "other bytes"])
def test_a_file_that_is_not_whole_is_compiled_anew(cache: Path, spoil: str) -> None:
    (file,) = cache.glob("*/dot6_entry-*.o")
    whole = file.read_bytes()
    file.write_bytes(
        {"cut": whole[:-9], "empty": b"", "other bytes": whole[:50] + bytes(len(whole) - 50)}[spoil]
    )
    assert run(ONE, cache) == ["False True", "21.0"]
    assert run(ONE, cache) == ["True False", "21.0"]


def test_code_that_calls_what_is_not_there_is_compiled_anew(cache: Path) -> None:
    """LLVM would end the process."""
    from dyn_node.kernels.machine_code import found, keep

    (file,) = cache.glob("*/dot6_entry-*.o")
    kept = found(file)
    assert kept is not None
    head, _, binary = kept.partition(b"\0")
    keep(file, head + b"\nno_such_function\0" + binary)
    assert run(ONE, cache) == ["False True", "21.0"]


@pytest.fixture(scope="module")
def allocating(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which a kernel that makes arrays was compiled."""
    folder = tmp_path_factory.mktemp("allocating")
    assert run(MAKES_ARRAYS, folder) == ["False True", "True 0"]
    return folder


#: Uses a kernel that makes arrays often enough to notice memory that is not given back.
MAKES_ARRAYS = """
import resource, sys, numpy as np, dyn_node
from dyn_node.kernels import engine
dyn_node.warm("rotation_interpolate")
print(engine._registry["rotation_interpolate"].from_cache, "numba" in sys.modules)
first, last = dyn_node.SO3.Identity(), dyn_node.SO3.exp([0.0, 0.0, 1.0])
def often():
    for _ in range(20_000):
        half = first.interpolate(last, 0.5)
    return half
half, before = often(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
often()
grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 512
print(np.allclose(half.log(), [0.0, 0.0, 0.5]), grown)
"""


def test_kernels_that_make_arrays_are_linked_without_numba_too(allocating: Path) -> None:
    assert run(MAKES_ARRAYS, allocating) == ["True False", "True 0"]


def test_where_numba_keeps_its_memory_functions_elsewhere_it_is_imported(allocating: Path) -> None:
    elsewhere = """
from dyn_node.kernels import native
native._memory_functions = dict
"""
    assert run(elsewhere + MAKES_ARRAYS, allocating) == ["True True", "True 0"]


def test_numba_compiles_for_others_after_kernels_were_linked(cache: Path) -> None:
    """Helpers that linked kernels never call are put in their place for code that does."""
    assert run(ONE + OTHERS, cache) == ["True False", "21.0", "6.0", "negative"]


def test_numba_and_linked_kernels_make_arrays_side_by_side(allocating: Path) -> None:
    expected = ["True False", "True 0", "6.0", "negative", "True 0"]
    assert run(MAKES_ARRAYS + OTHERS + "\n".join(MAKES_ARRAYS.splitlines()[-4:]), allocating) == expected


#: Compiles something of another library's.
OTHERS = """
import numba, numpy as np
@numba.njit
def root(x):
    if x < 0.0:
        raise ValueError("negative")
    kept = [np.full(3, x) for _ in range(4)]
    return np.sqrt(kept[3]).sum()
print(root(4.0))
try:
    root(-1.0)
except ValueError as error:
    print(error)
"""


def test_a_numba_that_cannot_be_imported_is_said_and_done_without(tmp_path: Path) -> None:
    """As one that wants an older NumPy than is there."""
    (tmp_path / "broken" / "numba").mkdir(parents=True)
    (tmp_path / "broken" / "numba" / "_version.py").write_text("version = '0'\n")
    (tmp_path / "broken" / "numba" / "__init__.py").write_text("raise ImportError('Numba needs NumPy 1')\n")
    code = """
import dyn_node
model = dyn_node.robots.load("panda"); data = model.create_data()
print(round(float(dyn_node.generalized_gravity(model, data, [0.0] * 7)[1]), 3))
"""
    lines = run(code, tmp_path / "cache", tmp_path / "broken")
    assert float(lines[0]) != 0.0
    assert any("Numba needs NumPy 1" in line for line in lines), lines


def test_code_for_another_processor_is_not_taken_for_this_one(cache: Path) -> None:
    files = set(cache.glob("*/dot6_entry-*.o"))
    assert run(ONE, cache, NUMBA_CPU_NAME="generic", NUMBA_CPU_FEATURES="") == ["False True", "21.0"]
    assert len(set(cache.glob("*/dot6_entry-*.o")) - files) == 1
    for file in set(cache.glob("*/dot6_entry-*.o")) - files:
        file.unlink()
    assert run(ONE, cache) == ["True False", "21.0"]


@pytest.mark.parametrize(
    ("before", "settings", "reason"),
    [
        ("", {"NUMBA_DISABLE_JIT": "1"}, "NUMBA_DISABLE_JIT is set"),
        ("import sys, types; sys.modules['numba'] = types.ModuleType('numba')", {}, "Numba is not installed"),
    ],
)
def test_where_numba_compiles_nothing_the_source_runs(
    cache: Path, before: str, settings: dict[str, str], reason: str
) -> None:
    code = f"{before}\nimport dyn_node; dyn_node.robots.load('panda').create_data()"
    lines = run(code, cache, **settings)
    assert any(reason in line for line in lines), lines


def test_a_broken_llvm_after_a_good_one_is_noticed(cache: Path, tmp_path: Path) -> None:
    broken = tmp_path / "llvmlite"
    broken.mkdir()
    (broken / "__init__.py").write_text("raise ImportError('too new')\n")
    (broken / "_version.py").write_text("version = '99'\n")
    lines = run("import dyn_node; dyn_node.robots.load('panda').create_data()", cache, tmp_path)
    assert any("Numba cannot be imported (too new)" in line for line in lines), lines


def test_numbas_settings_are_the_users_after_a_kernel_was_compiled() -> None:
    numba = pytest.importorskip("numba")
    before = dict(vars(numba.config))
    changed, depth = before | native.SETTINGS, sys.getrecursionlimit()
    assert changed != before
    with native.settings():
        assert dict(vars(numba.config)) == changed
        assert sys.getrecursionlimit() > depth, "doors of many arguments need it"
    assert dict(vars(numba.config)) == before
    assert sys.getrecursionlimit() == depth
