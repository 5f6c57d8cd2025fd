"""GPU generations that kernels are compiled for, without a GPU. Any feature of sm_80 is also in the
oldest or the newest, so `make test` leaves sm_80 to `make test-all`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import pytest

OLDEST, BETWEEN, NEWEST = 75, 80, 90
ENDS = (OLDEST, NEWEST)
ARCHES = (OLDEST, pytest.param(BETWEEN, marks=pytest.mark.long), NEWEST)
EDGE64 = [
    pytest.param(OLDEST, False),
    pytest.param(NEWEST, True),
    *(
        pytest.param(arch, wide, marks=pytest.mark.long)
        for arch, wide in ((OLDEST, True), (BETWEEN, False), (BETWEEN, True), (NEWEST, False))
    ),
]
"""Every generation, with 32-bit and 64-bit edge numbers (true: 64)."""
T = TypeVar("T")


def shared_out(ways: Sequence[T], arch: int) -> Sequence[T]:
    """Every second way for the oldest, the others for the newest; all for a generation in between."""
    return ways if arch not in ENDS else ways[ENDS.index(arch) :: 2]
