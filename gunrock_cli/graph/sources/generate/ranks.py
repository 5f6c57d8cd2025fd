"""Random numbers by a power law: rank r has a chance of about r to the power of -1 / (exponent - 1),
which gives degrees, or sizes, whose distribution has that exponent.

Ranks are grouped, each group a fifth larger than the previous one; all in a group have the same chance.
So a draw is an integer calculation, with the same result on every machine.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from types import ModuleType

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array

_STEPS = 4  # groups for each doubling of the rank


class Ranks:
    """Draws numbers below n, low numbers most often."""

    def __init__(self, xp: ModuleType, n: int, exponent: float) -> None:
        self._xp = xp
        doublings = n.bit_length()
        starts = sorted(
            {min(n, round(2 ** (step / _STEPS)) - 1) for step in range(_STEPS * doublings + 1)}
        )
        slope = -1 / (exponent - 1)
        chances = [(end - start) * ((start + 1 + end) / 2) ** slope for start, end in pairwise(starts)]
        sums = list(accumulate(chances))
        self._ends = xp.asarray([round(each / sums[-1] * 2**32) for each in sums], dtype=xp.int64)
        self._starts = xp.asarray(starts, dtype=xp.int64)

    def drawn(self, word: Array) -> Array:
        """One number for each word, int64: the upper half decides on the group, the lower one on its
        member."""
        xp = self._xp
        group = xp.searchsorted(self._ends, (word >> xp.uint64(32)).astype(xp.int64), side="right")
        start = self._starts[group]
        return start + rng.scaled_each(xp, word << xp.uint64(32), self._starts[group + 1] - start)
