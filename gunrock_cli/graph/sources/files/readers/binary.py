"""The binary form of a finished graph (.gcsr): the cache holds it and ``generate`` writes it.

Eight bytes of magic, the length of a JSON header (uint64, little-endian), the header, then the arrays as
they are in memory, each at a multiple of 64 bytes. The header gives the graph's name, history and hash,
each array's dtype, place and XXH3-128 (by pieces, see ``hashing``), and its own XXH3-128.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Literal, NotRequired, TypedDict

import numpy as np
import xxhash

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.changes import Changes
from gunrock_cli.graph.model.graph import MAX_VERTICES, Csr, Graph, to_numpy
from gunrock_cli.graph.model.hashing import PIECE, array_hash, hash_of_pieces
from gunrock_cli.graph.rows.transpose import is_reverse
from gunrock_cli.graph.sources.files.readers.columns import unfit_weights
from gunrock_cli.graph.sources.files.readers.text import local
from gunrock_cli.jsontypes import Json

HostArray = np.ndarray[Any, Any]
MAGIC = b"GUNROCK1"
SUFFIX = ".gcsr"
_ALIGN = 64
_HEADER_LIMIT = 1 << 20
_BLOCK = 1 << 20
"""Bytes read and checked at a time: they stay in a core's cache."""
_NONSENSE = "damaged: rows, column indices or weights out of range"
_ONE_WAY = "damaged: it says that it is undirected, but an edge has no reverse of the same weight"
_NO_REVERSE = "damaged: its in-edges are not the reverse of its edges"
_DTYPES = {"row_offsets": ("<i4", "<i8"), "column_indices": ("<i4",), "values": ("<i4", "<f4")}
_VERTEX_WEIGHTS = "vertex_weights"
"""The key of an array that belongs to neither side: int32, the same number of weights for each vertex,
one after the other."""


@dataclass(frozen=True)
class _Place:
    """The place of an array: ``offset`` in bytes from the beginning of the file; and its checksum."""

    dtype: str
    length: int
    offset: int
    xxh3: str


class _Entry(TypedDict):
    """Where an array lies, after the header."""

    dtype: str
    length: int
    offset: int
    xxh3_128: str


