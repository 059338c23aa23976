"""Machine code on disk, and how LLVM takes it into the process."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm

#: Bytes of a file before the code itself.
_HASH = hashlib.sha256().digest_size


class Linked:
    """Object code in memory, for as long as this lives."""

    def __init__(self, binary: bytes) -> None:
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target())
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(binary))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Of a function."""
        found: int = self._engine.get_function_address(name)
        return found


def is_known(name: str) -> bool:
    """Whether LLVM finds a function or variable of this name in the process."""
    _first_engine()
    return bool(llvm.address_of_symbol(name))


def define(name: str, address: int) -> None:
    """Let LLVM find a function here."""
    llvm.add_symbol(name, address)


@functools.cache
def _first_engine() -> Any:
    """LLVM looks into the process itself from the first engine on."""
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target())


def target() -> Any:
    """This processor, for LLVM; an engine takes it for itself."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=1, jit=True
    )


@functools.cache
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


def machine() -> str:
    """What machine code depends on, besides its source."""
    return " ".join([llvmlite.__version__, llvm.get_host_cpu_name(), _features()])


def found(path: Path) -> bytes | None:
    """What `keep` wrote. LLVM crashes on an object that was cut off, hence the hash in front."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    binary = content[_HASH:]
    return binary if hashlib.sha256(binary).digest() == content[:_HASH] else None


def keep(path: Path, binary: bytes) -> None:
    """Write a file that other processes find whole or not at all; a full disk is no reason to fail."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_bytes(hashlib.sha256(binary).digest() + binary)
        beside.replace(path)
    except OSError:
        pass
