"""GPU generations that kernels are compiled for, without a GPU. Between the oldest and the newest lies
nothing that neither has, so `make test` leaves sm_80 to `make test-all`."""

from __future__ import annotations

import pytest

OLDEST, NEWEST = 75, 90
ARCHES = (OLDEST, pytest.param(80, marks=pytest.mark.long), NEWEST)
EDGE64 = [pytest.param(OLDEST, False), pytest.param(NEWEST, True),
          *(pytest.param(arch, wide, marks=pytest.mark.long)
            for arch, wide in ((OLDEST, True), (80, False), (80, True), (NEWEST, False)))]
"""With the width of an edge's number: whether 64 bits."""
