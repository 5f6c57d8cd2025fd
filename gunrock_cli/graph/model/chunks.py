"""The amount of a generator's work done at a time: small enough for caches and memory."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

import numpy as np


def chunks(xp: ModuleType, total: int, width: int = 1) -> Iterator[tuple[int, int]]:
    """Yield ranges (first, count) that cover ``total`` items of ``width`` elements each.

    On the CPU a chunk's temporaries stay in the cache, on the GPU it fills the machine.
    """
    elements = 1 << 16 if xp is np else 1 << 25
    step = max(1, elements // width)
    for first in range(0, total, step):
        yield first, min(step, total - first)
