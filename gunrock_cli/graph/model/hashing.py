"""The identity of a graph: a fast hash of its content (XXH3, 128 bits, piece by piece), or, for a
generated graph, a SHA-256 of its recipe."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import xxhash

from gunrock_cli.graph.model.graph import Array, Csr, to_numpy
from gunrock_cli.jsontypes import Json

PIECE = 1 << 24
"""Bytes hashed at a time, so that all cores can take part."""


def content_hash(csr: Csr, vertex_weights: Array | None = None) -> str:
    """XXH3-128 (hex) of n, m, the value type, and the XXH3-128 of every 16 MiB of the raw little-endian
    bytes of row offsets, column indices, values and vertex weights, array by array. Moves a device graph
    to the host once."""
    kind = "none" if csr.values is None else str(csr.values.dtype)
    digest = xxhash.xxh3_128(f"gunrock csr {csr.n} {csr.m} {kind}\n".encode())
    with ThreadPoolExecutor() as pool:  # the hash releases Python's lock
        for array in (csr.row_offsets, csr.column_indices, csr.values, vertex_weights):
            if array is not None:
                for piece in pool.map(xxhash.xxh3_128_digest, _pieces(to_numpy(array))):
                    digest.update(piece)
    return digest.hexdigest()


def array_hash(array: np.ndarray[Any, Any]) -> str:
    """XXH3-128 (hex) of the XXH3-128 of every 16 MiB of an array's bytes."""
    with ThreadPoolExecutor() as pool:
        return hash_of_pieces(pool.map(xxhash.xxh3_128_digest, _pieces(array)))


def hash_of_pieces(digests: Iterable[bytes]) -> str:
    """XXH3-128 (hex) of an array's content, from the hashes of its pieces in order."""
    return xxhash.xxh3_128_hexdigest(b"".join(digests))


def _pieces(array: np.ndarray[Any, Any]) -> Iterator[memoryview]:
    data = np.ascontiguousarray(array).view(np.uint8).data
    return (data[at : at + PIECE] for at in range(0, len(data), PIECE))


def recipe_hash(recipe: Mapping[str, Json], n: int, m: int) -> str:
    """SHA-256 (hex) of a generator's complete recipe and the size of the graph.

    Generated graphs are identified by this, so that a graph made on the GPU need not be copied to
    identify it; the generators give the same graph on every machine for the same recipe.
    """
    text = json.dumps({"recipe": recipe, "n": n, "m": m}, sort_keys=True)
    return hashlib.sha256(b"gunrock generated " + text.encode()).hexdigest()