class Header(TypedDict):
    """What a file says of its graph."""

    name: str
    n: int
    m: int
    undirected: bool
    hash: str
    origin: Mapping[str, Json]
    changes: NotRequired[Mapping[str, int | bool]]
    arrays: dict[str, _Entry]
    bytes: int
    xxh3_128: str


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph (host or device) to an open file."""
    arrays = {
        f"{side}.{key}": np.ascontiguousarray(to_numpy(array))
        for side, csr in _sides(graph)
        for key in _DTYPES
        if (array := getattr(csr, key)) is not None
    }
    if graph.vertex_weights is not None:
        arrays[_VERTEX_WEIGHTS] = np.ascontiguousarray(to_numpy(graph.vertex_weights)).ravel()
    header: Header = {
        "name": graph.name,
        "n": graph.n,
        "m": graph.m,
        "undirected": graph.undirected,
        "hash": graph.hash,
        "origin": graph.origin,
        "arrays": {},
        "bytes": 0,
        "xxh3_128": "",
    }
    if graph.changes is not None:
        header["changes"] = graph.changes.to_dict()
    offset = 0
    for key, array in arrays.items():
        header["arrays"][key] = {
            "dtype": array.dtype.newbyteorder("<").str,
            "length": len(array),
            "offset": offset,
            "xxh3_128": array_hash(array),
        }
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
    header["bytes"] = offset
    header["xxh3_128"] = _header_hash(header)
    text = json.dumps(header).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % _ALIGN)
    file.write(MAGIC + struct.pack("<Q", len(text)) + text)
    for array in arrays.values():
        file.write(array.data)
        file.write(bytes(-array.nbytes % _ALIGN))


Verify = Literal["all", "sums", "nothing"]


def read(path: str, *, verify: Verify = "all") -> Graph:
    """The graph in a file, on the host. Raises InputError.

    ``verify`` "all" checks every array against its checksum, rows and weights for sense, and in-edges
    against edges; "sums" checks only checksums, for files that the tool checked as it wrote them, such as
    the cache's; "nothing" checks only the header and the size.
    """
    with _opened(path) as file, ThreadPoolExecutor() as pool:
        header, start = _read_header(file, path)
        arrays = {}
        for key, place in _places(header, start, path).items():
            arrays[key], sums = _read_array(file.fileno(), place, path, verify, pool)
            if verify != "nothing" and sums != place.xxh3:
                raise InputError(f"damaged: the checksum of {key} does not match", path=path)
            if verify == "all" and not _makes_sense(key, arrays[key], header["n"], pool):
                raise InputError(_NONSENSE, path=path)
    csr = _csr(arrays, "csr", path)
    reverse = csr if header["undirected"] else _csr(arrays, "reverse", path)
    if verify == "all" and not is_reverse(csr, reverse):
        raise InputError(_ONE_WAY if header["undirected"] else _NO_REVERSE, path=path)
    return Graph(
        name=header["name"],
        csr=csr,
        reverse=reverse,
        hash=header["hash"],
        undirected=header["undirected"],
        origin=header["origin"],
        vertex_weights=_by_vertex(arrays.get(_VERTEX_WEIGHTS), header["n"]),
        changes=Changes.from_dict(header.get("changes")),
    )


def _read_array(
    descriptor: int, place: _Place, path: str, verify: Verify, pool: ThreadPoolExecutor
) -> tuple[HostArray, str]:
    """An array and its checksum: read in pieces on all cores, and hashed block by block, while each block
    is in the processor's cache."""
    array = np.empty(place.length, place.dtype)

    def piece(part: HostArray) -> bytes:
        digest = xxhash.xxh3_128()
        offset = place.offset + _distance(array, part)
        for block in _cut(part, _BLOCK):
            _fill(descriptor, block, offset + _distance(part, block), path)
            if verify != "nothing":
                digest.update(block.data)
        return digest.digest()

    digests = list(pool.map(piece, _cut(array, PIECE)))
    return array, hash_of_pieces(digests)


def _cut(array: HostArray, size: int) -> Iterator[HostArray]:
    """Pieces of ``size`` bytes."""
    step = size // array.itemsize
    return (array[first : first + step] for first in range(0, len(array), step))


def _distance(array: HostArray, part: HostArray) -> int:
    return int(part.ctypes.data - array.ctypes.data)


def _makes_sense(key: str, array: HostArray, n: int, pool: ThreadPoolExecutor) -> bool:
    """True if columns are vertices, row offsets ascend, and weights are usable numbers."""
    if key.endswith("column_indices"):  # as unsigned numbers, negative ones are large
        return all(pool.map(lambda part: int(part.view(np.uint32).max()) < n, _cut(array, _BLOCK)))
    if key == _VERTEX_WEIGHTS:
        return bool((array >= 0).all())
    if key.endswith("row_offsets"):
        return bool((array[:-1] <= array[1:]).all())
    return unfit_weights(array, array.dtype.name) is None


def _fill(descriptor: int, part: HostArray, offset: int, path: str) -> None:
    rest = part.view(np.uint8).data
    while rest:
        count = os.preadv(descriptor, [rest], offset)
        if not count:
            raise InputError("truncated", path=path)
        rest, offset = rest[count:], offset + count


def read_header(path: str) -> Header:
    """Read only the header: name, n, m, undirected, hash, origin. Raises InputError."""
    with _opened(path) as file:
        return _read_header(file, path)[0]


def _opened(path: str) -> BinaryIO:
    """A file, or a pipe's whole content."""
    return Path(local(path)).open("rb")


def _sides(graph: Graph) -> list[tuple[str, Csr]]:
    sides = [("csr", graph.csr)]
    return sides if graph.undirected or graph.reverse is None else [*sides, ("reverse", graph.reverse)]


