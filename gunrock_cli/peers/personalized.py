"""Personalized PageRank, and primitives built on it, in the form of other systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gunrock_cli.peers.base import Array, PeerResult, timed
from gunrock_cli.primitives.ppr.options import PprOptions, seeds_of


def one_set_each(options: Mapping[str, Any], source: int | None) -> list[list[int]]:
    """The sets of seeds asked for: one, or for a batch one per seed."""
    seeds = seeds_of(PprOptions.of(options), source)
    return [[seed] for seed in seeds] if options.get("batch") else [seeds]


def set_by_set(
    rank: Callable[[Sequence[int]], Array], options: Mapping[str, Any], source: int | None, runs: int
) -> PeerResult:
    """Rank one set of seeds after the other: a run is one call per set."""
    sets = one_set_each(options, source)
    times, found = timed(lambda: [rank(seeds) for seeds in sets], runs)
    return PeerResult(times, {"ranks": in_columns(found, options)})


def in_columns(found: Sequence[Array], options: Mapping[str, Any]) -> Array:
    """Ranks of each set in the primitive's form."""
    return np.column_stack(found) if options.get("batch") else np.asarray(found[0])
