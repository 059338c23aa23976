"""The integer codes of the joint types: what the field `kind` of a JOINT record holds."""

from __future__ import annotations

UNIVERSE = 0
REVOLUTE = 1
PRISMATIC = 2
CONTINUOUS = 3
FREE_FLYER = 4
PLANAR = 5
SPHERICAL = 6
TRANSLATION = 7
HELICAL = 8
#: A joint of one degree of freedom that follows another one, by what the leader has in q: one
#: number, or (cos, sin). Its record has no entry of its own in q (nq 0) and shares one of v.
FOLLOWER_OF_LINE = 9
FOLLOWER_OF_CIRCLE = 10
