# Joints that follow others, and a change of the model after it was read.
xml = """<robot name="gripper"><link name="palm"/>
<joint name="a" type="revolute"><parent link="palm"/><child link="la"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.3" friction="0.1"/></joint>
<link name="la"><inertial><mass value="1"/><origin xyz="0.1 0 0"/>
<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="b" type="prismatic"><parent link="la"/><child link="lb"/><axis xyz="0 1 0"/><origin xyz="0.2 0 0.1"/>
<limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.2" friction="0.2"/>
<mimic joint="a" multiplier="-0.7" offset="0.2"/></joint>
<link name="lb"><inertial><mass value="0.5"/><origin xyz="0 0.1 0"/>
<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>"""
model = pin.buildModelFromXML(xml, mimic=True)
free = pin.buildModelFromXML(xml)
names = [[j.shortname() for j in m.joints] for m in (model, free)]
out_sizes = [model.nq, model.nv, free.nq, free.nv, list(model.idx_vs)]
out_coefficients = [model.damping, model.friction, free.damping]
q, v, a = np.array([0.4]), np.array([0.6]), np.array([-0.5])
data = model.createData()
out_tau = pin.rnea(model, data, q, v, a).copy()
out_M = pin.crba(model, data, q).copy()
model.gravity.linear[:] = [1.0, 2.0, -3.0]
model.inertias[2].mass = 0.8
out_changed = pin.rnea(model, data, q, v, a).copy()
pin.framesForwardKinematics(model, data, q)
out_oMf = list(data.oMf)
