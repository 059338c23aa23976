"""The integer codes of the joint types: what the field `kind` of a JOINT record holds."""

from __future__ import annotations

UNIVERSE = 0
REVOLUTE = 1
PRISMATIC = 2
CONTINUOUS = 3
FREE_FLYER = 4
PLANAR = 5
SPHERICAL = 6
SPHERICAL_ZYX = 7
TRANSLATION = 8
UNIVERSAL = 9
HELICAL = 10
