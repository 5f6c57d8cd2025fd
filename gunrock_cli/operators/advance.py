"""The host's half of ``kernels/operators/advance.cuh``."""

from __future__ import annotations

ADVANCE_MODES = ("TM", "TWC", "LB", "LB_NODES", "AUTO", "SERIAL", "WARP", "SCAN")
SYNONYMS = ("SERIAL",)
"""Modes that are second names of others: Merrill's serial gathering is TM."""


def mode_constant(mode: str) -> str:
    """The kernels' name for a mode."""
    return f"MODE_{mode}"
