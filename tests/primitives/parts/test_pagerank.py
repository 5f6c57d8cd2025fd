"""PageRank in parts: the ranks equal one device's, after as many iterations."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import small_graphs
from several import BACKENDS, backend_of, check, directed_graph

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec

GRAPHS: dict[str, Graph] = {
    "rmat": load_graph(GraphSpec("rmat", params={"scale": 11}), np),
    "grid": load_graph(GraphSpec("grid2d", params={"width": 60, "height": 50}), np),
    "directed": directed_graph(2000, 9000),
    "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
}
NO_EDGES = np.zeros(0, np.int64)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("partition", ["contiguous", "random"])
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_device(name: str, partition: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    for devices in counts:
        check("pagerank", GRAPHS[name], chosen, devices, {}, partition=partition)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_by_degree(name: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("pagerank", GRAPHS[name], chosen, devices, {"order": "degree"})
        assert record.options["order"] == "degree"
        assert 0 < record.metrics["renumber_ms"] <= record.phases_ms["partition"]
        assert "renumber_pays_after" not in record.metrics


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("n", [0, 1, 32, 33, 500])
def test_by_degree_without_edges(n: int, backend: str) -> None:
    chosen, counts = backend_of(backend)
    graph = build_graph(n, NO_EDGES, NO_EDGES, undirected=False, xp=np)
    check("pagerank", graph, chosen, counts[-1], {"order": "degree"})
    check("pagerank", graph, chosen, counts[-1], {}, partition="striped")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.integers(2, 5), st.sampled_from(["device", "host"]))
def test_random_graphs_by_degree(graph: Graph, devices: int, loop: str) -> None:
    chosen, _ = backend_of("cpu")
    check("pagerank", graph, chosen, devices, {"order": "degree"}, loop=loop, runs=2, check="reference")


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["float32", "float64"])
@pytest.mark.parametrize("undirected", [True, False])
def test_by_degree_on_gpus(undirected: bool, precision: str) -> None:
    """Use more vertices than a block keeps to itself, some of them without edges out, and long lists."""
    chosen, counts = backend_of("cuda")
    graph = load_graph(GraphSpec("rmat", params={"scale": 16}, undirected=undirected), np)
    for devices in counts:
        check("pagerank", graph, chosen, devices, {"order": "degree", "precision": precision}, runs=3)


def test_auto_is_by_degree_where_it_pays(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, _ = backend_of("cpu")
    assert check("pagerank", GRAPHS["rmat"], chosen, 2, {}).options["order"] == "graph"
    chooses = import_module("gunrock_cli.primitives.pagerank.choose")
    monkeypatch.setattr(chooses, "pays", lambda graph, asked: True)
    assert check("pagerank", GRAPHS["rmat"], chosen, 2, {}).options["order"] == "degree"
    record = check("pagerank", GRAPHS["rmat"], chosen, 2, {}, partition="contiguous")
    assert record.options["order"] == "graph"  # as the user asked for ranges


def test_by_degree_is_a_partition_of_its_own() -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match="--partition striped and --order degree, which deals vertices"):
        check("pagerank", GRAPHS["grid"], chosen, 2, {"order": "degree"}, partition="striped")
    record = check("pagerank", GRAPHS["grid"], chosen, 2, {}, partition="striped")
    assert record.options["order"] == "graph"
    assert "renumber_ms" not in record.metrics


def test_as_many_iterations_as_on_one_device() -> None:
    chosen, counts = backend_of("cpu")
    one, several = (check("pagerank", GRAPHS["grid"], chosen, devices, {}) for devices in (1, counts[-1]))
    assert abs(several.iterations - one.iterations) <= 1  # sums in another order


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "options",
    [
        {"precision": "float64", "tolerance": 1e-12, "max_iterations": 200},
        {"normalized": False},
        {"damping": 0.5},
    ],
)
def test_options(options: dict[str, Any], backend: str) -> None:
    chosen, counts = backend_of(backend)
    check("pagerank", GRAPHS["directed"], chosen, counts[0], options, loop="host")


@pytest.mark.parametrize("iterations", [0, 1, 2])
def test_stops_after_so_many_iterations(iterations: int) -> None:
    chosen, counts = backend_of("cpu")
    record = check(
        "pagerank",
        GRAPHS["grid"],
        chosen,
        counts[0],
        {"max_iterations": iterations, "tolerance": 0.0},
        check="reference",
    )
    assert record.iterations == iterations
    assert [row["phase"] for row in record.trace if row["device"] == 0] == [
        "begin",
        "exchange",
        *(iterations * ["iterate", "exchange"]),
        "iterate",
    ]


@pytest.mark.parametrize("option", ["push", "filter_converged"])
def test_pushing_is_for_one_device(option: str) -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match="is for one device"):
        check("pagerank", GRAPHS["grid"], chosen, 2, {option: True})
