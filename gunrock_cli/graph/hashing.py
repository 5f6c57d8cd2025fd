"""What makes two graphs the same: a quick hash of content (XXH3, 128 bits, of pieces at a time), or a
SHA-256 of the recipe of a generated one."""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import xxhash

from gunrock_cli.graph.graph import Csr, to_numpy

_PIECE = 1 << 24  # bytes


def content_hash(csr: Csr) -> str:
    """XXH3-128 (hex) of n, m, the value type, and the XXH3-128 of every 16 MiB of the raw
    little-endian bytes of row offsets, column indices and values, array by array. Moves a device
    graph to the host once."""
    kind = "none" if csr.values is None else str(csr.values.dtype)
    digest = xxhash.xxh3_128(f"gunrock csr {csr.n} {csr.m} {kind}\n".encode())
    with ThreadPoolExecutor() as pool:  # the hash lets go of Python's lock
        for array in (csr.row_offsets, csr.column_indices, csr.values):
            if array is not None:
                data = np.ascontiguousarray(to_numpy(array)).view(np.uint8).data
                pieces = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
                for piece in pool.map(xxhash.xxh3_128_digest, pieces):
                    digest.update(piece)
    return digest.hexdigest()


def recipe_hash(recipe: dict[str, Any], n: int, m: int) -> str:
    """SHA-256 (hex) of a generator's complete recipe and the size that came out.

    Generated graphs are named by this, so that a graph made on the GPU need not travel to be
    named; the generators give the same graph on every machine for the same recipe.
    """
    text = json.dumps({"recipe": recipe, "n": n, "m": m}, sort_keys=True)
    return hashlib.sha256(b"gunrock generated " + text.encode()).hexdigest()
