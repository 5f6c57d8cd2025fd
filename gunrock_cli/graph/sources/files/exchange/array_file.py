"""Binary files of arrays, one after the other; a header gives their lengths.

The header is checked against the size of the file before any memory is allocated for it; the arrays are
checked against each other before anyone walks along them.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import MAX_VERTICES, Csr, offset_dtype
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.sources.files.readers import text
from gunrock_cli.graph.sources.files.readers.columns import edge_weights

HostArray = np.ndarray[Any, Any]
_PAIRS = 1 << 20
"""Pairs that are split or joined at a time."""
_SHORT = 1 << 16


class ArrayFile:
    """A file read from beginning to end. ``where`` names it in messages."""

    def __init__(self, file: BinaryIO, where: str) -> None:
        self._file = file
        self.where = where
        self.size = os.fstat(file.fileno()).st_size

    def header(self, form: str) -> tuple[Any, ...]:
        """The first numbers of the file, in the layout of ``struct``."""
        layout = struct.Struct(form)
        data = self._file.read(layout.size)
        if len(data) < layout.size:
            raise InputError(
                f"truncated: {self.size} bytes, and its header takes {layout.size}", path=self.where
            )
        return layout.unpack(data)

    def expect(self, n: int, m: int, *sizes: int) -> int:
        """Refuse counts that are impossible for a graph, do not match the length of the file, or do not
        fit in memory. Returns the index of the file's size among the given sizes: without weights, with
        weights."""
        if n < 0 or m < 0:
            raise InputError(f"damaged header: {n} vertices and {m} directed edges", path=self.where)
        if self.size not in sizes:
            what = "truncated" if self.size < max(sizes) else "longer than it says"
            with_weights = "".join(f" ({size} with weights)" for size in sizes[1:])
            raise InputError(
                f"{what}: {n} vertices and {m} directed edges take {sizes[0]} bytes in this "
                f"format{with_weights}, and the file has {self.size}",
                path=self.where,
            )
        if n > MAX_VERTICES:
            raise InputError(f"{n} vertices are more than 32-bit vertex ids can number", path=self.where)
        require_host_memory(self.size, f"{self.where}: {n} vertices and {m} directed edges")
        return sizes.index(self.size)

    def take(self, dtype: str, length: int) -> HostArray:
        """The next array."""
        array: HostArray = np.fromfile(self._file, dtype, length)
        if len(array) < length:
            raise InputError("truncated while it was read", path=self.where)
        return array

    def take_pairs(self, dtype: str, length: int) -> tuple[HostArray, HostArray]:
        """The next ``length`` pairs, as one array of the first members and one of the second."""
        first, second = (np.empty(length, dtype) for _ in range(2))
        for part in _parts(length):
            pairs = self.take(dtype, 2 * len(first[part])).reshape(-1, 2)
            first[part], second[part] = pairs.T
        return first, second


@contextmanager
def opened(path: str) -> Iterator[ArrayFile]:
    """The arrays of a file, of a pipe, or of the content of a packed file."""
    try:
        with text.unpacked(path) as plain, Path(plain).open("rb") as file:
            yield ArrayFile(file, text.display_path(path))
    except OSError as error:
        raise InputError(f"cannot be read: {error}", path=text.display_path(path)) from error


def checked_rows(offsets: HostArray, columns: HostArray, values: HostArray | None, where: str) -> Csr:
    """Rows from a file's arrays: n + 1 offsets, 32-bit columns, weights or None. They may be unsorted,
    with repetitions and loops. InputError, with the first place, for arrays that are not rows."""
    n, m = len(offsets) - 1, len(columns)
    if int(offsets[0]) != 0 or int(offsets[-1]) != m:
        raise InputError(
            f"damaged: row offsets go from {offsets[0]} to {offsets[-1]}, and not from 0 to {m}",
            path=where,
        )
    falls = offsets[1:] < offsets[:-1]
    if falls.any():
        row = int(falls.argmax())
        raise InputError(
            f"damaged: the row of vertex {row} begins at {offsets[row]} and ends at {offsets[row + 1]}",
            path=where,
        )
    vertices = columns.view(np.uint32)  # as unsigned numbers, negative ones are large
    if m and int(vertices.max()) >= n:
        edge = int((vertices >= n).argmax())
        row = int(np.searchsorted(offsets, edge, "right")) - 1
        raise InputError(
            f"damaged: vertex {row} has a neighbour {columns[edge]}, but vertices are 0 to {n - 1}",
            path=where,
        )
    if values is not None and values.dtype != np.int32:
        values = edge_weights(values, where)
    return Csr(offsets.astype(offset_dtype(np, m), copy=False), columns.view(np.int32), values)


def put(file: BinaryIO, array: HostArray, dtype: str) -> None:
    """Write an array as ``dtype``, which holds its values."""
    file.write(np.ascontiguousarray(array, dtype).data)


def put_pairs(file: BinaryIO, first: HostArray, second: HostArray, dtype: str, add: int = 0) -> None:
    """Write two arrays as pairs, ``add`` added to each number."""
    for part in _parts(len(first)):
        pairs = np.column_stack((first[part], second[part])).astype(dtype)
        pairs += add
        put(file, pairs, dtype)


def short_text(path: str) -> str:
    """The text of a file of a few lines."""
    with opened(path) as file:
        if file.size > _SHORT:
            raise InputError(f"{file.size} bytes, where a few lines are expected", path=file.where)
        return file.take("<u1", file.size).tobytes().removeprefix(text.BYTE_ORDER_MARK).decode("latin-1")


def _parts(length: int) -> Iterator[slice]:
    return (slice(first, min(first + _PAIRS, length)) for first in range(0, length, _PAIRS))
