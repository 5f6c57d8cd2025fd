"""Edges inspected, as counted by the operators, compared with those that each must look at."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from gunrock_cli.bench.protocol.counting import distinct_ends
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.micro.recording import Recording
from gunrock_cli.primitives.references import reference_labels

SCHEMA = Path(__file__).parents[2] / "gunrock_cli" / "bench" / "records" / "record.schema.json"
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
HUBS = load_graph(GraphSpec("rmat", params={"scale": 10}), np)
DIRECTED = load_graph(GraphSpec("rmat", params={"scale": 10}, undirected=False), np)
backends = pytest.mark.parametrize("backend", BACKENDS)
loops = pytest.mark.parametrize("loop", ["device", "host"])


def run(
    name: str,
    graph: Graph = HUBS,
    backend: str = "cpu",
    loop: str = "device",
    mode: str | None = None,
    sources: list[int] | None = None,
    **changed: Any,
) -> Record:
    primitive, chosen = get_primitive(name), choose_backend(backend, 3)
    options = {option.key: option.default for option in primitive.options} | changed
    protocol = Protocol(runs=1, warmup=0, loop=loop, advance_mode=mode, count=True)
    starts = [int(graph.csr.degrees().argmax())] if sources is None else sources
    record = measure(primitive, graph.to(chosen.xp), options, starts, chosen, protocol).record
    assert record.validation["verdict"] == "pass"
    assert record.edges_inspected is not None
    return record


@pytest.mark.sampled(5)
@backends
@loops
@pytest.mark.parametrize("mode", ["TM", "TWC", "LB", "LB_NODES", "AUTO"])
@pytest.mark.parametrize("graph", [HUBS, DIRECTED], ids=["undirected", "directed"])
def test_push_looks_at_each_edge_of_reached_vertices_once(
    graph: Graph, mode: str, loop: str, backend: str
) -> None:
    record = run("bfs", graph, backend, loop, mode, direction="push", run_ahead="1")
    assert record.edges_inspected == record.edges_visited
    jsonschema.validate(json.loads(record.to_json()), json.loads(SCHEMA.read_text()))


@backends
@loops
def test_pull_skips_edges(loop: str, backend: str) -> None:
    record = run("bfs", HUBS, backend, loop, direction="pull")
    assert record.depth is not None
    assert 0 < record.edges_inspected <= HUBS.m * (record.depth + 1)  # type: ignore[operator]
    # (By cost a GPU would not pull on such a small graph.)
    optimized = run("bfs", HUBS, backend, loop, direction="optimized", alpha=15.0)
    assert 0 < optimized.edges_inspected < HUBS.m  # type: ignore[operator]


@backends
@pytest.mark.parametrize("edges", [3, 700, 20_000])
def test_pull_stops_at_the_first_parent(edges: int, backend: str) -> None:
    """From the hub of a star every leaf looks at its only edge; then the hub is done too."""
    graph = build_graph(edges + 1, np.zeros(edges, np.int32), np.arange(1, edges + 1), xp=np)
    assert run("bfs", graph, backend, direction="pull").edges_inspected == edges


@backends
def test_of_several_sources_it_is_the_mean(backend: str) -> None:
    ends = np.array([0, 1, 3], np.int32)
    graph = build_graph(5, ends, ends + 1, xp=np)  # a path of three vertices and one of two
    record = run("bfs", graph, backend, sources=[0, 3], direction="push", run_ahead="1")
    assert (record.edges_visited, record.edges_inspected) == (3, 3)


@backends
@loops
def test_running_ahead_counts_what_it_does_twice(loop: str, backend: str) -> None:
    path = build_graph(300, np.arange(299), np.arange(1, 300), xp=np)
    record = run("bfs", path, backend, loop, sources=[0], direction="push", run_ahead="7")
    assert record.edges_inspected == record.edges_visited
    assert (
        run("bfs", HUBS, backend, loop, direction="push", run_ahead="3").edges_inspected
        >= record.edges_visited
    )  # type: ignore[operator]
    searched = run(
        "bfs", path, backend, loop, sources=[0], direction="push", run_ahead="7", mark_pred=True
    )  # each but the source finds its parent first in its list
    assert searched.edges_inspected == path.m + 299


@backends
@loops
def test_centrality_goes_there_and_back(loop: str, backend: str) -> None:
    """On a path, forward by advance and by counting, backward by sums. The source has no one to count
    paths from, and no one depends on the last vertex; the first neighbor is known to have one path."""
    path = build_graph(4, np.arange(3), np.arange(1, 4), xp=np)
    degrees = path.csr.degrees()
    record = run("bc", path, backend, loop, sources=[0], run_ahead="1")
    # A level of one vertex is pulled if fewer edges are left than it has: here only the last.
    assert degrees.sum() < record.edges_inspected <= 3 * path.m  # type: ignore[operator]
    ahead = run("bc", path, backend, loop, sources=[0], run_ahead="5")
    assert ahead.edges_inspected == 3 * path.m - degrees[0]


@backends
@loops
def test_pagerank_looks_at_every_edge_in_every_iteration(loop: str, backend: str) -> None:
    for push in (False, True):
        record = run("pagerank", HUBS, backend, loop, push=push, max_iterations=5, tolerance=0.0)
        assert record.edges_inspected == 5 * HUBS.m


@backends
@loops
def test_shortest_paths_relax_every_edge_at_least_once(loop: str, backend: str) -> None:
    graph = with_weights(HUBS, "unit")
    once = run("sssp", graph, backend, loop, run_ahead="off", priority_queue=False)
    assert once.edges_inspected == once.edges_visited  # equal weights: no vertex twice
    found = run("sssp", graph, backend, loop, run_ahead="off", direction="push", mark_pred=True)
    assert found.edges_inspected > found.edges_visited  # type: ignore[operator]
    ahead = run("sssp", graph, backend, loop, run_ahead="on")
    assert ahead.edges_inspected >= ahead.edges_visited  # type: ignore[operator]


@backends
@loops
def test_a_bound_leaves_edges_that_no_one_looks_at(loop: str, backend: str) -> None:
    graph = with_weights(HUBS, "unit")
    found = run("sssp", graph, backend, loop, run_ahead="off", direction="optimized")
    assert 0 < found.edges_inspected < found.edges_visited  # type: ignore[operator]


@backends
@loops
def test_components(loop: str, backend: str) -> None:
    off = {"sampling": "off", "linking": "random"}
    short = build_graph(300, np.arange(299), np.arange(1, 300), xp=np)
    # Every list is read once to graft, and, to unite, up to the first larger neighbor: lists of two.
    assert run("cc", short, backend, loop, **off).edges_inspected == 2 * short.m
    sampled = run("cc", HUBS, backend, loop, sampling="on").edges_inspected
    assert int((HUBS.csr.degrees() > 0).sum()) < sampled  # type: ignore[operator]
    jumps = run("cc", HUBS, backend, loop, variant="hook-jump")
    assert HUBS.m <= jumps.edges_inspected < 10 * HUBS.m  # type: ignore[operator]


def test_nothing_is_counted_unless_asked() -> None:
    bfs = get_primitive("bfs")
    options = {option.key: option.default for option in bfs.options}
    record = measure(bfs, HUBS, options, [0], choose_backend("cpu", 1), Protocol(runs=1)).record
    assert record.edges_inspected is None


@backends
@loops
def test_exact_queues_hold_each_vertex_once(loop: str, backend: str) -> None:
    record = run("bfs", HUBS, backend, loop, sources=[1, 2, 3], direction="push", run_ahead="1")
    wanted = {
        "queued_vertices": record.vertices_visited,
        "duplicates": 0,
        "queued_edges": record.edges_visited,
        "redundant_expansion": 1,
        "duplicates_in_warp": 0,
        "duplicates_in_block": 0,
        "duplicates_elsewhere": 0,
    }
    assert {name: record.counts[name] for name in wanted} == wanted
    assert record.counts.keys() - wanted.keys() - {"active_lane_share"} == {"false_negatives_label"}
    labels = reference_labels(HUBS, 3)
    rows = record.frontiers
    assert [row["vertices"] for row in rows] == np.bincount(labels[labels >= 0]).tolist()
    assert [row["queued_vertices"] for row in rows] == [row["vertices"] for row in rows]
    assert [row["queued_edges"] for row in rows] == [row["edges"] for row in rows]
    for row in rows:
        ends = HUBS.csr.column_indices[(labels == row["level"])[HUBS.csr.sources()]]
        assert (row["edges"], row["distinct_ends"]) == (len(ends), len(np.unique(ends)))
    jsonschema.validate(json.loads(record.to_json()), json.loads(SCHEMA.read_text()))


@pytest.mark.parametrize("graph", [HUBS, DIRECTED], ids=["undirected", "directed"])
@pytest.mark.parametrize("chunk", [1, 500, 1 << 24])
def test_distinct_ends_of_several_levels_at_once(chunk: int, graph: Graph) -> None:
    recording = Recording.from_labels(graph, reference_labels(graph, 3))
    starts = recording.edge_starts
    wanted = [len(np.unique(recording.edges[first:last])) for first, last in itertools.pairwise(starts)]
    assert distinct_ends(recording, chunk).tolist() == wanted


@backends
def test_duplicates_are_what_queues_hold_beyond_the_vertices_found(backend: str) -> None:
    record = run("bfs", HUBS, backend, direction="push", run_ahead="1", idempotence=True)
    held = sum(row["queued_vertices"] for row in record.frontiers)
    assert record.counts["queued_vertices"] == held
    assert record.counts["duplicates"] == held - record.vertices_visited >= 0  # type: ignore[operator]
    assert record.counts["redundant_expansion"] == pytest.approx(
        record.edges_inspected / record.edges_visited
    )  # type: ignore[operator]
    assert record.counts["queued_edges"] == record.edges_inspected


@backends
@loops
@pytest.mark.parametrize("cull", ["none", "bitmask,warp,history", "bitmask,warp,history,grid"])
def test_every_duplicate_has_an_origin_and_each_test_its_false_negatives(
    cull: str, loop: str, backend: str
) -> None:
    record = run(
        "bfs",
        HUBS,
        backend,
        loop,
        sources=[1, 2],
        direction="push",
        run_ahead="1",
        idempotence=True,
        cull=cull,
    )
    counts = record.counts
    origins = sum(counts[f"duplicates_{where}"] for where in ("in_warp", "in_block", "elsewhere"))
    assert origins == counts["duplicates"]
    tests = ["label"] if cull == "none" else ["bitmask", "label", *cull.split(",")[1:]]
    missed = [counts[f"false_negatives_{name}"] for name in tests]
    assert missed == sorted(missed, reverse=True)  # each tests the vertices that those before let through
    assert missed[-1] == counts["duplicates"]
    assert {name for name in counts if name.startswith("false")} == {
        f"false_negatives_{name}" for name in tests
    }


QUEUED: list[dict[str, Any]] = [
    {"strategy": "contract-expand"},
    {"strategy": "two-phase"},
    {"strategy": "hybrid", "hybrid_threshold": 100},
    {"fusion": "off", "direction": "push", "run_ahead": "1"},
]
"""Ways to search that keep queues of edges."""
CULLED = [None, "none", "bitmask,history", "grid"]


@pytest.mark.sampled(5)
@backends
@pytest.mark.parametrize(
    ("way", "cull", "loop"),
    [
        (way, cull, ("device", "host")[(at + place) % 2])
        for at, way in enumerate(QUEUED)
        for place, cull in enumerate(CULLED)
    ],
    ids=str,
)
def test_queues_of_edges_are_counted_too(
    way: dict[str, Any], cull: str | None, loop: str, backend: str
) -> None:
    """Each way with each culling, and each of both by either loop."""
    culls = {} if cull is None else {"idempotence": True, "cull": cull}
    record = run("bfs", HUBS, backend, loop, sources=[1, 2, 3], **way, **culls)
    counts = record.counts
    origins = sum(counts[f"duplicates_{where}"] for where in ("in_warp", "in_block", "elsewhere"))
    assert counts["duplicates"] == pytest.approx(origins)
    assert counts["queued_vertices"] == pytest.approx(record.vertices_visited + origins)
    assert counts["queued_edges"] == pytest.approx(record.edges_inspected, abs=0.5)
    assert counts["queued_edges"] >= record.edges_visited  # type: ignore[operator]
    if cull is None:
        assert (counts["duplicates"], counts["redundant_expansion"]) == (0, 1)
    else:  # the last test let every one of them through
        missed = [counts[name] for name in counts if name.startswith("false_negatives")]
        assert missed[-1] == pytest.approx(origins)
    jsonschema.validate(json.loads(record.to_json()), json.loads(SCHEMA.read_text()))


def test_what_two_phases_queue_is_what_their_steps_show() -> None:
    bfs, backend = get_primitive("bfs"), choose_backend("cpu", 1)  # whose runs are all alike
    options = {option.key: option.default for option in bfs.options}
    options |= {"strategy": "two-phase", "idempotence": True, "cull": "none"}
    protocol = Protocol(runs=1, warmup=0, trace=True, count=True)
    record = measure(bfs, HUBS, options, [1], backend, protocol).record
    shown = [row["frontier_vertices"] for row in record.trace if row["phase"] == "expand"]
    assert sum(shown) == record.counts["queued_vertices"]


@pytest.mark.parametrize(
    "changed", [{"direction": "pull"}, {"direction": "push", "run_ahead": "3"}, {"strategy": "quadratic"}]
)
def test_other_ways_have_no_queues_to_compare(changed: dict[str, Any]) -> None:
    record = run("bfs", HUBS, **changed)
    assert record.counts == {}
    assert record.frontiers == []


def test_the_mean_depth_is_that_of_all_sources() -> None:
    path = build_graph(5, np.arange(4), np.arange(1, 5), xp=np)
    record = run("bfs", path, sources=[0, 2])
    assert record.metrics["mean_depth"] == 3
    assert "mean_depth" not in run("bfs", path, sources=[0]).metrics
