"""Errors of a pose some of whose directions are free.

With all six directions the logarithm and the frame's own Jacobian belong together: the step that cancels
one cancels the other, whatever the angle. Once rows are left out that no longer holds: what is left of the
logarithm still depends on the rotation that is free. Then the error's exact derivative takes its place, or,
where every rotation is free, the way to the target as it is.
"""

from __future__ import annotations

from typing import Any

from .engine import inline
from .lie import jexp6_inverse
from .vector import cross


@inline
def match_free(way: Any, weights: Any, J: Any, e: Any, m: int, K: Any, column: Any) -> None:
    """Make J (6, m) and e, of log(T^-1 T_target), those of what is left where weights are zero.

    `way` is the translation of T^-1 T_target; K is a (6, 6) and column a (6,) scratch array.
    """
    free = False
    for r in range(6):
        free = free or weights[r] == 0.0
    if not free:
        return
    if weights[3] == 0.0 and weights[4] == 0.0 and weights[5] == 0.0:
        # Of the whole way only the length counts, which a turn of the frame does not change.
        whole = weights[0] == weights[1] and weights[1] == weights[2]
        for r in range(3):
            e[r] = way[r]
        if not whole:
            for c in range(m):
                turned = cross((J[3, c], J[4, c], J[5, c]), way)
                for r in range(3):
                    J[r, c] += turned[r]
    else:
        jexp6_inverse(K, (e[0], e[1], e[2]), (e[3], e[4], e[5]), 1.0)
        for c in range(m):
            for r in range(6):
                total = 0.0
                for k in range(6):
                    total += K[r, k] * J[k, c]
                column[r] = total
            for r in range(6):
                J[r, c] = column[r]
