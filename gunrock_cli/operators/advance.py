"""The host's half of ``kernels/operators/advance.cuh``."""

from __future__ import annotations

ADVANCE_MODES = ("TM", "TWC", "LB", "LB_NODES", "AUTO")


def mode_constant(mode: str) -> str:
    """The name that the kernels have for one of them."""
    return f"MODE_{mode}"
