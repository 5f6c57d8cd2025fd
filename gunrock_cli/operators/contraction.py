"""The host's half of ``kernels/operators/contraction.cuh``."""

GIANT_LEAST = 4096
"""A room for the rows of one label has more entries than this where the whole grid combines it."""
