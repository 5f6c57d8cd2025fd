"""The host's half of ``kernels/operators/select.cuh``."""

from __future__ import annotations

HISTOGRAM_WORDS = 8 * 256
"""What a selection counts in: eight digits of eight bits."""
