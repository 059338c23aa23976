"""Results that doors made and fill again once nobody else holds them.

Making and unmaking an array, or an object of a value type, takes as long as a small robot's algorithm. So
doors keep a reference to each of the last results that they made. One with no other reference than that
can be read by nobody, and is as good as a new one.
"""

from __future__ import annotations

import functools

import numba

from .calls import dropped, is_alone, is_as_made, kept, new_array, size, store, word
from .cpython import PLACE, REMEMBERED, TYPE

#: Numbers in an array that is worth remembering: filling longer ones takes much longer than making them.
_LONGEST = 2048
_VALUES, _ARRAYS = 8 * PLACE["values"], 8 * PLACE["arrays"]
_helper = functools.partial(numba.njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@_helper
def unheld_value(kind: int, table: int) -> int:
    """A remembered object of a class that nobody else holds, as a new reference; 0 without one."""
    ring = word(table + _VALUES)
    for k in range(1, REMEMBERED + 1):
        value = word(ring + 8 * k)
        if value != 0 and is_alone(value) and word(value + TYPE) == kind:
            return kept(value, table)
    return 0


@_helper
def _unheld_array(table: int, ndim: int, d0: int, d1: int, d2: int) -> int:
    """A remembered array of a shape that nobody else holds, as a new reference; 0 without one."""
    ring = word(table + _ARRAYS)
    for k in range(1, REMEMBERED + 1):
        value = word(ring + 8 * k)
        if value == 0 or not is_as_made(value, table, ndim):
            continue
        if size(value, 0) == d0 and (ndim < 2 or size(value, 1) == d1) and (ndim < 3 or size(value, 2) == d2):
            return kept(value, table)
    return 0


@_helper
def _remembered(value: int, ring: int, table: int) -> int:
    """Remember a result instead of the one whose turn it is to be forgotten; the result."""
    turn = word(ring)
    store(ring, (turn + 1) % REMEMBERED)
    place = ring + 8 * (1 + turn)
    forgotten = word(place)
    store(place, kept(value, table))
    if forgotten != 0:
        dropped(forgotten, table)
    return value


@_helper
def remembered_value(value: int, table: int) -> int:
    """Remember an object; the object."""
    return _remembered(value, word(table + _VALUES), table)


@_helper
def result_array(table: int, ndim: int, d0: int, d1: int, d2: int) -> int:
    """An array for a result: a remembered one, or a new one; 0 with an error set without memory."""
    length = d0 * (d1 if ndim > 1 else 1) * (d2 if ndim > 2 else 1)
    if length > _LONGEST:
        return new_array(table, ndim, d0, d1, d2)
    again = _unheld_array(table, ndim, d0, d1, d2)
    if again != 0:
        return again
    made = new_array(table, ndim, d0, d1, d2)
    return _remembered(made, word(table + _ARRAYS), table) if made != 0 else 0
