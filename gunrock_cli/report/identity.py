"""Which of a paper's data sets a measured graph is: by its name, or by the recipe it came from.

A generated graph follows the paper's recipe but is not the paper's file, so tables mark it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from gunrock_cli.bench.record import Record

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

_KRON = {"kind": "rmat", "edge_factor": 48, "a": 0.57, "b": 0.19, "c": 0.19, "undirected": True}

# What ``graph.origin`` must hold for a generated graph to count as a data set.
RECIPES: dict[str, dict[str, dict[str, Any]]] = {
    "ppopp16": {
        "kron": {**_KRON, "scale": 21},
        "rgg": {"kind": "rgg", "nodes": 2**24, "threshold_factor": 0.55},
    },
    "arxiv15": {
        "kron": {**_KRON, "scale": 20},
        **{f"kron_g500-logn{scale}": {**_KRON, "scale": scale} for scale in range(17, 22)},
    },
    "merrill12": {
        "grid5pt.5000": {"kind": "grid2d", "width": 5000, "height": 5000},
        "grid7pt.300": {"kind": "grid3d", "width": 300, "height": 300, "depth": 300},
        "kron_g500-logn20": {**_KRON, "scale": 20},
        "random.2Mv.128Me": {"kind": "random", "nodes": 2_000_000},
        "rmat.2Mv.128Me": {"kind": "rmat", "scale": 21, "a": 0.45, "b": 0.15, "c": 0.15},
    },
}


@dataclass(frozen=True)
class Identity:
    """A paper's data set, and whether the measured graph is its file or was made by its recipe."""

    dataset: str
    generated: bool


def plain(name: str) -> str:
    """Names are compared without case, punctuation and file suffixes."""
    stem = re.sub(r"(\.(mtx|txt|gz|bz2|xz|zst|npz))+$", "", name.rsplit("/", 1)[-1].lower())
    return re.sub(r"[^a-z0-9]", "", stem)


def identify(record: Record, source: str, datasets: list[str]) -> Identity | None:
    """Which of ``datasets`` (a paper's short names) the record's graph is; None for another."""
    origin = record.graph.get("origin") or {}
    if origin.get("stand_in"):
        return None  # a substitute of the same class, from the data sets' Makefile
    recipes = RECIPES.get(source, {})
    for dataset in datasets:
        recipe = recipes.get(dataset)
        if recipe and all(origin.get(key) == value for key, value in recipe.items()):
            return Identity(dataset, True)
    if origin.get("kind") in {recipe["kind"] for recipe in recipes.values()}:
        return None  # generated, by another recipe: its name proves nothing
    names = {plain(str(record.graph.get("name", ""))), plain(str(record.sweep.get("graph", "")))}
    for dataset in datasets:
        known = (dataset, *ALIASES.get(source, {}).get(dataset, ()))
        if names & {plain(name) for name in known}:
            return Identity(dataset, False)
    return None
