"""The host's half of ``kernels/operators/scan.cuh``."""

SCAN_CHUNKS = 1024
"""Words that a scan keeps between its two steps."""
