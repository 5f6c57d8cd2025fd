"""Distances, closeness and eccentricities, whose searches share their passes, against NetworkX and
SciPy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from primitives.graphs_for_sets import CORNERS, LARGER, graph_of
from runs_helper import BACKENDS, LOOPS, run_on

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, many_sources
from gunrock_cli.primitives.closeness import PRIMITIVE as CLOSENESS
from gunrock_cli.primitives.distances import PRIMITIVE as DISTANCES
from gunrock_cli.primitives.distances import sources_of
from gunrock_cli.primitives.eccentricity import PRIMITIVE as ECCENTRICITY
from gunrock_cli.primitives.references import reference_labels

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("distances", {"sample": 12, "counts": 5}),
    ("distances", {"sample": 12, "per": "pair", "within": 3}),
    ("closeness", {"sample": 12}),
    ("closeness", {"sample": 12, "harmonic": True}),
    ("distances", {"sample": 12, "searches": "apart", "counts": 2}),
    ("distances", {"sample": 12, "searches": "apart", "per": "pair", "within": 3}),
]
DIRECTED = GraphSpec("rmat", params={"scale": 9}, undirected=False)


def run(name: str, graph: Graph, given: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    return run_on(get_primitive(name), graph, given, backend, **how)


def check(name: str, graph: Graph, given: dict[str, Any], backend: str = "cpu", **how: Any) -> Measured:
    measured = run(name, graph, given, backend, check="both", **how)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def in_networkx(graph: Graph) -> nx.DiGraph:
    own = nx.DiGraph()
    own.add_nodes_from(range(graph.n))
    own.add_edges_from(zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True))
    return own


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    n = draw(st.integers(1, 24))
    vertex = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(vertex, vertex), max_size=60))
    how = {key: draw(st.booleans()) for key in ("undirected", "keep_self_loops", "keep_duplicates")}
    return graph_of(n, edges, **how)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, undirected: bool, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, undirected=undirected, **how)
    for primitive, options in WAYS:
        check(primitive, graph, options, backend)
    if n < 1000:
        check("eccentricity", graph, {}, backend)


@pytest.mark.parametrize("name", ["distances", "closeness", "eccentricity"])
def test_empty_graph(name: str) -> None:
    found = run(name, graph_of(0, []), {}, check="both")
    assert found.record.validation["verdict"] == "pass"
    assert all(array.size == 0 for array in found.outputs.values())


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs(), st.sampled_from(LOOPS))
def test_random_graphs(graph: Graph, loop: str) -> None:
    """Closeness is NetworkX's to the last bit."""
    own = in_networkx(graph)
    scores = check("closeness", graph, {}, loop=loop).outputs["scores"]
    assert scores.tolist() == list(nx.closeness_centrality(own).values())
    scores = check("closeness", graph, {"harmonic": True}, loop=loop).outputs["scores"]
    np.testing.assert_allclose(scores, list(nx.harmonic_centrality(own).values()), rtol=1e-12)
    hops = dict(nx.all_pairs_shortest_path_length(own))
    found = check("distances", graph, {"per": "pair", "sample": graph.n}, loop=loop).outputs["distances"]
    assert found.T.tolist() == [[hops[s].get(v, -1) for v in own] for s in own]
    found = check("eccentricity", graph, {}, loop=loop).outputs
    assert found["eccentricities"].tolist() == [max(hops[s].values()) for s in own]
    assert found["reached"].tolist() == [len(hops[s]) for s in own]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("spec", [*LARGER, DIRECTED], ids=["rmat", "grid2d", "rgg", "directed"])
def test_larger_graphs(spec: GraphSpec, backend: str) -> None:
    graph = load_graph(spec, np)
    for primitive, options in WAYS:
        check(primitive, graph, options, backend)


@pytest.mark.parametrize("batch", ["128", "1024"])
def test_batches_of_any_width(batch: str) -> None:
    """More sources than a narrow batch holds, fewer than a wide one."""
    graph = load_graph(DIRECTED, np)
    found = check("eccentricity", graph, {"batch": batch})
    assert found.record.options["batch"] == batch
    sums = check("distances", graph, {"batch": batch, "sample": 300}).outputs["sums"]
    hops = [reference_labels(graph, source) for source in many_sources.drawn(graph, 300)]
    assert sums.tolist() == [int(each[each > 0].sum()) for each in hops]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_the_same_with_any_number_of_threads(threads: int) -> None:
    for primitive, options in WAYS:
        check(primitive, load_graph(DIRECTED, np), options, threads=threads)


def test_all_ways_to_take_a_level_occur() -> None:
    """A dense middle is pulled; the long tail after it is pushed, from a list of the bitmap."""
    ball = [(u, v) for u in range(60) for v in range(u)]
    tail = [(v, v + 1) for v in range(59, 400)]
    found = check(
        "distances",
        graph_of(401, ball + tail),
        {"sources": "0,5,5,390", "searches": "together"},
        trace=True,
    )
    phases = [row["phase"] for row in found.record.trace]
    assert set(phases) == {"clear", "begin", "settle", "push", "pull", "list"}
    assert phases.index("push") < phases.index("pull") < phases.index("list")
    assert found.outputs["sources"].tolist() == [0, 5, 5, 390]
    assert found.outputs["reached"].tolist() == [401] * 4
    assert found.outputs["eccentricities"].tolist() == [342, 342, 342, 332]


