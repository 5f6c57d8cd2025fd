"""The binary form of a finished graph (.gcsr): what the cache holds and ``generate`` writes.

Eight bytes of magic, the length of a JSON header (uint64, little-endian), the header, then the
arrays as they lie in memory, each at a multiple of 64 bytes. The header gives the graph's name,
history and hash, and of each array its dtype, place and CRC-32.
"""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.graph import Csr, Graph, to_numpy
from gunrock_cli.graph.readers.text import check_readable

MAGIC = b"GUNROCK1"
SUFFIX = ".gcsr"
_ALIGN = 64
_HEADER_LIMIT = 1 << 20
_DTYPES = {"row_offsets": ("<i4", "<i8"), "column_indices": ("<i4",), "values": ("<i4", "<f4")}


@dataclass(frozen=True)
class _Place:
    """Where an array lies: ``offset`` in bytes from the beginning of the file."""

    dtype: str
    length: int
    offset: int
    crc32: int


def write(graph: Graph, file: BinaryIO) -> None:
    """Write a graph (host or device) to an open file."""
    arrays = {
        f"{side}.{key}": np.ascontiguousarray(to_numpy(array))
        for side, csr in _sides(graph)
        for key in _DTYPES
        if (array := getattr(csr, key)) is not None
    }
    header: dict[str, Any] = {
        "name": graph.name, "n": graph.n, "m": graph.m, "undirected": graph.undirected,
        "hash": graph.hash, "origin": graph.origin, "arrays": {},
    }
    offset = 0
    for key, array in arrays.items():
        header["arrays"][key] = {
            "dtype": array.dtype.newbyteorder("<").str, "length": len(array), "offset": offset,
            "crc32": zlib.crc32(array.data),
        }
        offset += -(-array.nbytes // _ALIGN) * _ALIGN
    header["bytes"] = offset
    text = json.dumps(header).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % _ALIGN)
    file.write(MAGIC + struct.pack("<Q", len(text)) + text)
    for array in arrays.values():
        file.write(array.data)
        file.write(bytes(-array.nbytes % _ALIGN))


def read(path: str, xp: ModuleType = np, *, verify: bool = True) -> Graph:
    """The graph of a file, arrays in ``xp``. ``verify`` checks every array against its checksum
    and the rows for sense; without it only the header and the size are. Raises InputError."""
    check_readable(path)
    with Path(path).open("rb") as file:
        header, start = _read_header(file, path)
        places = _places(header, start, path)
        arrays = {}
        for key, place in places.items():
            file.seek(place.offset)
            array = np.fromfile(file, dtype=place.dtype, count=place.length)
            if len(array) != place.length:
                raise InputError("truncated", path=path)
            if verify and zlib.crc32(array.data) != place.crc32:
                raise InputError(f"damaged: the checksum of {key} does not match", path=path)
            arrays[key] = array
    csr = _csr(arrays, "csr", header, path, verify)
    directed = not header["undirected"]
    reverse = _csr(arrays, "reverse", header, path, verify) if directed else csr
    graph = Graph(name=header["name"], csr=csr, reverse=reverse, hash=header["hash"],
                  undirected=header["undirected"], origin=header["origin"])
    return graph.to(xp)


def read_header(path: str) -> dict[str, Any]:
    """Only the header: name, n, m, undirected, hash, origin. Raises InputError."""
    check_readable(path)
    with Path(path).open("rb") as file:
        return _read_header(file, path)[0]


def _sides(graph: Graph) -> list[tuple[str, Csr]]:
    sides = [("csr", graph.csr)]
    return sides if graph.undirected or graph.reverse is None else [*sides, ("reverse", graph.reverse)]


def _read_header(file: BinaryIO, path: str) -> tuple[dict[str, Any], int]:
    magic = file.read(len(MAGIC))
    if magic != MAGIC:
        raise InputError("not a binary graph of this version of gunrock", path=path)
    length = file.read(8)
    size = struct.unpack("<Q", length)[0] if len(length) == 8 else 0
    if not 0 < size <= _HEADER_LIMIT:
        raise InputError("truncated or damaged header", path=path)
    try:
        header = json.loads(file.read(size))
        _check_header(header)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError("damaged header", path=path) from error
    start = len(MAGIC) + 8 + size
    actual = Path(path).stat().st_size
    if actual != start + header["bytes"]:
        raise InputError(f"truncated or damaged: {actual} bytes instead of "
                         f"{start + header['bytes']}", path=path)
    return header, start


def _check_header(header: dict[str, Any]) -> None:
    kinds = {"name": str, "n": int, "m": int, "undirected": bool, "hash": str, "origin": dict,
             "arrays": dict, "bytes": int}
    for key, kind in kinds.items():
        if not isinstance(header[key], kind):
            raise TypeError(key)


def _places(header: dict[str, Any], start: int, path: str) -> dict[str, _Place]:
    n, m = header["n"], header["m"]
    lengths = {"row_offsets": n + 1, "column_indices": m, "values": m}
    places = {}
    try:
        for key, entry in header["arrays"].items():
            kind = key.partition(".")[2]
            place = _Place(entry["dtype"], entry["length"], start + entry["offset"],
                           entry["crc32"])
            item = np.dtype(place.dtype).itemsize if place.dtype in _DTYPES[kind] else 0
            end = place.offset - start + item * place.length
            if not item or place.length != lengths[kind] or not 0 <= end <= header["bytes"]:
                raise ValueError(key)
            places[key] = place
    except (ValueError, KeyError, TypeError) as error:
        raise InputError("damaged header", path=path) from error
    return places


def _csr(
    arrays: dict[str, Any], side: str, header: dict[str, Any], path: str, verify: bool
) -> Csr:
    try:
        csr = Csr(arrays[f"{side}.row_offsets"], arrays[f"{side}.column_indices"],
                  arrays.get(f"{side}.values"))
    except KeyError as error:
        raise InputError("damaged header: an array is missing", path=path) from error
    if verify:
        offsets, columns = csr.row_offsets, csr.column_indices
        whole = offsets[0] == 0 and offsets[-1] == csr.m and bool((csr.degrees() >= 0).all())
        inside = csr.m == 0 or (int(columns.min()) >= 0 and int(columns.max()) < header["n"])
        if not (whole and inside):
            raise InputError("damaged: rows or column indices out of range", path=path)
    return csr
