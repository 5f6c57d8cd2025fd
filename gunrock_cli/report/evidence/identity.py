"""Matching a measured graph with a paper's data set: by its name and size, or by its recipe.

A generated graph follows the paper's recipe but is not the paper's file, so tables mark it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.marks import GENERATED, OTHER_EDGES
from gunrock_cli.report.forms.cells import Mark
from gunrock_cli.report.forms.numbers import count

# Further names for the papers' data sets, besides their own.
ALIASES: dict[str, dict[str, tuple[str, ...]]] = {
    "ppopp16": {
        "soc": ("soc-orkut", "com-orkut"),
        "h09": ("hollywood-09", "hollywood-2009"),
        "i04": ("indochina-04", "indochina-2004"),
        "kron": ("kron_g500-logn21", "kron_g500-simple-logn21"),
        "rgg": ("rgg_n_24", "rgg_n_2_24_s0"),
        "roadnet": ("roadNet-CA",),
    },
    "arxiv15": {
        "soc": ("soc-LiveJournal1",),
        "bitc": ("bitcoin",),
        "kron": ("kron_g500-logn20", "kron_g500-simple-logn20"),
        "roadnet": ("roadNet-CA",),
    },
    "merrill12": {
        "europe.osm": ("europe_osm",),
        "wikipedia-20070206": ("wikipedia20070206",),
        "kron_g500-logn20": ("kron_g500-simple-logn20",),
    },
}

SIMPLE = {"undirected": True, "keep_self_loops": False, "keep_duplicates": False}
"""The defaults of a recipe, and of an origin, about the edges that are drawn."""


def _kron(scale: int) -> dict[str, Any]:
    """The Kronecker graphs of the papers: 48 edges drawn per vertex."""
    return {"kind": "rmat", "scale": scale, "edges": 48 << scale, "a": 0.57, "b": 0.19, "c": 0.19}


KRON_SCALES = range(1, 31)
"""The scales of ``kron_g500-logn``; the arXiv paper has five of them."""

# What ``graph.origin`` must hold, besides SIMPLE, for a generated graph to count as a data set.
RECIPES: dict[str, dict[str, dict[str, Any]]] = {
    "ppopp16": {
        "kron": _kron(21),
        "rgg": {"kind": "rgg", "nodes": 2**24, "threshold_factor": 0.55, "radius": None},
    },
    "arxiv15": {"kron": _kron(20), **{f"kron_g500-logn{scale}": _kron(scale) for scale in KRON_SCALES}},
    "merrill12": {
        "grid5pt.5000": {"kind": "grid2d", "width": 5000, "height": 5000},
        "grid7pt.300": {"kind": "grid3d", "width": 300, "height": 300, "depth": 300},
        "kron_g500-logn20": _kron(20),
        "random.2Mv.128Me": {"kind": "random", "nodes": 2_000_000, "edges": 64_000_000},
        "rmat.2Mv.128Me": {
            "kind": "rmat",
            "scale": 21,
            "edges": 64_000_000,
            "a": 0.45,
            "b": 0.15,
            "c": 0.15,
        },
    },
}

NEAR, EQUAL = 0.1, 0.02
"""Tolerances. Printed vertices are rounded, and files leave some out: their number may differ by a tenth.
Printed edges may differ by a fiftieth."""
_DIAGONAL = "which counts the stencil's diagonal, an edge from each vertex to itself"
_WHY = {
    ("merrill12", "grid5pt.5000"): _DIAGONAL,
    ("merrill12", "grid7pt.300"): _DIAGONAL,
    ("merrill12", "kron_g500-logn20"): "which counts the repeated edges that were drawn, and loops",
}
"""Why the paper has other edges than the graph that its recipe gives here."""


@dataclass(frozen=True)
class Size:
    """The numbers of vertices and edges that a paper prints."""

    vertices: float
    edges: float


@dataclass(frozen=True)
class Identity:
    """A paper's data set, and how the measured graph matches it: by its file or by its recipe. ``edges``
    says how its edges differ from those that the paper prints, if they do."""

    dataset: str
    generated: bool
    edges: str = ""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of a figure on that graph."""
        return ((GENERATED,) if self.generated else ()) + (
            (Mark(OTHER_EDGES, self.edges),) if self.edges else ()
        )


