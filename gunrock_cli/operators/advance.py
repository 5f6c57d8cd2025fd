"""The host's half of ``kernels/operators/advance.cuh``."""

from __future__ import annotations

ADVANCE_MODES = ("TM", "TWC", "LB", "LB_NODES", "AUTO")
"""In the order of ``enum Mode`` in kernels/operators/advance.cuh."""
