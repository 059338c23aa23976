"""The flat records that every kernel works on.

`JOINT` is the model (constant), one record an elementary joint, record 0 is the universe, in
depth-first order: the subtree of record i is the run `i .. joints[i].last`. A composite joint is a
chain of records, without mass but for the last. Several records share an entry of v where a joint
follows another: results are summed over records, never assigned. `KINEMATICS` and `WORK` are one
robot's scratch, record for record beside it. Six-vectors are linear first; `_lin` and `_ang`
name their halves. Nested arrays keep one argument where there would be dozens: what a compiled
call costs grows with its arguments.
"""

from __future__ import annotations

import numpy as np

_i, _f = np.int64, np.float64
_vector, _matrix, _columns = (_f, (3,)), (_f, (3, 3)), (_f, (6, 6))

JOINT = np.dtype(
    [
        ("kind", _i),  # one of the codes in kernels.kinds
        ("parent", _i),  # index of the parent joint; -1 for the universe
        ("last", _i),  # index of the last joint of this joint's subtree
        ("idx_q", _i),  # first entry in q
        ("idx_v", _i),  # first entry in v
        ("nq", _i),  # of record 0: of the whole model
        ("nv", _i),
        # Placement in the parent joint's frame at zero, and, for joints that turn about one
        # axis, the two matrices that make it R + (cos - 1) R_cos + sin R_sin.
        ("R", *_matrix),
        ("p", *_vector),
        ("R_cos", *_matrix),
        ("R_sin", *_matrix),
        ("axis", *_vector),  # unit, in the joint's frame
        ("pitch", _f),  # metres along the axis per unit of a helical joint or a follower
        ("ratio", _f),  # of a follower: its position is ratio * leader's + offset
        ("offset", _f),
        ("S", *_columns),  # row d: motion subspace of velocity coordinate d, joint's own frame, constant
        # The body moved by this joint (fixed links lumped in), about the joint's origin.
        ("mass", _f),
        ("h", *_vector),  # mass * centre of mass
        ("I", *_matrix),  # rotational inertia about the joint's origin, joint axes
        ("armature", _f, (6,)),  # rotor inertia seen by each velocity coordinate
        ("gravity", *_vector),  # world axes; read from record 0 only
        ("stamp", _i),  # identifies the model; record 0 only
        ("followers", _i),  # how many records share their entries of v with others; record 0 only
    ],
    align=True,
)

KINEMATICS = np.dtype(
    [
        ("R", *_matrix),  # placement of the joint in the world
        ("p", *_vector),
        ("v_lin", *_vector),  # spatial velocity and acceleration, joint's own frame
        ("v_ang", *_vector),
        ("a_lin", *_vector),
        ("a_ang", *_vector),
        ("li_R", *_matrix),  # placement in the parent joint's frame
        ("li_p", *_vector),
        ("S", *_columns),  # the model's, copied here once
        ("order", _i),  # record 0: -1 nothing, 0 placements, 1 velocities, 2 accelerations
        ("stamp", _i),
    ],
    align=True,
)

WORK = np.dtype(
    [
        ("li_R", *_matrix),  # placement in the parent joint's frame
        ("li_p", *_vector),
        ("R", *_matrix),  # placement in the world
        ("p", *_vector),
        ("S", *_columns),  # the model's, copied here once
        ("J", *_columns),  # row d: the same, in the axes and about the origin of the tree or world
        ("v_lin", *_vector),
        ("v_ang", *_vector),
        ("a_lin", *_vector),
        ("a_ang", *_vector),
        ("f_lin", *_vector),
        ("f_ang", *_vector),
        # Composite inertia of the subtree (crba): mass, first moment, rotational inertia.
        ("mass", _f),
        ("h", *_vector),
        ("I", *_matrix),
        # Articulated inertia (aba) in 3x3 blocks [[A, B], [B^T, D]].
        ("A", *_matrix),
        ("B", *_matrix),
        ("D", *_matrix),
        ("U", *_columns),  # row d: articulated inertia times S[d]
        ("d", _f, (6,)),  # 1 / (S[d] . U[d] + armature)
        ("u", _f, (6,)),  # effort that is left for velocity coordinate d
        ("stamp", _i),
        # Rates of J, in its axes, and what goes with them (coriolis, derivatives).
        ("psi", *_columns),  # row d: the parent's velocity x J[d]
        ("psi_rate", *_columns),  # row d: the parent's acceleration x J[d] + velocity x psi[d]
        ("drift", *_columns),  # row d: own velocity x J[d]; (own + parent's) in rnea_derivatives
        ("m_lin", *_vector),  # momentum of the subtree
        ("m_ang", *_vector),
        ("E", *_matrix),  # symmetric part of the subtree's Coriolis block
    ],
    align=True,
)

FRAME = np.dtype(
    [
        ("joint", _i),  # the joint that carries the frame
        ("R", *_matrix),  # placement in that joint's frame (model), in the world (data)
        ("p", *_vector),
    ],
    align=True,
)
