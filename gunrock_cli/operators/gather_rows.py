"""The host's half of ``kernels/operators/gather_rows.cuh``."""

from __future__ import annotations

ROW = 32
"""Values that a vertex has side by side: of float32 a line of 128 bytes."""
