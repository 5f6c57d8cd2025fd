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
        *("scc", "cdlp", "toposort"),
    ],
)
def test_by_default(name: str) -> None:
    check(name, GRAPHS)


SHORT = ("mesh", "even", "path", "parts")
"""Graphs without a long list, which some ways to wait do not support."""


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
    ],
    ids=str,
)
def test_variants(name: str, kinds: tuple[str, ...], options: dict[str, Any]) -> None:
    check(name, kinds, proves=False, **options)
