"""Small URDFs, written by element."""

from __future__ import annotations

LIMIT = '<limit effort="1" velocity="2" lower="-1" upper="1.5"/>'
INERTIA = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/>'


def inertial(mass=1.0, inertia=INERTIA, origin=""):
    return f'<inertial>{origin}<mass value="{mass}"/>{inertia}</inertial>'


def link(name, content=None):
    return f'<link name="{name}">{inertial() if content is None else content}</link>'


def joint(name, parent, child, kind="revolute", content=LIMIT):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{content}</joint>'


def robot(*elements, attributes='name="test"'):
    return f"<robot {attributes}>{''.join(elements)}</robot>"


def one_joint(kind="revolute", content=LIMIT, body=None):
    """Links a and b with joint j between them."""
    return robot(link("a"), link("b", body), joint("j", "a", "b", kind, content))
