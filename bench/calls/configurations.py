"""Configurations on their manifold."""

from __future__ import annotations

from .call import Call, of_model

_SECOND = ", ArgumentPosition.ARG1"

CONFIGURATIONS = (
    of_model("integrate", "q, dv"),
    Call("integrate, out=", "integrate(model, q, dv, out=out_q)", "integrate(model, q, dv)"),
    of_model("difference", "q, q1"),
    Call("difference, out=", "difference(model, q, q1, out=out_v)", "difference(model, q, q1)"),
    of_model("interpolate", "q, q1, 0.3"),
    of_model("distance", "q, q1"),
    of_model("squared_distance", "q, q1", "squaredDistance"),
    of_model("is_same_configuration", "q, q1, 1e-12", "isSameConfiguration"),
    of_model("is_normalized", "q", "isNormalized"),
    of_model("normalize", "q"),
    Call("neutral", "neutral(model)", "neutral(model)"),
    Call(
        "random_configuration",
        "random_configuration(model, rng, unbounded=2.0)",
        "r = randomConfiguration(model, lower, upper)",
        value=(
            "is_normalized(model, random_configuration(model, rng, unbounded=2.0))",
            "isNormalized(model, r, 1e-12)",
        ),
    ),
    Call("d_integrate", "d_integrate(model, q, dv)", f"dIntegrate(model, q, dv{_SECOND})"),
    Call("d_difference", "d_difference(model, q, q1)", f"dDifference(model, q, q1{_SECOND})"),
    Call(
        "transport",
        "transport(model, q, dv, J)",
        f"dIntegrateTransport(model, q, dv, J{_SECOND})",
    ),
    of_model("integrate_coefficient_jacobian", "q", "tangentMap"),
)
