"""Algorithms of LDBC Graphalytics: how they run here, and how their outputs are written and matched.

Definitions and matching rules: LDBC Graphalytics Benchmark, version 1.0, sections 2.3 and 2.4. BFS counts
hops, and unreached vertices get the largest 64-bit number; WCC labels match up to their names; PageRank
runs a fixed number of iterations and shares the rank of sinks among all vertices; CDLP's labels are
vertices' numbers, of equally frequent ones the smallest, and match exactly; in SSSP unreached
vertices are at infinity; LCC's neighbors are those by out- or in-edges. Numbers match within a relative
1e-4."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from gunrock_cli.errors import InputError, printable
from gunrock_cli.graph.sources.files.graphalytics import Dataset

EPSILON = 1e-4
UNREACHED_HOPS = 2**63 - 1
Values = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Algorithm:
    """An algorithm of Graphalytics, run by one of ours. ``options(dataset)`` are the primitive's,
    ``shown(outputs, dataset)`` is its answer in the published form and in the order of the graph's
    vertices, ``match`` is the rule."""

    primitive: str
    source: str | None  # the property that names it
    options: Callable[[Dataset], Mapping[str, Any]]
    shown: Callable[[Mapping[str, Values], Dataset], Values]
    match: Callable[[Values, Values], np.ndarray[Any, np.dtype[np.bool_]]]


def exact(found: Values, expected: Values) -> np.ndarray[Any, Any]:
    """True for each vertex with equal numbers."""
    return np.asarray(found == expected)


def equivalent(found: Values, expected: Values) -> np.ndarray[Any, Any]:
    """True for each vertex if classes are equal up to their names; wrong are the vertices whose pair of
    labels disagrees with that of the first vertex of its class, either way."""
    good = np.ones(len(found), bool)
    for one, other in ((found, expected), (expected, found)):
        _, first, inverse = np.unique(one, return_index=True, return_inverse=True)
        good &= other == other[first][inverse]
    return good


def near(found: Values, expected: Values) -> np.ndarray[Any, Any]:
    """True for each number within the tolerance relative to the expected value, and infinite if that is
    infinite."""
    with np.errstate(invalid="ignore"):
        return np.asarray((found == expected) | (np.abs(found - expected) <= EPSILON * np.abs(expected)))


def _hops(outputs: Mapping[str, Values], dataset: Dataset) -> Values:
    labels = outputs["labels"].astype(np.int64)
    labels[labels < 0] = UNREACHED_HOPS
    return labels


def _lengths(outputs: Mapping[str, Values], dataset: Dataset) -> Values:
    found = outputs["distances"].astype(np.float64)
    found[found < 0] = np.inf
    return found


def _pagerank(dataset: Dataset) -> dict[str, Any]:
    return {
        "damping": dataset.number("pr.damping-factor"),
        "tolerance": 0.0,
        "precision": "float64",
        "max_iterations": dataset.count("pr.num-iterations"),
    }


ALGORITHMS: Mapping[str, Algorithm] = MappingProxyType(
    {
        "bfs": Algorithm("bfs", "bfs.source-vertex", lambda dataset: {}, _hops, exact),
        "pr": Algorithm(
            "pagerank",
            None,
            _pagerank,
            lambda outputs, dataset: outputs["ranks"].astype(np.float64),
            near,
        ),
        "wcc": Algorithm(
            "cc",
            None,
            lambda dataset: {},
            lambda outputs, dataset: dataset.ids[outputs["components"]],
            equivalent,
        ),
        "cdlp": Algorithm(
            "cdlp",
            None,
            lambda dataset: {"max_iterations": dataset.count("cdlp.max-iterations")},
            lambda outputs, dataset: dataset.ids[outputs["communities"]],
            exact,
        ),
        "lcc": Algorithm(
            "clustering", None, lambda dataset: {}, lambda outputs, dataset: outputs["coefficients"], near
        ),
        "sssp": Algorithm("sssp", "sssp.source-vertex", lambda dataset: {}, _lengths, near),
    }
)
"""The algorithms by Graphalytics' names."""


def output_text(dataset: Dataset, values: Values) -> bytes:
    """One line ``vertex value`` per vertex, in the order of the vertex file."""
    names, shown = dataset.ids[dataset.order].tolist(), values[dataset.order].tolist()
    lines = (f"{name} {_number(value)}\n" for name, value in zip(names, shown, strict=True))
    return "".join(lines).encode()


def _number(value: float) -> str:
    return "infinity" if value == float("inf") else repr(value)


def read_output(dataset: Dataset, path: Path, whole: bool) -> Values:
    """A published answer, in the order of the graph's vertices."""
    found = np.zeros(len(dataset.ids), np.int64 if whole else np.float64)
    seen = np.zeros(len(dataset.ids), bool)
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                words = line.split()
                try:
                    name, value = int(words[0]), int(words[1]) if whole else float(words[1])
                    place = int(np.searchsorted(dataset.ids, name))
                    if len(words) != 2 or dataset.ids[place] != name or seen[place]:
                        raise ValueError
                    found[place], seen[place] = value, True
                except (ValueError, IndexError, OverflowError):
                    raise InputError(
                        f"is no vertex and its value: {printable(line.strip())[:60]}",
                        path=str(path),
                        line=number,
                    ) from None
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from None
    if not seen.all():
        missing = dataset.ids[int(np.flatnonzero(~seen)[0])]
        raise InputError(f"has no value for vertex {missing}", path=str(path))
    return found


def difference(algorithm: Algorithm, dataset: Dataset, values: Values, expected: Values) -> str:
    """The first few vertices that do not match; empty if all do."""
    wrong = np.flatnonzero(~algorithm.match(values, expected))
    shown = "; ".join(
        f"vertex {dataset.ids[v]}: {_number(values[v].item())}, expected {_number(expected[v].item())}"
        for v in wrong[:5]
    )
    return f"{len(wrong)} vertices differ: {shown}" if len(wrong) else ""
