"""The host's half of ``kernels/operators/advance.cuh``."""

from __future__ import annotations

from enum import IntEnum

ADVANCE_MODES = ("TM", "TWC", "LB", "LB_NODES", "AUTO", "SERIAL", "WARP", "SCAN", "HYBRID")
SYNONYMS = ("SERIAL",)
"""Modes that are second names of others: Merrill's serial gathering is TM."""


def mode_constant(mode: str) -> str:
    """The kernels' name for a mode."""
    return f"MODE_{mode}"


AUTO = "AUTO"
BY_THRESHOLD = (AUTO, "HYBRID")
"""Modes that depend on ``--lb-threshold``."""
LB_THRESHOLD = 4096
"""The edges below which these modes balance by vertices, unless ``--lb-threshold`` says otherwise."""


class Advance(IntEnum):
    """A run's use of advance, and with it the options of advance that have an effect."""

    NONE = 0
    BY_MODE = 1
    """A choice that ``--advance-mode`` alone makes, such as how the lists of tiles are walked."""
    BALANCED = 2
    """The operator itself, whose AUTO also depends on ``--lb-threshold``."""