def test_searches_that_seldom_meet_are_left_to_blocks() -> None:
    graph = load_graph(LARGER[1], np)
    found = [
        check("distances", graph, {"sample": 12, "searches": way}, trace=True)
        for way in ("auto", "apart")
    ]
    phases = [{row["phase"] for row in each.record.trace} for each in found]
    assert phases == [{"clear", "begin", "settle", "push", "search"}, {"clear", "search"}]
    for output, array in found[0].outputs.items():
        np.testing.assert_array_equal(array, found[1].outputs[output])
    dense = check("distances", load_graph(DIRECTED, np), {"sample": 120}, trace=True).record.trace
    assert "search" not in {row["phase"] for row in dense}


def test_sources_and_their_batch(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    graph = load_graph(DIRECTED, np)

    def chosen(**given: Any) -> Any:
        return DISTANCES.plan(graph, DISTANCES.asked(given)).options

    (tmp_path / "some").write_text("3 4\n3\n")
    assert chosen(sources=f"@{tmp_path / 'some'}").sources == "3,4,3"
    assert chosen().batch == "1024"
    assert len(set(sources_of(graph, DISTANCES.asked({"sample": 300})))) == 300
    with pytest.raises(UsageError, match="--sources says where to start, and so does --sample"):
        chosen(sources="1", sample=2)
    with pytest.raises(UsageError, match="--batch 256 is for searches together"):
        chosen(batch="256", searches="apart")
    for way in ({"per": "pair"}, {"nearest": 2}):
        with pytest.raises(UsageError, match="--counts 3 is by hops, for each source"):
            chosen(counts=3, **way)
    with pytest.raises(UsageError, match="--sources 512"):
        chosen(sources="512")
    monkeypatch.setattr(many_sources, "WORTH_ASKING", 0)
    monkeypatch.setattr(many_sources, "available_bytes", lambda: 2 * 3 * graph.n * 256 // 8)
    assert chosen(sample=512).batch == "256"
    assert chosen(sample=512, batch="512").batch == "512"


def test_sources_by_name() -> None:
    graph = replace(graph_of(4, [(0, 1), (1, 2), (2, 3)]), names=pd.Index(["3", "b", "c", "0"]))
    found = check("distances", graph, {"sources": "0,b", "per": "pair"})
    assert found.outputs["sources"].tolist() == [3, 1]
    assert found.outputs["distances"].T.tolist() == [[3, 2, 1, 0], [1, 0, 1, 2]]
    assert found.column_names == ("source 3", "source 1")


def test_an_estimate_is_as_near_as_it_says() -> None:
    graph = load_graph(LARGER[2], np)
    exact, estimate = (run("closeness", graph, given) for given in ({}, {"sample": 400, "batch": "1024"}))
    share = estimate.record.metrics["error"]
    assert share == pytest.approx(np.sqrt(np.log(2 * graph.n / 0.05) / 800))
    assert "error" not in exact.record.metrics
    means = [each.outputs["sums"] / np.maximum(each.outputs["reached"], 1) for each in (exact, estimate)]
    inside = exact.outputs["reached"] > graph.n / 2  # of the large part
    farthest = run("eccentricity", graph, {}).record.metrics["diameter"]
    assert np.abs(means[0] - means[1])[inside].max() < share * farthest


@pytest.mark.parametrize(
    ("name", "given", "output"),
    [
        ("distances", {"sample": 9}, "reached"),
        ("distances", {"sample": 9}, "sums"),
        ("distances", {"sample": 9}, "harmonic"),
        ("distances", {"sample": 9}, "eccentricities"),
        ("distances", {"sample": 9, "counts": 3}, "counts"),
        ("distances", {"sample": 9, "per": "pair"}, "distances"),
        ("closeness", {}, "scores"),
        ("closeness", {}, "sums"),
        ("closeness", {"harmonic": True}, "scores"),
        ("eccentricity", {}, "eccentricities"),
    ],
)
def test_validation_rejects(name: str, given: dict[str, Any], output: str) -> None:
    graph = graph_of(9, [(v, v + 1) for v in range(8)])
    found = run(name, graph, given)
    outputs = {key: array.copy() for key, array in found.outputs.items()}
    outputs[output].flat[5] += 1
    verdict = get_primitive(name).validate(graph, found.options, None, outputs)
    assert verdict.verdict == "fail"
    assert output in verdict.message


def test_what_an_answer_counts() -> None:
    path = graph_of(4, [(0, 1), (1, 2), (2, 3)])
    record = run("distances", path, {}).record
    assert (record.vertices_visited, record.depth, record.metrics["sources"]) == (16, 3, 4)
    assert record.traffic == {"read": 16, "written": 112, "passes": 1}
    record = run("eccentricity", path, {}).record
    assert record.metrics == {"diameter": 3, "radius": 2}
    assert CLOSENESS.shows.further == ("reached", "sums")
    assert ECCENTRICITY.shows.further == ("reached",)


@pytest.mark.parametrize(
    ("given", "names"),
    [({"sample": 2}, {"source 0", "source 1"}), ({"sources": "1,1"}, {"source 1 (0)", "source 1 (1)"})],
)
def test_every_column_of_pairs_has_a_name(given: dict[str, Any], names: set[str]) -> None:
    found = check("distances", graph_of(2, [(0, 1)]), {**given, "per": "pair"})
    assert set(found.column_names) == names
