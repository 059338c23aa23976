"""Names of Pinocchio that this module does not have, with the reason, so that an error can say so."""

from __future__ import annotations

#: Reason, and the names that it holds for.
REASONS: dict[str, str] = {
    "geometry and collision are not covered": (
        "BroadPhaseManagerPool_DynamicAABBTreeCollisionManager CachedMeshLoader CollisionCallBackBase"
        " CollisionGeometry CollisionObject CollisionPair CollisionResult ComputeCollision ComputeDistance"
        " DistanceResult GeometryData GeometryModel GeometryObject GeometryPool GeometryType"
        " GeometryNoMaterial"
        " GeometryPhongMaterial MeshLoader COLLISION VISUAL buildGeomFromMJCF"
        " buildGeomFromUrdf buildGeomFromUrdfString"
        " buildModelsFromUrdf buildSampleGeometryModelHumanoid buildSampleGeometryModelManipulator coal"
        " computeBodyRadius computeCollision computeCollisions computeCollisionsInParallel"
        " computeContactPatch computeContactPatches computeDistance computeDistances hppfcl"
        " removeCollisionPairs removeCollisionPairsFromXML updateGeometryPlacements visualize"
    ),
    "of constraints there are RigidConstraintModel and what takes it": (
        "ADMMConstraintSolver Contact ContactCholeskyDecomposition"
        " ConstraintCholeskyDecomposition ConstraintData ConstraintModel CoulombFrictionCone"
        " DelassusOperatorDense DelassusOperatorSparse DualCoulombFrictionCone FrameAnchorConstraintModel"
        " JointFrictionConstraintModel JointLimitConstraintModel PGSConstraintSolver"
        " PointAnchorConstraintModel PointContactConstraintModel"
        " computeDampedDelassusMatrixInverse"
        " computeDelassusMatrix computeImpulseDynamicsDerivatives computeInverseDynamicsConstraintForces"
        " contactInverseDynamics lcaba"
        " BoxSet FullSpaceCone NonNegativeOrthantCone ZeroCone FrictionCoefficientMatrix"
        " getFrictionCoefficientMatrix ConstraintSelectionType convertToRigidConstraintModel"
        " PhysicsMaterial PhysicsMaterialType"
    ),
    "only URDF files are read": (
        "buildModelAndConstraintsFromMJCF buildModelFromMJCF buildModelFromMJCFAndRootJoint"
        " buildModelsAndConstraintsFromMJCF buildModelsAndConstraintsFromSdf buildModelsFromMJCF"
        " buildModelsFromSdf buildModelAndLegacyConstraintsFromMJCF"
    ),
    "not covered": (
        "DeprecatedBool XAxis YAxis ZAxis isOrthonormal orthogonalization orthonormalization createDatas"
        " printVersion module_info omp_get_max_threads LogLevel ScalarType LanczosDecomposition"
        " TridiagonalSymmetricMatrix shortcuts Hlog3"
        " JointData JointModelEllipsoid LieGroup LogCholeskyParameters"
        " PseudoInertia StdMap_String_VectorXd compactTangentMap"
        " computeJointMinimalOrdering"
        " getTangentToConfigurationSparsitySegment"
        " graph liegroups lieGroup linalg serialization sharedMemory"
        " tangentMapProduct tangentMapTransposeProduct transformJointIntoMimic"
    ),
}
UNCOVERED: dict[str, str] = {name: reason for reason, names in REASONS.items() for name in names.split()}

#: The same for families of names, by how they begin.
PREFIXES: dict[str, str] = {
    "StdVec_": "other lists are plain Python lists here",
    "JointData": "joints have no data of their own here",
    **dict.fromkeys(
        ("BroadPhaseManager", "TreeBroadPhaseManager", "CollisionCallBack"),
        "geometry and collision are not covered",
    ),
    **dict.fromkeys(
        (
            *("ADMM", "PGS", "Delassus", "PointAnchor", "PointContact"),
            *("FrameAnchor", "JointFriction", "JointLimit"),
        ),
        "of constraints there are RigidConstraintModel and what takes it",
    ),
}


def why_not(name: str) -> str | None:
    """Why a name of Pinocchio is not here; None for a name that Pinocchio does not have either."""
    if name in UNCOVERED:
        return UNCOVERED[name]
    return next((reason for prefix, reason in PREFIXES.items() if name.startswith(prefix)), None)
