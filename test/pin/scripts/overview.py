# Load a robot, place it, walk over its joints and frames.
model = pin.buildModelFromUrdf(urdf) if root is None else pin.buildModelFromUrdf(urdf, getattr(pin, root)())
data = model.createData()
q = pin.neutral(model)
q = pin.integrate(model, q, 0.3 * np.cos(np.arange(model.nv)))
pin.forwardKinematics(model, data, q)
pin.updateFramePlacements(model, data)
names = [name for name in model.names]
shapes = [joint.shortname() for joint in model.joints]
frame_names = [(frame.name, int(frame.type), frame.parentJoint, frame.parentFrame) for frame in model.frames]
printed = [
    "{:<24} : {: .4f} {: .4f} {: .4f}".format(name, *oMi.translation.T.flat)
    for name, oMi in zip(model.names, data.oMi)
]
out_oMi = [M.copy() for M in data.oMi]
out_liMi = [M.copy() for M in data.liMi][1:]
out_oMf = [M.copy() for M in data.oMf]
out_placements = [M for M in model.jointPlacements]
out_inertias = [I for I in model.inertias]
out_frame_inertias = [f.inertia for f in model.frames]
out_frame_placements = [f.placement for f in model.frames]
out_index = [[j.idx_q, j.idx_v, j.nq, j.nv] for j in model.joints][1:]
out_lists = [list(model.idx_qs), list(model.idx_vs), list(model.nqs), list(model.nvs), list(model.parents)]
out_limits = [
    model.lowerPositionLimit, model.upperPositionLimit, model.velocityLimit, model.effortLimit,
    model.lowerEffortLimit, model.upperVelocityLimit, model.damping, model.friction, model.armature,
]
out_trees = [np.array(list(s)) for s in model.subtrees] + [np.array(list(s)) for s in model.supports]
out_children = [np.array(list(c)) for c in model.children]
out_flags = [np.array(list(model.hasConfigurationLimit())), np.array(list(model.hasConfigurationLimitInTangent()))]
out_sizes = [model.nq, model.nv, model.njoints, model.nframes, model.nbodies]
out_gravity = model.gravity
last = model.frames[model.nframes - 1].name
out_found = [
    model.existFrame(last), model.existFrame("no such frame"), model.getFrameId("no such frame"),
    model.getJointId(names[-1]), model.getJointId("no such joint"), model.existJointName(names[1]),
]
