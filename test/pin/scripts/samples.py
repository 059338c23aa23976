# The sample robots.
out_all = []
names = []
for build in (pin.buildSampleModelManipulator, pin.buildSampleModelHumanoid, lambda: pin.buildSampleModelHumanoid(False)):
    model = build()
    names += [list(model.names), [(f.name, int(f.type), f.parentJoint, f.parentFrame) for f in model.frames],
              [j.shortname() for j in model.joints]]
    out_all += [list(model.jointPlacements), list(model.inertias), model.lowerPositionLimit, model.upperPositionLimit,
                model.velocityLimit, model.effortLimit, [model.nq, model.nv, model.nbodies],
                pin.neutral(model), [f.placement for f in model.frames]]
random = pin.buildSampleModelHumanoidRandom(True)
names += [list(random.names), [(f.name, int(f.type), f.parentJoint, f.parentFrame) for f in random.frames]]
out_random = [random.nq, random.nv, list(random.parents)]
