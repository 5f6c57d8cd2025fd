"""The host's half of ``kernels/operators/contraction.cuh``."""

GIANT_LEAST = 4096
"""The whole grid combines only rooms (one holds a label's rows) with more entries than this."""
