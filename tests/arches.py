"""GPU generations that kernels are compiled for, without a GPU. Any feature of sm_80 is also in the
oldest or the newest, so `make test` leaves sm_80 to `make test-all`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest

from gunrock_cli.primitives.code import Code, compile_for
from gunrock_cli.toolchain.unit import Unit

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


FLAGS = tuple(os.environ.get("GUNROCK_TEST_NVRTC", "").split())
"""NVRTC's flags for code that only has to compile: `make test` has it optimize little."""


def compiled(arch: int, unit: Unit) -> Code:
    """A unit compiled for a GPU of this generation."""
    return compile_for(arch, unit, flags=FLAGS)


def shared_out(ways: Sequence[T], arch: int) -> Sequence[T]:
    """Every second way for the oldest, the others for the newest; all for a generation in between."""
    return ways if arch not in ENDS else ways[ENDS.index(arch) :: 2]
