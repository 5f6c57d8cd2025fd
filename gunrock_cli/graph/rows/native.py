"""Make rows by compiled code (``cpp/``), on all cores, if there is a C++ compiler.

The rows are those of the NumPy path of ``build``, in less time and memory.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError, OutOfMemory
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.model.graph import Csr
from gunrock_cli.graph.rows.drawing import Drawing, Piece, Window, buckets_of
from gunrock_cli.graph.rows.layout import is_large, layout
from gunrock_cli.graph.rows.native_library import DrawJob, EdgeFileJob, FileJob, RowsJob, Shape, library
from gunrock_cli.graph.rows.rows_job import HostArray, Job, address
from gunrock_cli.toolchain.threads import default_threads

WORTH_IT = 1 << 20
"""Edges from which compiled code is called: below this, NumPy and SciPy take negligible time."""
_KINDS: dict[Any, int] = {None: 0, np.dtype(np.int32): 1, np.dtype(np.float32): 2}
"""The compiled code's numbers for types of weights."""
_RECIPES = ("Rmat", "Bipartite", "SmallWorld")
"""Recipes in the compiled code's order."""
_SHORTEST_EDGE = 4  # bytes of "1 1\n"
_LOOK = 0.1  # seconds
_COMFORT = 0.8
"""The share of the free memory that may be used to save passes over a file."""


def rows_from_arrays(
    n: int,
    src: HostArray,
    dst: HostArray,
    weights: HostArray | None,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    heaviest: bool = False,
    name: str = "graph",
) -> Csr | None:
    """The rows of edges in arrays: ``src`` and ``dst`` are integers, ``weights`` int32, float32 or None.
    Returns None if this path cannot be taken, or an edge ends outside of 0 .. n - 1."""
    kind = _KINDS.get(None if weights is None else weights.dtype)
    code = library() if len(src) >= WORTH_IT and kind is not None else None
    if code is None or kind is None:
        return None
    src, dst = (np.ascontiguousarray(ends, dtype=np.int32) for ends in (src, dst))
    given = None if weights is None else np.ascontiguousarray(weights)
    job = Job(
        n,
        len(src),
        both_directions,
        keep_self_loops,
        keep_duplicates,
        None if given is None else given.dtype,
        name=name,
        heaviest=heaviest,
    )
    edges = (address(src), address(dst))
    keys = code.gr_count_arrays(*job.arguments, *edges, len(src))
    return job.sort(
        lambda: code.gr_sort_arrays(*job.arguments, *edges, address(given), len(src), kind), keys
    )


def draws(drawing: Drawing) -> bool:
    """True if ``rows_from_drawing`` supports this recipe."""
    return drawing.edges >= WORTH_IT and library() is not None


