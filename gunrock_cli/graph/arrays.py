"""Make a Graph of a program's data in memory: a sparse matrix, or arrays of edges' ends.

A matrix is read as SciPy's own graph routines read it: entry (i, j) is the edge from i to j, a stored
zero is an edge too, and entries stored twice for one place are summed. Arrays of ends are a list of
edges, cleaned like a file's. Matrices and arrays are never written to.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from itertools import chain, repeat
from operator import index, is_
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import (
    MAX_VERTICES,
    Array,
    Csr,
    Graph,
    array_module,
    moved,
    offset_dtype,
)
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.model.memory import WORTH_ASKING, require_host_memory
from gunrock_cli.graph.model.rows import increases
from gunrock_cli.graph.rows.build import build_graph, graph_of_rows
from gunrock_cli.graph.sources.files.readers.columns import edge_weights, vertices
from gunrock_cli.jsontypes import Json

WANTED = (
    "a SciPy or CuPy sparse matrix, a pair of arrays (source, target), three with weights, a frame "
    "of edges, a NetworkX graph, or a graph of load(), as_graph() or from_csr()"
)

ROOM = 16
"""Bytes of host memory per vertex and per edge of a matrix, as for a file's: rows, and room to sort."""
_NUMBERS_OF = {
    "csr": ("indptr", "indices"),
    "csc": ("indptr", "indices"),
    "bsr": ("indptr", "indices"),
    "coo": ("row", "col"),
    "dia": ("offsets",),
}
"""The arrays of a matrix of each format that hold positions."""
_ON_HOST, _ON_GPU = (1, 3), (2, 13)
"""DLPack's device types: the host, page-locked memory; CUDA, managed memory."""


def graph_of(
    a: Any,
    *,
    n: int | None = None,
    symmetrize: bool = False,
    keep_self_loops: bool = True,
    keep_duplicates: bool = False,
    heaviest: bool = False,
    weighted: bool = True,
    reverse: bool = True,
    name: str | None = None,
    xp: Any = np,
    share: bool = False,
) -> Graph:
    """The graph of a sparse matrix (SciPy's or CuPy's, of any format) or of ``(source, target)`` or
    ``(source, target, weight)`` arrays, its arrays in ``xp``.

    ``n`` is the number of vertices, for arrays only: by default 1 + the largest end. Edges keep their
    directions; ``symmetrize`` adds the reverse of each; of equal edges the lightest is kept, or the
    ``heaviest``. ``keep_duplicates`` is for arrays: a matrix has one entry per place. Without
    ``weighted`` values are ignored; booleans are never weights, integers become int32 and real numbers
    float32. The graph shares no memory with its input, unless it may ``share`` a matrix's rows that need
    no change. Raises a one-line InputError or UsageError for input that is not a graph.
    """
    if is_sparse(a):
        if n is not None:
            raise UsageError("n goes with arrays of ends: a matrix has its own size")
        name, keep_duplicates = name or "matrix", False
        rows = _rows_of_matrix(a, weighted, name, share)
        form = {"kind": "matrix", "format": str(a.format)}
        if not symmetrize and keep_self_loops and increases(rows.row_offsets, rows.column_indices):
            origin = {**form, **_options(symmetrize, keep_self_loops, keep_duplicates)}
            return graph_of_rows(
                rows.to(xp),
                undirected=False,
                name=name,
                origin=origin,
                graph_hash=content_hash(rows),
                reverse=reverse,
            )
        ends = rows.sources(), rows.column_indices
        n, weights = rows.n, rows.values
    elif isinstance(a, list) and a and all(isinstance(each, tuple) for each in a):
        raise UsageError(
            "no graph: a list of tuples, as of edges; give (source, target), the ends of "
            "all edges, or three with weights"
        )
    elif isinstance(a, (tuple, list)) and len(a) in (2, 3):
        name = name or "edges"
        ends, weights = edge_arrays(a, weighted, name)
        form = {"kind": "arrays"}
        n = _count(n, ends)
    else:
        raise UsageError(f"no graph: {_described(a)}; give {WANTED}")
    return build_graph(
        n,
        *ends,
        weights,
        undirected=symmetrize,
        keep_self_loops=keep_self_loops,
        keep_duplicates=keep_duplicates,
        heaviest=heaviest,
        name=name,
        xp=xp,
        reverse=reverse,
        origin={**form, **_options(symmetrize, keep_self_loops, keep_duplicates)},
    )


