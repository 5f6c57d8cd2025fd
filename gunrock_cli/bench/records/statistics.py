"""Honest statistics of repeated runs: pure functions, no measuring here.

The mean is what the papers print; the median, minimum and standard deviation accompany it, and a ratio of
two sets of runs comes with a bootstrap interval.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.bench.records.record import Timing

NOISE_LIMIT = 0.05
"""The ratio of standard deviation to mean above which runs are called noisy (nvbench stops at 0.5%)."""
OUTLIER_LIMIT = 3.5
"""Modified z-score of an outlier, as Iglewicz and Hoaglin recommend."""
NOTICEABLE_WAIT = 0.05
"""The share of the runs' time that cores may be held by others before a reader is warned."""
SLOW_FIRST = 1.5
"""The first run is called slow if it takes this many times the median of the others."""
PROCESS_SPREAD = 0.01
"""The smallest spread, standard deviation over mean, between two undisturbed processes of one build."""
_BEYOND_ALL_SENSE = 50.0
"""The limit for the logarithm of a ratio: runs that are this far apart say nothing."""
LEVEL = 0.95
RESAMPLES = 2000


def timing(runs_ms: Sequence[float]) -> Timing:
    """Mean, median, minimum, maximum and the sample's standard deviation (0 for one run)."""
    if not runs_ms:
        raise ValueError("no runs to summarize")
    spread = statistics.stdev(runs_ms) if len(runs_ms) > 1 else 0.0
    return Timing(
        mean=statistics.fmean(runs_ms),
        median=statistics.median(runs_ms),
        min=min(runs_ms),
        max=max(runs_ms),
        stddev=spread,
    )


def geometric_mean(values: Sequence[float]) -> float:
    """The papers' mean of speedups; all values must be positive."""
    if not values or min(values) <= 0:
        raise ValueError("the geometric mean needs positive values")
    return math.exp(statistics.fmean(math.log(value) for value in values))


def harmonic_mean(values: Sequence[float]) -> float:
    """The Graph500's mean of traversal rates."""
    return statistics.harmonic_mean(values)


@dataclass(frozen=True)
class Ratio:
    """``new / old`` of the means, and the bootstrap interval around it at ``level``."""

    value: float
    low: float
    high: float
    level: float = LEVEL

    @property
    def certain(self) -> bool:
        """True if the interval excludes 1: the difference is more than noise."""
        return self.low > 1 or self.high < 1

    @property
    def difference(self) -> str:
        """What the ratio says of ``new``, if its interval leaves it to say anything."""
        if not self.certain:
            return "no difference"
        return "slower" if self.value > 1 else "faster"


def ratio(
    old: Sequence[float], new: Sequence[float], *, use: str = "mean", level: float = LEVEL, seed: int = 0
) -> Ratio:
    """The factor by which ``new`` takes longer, with a percentile bootstrap interval.

    Each side is resampled separately (the runs are not paired). A side with a single run has no spread to
    resample, so the interval then only reflects the other side's."""
    reducers: dict[str, Any] = {"mean": np.mean, "median": np.median, "min": np.min}
    reduce: Callable[..., Any] = reducers[use]
    before, after = np.asarray(old, dtype=float), np.asarray(new, dtype=float)
    if before.size == 0 or after.size == 0 or before.min() <= 0 or after.min() < 0:
        raise ValueError("a ratio needs positive times on both sides")
    random = np.random.default_rng(seed)

    def resampled(runs: np.ndarray) -> np.ndarray:
        picks = random.integers(0, runs.size, (RESAMPLES, runs.size))
        return np.asarray(reduce(runs[picks], axis=1))

    ratios = resampled(after) / resampled(before)
    tail = (1 - level) / 2
    low, high = np.quantile(ratios, [tail, 1 - tail])
    return Ratio(float(reduce(after) / reduce(before)), float(low), float(high), level)


