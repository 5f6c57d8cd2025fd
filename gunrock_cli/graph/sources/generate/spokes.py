"""Edges of vertices that know many others."""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array


def spokes(xp: ModuleType, hubs: Array, degree: int, n: int, seed: int) -> tuple[Array, Array]:
    """From each hub to ``degree`` of the first n vertices, drawn with repetition: int32 each."""
    ends = rng.scaled(xp, rng.words(xp, 0, len(hubs) * degree, seed), n)
    return xp.repeat(hubs.astype(xp.int32), degree), ends.astype(xp.int32)
