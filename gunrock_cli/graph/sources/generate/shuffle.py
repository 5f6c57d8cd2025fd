"""Everything in random order."""

from __future__ import annotations

from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array


def shuffled(xp: ModuleType, count: int, seed: int, stream: int = 0) -> Array:
    """The numbers 0 .. count - 1 in random order, int64. No two counters have the same word, so the order
    is the same everywhere."""
    return xp.argsort(rng.words(xp, 0, count, seed, stream)).astype(xp.int64, copy=False)
