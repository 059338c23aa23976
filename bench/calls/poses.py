"""Operations on placements."""

from __future__ import annotations

from .call import Call

#: On placements: `A`, `B` are placements, `m` a motion, `x` a point, `xi` six numbers. A "kernel" row is
#: the compiled kernel alone, into an array that is there already: what other kernels pay.
POSE_CALLS = (
    Call("exp", "SE3.exp(xi)", "exp6(xi)"),
    Call("exp, kernel", "pose_exp(xi, pose)", "E = exp6(xi)", value=("pose[:3]", "E.rotation")),
    Call("log", "A.log()", "log6(A)"),
    Call("log, kernel", "pose_log(A._pose, six)", "w = log6(A)", value=("six", "w.vector")),
    Call("compose", "A * B", "A * B"),
    Call("inverse", "A.inverse()", "A.inverse()"),
    Call("act_point", "A.act(x)", "A.act(x)"),
    Call("act_motion", "A.act(m)", "A.act(m)"),
    Call("jlog", "A.jlog()", "Jlog6(A)"),
)
