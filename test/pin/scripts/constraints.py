# A quadruped on its feet: contacts with the world, a closed loop, impacts, the classic functions.
model = pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer())
data = model.createData()
v = 0.3 * np.cos(np.arange(model.nv))
tau = np.concatenate([np.zeros(6), 5.0 * np.sin(np.arange(model.nv - 6))])
q = pin.integrate(model, pin.neutral(model), 0.2 * np.sin(np.arange(model.nv)))
pin.framesForwardKinematics(model, data, q)

settings = pin.ProximalSettings(1e-12, 1e-12, 20)
out_solved, out_forces, out_places, out_jacobians, out_impacts = [], [], [], [], []
for kind, reference in (("CONTACT_3D", "LOCAL_WORLD_ALIGNED"), ("CONTACT_6D", "LOCAL")):
    models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
    for name in feet[: 4 if kind == "CONTACT_3D" else 1]:
        frame = model.frames[model.getFrameId(name)]
        one = pin.RigidConstraintModel(
            getattr(pin.ContactType, kind), model, frame.parentJoint, frame.placement, 0,
            data.oMf[model.getFrameId(name)], getattr(pin, reference),
        )
        one.m_baumgarte_parameters.Kp, one.m_baumgarte_parameters.Kd = 10.0, 2.0
        models.append(one)
        datas.append(one.createData())
    pin.initConstraintDynamics(model, data, models, datas)
    ddq = pin.constraintDynamics(model, data, q, v, tau, models, datas, settings)
    out_solved += [ddq.copy(), data.ddq.copy(), data.lambda_c.copy()]
    out_forces += [one.contact_force.copy() for one in datas]
    out_places += [place.copy() for one in datas for place in (one.oMc1, one.oMc2, one.c1Mc2)]
    pin.computeConstraintDynamicsDerivatives(model, data, models, datas, settings)
    out_solved += [
        data.ddq_dq.copy(), data.ddq_dv.copy(), data.ddq_dtau.copy(),
        data.dlambda_dq.copy(), data.dlambda_dv.copy(), data.dlambda_dtau.copy(),
    ]
    pin.computeJointJacobians(model, data, q)
    out_jacobians += [
        pin.getConstraintsJacobian(model, data, models, datas),
        pin.getConstraintJacobian(model, data, models[-1], datas[-1]),
    ]
    after = pin.impulseDynamics(model, data, q, v, models, datas, 0.2, settings)
    out_impacts += [after.copy(), data.dq_after.copy(), data.impulse_c.copy()]
    out_impacts += [one.contact_force.copy() for one in datas]

# Two legs tied to each other.
ends = [model.frames[model.getFrameId(name)] for name in feet[:2]]
tie = pin.RigidConstraintModel(
    pin.ContactType.CONTACT_3D, model, ends[0].parentJoint, ends[0].placement, ends[1].parentJoint, ends[1].placement
)
same = pin.RigidConstraintModel(tie)
out_tie = [same.residualSize(), same.joint2_id, same.joint1_placement, same.m_baumgarte_parameters.Kp]
models, datas = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
models.append(same)
datas.append(same.createData())
pin.initConstraintDynamics(model, data, models, datas)
out_loop = [pin.constraintDynamics(model, data, q, v, tau, models, datas, settings).copy(), datas[0].contact_force.copy()]

# From a Jacobian and a drift.
foot = model.getFrameId(feet[0])
J = pin.computeFrameJacobian(model, data, q, foot, pin.LOCAL)[:3]
gamma = pin.frameJacobianTimeVariation(model, data, q, v, foot, pin.LOCAL)[:3] @ v
out_classic = [pin.forwardDynamics(model, data, q, v, tau, J, gamma).copy(), data.lambda_c.copy()]
pin.computeAllTerms(model, data, q, v)
out_classic += [pin.forwardDynamics(model, data, tau, J, gamma, 0.01).copy(), data.lambda_c.copy()]
out_classic += [pin.impulseDynamics(model, data, q, v, J).copy(), data.impulse_c.copy()]
out_classic += [pin.impulseDynamics(model, data, v, J, 0.5, 0.01).copy(), data.dq_after.copy(), data.impulse_c.copy()]
out_kkt = [
    pin.computeKKTContactDynamicMatrixInverse(model, data, q, J),
    pin.getKKTContactDynamicMatrixInverse(model, data, J),
    pin.computeKKTContactDynamicMatrixInverse(model, data, q, J, 0.1),
]

# What a frame carries, and how it answers to the placements of joints.
pin.rnea(model, data, q, v, v)
pin.forwardKinematics(model, data, q, v, v)
out_supported, out_regressors = [], []
for name in (*feet[:2], model.frames[4].name):
    k = model.getFrameId(name)
    out_supported += [pin.computeSupportedInertiaByFrame(model, data, k, subtree) for subtree in (False, True)]
    out_supported.append(pin.computeSupportedForceByFrame(model, data, k))
    for reference in (pin.LOCAL, pin.WORLD, pin.LOCAL_WORLD_ALIGNED):
        out_regressors += [
            pin.computeFrameKinematicRegressor(model, data, k, reference),
            pin.computeJointKinematicRegressor(model, data, 3, reference),
            pin.computeJointKinematicRegressor(model, data, 3, reference, model.frames[k].placement),
        ]

# Many states at once.
pool = pin.ModelPool(model, 2)
many = [np.array([x, x, x]).T * 1.0 for x in (q, v, tau)]
out_many = [pin.rneaInParallel(2, pool, many[0], many[1], many[2]), pin.abaInParallel(2, pool, *many)]
into = np.zeros((model.nv, 3), order="F")
pin.rneaInParallel(2, pool, many[0], many[1], many[1], into)
out_many += [into, pool.size()]
