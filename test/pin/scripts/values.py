# The spatial types and their functions.
w, t = np.array([0.3, -0.8, 0.5]), np.array([1.0, -2.0, 0.5])
R = pin.exp3(w)
M = pin.SE3(R, t)
N = pin.SE3(pin.Quaternion(0.5, 0.5, -0.5, 0.5), t[::-1].copy())
m, n = pin.Motion(np.arange(6.0)), pin.Motion(w, t)
f = pin.Force(np.array([2.0, 1.0, 0.0, -1.0, 0.5, 3.0]))
Y = pin.Inertia(2.0, np.array([0.1, 0.2, -0.3]), np.diag([1.0, 2.0, 2.5]))
p = np.array([0.2, 0.4, -0.6])
out_SE3 = [M * N, M.act(N), M.actInv(N), M.inverse(), ~M, pin.SE3(M), pin.SE3(M.homogeneous), pin.SE3(1),
           pin.SE3.Interpolate(M, N, 0.3), M.copy()]
out_matrices = [M.homogeneous, M.np, M.action, M.actionInverse, M.dualAction, M.toActionMatrix(),
                M.toActionMatrixInverse(), M.toDualActionMatrix(), np.array(M)]
out_acted = [M * m, M.act(m), M.actInv(m), M * f, M.act(f), M.actInv(f), M * Y, M.act(Y), M.actInv(Y)]
out_points = [M * p, M.act(p), M.actInv(p)]
out_motion = [m + n, m - n, -m, m * 2.0, 2.0 * m, m / 2.0, m ^ n, m ^ f, m.cross(n), m.cross(f), m.se3Action(M)]
out_motion_numbers = [m.dot(f), m.action, m.dualAction, m.homogeneous, m.linear, m.angular, m.vector, m.np]
out_force = [f + f, f - f, -f, f * 3.0, f.se3ActionInverse(M), f.linear, f.angular, f.dot(m)]
out_inertia = [Y * m, Y + Y, Y.vxiv(m), Y.se3Action(M)]
out_inertia_numbers = [Y.matrix(), Y.inverse(), Y.vtiv(m), Y.vxi(m), Y.ivx(m), Y.variation(m), Y.mass, Y.lever,
                       Y.inertia, Y.toDynamicParameters()]
out_shapes = [pin.Inertia.FromSphere(1.0, 0.2), pin.Inertia.FromBox(1.0, 0.1, 0.2, 0.3), pin.Inertia.Identity(),
              pin.Inertia.FromCylinder(1.0, 0.1, 0.5), pin.Inertia.FromEllipsoid(1.0, 0.1, 0.2, 0.3),
              pin.Inertia.FromDynamicParameters(Y.toDynamicParameters()), pin.Inertia.Zero()]
N.translation[:] = 0.0
N.translation[2] += 0.3
N.rotation = pin.utils.rotate("x", 0.2)
m.linear = t
m.angular[1] = 7.0
Y.mass = 3.0
Y.lever = p
out_changed = [N, m, Y]
out_log = [pin.log3(R), pin.exp3_quat(w), pin.log6(M), pin.exp6(n), pin.exp6(n.vector), pin.log(R), pin.log(M),
           pin.exp(w), pin.exp(n), pin.log6_quat(pin.SE3ToXYZQUAT(M)), pin.exp6_quat(n.vector)]
out_jacobians = [pin.Jexp3(w), pin.Jlog3(R), pin.Jexp6(n), pin.Jlog6(M)]
out_xyzquat = [pin.SE3ToXYZQUAT(M), pin.XYZQUATToSE3(pin.SE3ToXYZQUAT(M))]
out_skew = [pin.skew(w), pin.unSkew(pin.skew(w)), pin.skewSquare(w, t)]
rpy = np.array([0.3, -0.4, 0.7])
out_rpy = [pin.rpy.rpyToMatrix(rpy), pin.rpy.rpyToMatrix(0.3, -0.4, 0.7), pin.rpy.matrixToRpy(R),
           pin.utils.rpyToMatrix(rpy), pin.utils.matrixToRpy(R)]
for rf in (pin.LOCAL, pin.WORLD):
    out_rpy += [pin.rpy.computeRpyJacobian(rpy, rf), pin.rpy.computeRpyJacobianInverse(rpy, rf),
                pin.rpy.computeRpyJacobianTimeDerivative(rpy, w, rf)]
a, b = pin.Quaternion(R), pin.Quaternion(pin.exp3(t))
out_quaternion = [a, b, a * b, a.inverse(), a.conjugate(), a.slerp(0.3, b), pin.Quaternion.FromTwoVectors(w, t),
                  pin.Quaternion(np.array([0.1, 0.2, 0.3, 0.4])).normalized(), pin.Quaternion(pin.AngleAxis(0.3, p / np.linalg.norm(p)))]
out_quaternion_numbers = [a.matrix(), a.toRotationMatrix(), a * p, a.dot(b), a.angularDistance(b), a.norm(),
                          a.x, a.y, a.z, a.w, a[3], a.vec()]
aa = pin.AngleAxis(R)
out_angle_axis = [aa.angle, aa.axis, aa.matrix(), aa.toRotationMatrix()]
out_truth = [M == M.copy(), M != N, M.isApprox(M), M.isIdentity(), pin.SE3.Identity().isIdentity(), m == n,
             m.isApprox(m), pin.Motion.Zero().isZero(), Y.isApprox(Y), a.isApprox(b)]
out_symmetric = [pin.Symmetric3(np.diag(p)).matrix(), pin.Symmetric3.Identity().matrix()]
v1, a1 = pin.Motion(np.arange(6.0)), pin.Motion(np.arange(6.0)[::-1].copy())
out_classic = [pin.classicAcceleration(v1, a1), pin.classicAcceleration(v1, a1, M)]
