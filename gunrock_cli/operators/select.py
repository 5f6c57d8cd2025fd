"""The host's half of ``kernels/operators/select.cuh`` and ``select_rows.cuh``."""

from __future__ import annotations

from gunrock_cli.operators.gather_rows import ROW

HISTOGRAM_WORDS = 8 * 256
"""The words in which a selection counts: eight digits of eight bits."""
ROW_STATE_WORDS = 16 * ROW
"""What a selection of rows keeps for either state: sixteen digits of four bits."""
ROW_HISTOGRAM_WORDS = 16 * ROW_STATE_WORDS
"""The words in which it counts."""
