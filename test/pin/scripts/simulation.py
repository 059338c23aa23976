# A pendulum built joint by joint, swung with the symplectic Euler rule; and a floating robot.
model = pin.Model()
N, length, mass = 3, 1.0, 0.7
joint_id = 0
placement = pin.SE3.Identity()
for k in range(N):
    joint_id = model.addJoint(joint_id, pin.JointModelRY(), placement, "joint_" + str(k + 1))
    inertia = pin.Inertia.FromCylinder(mass, 0.05, length)
    body = placement.copy()
    body.translation[2] = length / 2.0
    model.appendBodyToJoint(joint_id, inertia, body)
    model.addJointFrame(joint_id)
    placement = pin.SE3.Identity()
    placement.translation[2] = length
tip = model.addFrame(pin.Frame("tip", joint_id, model.getFrameId("joint_3"), placement, pin.FrameType.OP_FRAME))
model.lowerPositionLimit.fill(-3.0)
model.upperPositionLimit.fill(3.0)
data = model.createData()
q, v, dt = np.array([0.1, -0.2, 0.3]), np.zeros(3), 1e-2
energies = []
for k in range(100):
    tau_control = -0.1 * v
    acc = pin.aba(model, data, q, v, tau_control)
    v += acc * dt
    q = pin.integrate(model, q, v * dt)
    energies.append(pin.computeMechanicalEnergy(model, data, q, v))
out_q, out_v, out_energies = q, v, np.array(energies)
pin.framesForwardKinematics(model, data, q)
out_tip = data.oMf[tip].copy()
# The model changes while the script runs: a heavier tip, a tilted gravity, a rotor.
model.inertias[3].mass += 0.4
model.inertias[3].lever[2] = 0.8
model.gravity.linear[:] = [1.0, 0.0, -9.0]
model.armature[1] = 0.3
model.jointPlacements[2].translation[0] = 0.2
out_changed = pin.rnea(model, data, q, v, acc)
out_M = pin.crba(model, data, q)
out_Minv = pin.computeMinverse(model, data, q)
model.gravity = pin.Motion.Zero()
out_weightless = pin.computeGeneralizedGravity(model, data, q)
# Another joint, after data had been made.
last = model.addJoint(joint_id, pin.JointModelSpherical(), placement, "ball")
model.appendBodyToJoint(last, pin.Inertia(0.3, np.array([0.0, 0.1, 0.2]), 0.02 * np.eye(3)), pin.SE3.Identity())
data = model.createData()
q = np.concatenate([q, [0.0, 0.0, 0.0, 1.0]])
v = np.concatenate([v, [0.1, 0.2, 0.3]])
out_nle = pin.nonLinearEffects(model, data, q, v)
# A floating robot falls.
human = pin.buildSampleModelHumanoid()
work = human.createData()
x, xd = pin.neutral(human), np.linspace(-0.5, 0.5, human.nv)
for k in range(20):
    xd = xd + 1e-3 * pin.aba(human, work, x, xd, np.zeros(human.nv))
    x = pin.integrate(human, x, xd * 1e-3)
out_x, out_xd = x, xd
