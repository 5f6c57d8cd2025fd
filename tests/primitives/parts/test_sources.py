"""Searches from many sources on several devices: each takes its share of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of
from several import BACKENDS, backend_of, check, directed_graph

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.weights import with_weights

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("distances", {"sample": 300, "counts": 3}),
    ("distances", {"sample": 30, "per": "pair"}),
    ("distances", {"sample": 30, "weighted": True, "per": "pair"}),
    ("distances", {"sample": 30, "nearest": 4}),
    ("closeness", {"sample": 300}),
    ("eccentricity", {}),
]
GRAPHS = {
    "rmat": load_graph(LARGER[0], np),
    "grid": graph_of(
        900, [(v, v + 30) for v in range(870)] + [(v, v + 1) for v in range(899) if v % 30 < 29]
    ),
    "directed": directed_graph(700, 4000),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_right(name: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    for devices in counts:
        for primitive, options in WAYS:
            graph = GRAPHS[name]
            if options.get("weighted"):
                graph = with_weights(graph, "random:1:64", "float32")
            check(primitive, graph, chosen, devices, options)


@pytest.mark.parametrize("name", [name for name in CORNERS if CORNERS[name][0] < 1000])
def test_corner_cases(name: str) -> None:
    n, edges, how = CORNERS[name]
    chosen, _ = backend_of("cpu")
    for primitive, options in WAYS[-2:]:
        check(primitive, graph_of(n, edges, **how), chosen, 3, options)


def test_vertices_are_not_shared_out() -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match="shares out sources, not vertices; leave it out"):
        check("closeness", GRAPHS["rmat"], chosen, 2, {}, partition="striped")
    with pytest.raises(UsageError, match="--resume state: several devices make one launch"):
        check("closeness", GRAPHS["rmat"], chosen, 2, {}, resume=Path("state"))
