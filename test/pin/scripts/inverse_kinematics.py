# Closed-loop inverse kinematics of one joint's placement.
model = pin.buildSampleModelManipulator()
data = model.createData()
JOINT_ID = 6
oMdes = pin.SE3(np.eye(3), np.array([1.0, 0.0, 1.0]))
q = pin.neutral(model)
eps, IT_MAX, DT, damp = 1e-4, 200, 1e-1, 1e-12
errors = []
for i in range(IT_MAX):
    pin.forwardKinematics(model, data, q)
    iMd = data.oMi[JOINT_ID].actInv(oMdes)
    err = pin.log(iMd).vector
    errors.append(np.linalg.norm(err))
    if errors[-1] < eps:
        success = True
        break
    J = pin.computeJointJacobian(model, data, q, JOINT_ID)
    J = -np.dot(pin.Jlog6(iMd.inverse()), J)
    v = -J.T.dot(np.linalg.solve(J.dot(J.T) + damp * np.eye(6), err))
    q = pin.integrate(model, q, v * DT)
out_q = q.flatten()
out_errors = np.array(errors)
# Three-dimensional task on a frame of a floating robot.
human = pin.buildSampleModelHumanoid()
work = human.createData()
hand = human.getFrameId("larm_effector_body")
target = np.array([0.3, 0.4, 1.2])
x = pin.neutral(human)
for _ in range(25):
    pin.framesForwardKinematics(human, work, x)
    pin.computeJointJacobians(human, work, x)
    error = work.oMf[hand].translation - target
    Jt = pin.getFrameJacobian(human, work, hand, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)[:3, 6:]
    step = np.concatenate([np.zeros(6), -np.linalg.pinv(Jt, rcond=1e-4) @ error * 0.2])
    x = pin.integrate(human, x, step)
out_x = x