def plain(name: str) -> str:
    """Drop case, punctuation and file suffixes, to compare names."""
    stem = re.sub(r"(\.(mtx|txt|gz|bz2|xz|zst|npz))+$", "", name.rsplit("/", 1)[-1].lower())
    return re.sub(r"[^a-z0-9]", "", stem)


def identify(
    record: Record, source: str, datasets: Sequence[str], sizes: Mapping[str, Size] | None = None
) -> Identity | None:
    """Find which of ``datasets`` (a paper's short names) the record's graph is, or None.

    A generated graph is a data set if its origin agrees with the paper's recipe. A file is one by its
    name if its vertices and edges may be those that the paper prints (``sizes``): files and papers count
    an undirected edge once or twice, and with or without repetitions."""
    origin = record.graph.get("origin") or {}
    if origin.get("stand_in"):
        return None  # a substitute of the same class, from the data sets' Makefile
    known = sizes or {}
    recipes = RECIPES.get(source, {})
    for dataset in datasets:
        if dataset in recipes and _made_by(origin, recipes[dataset]):
            return Identity(dataset, True, _other_edges(record, source, dataset, known.get(dataset)))
    if "generator_version" in origin or origin.get("kind") in {
        recipe["kind"] for recipe in recipes.values()
    }:
        return None  # generated, by another recipe: its name proves nothing
    names = {plain(str(record.graph.get("name", ""))), plain(str(record.sweep.get("graph", "")))}
    for dataset in datasets:
        called = (dataset, *ALIASES.get(source, {}).get(dataset, ()))
        size = known.get(dataset) or _of_recipe(recipes.get(dataset, {}))
        if names & {plain(name) for name in called} and _may_have(record, size):
            return Identity(dataset, False, _other_edges(record, source, dataset, known.get(dataset)))
    return None


def _made_by(origin: Mapping[str, Any], recipe: Mapping[str, Any]) -> bool:
    said = {**SIMPLE, **origin}
    return all(said.get(key) == value for key, value in {**SIMPLE, **recipe}.items())


def edge_factor(origin: Mapping[str, Any]) -> float | None:
    """The edges drawn per vertex of an R-MAT graph; None for other graphs."""
    scale, drawn = origin.get("scale"), origin.get("edges")
    if origin.get("kind") != "rmat" or scale is None or drawn is None:
        return None
    return float(drawn / 2**scale)


def simple(origin: Mapping[str, Any]) -> bool:
    """True if it was made undirected, without loops and repeated edges."""
    return all(origin.get(key, value) == value for key, value in SIMPLE.items())


def _of_recipe(recipe: Mapping[str, Any]) -> Size | None:
    """The size of a graph of a family for which the paper gives no sizes."""
    return Size(2 ** recipe["scale"], 2 * recipe["edges"]) if "scale" in recipe else None


def _may_have(record: Record, size: Size | None) -> bool:
    """True if a graph of that name may be the paper's; a failed run may not say how large its graph
    was."""
    vertices: int | None = record.graph.get("vertices")
    edges: int | None = record.graph.get("edges")
    if size is None or vertices is None or edges is None:
        return True
    return (
        abs(vertices - size.vertices) <= NEAR * size.vertices
        and size.edges / 2 <= edges * (1 + NEAR)
        and edges <= 2 * size.edges * (1 + NEAR)
    )


def _other_edges(record: Record, source: str, dataset: str, size: Size | None) -> str:
    """The sentence of a mark, if the edges are neither those that the paper prints nor twice these, an
    undirected one counted once."""
    edges = record.graph.get("edges")
    if (
        size is None
        or edges is None
        or any(abs(edges - times * size.edges) <= EQUAL * times * size.edges for times in (1, 2))
    ):
        return ""
    why = _WHY.get((source, dataset))
    return (
        f"{dataset}: {count(edges)} edges here, {count(size.edges)} in the paper"
        f"{f', {why}' if why else ''}."
    )
