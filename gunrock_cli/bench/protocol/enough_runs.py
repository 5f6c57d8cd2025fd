"""When a source has been measured often enough: after a number of runs, or once their noise is low."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

MOST_RUNS = 1000
"""Runs of one source after which no lower noise is waited for."""
MOST_MS = 15_000.0
"""Milliseconds of one source's runs, likewise: nvbench gives up after as long."""


def noise_of_mean(runs_ms: Sequence[float]) -> float:
    """The standard error of the mean, over the mean: how far it may be off by the runs' noise."""
    mean = statistics.fmean(runs_ms)
    if len(runs_ms) < 2 or mean <= 0:
        return math.inf
    return statistics.stdev(runs_ms) / math.sqrt(len(runs_ms)) / mean


def is_enough(runs_ms: Sequence[float], least: int, until_noise: float | None) -> bool:
    """True after ``least`` runs of a source, and if the noise is to be low, once it is or cannot be."""
    if len(runs_ms) < least:
        return False
    return until_noise is None or noise_of_mean(runs_ms) <= until_noise or _is_hopeless(runs_ms)


def noise_warning(runs_ms: Sequence[float], until_noise: float | None) -> list[str]:
    """A warning if the runs ended before their noise was low enough, or none."""
    if until_noise is None or not _is_hopeless(runs_ms) or noise_of_mean(runs_ms) <= until_noise:
        return []
    return [
        f"the mean's noise is still {noise_of_mean(runs_ms):.2%} after {len(runs_ms)} runs "
        f"(--until-noise {until_noise:.2%})"
    ]


def _is_hopeless(runs_ms: Sequence[float]) -> bool:
    return len(runs_ms) >= MOST_RUNS or sum(runs_ms) >= MOST_MS
