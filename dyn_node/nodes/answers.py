"""How a service answers: codes with MoveIt's numbers, refusals, and a wrapper that never raises."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from dyn_node_msgs.msg import ResultCode

from dyn_node.errors import DynNodeError, UnknownFrameError, UnknownJointError


class Outcome(NamedTuple):
    """How a handler ended: its message, notes included, and a code; SUCCESS unless said otherwise."""

    message: str
    code: int = ResultCode.SUCCESS


class RefusedError(DynNodeError):
    """A request that cannot be answered as asked; `code` is one of ResultCode's constants."""

    def __init__(self, code: int, message: str, given: Any = None, allowed: Any = None) -> None:
        super().__init__(message, given, allowed)
        self.code = code


def code_of(error: Exception) -> int:
    """The result code that an exception means."""
    if isinstance(error, RefusedError):
        return error.code
    if isinstance(error, UnknownFrameError):
        return ResultCode.INVALID_LINK_NAME
    if isinstance(error, UnknownJointError):
        return ResultCode.INVALID_ROBOT_STATE
    return ResultCode.FAILURE


def answer(handler: Callable[..., Outcome], context: Any, request: Any, response: Any) -> Any:
    """Let a handler fill a response; whatever it raises becomes an answer that says what was wrong.

    When it raised, everything but `code` and `message` is as in a fresh response.
    """
    try:
        outcome = handler(context, request, response)
    except Exception as error:  # an answer is owed for every request, also for those that find a bug
        return failed(response, code_of(error), _sentence(error))
    response.success = outcome.code == ResultCode.SUCCESS
    response.code, response.message = outcome.code, outcome.message
    return response


def failed(response: Any, code: int, message: str) -> Any:
    """A fresh response of the same type that carries a failure only."""
    fresh = type(response)(success=False, code=code, message=message)
    if hasattr(fresh, "position_error"):  # SolveIK: the search did not start
        fresh.position_error = fresh.orientation_error = math.nan
    return fresh


def _sentence(error: Exception) -> str:
    return str(error) if isinstance(error, DynNodeError) else f"{type(error).__name__}: {error}"
