"""The host's half of ``kernels/operators/select.cuh`` and ``select_rows.cuh``."""

from __future__ import annotations

from gunrock_cli.operators.gather_rows import ROW

HISTOGRAM_WORDS = 8 * 256
"""The number of words in which a selection counts: eight digits of eight bits."""
ROW_STATE_WORDS = 16 * ROW
"""The number of words of each state of a selection of rows: sixteen digits of four bits."""
ROW_HISTOGRAM_WORDS = 16 * ROW_STATE_WORDS
"""The number of words in which a selection of rows counts."""