def graph_of_csr(
    row_offsets: Any, column_indices: Any, values: Any = None, *, name: str | None = None, xp: Any = np
) -> Graph:
    """The graph of existing rows. If they rise strictly, offsets and indices of the right types in ``xp``
    are shared and never written to; otherwise rows are built, as from arrays of ends."""
    name = name or "rows"
    offsets, columns = (
        _integers(_one_dimensional(array, what), what)
        for array, what in ((row_offsets, "row offsets"), (column_indices, "column indices"))
    )
    weights = None if values is None else _weights(_one_dimensional(values, "weight"), name)
    n, m = len(offsets) - 1, len(columns)
    _check_rows(offsets, m, n)
    if weights is not None and len(weights) != m:
        raise InputError(f"{m} column indices and {len(weights)} values")
    if m and not 0 <= int(columns.min()) <= int(columns.max()) < n:
        raise InputError(
            f"damaged rows: column indices go from {columns.min()} to {columns.max()}, "
            f"beyond 0 to {n - 1}"
        )
    module = array_module(offsets)
    rows = Csr(
        _packed(offsets, offset_dtype(module, m)),
        _packed(moved(columns, module), np.int32),
        None if weights is None else _packed(moved(weights, module), weights.dtype),
    )
    origin = {"kind": "rows", **_options(False, True, False)}
    if increases(rows.row_offsets, rows.column_indices):
        return graph_of_rows(rows.to(xp), undirected=False, name=name, origin=origin)
    return build_graph(
        n,
        rows.sources(),
        rows.column_indices,
        rows.values,
        undirected=False,
        keep_self_loops=True,
        name=name,
        xp=xp,
        origin=origin,
    )


def _integers(array: Array, what: str) -> Array:
    if array.dtype.kind not in "iu":
        raise InputError(f"{what} of type {array.dtype}: give integers")
    return array


def _check_rows(offsets: Array, m: int, n: int) -> None:
    if n < 0:
        raise InputError("no row offsets: of no vertices they are [0]")
    if n > MAX_VERTICES:
        raise InputError(f"{n} vertices are more than 32-bit vertex ids can number")
    if int(offsets[0]) != 0 or int(offsets[-1]) != m or not bool((offsets[1:] >= offsets[:-1]).all()):
        raise InputError(f"damaged rows: row offsets do not rise from 0 to the {m} column indices")


def _packed(array: Array, dtype: Any) -> Array:
    """Return the array in native byte order without gaps, itself if it already is."""
    return array_module(array).ascontiguousarray(array.astype(dtype, copy=False))


def symmetrized(graph: Graph, heaviest: bool = False) -> Graph:
    """Return the graph with the reverse of every edge, keeping the lightest (or the ``heaviest``) of
    equal edges; the graph itself if it already has them."""
    if graph.undirected:
        return graph
    csr = graph.csr
    both = build_graph(
        graph.n,
        csr.sources(),
        csr.column_indices,
        csr.values,
        undirected=True,
        keep_self_loops=True,
        heaviest=heaviest,
        name=graph.name,
        xp=graph.xp,
        origin={**graph.origin, "undirected": True},
    )
    changes = both.changes
    if graph.changes is not None and changes is not None:
        changes = graph.changes.then(changes)
    return replace(both, names=graph.names, vertex_weights=graph.vertex_weights, changes=changes)


def is_sparse(a: Any) -> bool:
    """True if this is a sparse matrix (or array) of SciPy's or CuPy's."""
    from scipy import sparse

    return bool(sparse.issparse(a)) or _is_cupy_sparse(a)


def module_of(a: Any) -> Any:
    """The module (numpy or cupy) of answers for a graph of ``graph_of``: cupy if all input is on the
    GPU."""
    if isinstance(a, Graph):
        return a.xp
    first = a[0] if isinstance(a, (tuple, list)) and a else a
    if _is_cupy_sparse(first) or _is_cupy_array(first):
        return sys.modules["cupy"]
    if not isinstance(first, np.ndarray) and _dlpack_device(first) in _ON_GPU:
        return _cupy()
    return np


def _is_cupy_sparse(a: Any) -> bool:
    module = sys.modules.get("cupyx.scipy.sparse")  # a program with such a matrix has imported it
    return module is not None and bool(module.issparse(a))


def _is_cupy_array(a: Any) -> bool:
    module = sys.modules.get("cupy")
    return module is not None and isinstance(a, module.ndarray)


