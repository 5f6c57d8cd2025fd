"""SciPy sparse matrices (``scipy.sparse.save_npz``): entry (i, j) is the edge from i to j.

The arrays are read from the archive one by one and checked here: SciPy would truncate fractional
indices, and allocate memory for as many entries as a file claims to have.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.edges import EdgeList
from gunrock_cli.graph.model.graph import MAX_VERTICES
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.sources.files.readers.columns import HostArray, edge_weights
from gunrock_cli.graph.sources.files.readers.text import display_path, local
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.npz import DAMAGED, read_array

_INTEGERS = "iu"


class _Unfit(ValueError):
    """A fault of the arrays, in words."""


def read(
    path: str, progress: Progress = silent, weights: str | None = None, weight_type: str | None = None
) -> EdgeList:
    """The edges of a square matrix in CSR, CSC or COO form. Integer values become int32 weights, real
    ones float32, unless ``weight_type`` gives the type; a matrix of booleans has none. With other
    ``weights`` they are ignored. Raises InputError."""
    where = display_path(path)
    progress(f"reading {where}", None)
    with _errors_of(where), zipfile.ZipFile(local(path)) as archive:
        arrays = _Arrays(archive, where)
        form = _form(arrays)
        n = _vertices(arrays.take("shape", _INTEGERS, 2), where)
        rows, columns = (
            _entries(arrays, n) if form == "coo" else _compressed(arrays, n, by_column=form == "csc")
        )
        values = arrays.take("data", "biufcSUVmM", len(rows))
    if weights is not None or values.dtype == np.bool_:
        return EdgeList(n, rows, columns)
    if values.dtype.kind not in "iuf":
        raise InputError(f"values of type {values.dtype} cannot be edge weights", path=where)
    return EdgeList(n, rows, columns, edge_weights(values, where, weight_type=weight_type))


@contextmanager
def _errors_of(where: str) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise
    except DAMAGED as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"not a SciPy sparse matrix: {first}", path=where) from error


class _Arrays:
    """The arrays of an archive; an array shorter than its header says is refused."""

    def __init__(self, archive: zipfile.ZipFile, where: str) -> None:
        self._archive = archive
        total = sum(entry.file_size for entry in archive.infolist())
        require_host_memory(total, f"{where}: arrays of {total} bytes")

    def take(self, name: str, kinds: str, length: int | None = None) -> HostArray:
        """A one-dimensional array whose dtype is of one of ``kinds``, of the given ``length``."""
        array = read_array(self._archive, name)
        if array.ndim != 1 or array.dtype.kind not in kinds:
            raise _Unfit(f"{name} is {array.ndim}-dimensional, of type {array.dtype}")
        if length is not None and len(array) != length:
            raise _Unfit(f"{name} has {len(array)} entries instead of {length}")
        return array

    def text(self, name: str) -> str:
        """An array that holds one string."""
        found = read_array(self._archive, name)[()]
        return found.decode("ascii") if isinstance(found, bytes) else str(found)


def _form(arrays: _Arrays) -> str:
    form = arrays.text("format")
    if form not in ("csr", "csc", "coo"):
        raise _Unfit(f"the format is {form[:20]!r}; save it as CSR, CSC or COO")
    return form


def _vertices(shape: HostArray, where: str) -> int:
    rows, columns = map(int, shape)
    if rows != columns:
        raise InputError(f"a {rows} x {columns} matrix is not square, so it is not a graph", path=where)
    if rows > MAX_VERTICES:
        raise InputError(f"{rows} vertices are more than 32-bit vertex ids can number", path=where)
    if rows < 0:
        raise InputError(f"a matrix cannot have {rows} rows", path=where)
    return rows


def _entries(arrays: _Arrays, n: int) -> tuple[HostArray, HostArray]:
    rows = arrays.take("row", _INTEGERS)
    return _indices(rows, n, "row"), _indices(arrays.take("col", _INTEGERS, len(rows)), n, "col")


def _compressed(arrays: _Arrays, n: int, *, by_column: bool) -> tuple[HostArray, HostArray]:
    offsets: Any = arrays.take("indptr", _INTEGERS, n + 1)
    minor = arrays.take("indices", _INTEGERS)
    if offsets[0] != 0 or offsets[-1] != len(minor) or (offsets[1:] < offsets[:-1]).any():
        raise _Unfit(f"indptr does not rise from 0 to the {len(minor)} entries")
    offsets = offsets.astype(np.int64)
    major = np.repeat(np.arange(n, dtype=np.int32), offsets[1:] - offsets[:-1])
    within = _indices(minor, n, "indices")
    return (within, major) if by_column else (major, within)


def _indices(array: HostArray, n: int, name: str) -> HostArray:
    if len(array) and not 0 <= int(array.min()) <= int(array.max()) < n:
        raise _Unfit(f"{name} go from {array.min()} to {array.max()}, beyond 0 to {n - 1}")
    return array.astype(np.int32)
