"""Decide whether some rows are the reverse of others without sorting any (Freivalds' check).

Let A be the matrix of the edges and B that of the edges claimed to be their reverse. B passes for A
transposed if x'Ay = y'Bx for vectors x and y of random 64-bit words; if it is not, they agree by chance
once in about 2**60 times. An edge's weight counts by a hash of it, and equal edges count as often as they
occur. This takes two words per vertex, and little else.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from gunrock_cli.graph.model import rng
from gunrock_cli.graph.model.graph import Array, Csr

_SEED, _STREAM = 0, 2000
_EDGES_AT_A_TIME = 1 << 17  # temporaries stay in the cache
_WORD = (1 << 64) - 1


def is_reverse(csr: Csr, reverse: Csr) -> bool:
    """True if ``reverse`` has exactly the edges of ``csr`` reversed, with their weights (both on the
    host; if both are the same rows: true if they are symmetric)."""
    if csr.n != reverse.n or csr.m != reverse.m or (csr.values is None) != (reverse.values is None):
        return False
    x, y = (rng.words(np, 0, csr.n, _SEED, _STREAM + side) for side in range(2))
    return _form(x, csr, y) == _form(y, reverse, x)


def edge_without_reverse(src: Array, dst: Array, weights: Array | None) -> tuple[int, int] | None:
    """The first edge that is not listed as often, with its weight, in the other direction; None if there
    is none."""
    forward, backward = (high.astype(np.int64) << 32 | low for high, low in ((src, dst), (dst, src)))
    if weights is None:
        forward.sort()
        backward.sort()
        differ = forward != backward
    else:
        first, second = np.lexsort((weights, forward)), np.lexsort((weights, backward))
        forward, backward = forward[first], backward[second]
        differ = (forward != backward) | (weights[first] != weights[second])
    if not differ.any():
        return None
    at = int(differ.argmax())
    # The lesser key is on one side only: an edge without its reverse, or a reverse without its edge.
    key, turned = int(min(forward[at], backward[at])), backward[at] < forward[at]
    ends = key >> 32, key & 0xFFFFFFFF
    return (ends[1], ends[0]) if turned else ends


def _form(x: Array, csr: Csr, y: Array) -> int:
    """x'Ay modulo 2**64."""
    with ThreadPoolExecutor() as pool:
        firsts = range(0, csr.m, _EDGES_AT_A_TIME)
        return sum(pool.map(lambda first: _part(x, csr, y, first), firsts)) & _WORD


def _part(x: Array, csr: Csr, y: Array, first: int) -> int:
    """The amount that edges first .. last - 1 add to the sum."""
    last = min(first + _EDGES_AT_A_TIME, csr.m)
    row = np.searchsorted(csr.row_offsets, first, "right") - 1
    end = np.searchsorted(csr.row_offsets, last, "left")
    bounds = np.clip(csr.row_offsets[row : end + 1], first, last) - first
    items = np.empty(last - first + 1, np.uint64)
    items[0] = 0
    np.take(y, csr.column_indices[first:last], out=items[1:], mode="clip")  # all are vertices
    if csr.values is not None:
        bits = csr.values[first:last].view(np.uint32)
        items[1:] *= rng.hash_counters(np, bits, _SEED, _STREAM + 2)
    sums = np.diff(np.cumsum(items)[bounds])
    return int((sums * x[row:end]).sum())
