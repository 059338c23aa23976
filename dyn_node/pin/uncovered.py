"""Names of Pinocchio that this module does not have, with the reason, so that an error can say so."""

from __future__ import annotations

#: Reason, and the names that it holds for.
REASONS: dict[str, str] = {
    "geometry and collision are not covered": (
        "BroadPhaseManagerPool_DynamicAABBTreeCollisionManager CachedMeshLoader CollisionCallBackBase"
        " CollisionGeometry CollisionObject CollisionPair CollisionResult ComputeCollision ComputeDistance"
        " DistanceResult GeometryData GeometryModel GeometryObject GeometryPool GeometryType"
        " GeometryNoMaterial"
        " GeometryPhongMaterial MeshLoader COLLISION VISUAL WITH_COLLISION buildGeomFromMJCF"
        " buildGeomFromUrdf buildGeomFromUrdfString"
        " buildModelsFromUrdf buildSampleGeometryModelHumanoid buildSampleGeometryModelManipulator coal"
        " computeBodyRadius computeCollision computeCollisions computeCollisionsInParallel"
        " computeContactPatch computeContactPatches computeDistance computeDistances hppfcl"
        " removeCollisionPairs removeCollisionPairsFromXML updateGeometryPlacements visualize"
    ),
    "constraints and contacts are not covered": (
        "ADMMConstraintSolver BaumgarteCorrectorParameters Contact ContactCholeskyDecomposition ContactType"
        " ConstraintCholeskyDecomposition ConstraintData ConstraintModel CoulombFrictionCone"
        " DelassusOperatorDense DelassusOperatorSparse DualCoulombFrictionCone FrameAnchorConstraintModel"
        " JointFrictionConstraintModel JointLimitConstraintModel PGSConstraintSolver"
        " PointAnchorConstraintModel PointContactConstraintModel ProximalSettings RigidConstraintData"
        " RigidConstraintModel computeConstraintDynamicsDerivatives computeDampedDelassusMatrixInverse"
        " computeDelassusMatrix computeImpulseDynamicsDerivatives computeInverseDynamicsConstraintForces"
        " computeKKTContactDynamicMatrixInverse constraintDynamics contactInverseDynamics forwardDynamics"
        " getConstraintJacobian getConstraintsJacobian getKKTContactDynamicMatrixInverse impulseDynamics"
        " initConstraintDynamics lcaba"
    ),
    "only URDF files are read": (
        "buildModelAndConstraintsFromMJCF buildModelFromMJCF buildModelFromMJCFAndRootJoint"
        " buildModelsAndConstraintsFromMJCF buildModelsAndConstraintsFromSdf buildModelsFromMJCF"
        " buildModelsFromSdf"
    ),
    "not covered": (
        "DeprecatedBool Hlog3 JointData JointModelEllipsoid LieGroup LogCholeskyParameters ModelPool"
        " PseudoInertia StdMap_String_VectorXd abaInParallel compactTangentMap"
        " computeFrameKinematicRegressor"
        " computeJointKinematicHessians computeJointKinematicRegressor getFrameKinematicHessian"
        " getJointKinematicHessian computeJointMinimalOrdering"
        " computeSupportedForceByFrame computeSupportedInertiaByFrame"
        " getTangentToConfigurationSparsitySegment"
        " graph liegroups lieGroup linalg rneaInParallel serialization sharedMemory"
        " tangentMapProduct tangentMapTransposeProduct transformJointIntoMimic"
    ),
}
UNCOVERED: dict[str, str] = {name: reason for reason, names in REASONS.items() for name in names.split()}