def rows_from_drawing(
    drawing: Drawing,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    turned: bool,
    name: str,
    report: Callable[[float], None],
    piece: Piece | None = None,
) -> Csr | None:
    """The rows of edges that are drawn again in each pass; None if this path cannot be taken. ``turned``:
    of the edges from v to u. ``piece``: only some of them."""
    code = library()
    if code is None or (piece is None and not draws(drawing)):
        return None
    cleaning = (both_directions, keep_self_loops, keep_duplicates)
    keys = drawing.directed(both_directions) if piece is None else piece.keys
    expected = drawing.expected(*cleaning) if piece is None else drawing.expected_of(keys, *cleaning)
    edges = drawing.edges if piece is None else -(-keys // (2 if both_directions else 1))
    job = Job(
        drawing.n,
        edges,
        *cleaning,
        frugal=is_large(keys),
        expected=expected,
        name=name,
        window=None if piece is None else piece.window,
    )
    drawn = DrawJob(count=drawing.edges, turned=turned)
    arguments = (*job.arguments, *_recipe(drawing), ctypes.byref(drawn))
    total = drawing.edges * (1 + job.rounds(keys))

    def watched(call: Callable[..., int]) -> int:
        return _watched(lambda: call(*arguments), drawn, report, total)

    return job.sort(lambda: watched(code.gr_sort_drawn), watched(code.gr_count_drawn))


def tally_of_drawing(
    drawing: Drawing,
    window: Window,
    shift: int,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    turned: bool,
) -> HostArray:
    """Count the directed edges drawn, with repetitions, in each 1 << ``shift`` rows of a window. Raises
    BackendError without a C++ compiler."""
    code = library()
    if code is None:
        raise BackendError("edges are counted by compiled code: install g++ or clang++")
    counts = np.zeros(buckets_of(window, shift), np.int64)
    threads = default_threads()
    shape = Shape(
        n=drawing.n,
        first_row=window.first,
        rows=window.rows,
        first_column=window.low,
        columns=window.high - window.low,
        shift=shift,
        threads=threads,
        parts=threads,
        both=both_directions,
        keep_loops=keep_self_loops,
    )
    drawn = DrawJob(count=drawing.edges, turned=turned)
    rows = RowsJob(degrees=address(counts))
    _watched(
        lambda: code.gr_tally_drawn(
            ctypes.byref(shape), ctypes.byref(rows), *_recipe(drawing), ctypes.byref(drawn)
        ),
        drawn,
        lambda _: None,
        drawing.edges,
    )
    return counts


def _recipe(drawing: Drawing) -> tuple[int, ctypes.c_void_p]:
    return _RECIPES.index(drawing.struct), address(drawing.recipe)


def reads_market(entries: int) -> bool:
    """True if ``rows_from_market`` supports a file with this many entries."""
    return entries >= WORTH_IT and library() is not None


def rows_from_market(
    path: str,
    n: int,
    entries: int,
    body: int,
    values: np.dtype[Any] | None,
    *,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    heaviest: bool,
    name: str,
    report: Callable[[float], None],
) -> Csr | None:
    """The rows of a plain Matrix Market file whose entries begin at byte ``body``.

    ``values`` is the type to read its values as: int32, float32, or None if it has none. Returns None if
    this path cannot be taken, or an entry is wrong or not as simple as most writers write it. ``report``
    is called with the fraction read.
    """
    code = library() if entries >= WORTH_IT else None
    if code is None:
        return None
    most = entries * (2 if both_directions else 1)

    def rows(frugal: bool) -> Csr | None:
        job = Job(
            n,
            entries,
            both_directions,
            keep_self_loops,
            keep_duplicates,
            values,
            frugal=frugal,
            name=name,
            heaviest=heaviest,
        )
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            file = FileJob(begin=body, end=size, count=entries, descriptor=stream.fileno())
            arguments = (*job.arguments, ctypes.byref(file), _KINDS[values])
            total = (size - body) * (1 + job.rounds(most))

            def watched(call: Callable[..., int]) -> int:
                return _watched(lambda: call(*arguments), file, report, total)

            return job.sort(lambda: watched(code.gr_sort_market), watched(code.gr_count_market))

    return _as_there_is_room(rows, _is_short(n, most, values))


def reads_edge_list(size: int) -> bool:
    """True if ``rows_from_edge_list`` supports a file of this many bytes."""
    return size >= WORTH_IT * _SHORTEST_EDGE and library() is not None


def rows_from_edge_list(
    path: str,
    body: int,
    columns: int,
    weighted: bool,
    *,
    whole: bool,
    both_directions: bool,
    keep_self_loops: bool,
    keep_duplicates: bool,
    heaviest: bool,
    name: str,
    report: Callable[[float], None],
) -> Csr | None:
    """The rows of a plain edge list whose first edge begins at byte ``body``, of 2 or 3 columns; with
    ``weighted`` the third holds the weights: int32 if all are whole, else float32. None for the reasons
    of ``rows_from_market``, for fractions if weights must be ``whole``, and for whole weights that are
    too large."""
    with open(path, "rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        file = EdgeFileJob(FileJob(begin=body, end=size, descriptor=stream.fileno()), columns=columns)

        def watched(call: Callable[..., int], job: Job, *kind: int) -> int:
            arguments = (*job.arguments, ctypes.byref(file), *kind)
            return _watched(lambda: call(*arguments), file.file, report, total)

        if not reads_edge_list(size - body):
            return None
        code, total = library(), 3 * (size - body)
        if watched(code.gr_look_at_list, Job(1, 0, False, True, True)) < 0:
            return None
        if weighted and (file.wide > file.fractional or (whole and file.wide + file.fractional)):
            return None
        n, edges = file.last + 1, file.file.count
        weights = np.dtype(np.float32 if file.fractional else np.int32) if weighted else None
        most = edges * (2 if both_directions else 1)
        kind = _KINDS[weights]

        def rows(frugal: bool) -> Csr | None:
            nonlocal total
            job = Job(
                n,
                edges,
                both_directions,
                keep_self_loops,
                keep_duplicates,
                weights,
                frugal=frugal,
                name=name,
                heaviest=heaviest,
            )
            total = (size - body) * (2 + job.rounds(most))
            return job.sort(
                lambda: watched(code.gr_sort_list, job, kind), watched(code.gr_count_list, job, kind)
            )

        return _as_there_is_room(rows, _is_short(n, most, weights))


def _as_there_is_room(rows: Callable[[bool], Csr | None], short: bool) -> Csr | None:
    """``rows(frugal)``: at once if there seems to be room, and frugally if there turns out to be less
    (the threads that counted have taken some)."""
    if not short:
        with suppress(OutOfMemory):
            return rows(False)
    return rows(True)


def _is_short(n: int, keys: int, weights: np.dtype[Any] | None) -> bool:
    """True if there is too little memory to sort this many keys at a time."""
    weight = weights.itemsize if weights else 0
    width = layout(n, keys, weight).key.itemsize + weight
    return keys * width + 8 * n > _COMFORT * memory.available_bytes()


def _watched(
    call: Callable[[], int], file: FileJob | DrawJob, report: Callable[[float], None], total: int
) -> int:
    """Return the call's result; Ctrl-C makes the reading stop at its next block."""

    def look() -> None:
        report(min(1.0, file.done / max(1, total)))

    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(call)
        try:
            while not wait([result], _LOOK).done:
                look()
            look()  # a call may end before the first look
        except BaseException:
            file.stop = 1
            raise
    return result.result()
