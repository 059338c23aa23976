# Lock joints; join two robots; copy; pickle.
import copy
import pickle

model = pin.buildModelFromUrdf(urdf)
joints_to_lock = [model.getJointId(name) for name in locked]
q = pin.integrate(model, pin.neutral(model), 0.2 * np.sin(1.0 + np.arange(model.nv)))
reduced = pin.buildReducedModel(model, joints_to_lock, q)
data = reduced.createData()
q_reduced = pin.integrate(reduced, pin.neutral(reduced), 0.3 * np.cos(np.arange(reduced.nv)))
v_reduced = 0.1 * np.arange(reduced.nv)
pin.framesForwardKinematics(reduced, data, q_reduced)
names = list(reduced.names)
frames = [(f.name, int(f.type), f.parentJoint) for f in reduced.frames]
out_oMf = [M.copy() for M in data.oMf]
out_inertias = list(reduced.inertias)
out_nle = pin.nonLinearEffects(reduced, data, q_reduced, v_reduced)
arm = pin.buildSampleModelManipulator()
human = pin.buildSampleModelHumanoid()
aMb = pin.SE3(pin.rpy.rotate("z", 0.3), np.array([0.1, 0.2, 0.3]))
for i, name in enumerate(arm.names):
    if i:
        arm.names[i] = "arm_" + name
for frame in arm.frames:
    if frame.name != "universe":
        frame.name = "arm_" + frame.name
joined = pin.appendModel(human, arm, human.getFrameId("chest2_body"), aMb)
joined_data = joined.createData()
q_joined = pin.integrate(joined, pin.neutral(joined), 0.1 * np.cos(np.arange(joined.nv)))
joined_names = sorted(joined.names)
out_sizes = [joined.nq, joined.nv, joined.njoints]
out_energy = pin.computePotentialEnergy(joined, joined_data, q_joined * 0 + pin.neutral(joined))
out_mass = pin.computeTotalMass(joined)
for twin in (copy.deepcopy(reduced), pin.Model(reduced), reduced.copy(), pickle.loads(pickle.dumps(reduced))):
    assert twin == reduced
    assert twin.createData().nle.shape == (reduced.nv,)
    assert np.allclose(pin.nonLinearEffects(twin, twin.createData(), q_reduced, v_reduced), out_nle)
