"""Sine and cosine as LLVM instructions, for one number or for several side by side.

The angle is reduced to within pi/4 of a multiple of pi/2, which is subtracted in three parts (Cody and
Waite 1980); there the minimax polynomials of fdlibm hold. Good to the last bit or two for angles of up
to `LARGEST` radians, above which the parts of pi/2 run out of digits.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

LARGEST = 1e5

_TWO_OVER_PI = 0.6366197723675814
_HALF_PI = (1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624879595063154e-21)
_SINE = (
    -1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
    2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
)  # fmt: skip
_COSINE = (
    4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
    -2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
)  # fmt: skip


def sine_cosine(builder: Any, x: Any, same: Any) -> tuple[Any, Any]:
    """Instructions for sin x and cos x.

    Args:
        builder: where they go.
        x: the angle, a double or a vector of doubles.
        same: makes a constant of x's type from a float.
    """
    flags = ("contract",)

    def times(a: Any, b: Any) -> Any:
        return builder.fmul(a, b, flags=flags)

    def plus(a: Any, b: Any) -> Any:
        return builder.fadd(a, b, flags=flags)

    def minus(a: Any, b: Any) -> Any:
        return builder.fsub(a, b, flags=flags)

    def polynomial(z: Any, coefficients: tuple[float, ...]) -> Any:
        value = same(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            value = plus(same(coefficient), times(z, value))
        return value

    turns = intrinsic(builder, "rint", times(x, same(_TWO_OVER_PI)))
    for part in _HALF_PI:
        x_part = times(turns, same(part))
        x = minus(x, x_part)
    z = times(x, x)
    sine = plus(x, times(times(x, z), polynomial(z, _SINE)))
    half = times(z, same(0.5))
    cosine = plus(minus(same(1.0), half), times(times(z, z), polynomial(z, _COSINE)))
    return _in_quadrant(builder, turns, sine, cosine)


def _in_quadrant(builder: Any, turns: Any, sine: Any, cosine: Any) -> tuple[Any, Any]:
    """Sine and cosine of an angle from those of what is left after so many quarter turns."""
    kind = ir.IntType(32)
    if isinstance(turns.type, ir.VectorType):
        kind = ir.VectorType(kind, turns.type.count)

    def integer(value: int) -> Any:
        whole = ir.IntType(32)(value)
        return ir.Constant(kind, [whole] * kind.count) if isinstance(kind, ir.VectorType) else whole

    count = builder.fptosi(turns, kind)
    odd = builder.icmp_signed("!=", builder.and_(count, integer(1)), integer(0))
    one, other = builder.select(odd, cosine, sine), builder.select(odd, sine, cosine)
    below = builder.icmp_signed("!=", builder.and_(count, integer(2)), integer(0))
    left = builder.icmp_signed("!=", builder.and_(builder.add(count, integer(1)), integer(2)), integer(0))
    return builder.select(below, builder.fneg(one), one), builder.select(left, builder.fneg(other), other)


def intrinsic(builder: Any, name: str, x: Any) -> Any:
    """LLVM's own function of this name, of a double or of each double of a vector."""
    kind = f"v{x.type.count}f64" if isinstance(x.type, ir.VectorType) else "f64"
    full = f"llvm.{name}.{kind}"
    found = builder.module.globals.get(full)
    if found is None:
        found = ir.Function(builder.module, ir.FunctionType(x.type, [x.type]), full)
    return builder.call(found, [x])
