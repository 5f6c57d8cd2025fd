"""The host's half of ``kernels/operators/contraction.cuh``."""

GIANT_LEAST = 4096
"""Where the room for one label's rows has more entries than this, the whole grid combines it."""
