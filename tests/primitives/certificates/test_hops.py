"""The certificates of answers made of hops on right answers, and planted errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from primitives.certificates.planting import Solved
from primitives.graphs_for_sets import graph_of

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.primitives import get_primitive

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("distances", {}),
    ("distances", {"per": "pair", "within": 3}),
    ("distances", {"weighted": True}),
    ("distances", {"weighted": True, "per": "pair"}),
    ("distances", {"nearest": 4}),
    ("distances", {"weighted": True, "nearest": 4}),
    ("closeness", {}),
    ("closeness", {"harmonic": True, "sample": 7}),
    ("eccentricity", {}),
]


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize(("name", "options"), WAYS, ids=str)
def test_every_planted_error_is_found(name: str, options: dict[str, Any], backend: str) -> None:
    """Graphs are so small that the whole answer is looked at."""
    draw = np.random.default_rng(3)
    chosen = choose_backend(backend, 2)
    for undirected in (True, False):
        n = int(draw.integers(6, 16))
        graph = graph_of(n, draw.integers(0, n, (2 * n, 2)), undirected=undirected, keep_self_loops=True)
        if options.get("weighted"):
            graph = with_weights(graph, "random:1:9")
        right = Solved(get_primitive(name), graph.to(chosen.xp), 0, chosen, options)
        assert right.verdict() == "pass"
        for output in set(right.outputs) - {"sources"}:
            answer = right.array(output)
            for change in (1, -1, 100):
                wrong = answer.copy()
                wrong.flat[int(draw.integers(wrong.size))] += change
                assert right.verdict(**{output: wrong}) == "fail"
