"""Rankings on the lanes backend: sums over lists of neighbours, dealt in every shape."""

from __future__ import annotations

from typing import Any

import pytest
from lanes.running import GRAPHS, check

FEW = ("mesh", "hubs", "even", "directed")


@pytest.mark.parametrize("name", ["pagerank", "ppr", "hits", "salsa"])
def test_by_default(name: str) -> None:
    check(name, GRAPHS)


def test_wtf() -> None:
    check("wtf", ("hubs", "directed", "mesh"), seeds=(0, 2), salsa_iterations=3)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pagerank", {"push": True}),
        ("pagerank", {"filter_converged": True}),
        ("pagerank", {"order": "degree"}),
        ("pagerank", {"weighted": True}),
        ("ppr", {"weighted": True, "precision": "float64"}),
        ("hits", {"weighted": True}),
        ("ppr", {"method": "push"}),
        ("ppr", {"method": "walks", "walks": 99}),
        ("ppr", {"batch": 32, "max_iterations": 8}),
        ("ppr", {"order": "degree"}),
        ("hits", {"order": "degree", "precision": "float64"}),
        ("salsa", {"variant": "edges", "max_iterations": 3}),
        ("salsa", {"order": "degree"}),
    ],
    ids=str,
)
def test_variants(name: str, options: dict[str, Any]) -> None:
    check(name, FEW, seeds=(0, 2), proves=False, **options)