def _read_header(file: BinaryIO, path: str) -> tuple[Header, int]:
    magic = file.read(len(MAGIC))
    if magic != MAGIC:
        raise InputError("not a binary graph of this version of gunrock", path=path)
    length = file.read(8)
    size = struct.unpack("<Q", length)[0] if len(length) == 8 else 0
    if not 0 < size <= _HEADER_LIMIT:
        raise InputError("truncated or damaged header", path=path)
    try:
        header: Header = json.loads(file.read(size))
        _check_header(header)
        intact = header["xxh3_128"] == _header_hash(header)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InputError("damaged header", path=path) from error
    if not intact:
        raise InputError("damaged header: its checksum does not match", path=path)
    start = len(MAGIC) + 8 + size
    actual = os.fstat(file.fileno()).st_size
    if actual != start + header["bytes"]:
        raise InputError(
            f"truncated or damaged: {actual} bytes instead of {start + header['bytes']}", path=path
        )
    return header, start


def _header_hash(header: Header) -> str:
    rest = {key: value for key, value in header.items() if key != "xxh3_128"}
    return xxhash.xxh3_128_hexdigest(json.dumps(rest, sort_keys=True).encode())


def _check_header(header: Mapping[str, object]) -> None:
    kinds = {
        "name": str,
        "n": int,
        "m": int,
        "undirected": bool,
        "hash": str,
        "origin": dict,
        "arrays": dict,
        "bytes": int,
    }
    for key, kind in kinds.items():
        if not _is(header[key], kind):
            raise TypeError(key)
    n, m = header["n"], header["m"]
    assert isinstance(n, int)
    assert isinstance(m, int)
    if not (0 <= n <= MAX_VERTICES and m >= 0):
        raise ValueError("n or m")


def _is(value: object, kind: type) -> bool:
    """True if a JSON value is of a type; true and false do not count as numbers."""
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


def _places(header: Header, start: int, path: str) -> dict[str, _Place]:
    n, m = header["n"], header["m"]
    lengths = {"row_offsets": n + 1, "column_indices": m, "values": m}
    sides = ("csr",) if header["undirected"] else ("csr", "reverse")
    places = {}
    try:
        if n < 0:
            raise ValueError("n")
        for key, entry in header["arrays"].items():
            side, _, kind = key.rpartition(".")
            dtypes = ("<i4",) if key == _VERTEX_WEIGHTS else _DTYPES[kind]
            if side not in sides and key != _VERTEX_WEIGHTS:
                raise KeyError(key)
            place = _Place(entry["dtype"], entry["length"], start + entry["offset"], entry["xxh3_128"])
            if not all(_is(value, int) for value in (place.length, place.offset)):
                raise TypeError(key)
            item = np.dtype(place.dtype).itemsize if place.dtype in dtypes else 0
            end = place.offset - start + item * place.length
            inside = start <= place.offset and 0 <= end <= header["bytes"]
            fits = (
                place.length == lengths[kind]
                if kind in lengths
                else place.length % n == 0 < place.length
                if n
                else place.length == 0
            )
            if not item or not fits or not inside:
                raise ValueError(key)
            places[key] = place
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("damaged header", path=path) from error
    return places


def _by_vertex(array: HostArray | None, n: int) -> HostArray | None:
    """The array with one row for each vertex, if each has several values."""
    return array if array is None or len(array) == n else array.reshape(n, -1)


def _csr(arrays: Mapping[str, HostArray], side: str, path: str) -> Csr:
    try:
        csr = Csr(
            arrays[f"{side}.row_offsets"], arrays[f"{side}.column_indices"], arrays.get(f"{side}.values")
        )
    except KeyError as error:
        raise InputError("damaged header: an array is missing", path=path) from error
    if csr.row_offsets[0] != 0 or csr.row_offsets[-1] != csr.m:
        raise InputError(_NONSENSE, path=path)
    return csr
