"""What makes two graphs the same: a quick hash of content (XXH3, 128 bits), or a SHA-256 of the recipe
of a generated one."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import xxhash

from gunrock_cli.graph.graph import Csr, to_numpy


def content_hash(csr: Csr) -> str:
    """XXH3-128 (hex) of n, m, the value type, and the raw little-endian bytes of row offsets,
    column indices and values. Moves a device graph to the host once."""
    digest = xxhash.xxh3_128()
    kind = "none" if csr.values is None else str(csr.values.dtype)
    digest.update(f"gunrock csr {csr.n} {csr.m} {kind}\n".encode())
    for array in (csr.row_offsets, csr.column_indices, csr.values):
        if array is not None:
            digest.update(np.ascontiguousarray(to_numpy(array)).data)
    return digest.hexdigest()


def recipe_hash(recipe: dict[str, Any], n: int, m: int) -> str:
    """SHA-256 (hex) of a generator's complete recipe and the size that came out.

    Generated graphs are named by this, so that a graph made on the GPU need not travel to be
    named; the generators give the same graph on every machine for the same recipe.
    """
    text = json.dumps({"recipe": recipe, "n": n, "m": m}, sort_keys=True)
    return hashlib.sha256(b"gunrock generated " + text.encode()).hexdigest()
