# RobotWrapper, as in courses.
robot = pin.RobotWrapper(pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer()))
q = pin.integrate(robot.model, robot.q0, 0.2 * np.sin(1.0 + np.arange(robot.nv)))
v = 0.3 * np.cos(np.arange(robot.nv))
a = 0.1 * np.arange(robot.nv)
i, f = 3, robot.model.nframes - 1
out_sizes = [robot.nq, robot.nv, *robot.q0, *robot.v0]
out_com = [robot.com(q), *robot.com(q, v), *robot.com(q, v, a), robot.vcom(q, v), robot.acom(q, v, a)]
out_dynamics = [robot.mass(q), robot.nle(q, v), robot.gravity(q), robot.Jcom(q)]
out_centroidal = [robot.centroidalMomentum(q, v), robot.centroidalMap(q), *robot.centroidal(q, v)]
out_rate = robot.centroidalMomentumVariation(q, v, a)
out_joint = [robot.placement(q, i), robot.velocity(q, v, i), robot.acceleration(q, v, a, i),
             robot.classicalAcceleration(q, v, a, i)]
out_frame = [robot.framePlacement(q, f), robot.frameVelocity(q, v, f), robot.frameAcceleration(q, v, a, f),
             robot.frameClassicalAcceleration(q, v, a, f)]
out_jacobians = [robot.computeJointJacobian(q, i), robot.computeJointJacobians(q), robot.getJointJacobian(i),
                 robot.computeFrameJacobian(q, f)]
robot.framesForwardKinematics(q)
out_frame_jacobian = robot.getFrameJacobian(f, pin.WORLD)
out_index = robot.index(robot.model.names[2])
