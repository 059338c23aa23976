"""What there is to say about a robot, as text: made here, shown by check_view or check_live."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dyn_node.algorithms import center_of_mass, neutral
from dyn_node.model import Finding, Joint, Model, check_model, subtree_masses

#: Headings of the table of joints.
COLUMNS = ("joint", "position", "velocity", "effort", "carries", "note")


@dataclass(frozen=True)
class Report:
    """A robot in words.

    Attributes:
        tree: its joints, indented; facts: label and value; joints: a row of `COLUMNS` each.
        findings: what looks wrong, the severe ones first; trusted: none is severe.
    """

    tree: str
    facts: tuple[tuple[str, str], ...]
    joints: tuple[tuple[str, ...], ...]
    findings: tuple[Finding, ...]

    @property
    def trusted(self) -> bool:
        """Whether a controller may trust the robot."""
        return not any(finding.severe for finding in self.findings)

    @property
    def verdict(self) -> str:
        """The last line."""
        severe = sum(finding.severe for finding in self.findings)
        if severe:
            return f"not to be trusted to a controller: {severe} severe finding{'s' * (severe > 1)}"
        worth = len(self.findings)
        return "sound" if not worth else f"sound; {worth} finding{'s' * (worth > 1)} worth a look"


def make_report(model: Model) -> Report:
    """Everything that `check` says about a model."""
    findings = sorted(check_model(model), key=lambda finding: not finding.severe)
    masses = subtree_masses(model)
    first = 1 if model.root_joint is None else 2
    rows = tuple(_row(joint, masses[joint.index]) for joint in model.joints[first:])
    return Report(str(model), _facts(model), rows, tuple(findings))


def _facts(model: Model) -> tuple[tuple[str, str], ...]:
    followers = sum(joint.mimic is not None for joint in model.joints)
    facts = [
        ("joints", f"{model.njoints - 1}" + (f", {followers} of them following others" if followers else "")),
        ("coordinates", f"{model.nq} in q, {model.nv} in v"),
        ("frames", f"{model.nframes}"),
        ("total mass", f"{model.total_mass:.6g} kg"),
    ]
    if model.inertias[0].mass:
        facts.append(("fixed to the world", f"{model.inertias[0].mass:.6g} kg"))
    if model.total_mass > 0.0:
        com = center_of_mass(model, model.create_data(), neutral(model)).position
        facts.append(("centre of mass", f"({com[0]:.4g}, {com[1]:.4g}, {com[2]:.4g}) m, in neutral"))
    return tuple(facts)


def _row(joint: Joint, carried: float) -> tuple[str, ...]:
    linear = joint.kind in ("prismatic", "translation")
    unit = "m" if linear else "rad"
    effort = "N" if linear else "N m"
    if joint.kind == "continuous":
        position = "any angle"
    else:
        position = ", ".join(_range(*pair, unit) for pair in zip(joint.lower, joint.upper, strict=True))
    return (
        joint.name,
        position,
        _most(joint.velocity_limit, f"{unit}/s"),
        _most(joint.effort_limit, effort),
        f"{carried:.4g} kg",
        _note(joint),
    )


def _range(low: float, high: float, unit: str) -> str:
    return f"[{low:.4g}, {high:.4g}] {unit}" if math.isfinite(low) or math.isfinite(high) else "no limit"


def _most(limits: np.ndarray, unit: str) -> str:
    return ", ".join(f"{limit:.4g} {unit}" if math.isfinite(limit) else "no limit" for limit in limits)


def _note(joint: Joint) -> str:
    if joint.mimic is not None:
        return "follower"
    start = np.array(joint.neutral)
    outside = bool(((start < joint.lower) | (start > joint.upper)).any())
    return "zero outside" if outside else ""