def _options(symmetrize: bool, keep_self_loops: bool, keep_duplicates: bool) -> dict[str, Json]:
    """The options that decide which graph the edges become, by their names in files' origins."""
    return {
        "undirected": symmetrize,
        "keep_self_loops": keep_self_loops,
        "keep_duplicates": keep_duplicates,
    }


def _rows_of_matrix(a: Any, weighted: bool, name: str, share: bool) -> Csr:
    shape = tuple(map(int, a.shape))
    if len(shape) != 2 or shape[0] != shape[1]:
        raise InputError(f"a matrix of shape {shape} is not square, so it is not a graph")
    if shape[0] > MAX_VERTICES:
        raise InputError(f"{shape[0]} vertices are more than 32-bit vertex ids can number")
    _check_indices(a, shape[0])
    if not _is_cupy_sparse(a) and (size := shape[0] + int(a.nnz)) >= WORTH_ASKING:
        require_host_memory(ROOM * size, f"{name}: {shape[0]} vertices and {a.nnz} edges")
    weighted = weighted and a.dtype != np.bool_
    if _is_cupy_sparse(a) and a.dtype == np.bool_:
        a = a.astype(np.float32)  # cuSPARSE converts no booleans from one format to another
    try:
        rows = a.tocsr()
    except (ValueError, TypeError, IndexError, OverflowError) as error:  # broken arrays
        raise InputError(f"a damaged matrix: {' '.join(str(error).split())}") from None
    m = int(rows.indptr[-1])  # arrays may be longer
    if weighted and not increases(rows.indptr, rows.indices[:m]):
        rows = rows.copy()  # the caller's rows stay as they are
        rows.has_sorted_indices = rows.has_canonical_format = False  # this may once have been true
        rows.sum_duplicates()
        m = int(rows.indptr[-1])
    values = _weights(rows.data[:m], name) if weighted else None
    own = rows.indptr, rows.indices[:m]
    offsets, columns = (
        _packed(array, dtype) if share else array.astype(dtype, order="C")
        for array, dtype in zip(own, (offset_dtype(array_module(rows.indptr), m), np.int32), strict=True)
    )
    return Csr(offsets, columns, values)


def _check_indices(a: Any, n: int) -> None:
    """Check a matrix's indices: any program can write into its arrays, and nothing that reads them
    checks."""
    for key in ("data", "indices", "indptr", "row", "col", "offsets"):
        if isinstance(getattr(a, key, None), np.ma.MaskedArray):
            raise InputError(f"the matrix's {key} is a masked array: give it a plain one")
    singly: Callable[[], Any] | None = {
        "lil": lambda: chain.from_iterable(a.data),
        "dok": lambda: a.values(),
    }.get(a.format)
    if singly is not None and any(map(is_, singly(), repeat(np.ma.masked))):
        raise masked_entries("the matrix")
    for key in _NUMBERS_OF.get(a.format, ()):
        kind = getattr(getattr(a, key), "dtype", np.dtype(object))
        if kind.kind not in "iu":
            raise InputError(f"a damaged matrix: {key} of type {kind}, not integers")
    places = {"csr": ("indices",), "csc": ("indices",), "coo": ("row", "col")}.get(a.format, ())
    if not places:
        return
    count = min(len(getattr(a, key)) for key in (*places, "data"))
    if a.format in ("csr", "csc"):
        offsets = a.indptr
        if (
            len(offsets) != n + 1
            or int(offsets[0]) != 0
            or int(offsets[-1]) > count
            or not bool((offsets[1:] >= offsets[:-1]).all())
        ):
            raise InputError(f"a damaged matrix: indptr does not rise from 0 to the {count} entries")
        count = int(offsets[-1])
    for key in places:
        array = getattr(a, key)[:count]
        if len(array) and not 0 <= int(array.min()) <= int(array.max()) < n:
            raise InputError(
                f"a damaged matrix: {key} goes from {array.min()} to {array.max()}, beyond 0 to {n - 1}"
            )


def edge_arrays(a: Any, weighted: bool, name: str) -> tuple[tuple[Array, Array], Array | None]:
    """The ends (int32) and weights (int32 or float32) of ``(source, target)`` or ``(source, target,
    weight)`` arrays; one-line InputError for arrays that are none of edges."""
    ends, values = raw_edge_arrays(a, weighted, name)
    return ends, None if values is None else edge_weights(values, name)


