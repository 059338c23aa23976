"""One robot's algorithms as straight-line machine code: `dyn_node.compile(model)`.

A kernel's own source runs once over scalars that write down what is done to them (`tape`); what is
left of it, with the robot's zeros and ones gone, is a `program`; LLVM makes machine code of that
(`machine`), for one state and for blocks of states side by side.
"""

from .function import Function
from .handle import CompiledModel, compile_model

__all__ = ["CompiledModel", "Function", "compile_model"]
