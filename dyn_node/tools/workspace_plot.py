"""A workspace map as a picture: seen along each axis, the best of every line of sight."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from dyn_node.errors import MissingDependencyError
from dyn_node.ik import WorkspaceMap


def require_matplotlib() -> Any:
    """The module that draws.

    Raises:
        MissingDependencyError: matplotlib is not installed; says how to add it.
    """
    try:
        from matplotlib import figure
    except ImportError as error:
        raise MissingDependencyError(
            "--plot needs matplotlib: pip install matplotlib, or apt install python3-matplotlib", "matplotlib"
        ) from error
    return figure


def write_plot(found: WorkspaceMap, path: Path) -> None:
    """Draw a map; the file's ending says in which format."""
    many = len(found.orientations) > 1
    figure = require_matplotlib().Figure(figsize=(13.0, 8.0 if many else 4.6), layout="constrained")
    rows: list[tuple[str, np.ndarray, float | None]] = [
        ("manipulability", np.nan_to_num(found.manipulability, nan=-1.0), None)
    ]
    if many:
        rows.insert(0, ("part of the orientations", np.where(found.reached > 0.0, found.reached, -1.0), 1.0))
    panels = figure.subplots(len(rows), 3, squeeze=False)
    for line, (title, values, top) in zip(panels, rows, strict=True):
        for axis, panel in enumerate(line):
            image = _project(panel, found, values, axis, top)
        figure.colorbar(image, ax=list(line), label=title, shrink=0.8)
    how = " without self-collision" if found.collisions else ""
    figure.suptitle(f"{found.robot}, {found.frame}: {found.volume:.3g} m$^3$ reached{how}")
    figure.savefig(path, dpi=120)


def _project(panel: Any, found: WorkspaceMap, values: np.ndarray, axis: int, top: float | None) -> Any:
    """The largest value along an axis of the grid; white where nothing is reached."""
    names, coordinates = "xyz", (found.x, found.y, found.z)
    across, up = [k for k in range(3) if k != axis]
    seen = np.ma.masked_less(values.max(axis=axis), 0.0)
    half = 0.5 * found.resolution
    sides = [(coordinates[k][0] - half, coordinates[k][-1] + half) for k in (across, up)]
    largest = top if top is not None else max(float(values.max()), 1e-12)
    image = panel.imshow(
        seen.T, origin="lower", extent=(*sides[0], *sides[1]), aspect="equal", vmin=0.0, vmax=largest
    )
    panel.set_xlabel(f"{names[across]} [m]")
    panel.set_ylabel(f"{names[up]} [m]")
    panel.set_title(f"along {names[axis]}", fontsize=10)
    return image
