"""A program's answer, converted for the primitive's own validation."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.commands.description import FileAnswer, PrintedAnswer
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.references import reference_labels, smallest_vertices
from gunrock_cli.visible import visible

Array = np.ndarray[Any, Any]
_OUTPUTS = {
    "bfs": "labels",
    "sssp": "distances",
    "cc": "components",
    "bc": "scores",
    "pagerank": "ranks",
    "mis": "members",
    "color": "colors",
}
"""The names of peers' answers (``PeerResult``)."""
_WHOLE = {"labels": "no depth", "members": "neither in the set nor out of it", "colors": "no color"}
"""The int32 outputs, and the meaning of a number outside their range."""


def read_answer(path: Path, answer: FileAnswer, primitive: Primitive, n: int) -> dict[str, Array]:
    """Read the file's values for the n vertices, as a peer's outputs; BackendError if it holds something
    else."""
    name = _OUTPUTS.get(primitive.name) or _first_member(primitive)
    if not name:
        raise BackendError(f"{primitive.name} does not say what its answer is called")
    try:
        if not stat.S_ISREG(os.lstat(path).st_mode):
            raise BackendError("wrote something for an answer that is no file")
        values = _pairs(path, n, answer) if answer.type == "pairs" else _raw(path, n, answer.type)
    except FileNotFoundError:
        raise BackendError("wrote no answer") from None
    return {name: _as_ours(name, values, answer)}


def _first_member(primitive: Primitive) -> str:
    """The output of a user's primitive, if it names one."""
    answer = primitive.variant.answer if primitive.variant else primitive.shows.columns
    return answer[0] if answer else ""


def _raw(path: Path, n: int, dtype: str) -> Array:
    size, wanted = path.stat().st_size, n * np.dtype(dtype).itemsize
    if size != wanted:
        raise BackendError(f"wrote an answer of {size} bytes, and {n} vertices of {dtype} take {wanted}")
    return np.fromfile(path, dtype)


def _pairs(path: Path, n: int, answer: FileAnswer) -> Array:
    """Read lines "vertex value", each vertex once, in any order; the value may be a word for
    unreached."""
    import pandas as pd

    words = [str(each) for each in answer.unreached]
    try:
        frame = pd.read_csv(
            path,
            sep=r"\s+",
            header=None,
            names=["vertex", "value"],
            comment="#",
            na_values=words,
            keep_default_na=False,
            dtype={"vertex": "int64", "value": "float64"},
        )
    except (ValueError, OverflowError, pd.errors.ParserError) as error:
        why = str(error).strip().splitlines() or [""]
        raise BackendError(
            f"wrote an answer that is not lines of vertex and value: {visible(why[0])[:200]}"
        ) from None
    vertices = frame["vertex"].to_numpy()
    if len(vertices) != n or not np.array_equal(np.sort(vertices), np.arange(n)):
        raise BackendError(
            f"wrote an answer of {len(vertices)} lines that does not name each of the {n} vertices once"
        )
    values = np.empty(n)
    values[vertices] = frame["value"].to_numpy()
    return values


def _as_ours(name: str, values: Array, answer: FileAnswer) -> Array:
    unreached = np.isin(values, _numbers(answer.unreached, values.dtype))
    if values.dtype.kind == "f":
        unreached |= np.isnan(values) & _has_nan(answer)
    if name in _WHOLE:
        whole = values.astype(np.float64)
        fits = unreached | (whole == np.floor(whole)) & (np.abs(whole) < 2**31)
        if not fits.all():
            vertex = int(np.argmin(fits))
            raise BackendError(f"wrote {values[vertex]} for vertex {vertex}, which is {_WHOLE[name]}")
        held = np.where(unreached, 0, values).astype(np.int64)
        return np.where(unreached, np.int64(-1), held).astype(np.int32)
    if name == "components":
        return np.asarray(smallest_vertices(values))
    found = values.astype(np.float64)
    if name == "distances":
        found[unreached] = np.inf
    if answer.normalize:
        found /= found.sum()
    return found


def _numbers(markers: Sequence[str | int | float], dtype: Any) -> Array:
    """The markers that are numbers and fit the type, in that type."""
    kept = []
    for marker in markers:
        if isinstance(marker, (int, float)):
            with np.errstate(over="ignore"):
                if np.dtype(dtype).kind == "f" or (
                    float(marker).is_integer() and np.iinfo(dtype).min <= marker <= np.iinfo(dtype).max
                ):
                    kept.append(marker)
    return np.array(kept, dtype)


def _has_nan(answer: FileAnswer) -> bool:
    return answer.type == "pairs" or any(each != each for each in answer.unreached)


def check_number(
    answer: PrintedAnswer, printed: Sequence[str], graph: Graph, source: int | None
) -> Validation:
    """Check only the last number that the program printed."""
    if not printed:
        raise BackendError(f"printed no number of {answer.of} ({answer.pattern.pattern})")
    if not printed[-1].isascii() or not printed[-1].isdigit() or len(printed[-1]) > 18:
        raise BackendError(f"printed {visible(printed[-1])[:40]!r} for the number of {answer.of}")
    found, expected = int(printed[-1]), _expected(answer.of, graph, source)
    reference = f"SciPy, {answer.of} alone"
    if found == expected:
        return Validation(
            "pass",
            reference,
            f"{answer.of}: {found}; no more of the answer was compared",
            extent="number",
        )
    return Validation("fail", reference, f"{answer.of}: {found}, expected {expected}", extent="number")


def _expected(of: str, graph: Graph, source: int | None) -> int:
    if of == "weight":
        from gunrock_cli.primitives.mst import spanning_forest

        return int(spanning_forest(graph)[2].sum(dtype=np.float64))
    if of == "triangles":
        from gunrock_cli.primitives.triangles import triangles_of

        return int(triangles_of(graph).sum()) // 3
    if of == "components":
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import connected_components

        csr = graph.csr
        matrix = csr_array(
            (np.ones(graph.m, np.int8), csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n)
        )
        return int(connected_components(matrix, directed=not graph.undirected, connection="weak")[0])
    assert source is not None
    labels = reference_labels(graph, source)
    return int(labels.max()) if of == "depth" else int(np.count_nonzero(labels >= 0))
