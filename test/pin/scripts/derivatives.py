# Analytical derivatives of dynamics and kinematics.
model = pin.buildSampleModelHumanoid()
data = model.createData()
q = pin.integrate(model, pin.neutral(model), 0.4 * np.sin(np.arange(model.nv) + 1.0))
v = 0.5 * np.cos(np.arange(model.nv))
a = np.sin(2.0 * np.arange(model.nv))
out_rnea = [x.copy() for x in pin.computeRNEADerivatives(model, data, q, v, a)]
out_rnea_fields = [data.dtau_dq.copy(), data.dtau_dv.copy(), data.M.copy(), data.tau.copy()]
out_C = pin.getCoriolisMatrix(model, data)
tau = data.tau.copy()
out_aba = [x.copy() for x in pin.computeABADerivatives(model, data, q, v, tau)]
out_aba_fields = [data.ddq_dq.copy(), data.ddq_dv.copy(), data.Minv.copy(), data.ddq.copy()]
f = [pin.Force(np.cos(np.arange(6) + i)) for i in range(model.njoints)]
fext = pin.StdVec_Force()
fext.extend(f)
out_rnea_f = pin.computeRNEADerivatives(model, data, q, v, a, fext)
out_gravity = pin.computeGeneralizedGravityDerivatives(model, data, q)
out_static = pin.computeStaticTorqueDerivatives(model, data, q, fext)
pin.computeForwardKinematicsDerivatives(model, data, q, v, a)
pin.updateFramePlacements(model, data)
frame = model.getFrameId("rleg_effector_body")
place = pin.SE3(pin.rpy.rpyToMatrix(0.1, 0.2, 0.3), np.array([0.1, 0.2, 0.3]))
for rf in (pin.LOCAL, pin.WORLD, pin.LOCAL_WORLD_ALIGNED):
    name = rf.name
    globals()["out_joint_" + name] = [
        *pin.getJointVelocityDerivatives(model, data, 7, rf),
        *pin.getJointAccelerationDerivatives(model, data, 7, rf),
    ]
    globals()["out_frame_" + name] = [
        *pin.getFrameVelocityDerivatives(model, data, frame, rf),
        *pin.getFrameAccelerationDerivatives(model, data, frame, rf),
        *pin.getFrameVelocityDerivatives(model, data, 7, place, rf),
        *pin.getFrameAccelerationDerivatives(model, data, 7, place, rf),
    ]
for rf in (pin.LOCAL, pin.LOCAL_WORLD_ALIGNED):
    globals()["out_point_" + rf.name] = [
        *pin.getPointVelocityDerivatives(model, data, 7, place, rf),
        *pin.getPointClassicAccelerationDerivatives(model, data, 7, place, rf),
    ]
pin.centerOfMass(model, data, q, v)
out_com = pin.getCenterOfMassVelocityDerivatives(model, data)
out_centroidal = pin.computeCentroidalDynamicsDerivatives(model, data, q, v, a)
out_integrate = [*pin.dIntegrate(model, q, v), pin.dIntegrate(model, q, v, pin.ARG1)]
q2 = pin.integrate(model, q, a)
out_difference = [*pin.dDifference(model, q, q2), pin.dDifference(model, q, q2, pin.ArgumentPosition.ARG0)]
out_transport = pin.dIntegrateTransport(model, q, v, np.eye(model.nv), pin.ARG0)
