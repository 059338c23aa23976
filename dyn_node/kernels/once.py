"""What is made once and then shared, also by threads that ask for it at the same time."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def once(function: Callable[..., T]) -> Callable[..., T]:
    """Keep the result for each arguments, as `functools.cache`, but the same one for everybody.

    Threads that ask before there is one may each make it; all are given the one that is kept. Machine code
    needs that: what is not kept is freed, also where it runs.
    """
    made: dict[tuple[object, ...], T] = {}

    @functools.wraps(function)
    def get(*arguments: object) -> T:
        try:
            return made[arguments]
        except KeyError:
            return made.setdefault(arguments, function(*arguments))

    return get
