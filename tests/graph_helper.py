"""Building blocks of the graph tests."""

from __future__ import annotations

import contextlib
import json
import struct
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import xxhash
from scipy import sparse

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.graph.model.hashing import hash_of_pieces
from gunrock_cli.graph.sources.files.readers.binary import MAGIC
from gunrock_cli.graph.spec import GraphSpec

BANNER = "%%MatrixMarket matrix coordinate"


def generated(kind: str, xp: Any = np, /, **params: Any) -> Graph:
    options = {key: params.pop(key) for key in ("weights", "undirected") if key in params}
    return load_graph(GraphSpec(kind, params=params, **options), xp)


def assert_same(one: Graph, two: Graph) -> None:
    assert replace(one, csr=None, reverse=None) == replace(two, csr=None, reverse=None)  # type: ignore[arg-type]
    for left, right in ((one.csr, two.csr), (one.reverse, two.reverse)):
        for name in ("row_offsets", "column_indices", "values"):
            a, b = getattr(left, name), getattr(right, name)
            assert (a is None) == (b is None)
            if a is not None:
                assert a.dtype == b.dtype
                np.testing.assert_array_equal(a, b)


def load_text(folder: Path, text: str, name: str = "g.mtx", /, **options: Any) -> Graph:
    path = folder / name
    path.write_text(text)
    kind = options.pop("kind", "market")
    return load_graph(GraphSpec(kind, path=str(path), **options), cache=False)


def matrix(csr: Csr) -> sparse.csr_matrix:
    values = np.ones(csr.m, np.int64) if csr.values is None else csr.values
    return sparse.csr_matrix((values, csr.column_indices, csr.row_offsets), shape=(csr.n, csr.n))


def edges(csr: Csr) -> list[tuple[int, ...]]:
    """All (u, v) or (u, v, w), in order."""
    rows = np.repeat(np.arange(csr.n), csr.degrees())
    columns = [rows, csr.column_indices] + ([] if csr.values is None else [csr.values])
    return list(zip(*(column.tolist() for column in columns), strict=True))


def sealed(header: dict[str, Any], content: bytes) -> bytes:
    """A binary graph of a header and its (short) arrays, with all checksums made right if possible."""
    for place in header["arrays"].values() if isinstance(header["arrays"], dict) else ():
        with contextlib.suppress(TypeError, KeyError, ValueError, IndexError):
            end = place["offset"] + place["length"] * int(place["dtype"][-1])
            piece = xxhash.xxh3_128_digest(content[place["offset"] : end])
            place["xxh3_128"] = hash_of_pieces([piece] if place["length"] else [])
    rest = {key: value for key, value in header.items() if key != "xxh3_128"}
    header["xxh3_128"] = xxhash.xxh3_128_hexdigest(json.dumps(rest, sort_keys=True).encode())
    text = json.dumps(header).encode()
    return MAGIC + struct.pack("<Q", len(text)) + text + content


def assert_well_formed(graph: Graph) -> None:
    """Check the invariants that every layer above relies on."""
    for csr in (graph.csr, graph.reverse):
        assert csr.row_offsets[0] == 0
        assert csr.row_offsets[-1] == csr.m
        assert csr.column_indices.dtype == np.int32
        assert (csr.degrees() >= 0).all()
        if csr.m:
            assert csr.column_indices.min() >= 0
            assert csr.column_indices.max() < csr.n
        rows = np.repeat(np.arange(csr.n, dtype=np.int64), csr.degrees())
        keys = rows << 32 | csr.column_indices
        assert (np.diff(keys) >= 0).all()
    difference = matrix(graph.csr).T.tocsr() - matrix(graph.reverse)
    assert abs(difference).sum() == 0
    if graph.undirected:
        assert graph.reverse is graph.csr
