"""One robot's algorithms as straight-line machine code: `dyn_node.compile(model)`.

A kernel's own source runs once over scalars that write down what is done to them (`tape`); what is
left of it, with the robot's zeros and ones gone, is a `program`; LLVM makes machine code of that
(`machine`), for one state and for blocks of states side by side.
"""

from .c_source import c_source
from .handle import CompiledFrame, CompiledModel, compile_model
from .program import Program
from .tape import NotStraightError

__all__ = ["CompiledFrame", "CompiledModel", "NotStraightError", "Program", "c_source", "compile_model"]
