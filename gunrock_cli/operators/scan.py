"""The host's half of ``kernels/operators/scan.cuh``."""

SCAN_CHUNKS = 1024
"""The number of words that a scan keeps between its two steps."""
