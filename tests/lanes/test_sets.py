"""Components, forests, sets, colorings, matchings and communities on the lanes backend."""

from __future__ import annotations

from typing import Any

import pytest
from lanes.running import GRAPHS, check

FEW = ("mesh", "hubs", "star", "parts")


@pytest.mark.parametrize(
    "name",
    [
        *("cc", "mst", "mis", "color", "matching", "louvain", "leiden"),
        *("triangles", "clustering", "kcore", "ktruss", "cliques"),
        *("scc", "cdlp", "toposort", "biconnected", "walk", "sample"),
    ],
)
def test_by_default(name: str) -> None:
    check(name, GRAPHS)


def test_components_of_graphs_that_change() -> None:
    for size in (2, 40):
        check("cc", GRAPHS, seeds=(0, 1), changes=size)


SHORT = ("mesh", "even", "path", "parts")
"""Graphs without a long list, which some ways to wait do not support."""


MANY = ("mesh", "hubs", "directed", "star", "path", "parts", "one vertex")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("distances", {"searches": "together"}),
        ("distances", {"per": "pair", "batch": "1024", "within": 5}),
        ("distances", {"searches": "apart"}),
        ("distances", {"nearest": 4}),
        ("closeness", {"searches": "together"}),
        ("closeness", {"harmonic": True, "sample": 9, "searches": "apart"}),
        ("eccentricity", {"batch": "512"}),
    ],
    ids=str,
)
def test_many_sources(name: str, options: dict[str, Any]) -> None:
    check(name, MANY, seeds=(0,), **options)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("name", "kinds", "options"),
    [
        ("cc", FEW, {"variant": "hook-jump"}),
        ("cc", FEW, {"sampling": "off"}),
        ("cc", FEW, {"sampling": "on", "linking": "random"}),
        ("cc", FEW, {"sampling": "hub", "linking": "id"}),
        ("mis", FEW, {"priority": "random"}),
        ("color", FEW, {"method": "independent-sets"}),
        ("color", FEW, {"waiting": "in-order"}),
        ("color", SHORT, {"waiting": "by-class"}),
        ("color", SHORT, {"waiting": "polled"}),
        ("color", SHORT, {"waiting": "by-number"}),
        ("matching", FEW, {"by": "random"}),
        ("louvain", FEW, {"resolution": 0.7, "refine": 2}),
        ("triangles", FEW, {"per": "graph", "order": "degree", "marked": "own"}),
        ("triangles", FEW, {"order": "degree", "marked": "longer"}),
        ("triangles", FEW, {"order": "graph", "marked": "longer"}),
        ("triangles", FEW, {"per": "edge"}),
        ("cliques", FEW, {"size": 6}),
        ("walk", FEW, {"q": 2.0, "restart": 0.2, "visits": True}),
        ("sample", FEW, {"src": "1,0", "fanout": "2,9,3"}),
    ],
    ids=str,
)
def test_variants(name: str, kinds: tuple[str, ...], options: dict[str, Any]) -> None:
    check(name, kinds, proves=False, **options)
