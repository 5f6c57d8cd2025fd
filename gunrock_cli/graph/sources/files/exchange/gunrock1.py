"""The binary form that Gunrock 1.x stores next to q.mtx and reads instead of it: q.mtx.meta (names and
values, one per line), q.mtx.coo_edge_pairs, and with weights q.mtx.coo_edge_values. An array is its
length, a number for its type (both int64), its items. Vertices count from 1, as in q.mtx; with
``symmetric true`` each edge is stored once.

Rows are written in full and called not symmetric, so that loading does not double edges. Layout:
gunrock/gunrock v1.2 5ee3df5, gunrock/graphio/market.cuh, gunrock/util/array_utils.cuh,
gunrock/util/type_enum.cuh.
"""

from __future__ import annotations

import re
import struct
from typing import BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES, Graph
from gunrock_cli.graph.sources.files.exchange.array_file import (
    HostArray,
    opened,
    put,
    put_pairs,
    short_text,
)
from gunrock_cli.graph.sources.files.readers.columns import edge_weights
from gunrock_cli.graph.sources.files.readers.formats import files_to_read
from gunrock_cli.graph.sources.progress import Progress, silent

_HEADER = "<qq"
_UINT2, _INT2, _INT, _UINT, _FLOAT = 0x106, 0x105, 0x05, 0x06, 0x12
_VALUES = {_INT: "<i4", _UINT: "<u4", _FLOAT: "<f4"}
_KEYS = {
    "num_vertices": r"[0-9]{1,18}",
    "num_edges": r"[0-9]{1,18}",
    "got_edge_values": "true|false",
    "symmetric": "true|false",
    "skew": "true|false",
}
_NEEDED = ("num_vertices", "num_edges")


def read(path: str, progress: Progress = silent) -> EdgeList:
    """The edges of q.mtx.meta and its companion files. Raises InputError."""
    meta, pairs, *rest = files_to_read("gunrock1", path)
    progress(f"reading {meta}", None)
    about = _meta(meta)
    n, m = int(about["num_vertices"]), int(about["num_edges"])
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number", path=meta)
    src, dst = _ends(pairs, n, m)
    weights = None
    if about["got_edge_values"] == "true":
        if not rest:
            raise InputError(
                "it says that there are weights, but there is no .coo_edge_values beside it", path=meta
            )
        weights = _weights(rest[0], n, m)
    symmetric = about["symmetric"] == "true"
    return EdgeList(n, src, dst, weights, symmetric=symmetric, skew=symmetric and about["skew"] == "true")


def write(graph: Graph, meta: BinaryIO, pairs: BinaryIO, values: BinaryIO | None = None) -> None:
    """Write a graph on the host."""
    weights = graph.csr.values
    about = {
        "array": False,
        "got_edge_values": weights is not None,
        "num_edges": graph.m,
        "num_vertices": graph.n,
        "skew": False,
        "symmetric": False,
    }
    meta.write("".join(f"{key} {str(value).lower()}\n" for key, value in about.items()).encode())
    pairs.write(struct.pack(_HEADER, graph.m, _UINT2))
    put_pairs(pairs, graph.csr.sources(), graph.csr.column_indices, "<u4", add=1)
    if weights is None or values is None:
        return
    kind = _FLOAT if weights.dtype.kind == "f" else _INT if graph.m and weights.min() < 0 else _UINT
    values.write(struct.pack(_HEADER, graph.m, kind))
    put(values, weights, _VALUES[kind])


def _meta(path: str) -> dict[str, str]:
    found = {"got_edge_values": "false", "symmetric": "false", "skew": "false"}
    seen: set[str] = set()
    for number, line in enumerate(short_text(path).removesuffix("\n").split("\n"), start=1):
        key, _, value = line.partition(" ")
        good = re.fullmatch("[a-z_]+", key) and re.fullmatch(_KEYS.get(key, "[!-~]+"), value)
        if key in seen or not good:
            raise InputError(
                f"expected a name and its value, found {line[:60]!r}", path=path, line=number
            )
        seen.add(key)
        found[key] = value
    lacking = [key for key in _NEEDED if key not in found]
    if lacking:
        raise InputError(f"no line '{lacking[0]} NUMBER': this is no .meta of Gunrock's", path=path)
    return found


def _ends(path: str, n: int, m: int) -> tuple[HostArray, HostArray]:
    with opened(path) as file:
        length, kind = file.header(_HEADER)
        if kind & 0xFFF not in (_UINT2, _INT2):
            raise InputError(
                f"items of type {kind & 0xFFF:#x}, where pairs of 32 bits ({_UINT2:#x}) are read",
                path=file.where,
            )
        _check_length(length, m, file.where)
        file.expect(n, m, struct.calcsize(_HEADER) + 8 * m)
        ends = file.take_pairs("<u4", m)
        for array in ends:
            outside = (array < 1) | (array > n)
            if outside.any():
                edge = int(outside.argmax())
                raise InputError(
                    f"damaged: edge {edge + 1} has an end {array[edge]}, but vertices are 1 to {n}",
                    path=file.where,
                )
            array -= 1
    return ends[0].view(np.int32), ends[1].view(np.int32)


def _weights(path: str, n: int, m: int) -> HostArray:
    with opened(path) as file:
        length, kind = file.header(_HEADER)
        if kind & 0xFFF not in _VALUES:
            raise InputError(
                f"weights of type {kind & 0xFFF:#x}, where 32-bit ones "
                f"({', '.join(map(hex, _VALUES))}) are read",
                path=file.where,
            )
        _check_length(length, m, file.where)
        file.expect(n, m, struct.calcsize(_HEADER) + 4 * m)
        return edge_weights(file.take(_VALUES[kind & 0xFFF], m), file.where)


def _check_length(length: int, m: int, where: str) -> None:
    if length != m:
        raise InputError(f"{length} items, but the .meta beside it says {m} edges", path=where)
