"""The sizes of independent sets and the numbers of colors, compared with ECL-MIS's and ECL-GC's on the
same graphs."""

from __future__ import annotations

import numpy as np
import pytest
import real_graphs

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.option_values import with_defaults

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
GENERATED = {
    "lattice": GraphSpec("grid2d", params={"width": 1414, "height": 1414}),
    "R-MAT 20": GraphSpec("rmat", params={"scale": 20, "edge_factor": 48}),
    "R-MAT 21": GraphSpec("rmat", params={"scale": 21, "edge_factor": 48}),
}
ECL = {
    "lattice": (730_115, 5),
    "USA-road-NE": (729_761, 5),
    "cnr-2000": (225_361, 85),
    "R-MAT 20": (788_814, 410),
    "R-MAT 21": (1_609_068, 507),
}
"""Vertices in the set of ECL-MIS and colors of ECL-GC, as run on an H200."""


def graph_named(name: str) -> Graph:
    if name in GENERATED:
        return load_graph(GENERATED[name], np)
    header, sources, targets, _ = real_graphs.decode(name)
    return build_graph(header["n"], sources, targets, None, xp=np)


@pytest.mark.long
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "name",
    [name for name in ECL if name != "R-MAT 21"] + [pytest.param("R-MAT 21", marks=pytest.mark.gpu)],
)
def test_sets_lack_one_per_cent_at_most_and_colors_exceed_by_two(name: str, backend: str) -> None:
    chosen = choose_backend(backend)
    graph = graph_named(name).to(chosen.xp)
    found = {}
    for each in map(get_primitive, ("mis", "color")):
        record = measure(
            each, graph, with_defaults(each.options, {}), [], chosen, Protocol(runs=1, warmup=0)
        ).record
        assert record.validation["verdict"] == "pass"
        found |= record.metrics
    size, colors = ECL[name]
    assert found["size"] >= 0.99 * size
    assert found["colors"] <= 1.02 * colors