def as_processes(
    found: Ratio, old: Sequence[float], new: Sequence[float], old_wait: float = 0.0, new_wait: float = 0.0
) -> Ratio:
    """The ratio with an interval that accounts for each side being one process.

    Runs of one process share its conditions (the place of its memory, clocks, other programs), so ten of
    them are not ten draws: the spread of a side's runs counts as that of its one process, not divided by
    their number, and as at least PROCESS_SPREAD. ``old_wait`` and ``new_wait`` are the share of its runs'
    time that a side's threads waited for a core: that much of its time may be others' work, so each end
    of the interval allows for all of it."""
    spreads = [_relative_spread(runs) for runs in (old, new)]
    measured = math.hypot(*spreads) * _student(found.level, len(old) + len(new) - 2)
    least = math.hypot(PROCESS_SPREAD, PROCESS_SPREAD) * _student(found.level, math.inf)
    room = math.exp(min(max(measured, least), _BEYOND_ALL_SENSE))
    low = min(found.low, found.value / room) * (1 - min(1.0, new_wait))
    high = max(found.high, found.value * room)
    return Ratio(found.value, low, high / (1 - old_wait) if old_wait < 1 else math.inf, found.level)


def _relative_spread(runs: Sequence[float]) -> float:
    """The standard deviation over the mean."""
    summary = timing(runs)
    return summary.stddev / summary.mean if summary.mean > 0 else math.inf


def level_of_each(cells: int) -> float:
    """The level at which each of ``cells`` intervals is taken, so that all together hold at LEVEL."""
    return 1 - (1 - LEVEL) / max(1, cells)  # Bonferroni


def _student(level: float, freedom: float) -> float:
    """The number of standard deviations that the two-sided interval at ``level`` spans on either side."""
    from scipy.special import stdtrit

    return float(stdtrit(max(1.0, freedom), (1 + level) / 2))


def outliers(runs_ms: Sequence[float]) -> list[int]:
    """Indices of runs whose modified z-score (by the median absolute deviation) is too large."""
    if len(runs_ms) < 4:
        return []
    middle = statistics.median(runs_ms)
    deviation = statistics.median(abs(run - middle) for run in runs_ms)
    if deviation == 0:
        return []
    scores = [0.6745 * (run - middle) / deviation for run in runs_ms]
    return [index for index, score in enumerate(scores) if abs(score) > OUTLIER_LIMIT]


def noise_of(runs_ms: Sequence[float], limit: float = NOISE_LIMIT) -> str:
    """What a reader must know of the runs before quoting their mean, in a few words: noise, outliers, a
    slow first run; empty for quiet runs."""
    if len(runs_ms) < 2:
        return ""
    summary = timing(runs_ms)
    if summary.mean <= 0:
        return ""
    found: list[str] = []
    noise = summary.stddev / summary.mean
    if noise > limit:
        found.append(f"stddev {noise:.0%} of the mean")
    rest = statistics.median(runs_ms[1:])
    slow_first = len(runs_ms) > 2 and runs_ms[0] > SLOW_FIRST * rest
    if slow_first:
        found.append(f"first run {runs_ms[0] / rest:.1f} times the others' median")
    strange = [index for index in outliers(runs_ms) if not (slow_first and index == 0)]
    if strange and noise > limit:
        found.append(f"{len(strange)} of {len(runs_ms)} outliers")
    return ", ".join(found)


def noise_warnings(runs_ms: Sequence[float], limit: float = NOISE_LIMIT) -> list[str]:
    """``noise_of`` as one warning, or none."""
    noise = noise_of(runs_ms, limit)
    return [f"noisy: {noise}; compare medians or measure again"] if noise else []


def wait_warnings(share: float | None) -> list[str]:
    """One warning if others had the cores for a noticeable part of the runs, or none."""
    if share is None or share <= NOTICEABLE_WAIT:
        return []
    return [
        f"cores were shared during {min(1.0, share):.0%} of the runs' time; measure on an idle machine, "
        "or with --threads 1"
    ]
