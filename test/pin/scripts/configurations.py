# Functions of configurations.
model = pin.buildModelFromUrdf(urdf, pin.JointModelFreeFlyer())
q0 = pin.integrate(model, pin.neutral(model), 0.4 * np.sin(1.0 + np.arange(model.nv)))
q1 = pin.integrate(model, q0, 0.5 * np.cos(np.arange(model.nv)))
out_all = [q0, q1, pin.difference(model, q0, q1), pin.interpolate(model, q0, q1, 0.3), pin.normalize(model, 2.0 * q1),
           pin.squaredDistance(model, q0, q1), pin.distance(model, q0, q1), pin.isNormalized(model, q1, 1e-9),
           pin.isSameConfiguration(model, q0, q1, 1e-9), pin.isNormalized(model, 2.0 * q1), pin.tangentMap(model, q0)]
drawn = pin.randomConfiguration(model, np.full(model.nq, -1.0), np.full(model.nq, 1.0))
out_drawn = [pin.isNormalized(model, drawn, 1e-9), bool((np.abs(drawn) <= 1.0).all())]
