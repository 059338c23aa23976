"""Through `fast`, a compiled model, on every robot."""

from __future__ import annotations

from .call import Call


def _compiled(name: str, arguments: str, pin: str = "", *value: str) -> Call:
    """A function of `fast`, the compiled model."""
    ours, theirs = f"fast.{name}({arguments})", f"{pin or name}(model, data, {arguments})"
    return Call(name, ours, theirs, value=(ours, *value) if value else None)  # type: ignore[arg-type]


_BY_RNEA, _BY_ABA = "[data.dtau_dq, data.dtau_dv, data.M]", "[data.ddq_dq, data.ddq_dv, data.Minv]"

COMPILED_CALLS = (
    _compiled("rnea", "q, v, a"),
    _compiled("generalized_gravity", "q", "computeGeneralizedGravity"),
    _compiled("nonlinear_effects", "q, v", "nonLinearEffects"),
    _compiled("crba", "q"),
    _compiled("aba", "q, v, tau"),
    _compiled("forward_kinematics", "q", "forwardKinematics", "[m.homogeneous for m in data.oMi]"),
    Call("frame_jacobian", "tool.jacobian(q)", "computeFrameJacobian(model, data, q, frame, LWA)"),
    _compiled("joint_jacobians", "q", "computeJointJacobians"),
    _compiled("minverse", "q", "computeMinverse"),
    _compiled("coriolis_matrix", "q, v", "computeCoriolisMatrix"),
    _compiled("gravity_derivatives", "q", "computeGeneralizedGravityDerivatives"),
    _compiled(
        "rnea_derivatives", "q, v, a", "computeRNEADerivatives", "[data.dtau_dq, data.dtau_dv, data.M]"
    ),
    _compiled(
        "aba_derivatives", "q, v, tau", "computeABADerivatives", "[data.ddq_dq, data.ddq_dv, data.Minv]"
    ),
    _compiled("center_of_mass", "q", "centerOfMass"),
    _compiled("jacobian_center_of_mass", "q", "jacobianCenterOfMass"),
    _compiled("centroidal_map", "q", "computeCentroidalMap"),
    _compiled("centroidal_momentum", "q, v", "computeCentroidalMomentum", "data.hg.vector"),
)
