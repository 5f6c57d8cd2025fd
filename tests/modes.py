"""Advance modes as the tests of primitives run them."""

from __future__ import annotations

import pytest

from gunrock_cli.operators.advance import ADVANCE_MODES

ON_A_CORE = ("TM", "TWC", "LB", "LB_NODES", "AUTO")
"""Modes that differ on a core. The others run there as TM or TWC do: the operator's own tests compile
those once, and tests of primitives run them on a GPU."""
MODES = [
    *ON_A_CORE,
    *(pytest.param(mode, marks=pytest.mark.gpu) for mode in ADVANCE_MODES if mode not in ON_A_CORE),
]
