"""Triangles on several devices: each counts its share, by whichever numbers the first one draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of
from several import BACKENDS, PARTITIONS, backend_of, check

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.triangles import PRIMITIVE, choose

GRAPHS = {spec.kind: load_graph(spec, np) for spec in LARGER}
PER = ("vertex", "graph")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("partition", PARTITIONS)
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_right(name: str, partition: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    for devices in counts:
        for per in PER:
            check("triangles", GRAPHS[name], chosen, devices, {"per": per}, partition=partition)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    chosen, counts = backend_of(backend)
    for per in PER:
        check("triangles", graph_of(n, edges, **how), chosen, counts[0], {"per": per})


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(300, 700), st.integers(0, 9), st.sampled_from(["graph", "degree"]), st.sampled_from(PER)
)
def test_random_graphs_of_equal_degrees(n: int, seed: int, order: str, per: str) -> None:
    """Most numbers are drawn among equals, so two devices would hardly draw the same."""
    draw = np.random.default_rng(seed)
    graph = graph_of(
        n, np.concatenate([draw.integers(0, n, (6 * n, 2)) % (n // 4), draw.integers(0, n, (n, 2))])
    )
    chosen, _ = backend_of("cpu")
    for loop in ("device", "host"):
        check("triangles", graph, chosen, 3, {"per": per, "order": order}, loop=loop)


def test_the_devices_share_the_work() -> None:
    chosen, _ = backend_of("cpu")
    record = check("triangles", GRAPHS["rgg"], chosen, 2, {"order": "degree"})
    for device in range(2):
        phases = [row["phase"] for row in record.trace if row["device"] == device]
        assert phases.count("exchange") == 2
        assert phases.count("count") == 1


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"per": "edge"}, "--per edge is for one device"),
        ({"marked": "own"}, "--marked own is for one device"),
    ],
)
def test_what_several_devices_do_not_do_is_refused(given: dict[str, Any], words: str) -> None:
    graph: Graph = GRAPHS["rgg"]
    with pytest.raises(UsageError, match=words):
        choose(graph, PRIMITIVE.asked(given), alone=False)