def raw_edge_arrays(a: Any, weighted: bool, name: str) -> tuple[tuple[Array, Array], Array | None]:
    """``edge_arrays``, but weights keep the type of numbers that they are given in."""
    given = [
        _one_dimensional(each, what)
        for each, what in zip(a, ("source", "target", "weight"), strict=False)
    ]
    xp = array_module(given[0])
    arrays = [moved(array, xp) for array in given]
    for array, what in zip(arrays[:2], ("source", "target"), strict=True):
        if array.dtype.kind not in "iu":
            raise InputError(f"{what} vertices of type {array.dtype}: give integers")
    lengths = [len(array) for array in arrays]
    if len(set(lengths)) > 1:
        raise InputError(f"edge arrays of unequal length: {lengths}")
    weighs = weighted and len(arrays) > 2 and arrays[2].dtype != np.bool_
    ends = vertices(arrays[0], name), vertices(arrays[1], name)
    return ends, _numbers(arrays[2]) if weighs else None


def _one_dimensional(values: Any, what: str) -> Array:
    array = values
    if not isinstance(values, np.ndarray) and not _is_cupy_array(values):
        try:
            array = _by_dlpack(values, what)
        except (InputError, MemoryError):
            raise
        except Exception:  # NumPy's, or the object's own
            raise InputError(f"the {what} array is no array of numbers") from None
        if array.size == 0:
            array = array.astype(np.int32)  # an empty list has no type
    array = unmasked(array, f"the {what} array")
    if array.ndim != 1:
        raise InputError(f"the {what} array has {array.ndim} dimensions, not 1")
    return array


def unmasked(array: Array, what: str) -> Array:
    """Return the array itself; InputError if entries are masked, as only their data would be read."""
    if not isinstance(array, np.ma.MaskedArray):
        return array
    if np.ma.is_masked(array):
        raise masked_entries(what)
    return np.asarray(array)


def masked_entries(what: str) -> InputError:
    """The error for masked entries in ``what``."""
    return InputError(f"{what} has masked or missing entries: leave those edges out, or fill them in")


def _by_dlpack(values: Any, what: str) -> Array:
    """Another library's array, in place; lists and the like as NumPy takes them."""
    if isinstance(getattr(values, "null_count", None), int) and values.null_count:  # Arrow's
        raise masked_entries(f"the {what} array")
    device = _dlpack_device(values)
    if device is None:
        if isinstance(values, (list, tuple)) and any(map(is_, values, repeat(np.ma.masked))):
            raise masked_entries(f"the {what} array")
        return np.asanyarray(values)  # its mask is still there
    if device not in (*_ON_HOST, *_ON_GPU):
        raise InputError(f"the {what} array lies on a device that is neither the host nor a CUDA GPU")
    try:
        return (_cupy() if device in _ON_GPU else np).from_dlpack(values)
    except (InputError, MemoryError):
        raise
    except Exception as error:  # torch: a tensor that requires a gradient; or it lies about itself
        reason = " ".join(str(error).split())
        raise InputError(f"the {what} array cannot be shared: {reason}") from None


def _dlpack_device(a: Any) -> int | None:
    """The device type by DLPack's numbers, or None for objects without DLPack."""
    if not hasattr(a, "__dlpack__") or not hasattr(a, "__dlpack_device__"):
        return None
    try:
        return int(a.__dlpack_device__()[0])
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise InputError(f"an array by DLPack does not say where it lies ({reason})") from None


def _cupy() -> Any:
    try:
        import cupy
    except ImportError:
        raise InputError("arrays on a GPU need CuPy (gunrock doctor says how to get it)") from None
    return cupy


def _weights(values: Array, name: str) -> Array:
    return edge_weights(_numbers(values), name)


def _numbers(values: Array) -> Array:
    """Values of a type that weights can have."""
    if values.dtype.kind not in "iuf":
        raise InputError(
            f"values of type {values.dtype} cannot be edge weights: give integers, or real numbers"
        )
    if values.dtype.kind == "f" and values.dtype.itemsize < 4:
        values = values.astype(np.float32)  # the check is for its range
    return values


def _count(n: int | None, ends: tuple[Array, Array]) -> int:
    if n is None:
        return max((int(array.max()) + 1 for array in ends if len(array)), default=0)
    try:
        if not isinstance(n, bool):
            return index(n)
    except TypeError:
        pass
    raise UsageError(f"n={n!r}: give the number of vertices")


def _described(a: Any) -> str:
    if isinstance(a, (np.ndarray, np.generic)) or _is_cupy_array(a):
        return f"a dense array of shape {a.shape}"
    return f"a {type(a).__name__}" + (f" of {len(a)}" if isinstance(a, (tuple, list)) else "")
