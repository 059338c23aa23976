"""What looks wrong in a model that can nevertheless be used."""

from __future__ import annotations

import numpy as np

from ..spatial import Inertia
from .model import Model

#: Share of the largest moment by which the triangle inequality may be missed: files are rounded.
_ROUNDING = 1e-3
#: Moments below this are taken for zero with rounding in it, kg m^2.
_NOTHING = 1e-15


def suspicious(model: Model) -> list[str]:
    """One message for each link or joint whose numbers cannot be those of a real robot."""
    messages = []
    for link in model.links:
        fault = inertia_fault(link.inertia)
        if fault:
            name = link.name or model.frames[link.frame].name
            messages.append(f"link {name!r}: {fault}")
    return messages + _massless(model)


def inertia_fault(inertia: Inertia) -> str | None:
    """What no rigid body can have, with the numbers; None where the inertia is possible."""
    moments = np.linalg.eigvalsh(inertia.inertia)
    shown = ", ".join(f"{moment:.6g}" for moment in moments)
    slack = max(_ROUNDING * float(np.abs(moments).max()), _NOTHING)
    if moments[0] < -slack:
        return f"a principal moment of inertia is negative ({shown} kg m^2)"
    if moments[0] + moments[1] < moments[2] - slack:
        return (
            f"principal moments of inertia {shown} kg m^2 violate the triangle inequality: "
            f"{moments[0]:.6g} + {moments[1]:.6g} < {moments[2]:.6g}"
        )
    return None


def _massless(model: Model) -> list[str]:
    """Joints with nothing behind them that resists: the mass matrix is singular there."""
    messages = []
    for joint in model.joints[1:]:
        moved = model.inertias[joint.index : int(model.records[joint.index]["last"]) + 1]
        has_body = any(inertia.mass > 0.0 or inertia.inertia.any() for inertia in moved)
        if not has_body and not joint.armature.all():
            links = [
                link.name for link in model.links if model.frames[link.frame].parent_joint == joint.index
            ]
            carried = f"link {links[0]!r}" if links else "nothing"
            messages.append(
                f"joint {joint.name!r} moves {carried} and no mass (0 kg, no inertia): "
                "forward dynamics is singular there"
            )
    return messages
