"""Traces compared with answers: phases, and the frontier's size level by level."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
LOOPS = ["device", "host"]
THREADS = 3
"""Threads on the CPU."""
Sizes = dict[int, tuple[int, int]]


def path(n: int = 100) -> Graph:
    return build_graph(n, np.arange(n - 1), np.arange(1, n), xp=np, name="path")


GRAPHS = {
    "hubs": load_graph(GraphSpec("rmat", params={"scale": 10}), np),
    "directed": load_graph(GraphSpec("rmat", params={"scale": 10}, undirected=False), np),
    "lattice": load_graph(GraphSpec("grid2d", params={"width": 40, "height": 15}), np),
    "path": path(),
}
graphs = pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)


def run(
    name: str,
    graph: Graph,
    backend: str = "cpu",
    loop: str = "device",
    mode: str | None = None,
    **changed: Any,
) -> tuple[Record, dict[str, np.ndarray[Any, Any]]]:
    primitive, chosen = get_primitive(name), choose_backend(backend, THREADS)
    options = {option.key: option.default for option in primitive.options} | changed
    source = int(graph.csr.degrees().argmax())
    protocol = Protocol(runs=1, warmup=0, loop=loop, advance_mode=mode, trace=True)
    measured = measure(primitive, graph.to(chosen.xp), options, [source], chosen, protocol)
    assert measured.record.validation["verdict"] == "pass"
    return measured.record, measured.outputs


def levels(graph: Graph, labels: np.ndarray[Any, Any]) -> Sizes:
    """The number of vertices of each depth, and of the edges out of them."""
    reached = labels >= 0
    vertices = np.bincount(labels[reached])
    edges = np.bincount(labels[reached], graph.csr.degrees()[reached]).astype(int)
    return {level: (int(vertices[level]), int(edges[level])) for level in range(len(vertices))}


def shown(record: Record, *phases: str) -> Sizes:
    """The sizes by iteration of the rows of these phases, which must not contradict each other; without
    the row that finds nothing left."""
    found: Sizes = {}
    for row in record.trace:
        size = (row["frontier_vertices"], row["frontier_edges"])
        if row["phase"] in phases and size[0]:
            assert found.setdefault(row["iteration"], size) == size
    return found


def phases(record: Record) -> list[str]:
    return [row["phase"] for row in record.trace]


@graphs
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("direction", ["push", "pull", "optimized"])
def test_bfs_shows_every_level(direction: str, loop: str, backend: str, graph: Graph) -> None:
    record, outputs = run("bfs", graph, backend, loop, direction=direction, run_ahead="1", alpha="15")
    expected = levels(graph, outputs["labels"])
    assert shown(record, "push", "pull") == expected
    names = phases(record)
    assert names[0] == "push"  # the source's list, without a queue
    if direction == "push":
        assert set(names) == {"push"}
        assert len(names) == len(expected) + 1  # the last finds an empty frontier
    if direction == "pull":
        assert names[1] == "to bitmap"
        assert set(names[2:]) == {"pull"}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_bfs_shows_both_switches(loop: str, backend: str) -> None:
    """A hub's neighbors, then a path: pull if all are near, push along the path."""
    tails = [*[0] * 900, *range(900, 999)]
    graph = build_graph(1000, np.array(tails), np.array([*range(1, 901), *range(901, 1000)]), xp=np)
    record, outputs = run(
        "bfs", graph, backend, loop, direction="optimized", run_ahead="1", alpha="15", beta="18"
    )
    names = phases(record)
    assert names.index("to bitmap") < names.index("pull") < names.index("to queue")
    assert names[names.index("to queue") + 1] == "push"
    assert shown(record, "push", "pull") == levels(graph, outputs["labels"])
    for name in ("to bitmap", "to queue"):  # the frontier that they carry over
        ((level, size),) = shown(record, name).items()
        assert size == levels(graph, outputs["labels"])[level]


@graphs
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    "way", [{"backward": "pull"}, {"backward": "push"}, {"frontiers": "rebuilt"}], ids=str
)
def test_bc_shows_every_level_both_ways(
    way: dict[str, str], loop: str, backend: str, graph: Graph
) -> None:
    record, outputs = run("bc", graph, backend, loop, run_ahead="1", **way)
    expected = levels(graph, outputs["labels"])
    assert shown(record, "forward", "pull") == expected
    deepest = max(expected)
    if way.get("backward") == "push":
        back = {level: size for level, size in expected.items() if level >= 1}
        of = graph.reverse.degrees()  # scores go along in-edges
        labels = outputs["labels"]
        back = {level: (count, int(of[labels == level].sum())) for level, (count, _) in back.items()}
    else:  # no one depends on the vertices of the last level
        back = {level: size for level, size in expected.items() if 1 <= level < deepest}
    assert shown(record, "backward") == back


@graphs
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_bc_shows_which_levels_send_scores_up(loop: str, backend: str, graph: Graph) -> None:
    """Only levels with less than half of the edges of the level above, by more than four per thread, do,
    as scores are a separate step: on a GPU no level of these graphs."""
    record, outputs = run("bc", graph, backend, loop, run_ahead="1", backward="optimized")
    expected = levels(graph, outputs["labels"])
    back = {level: size for level, size in expected.items() if 1 <= level < max(expected)}
    if loop == "host":  # no block is alone then
        step = 4 * THREADS if backend == "cpu" else graph.m
        fewer = {level for level in back if 2 * expected[level + 1][1] + step < back[level][1]}
        assert set(shown(record, "score")) == fewer
        assert shown(record, "upward") == {level: expected[level + 1] for level in fewer}
    pulled = shown(record, "backward")
    assert {**pulled, **{level: back[level] for level in shown(record, "score")}} == back


@pytest.mark.parametrize("backend", BACKENDS)
def test_bc_sends_scores_up_where_that_repays_a_step_of_any_device(backend: str) -> None:
    graph = load_graph(GraphSpec("rmat", params={"scale": 15, "edge_factor": 48}), np)
    record, outputs = run("bc", graph, backend, run_ahead="1", backward="optimized")
    expected = levels(graph, outputs["labels"])
    repaid = {
        level
        for level in range(1, max(expected))
        if 2 * expected[level + 1][1] + 500_000 < expected[level][1]
    }
    assert repaid
    assert repaid <= set(shown(record, "upward"))


@graphs
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("redundancy", ["queue-id", "bitmap"])
def test_sssp_without_piles_shows_the_levels_of_equal_weights(
    redundancy: str, loop: str, backend: str, graph: Graph
) -> None:
    record, outputs = run(
        "sssp",
        with_weights(graph, "unit"),
        backend,
        loop,
        run_ahead="off",
        priority_queue=False,
        redundancy=redundancy,
    )
    assert shown(record, "relax") == levels(graph, outputs["distances"])
    assert set(phases(record)) == {"begin", "relax"}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_sssp_shows_each_split_once_with_its_pile(loop: str, backend: str) -> None:
    """A star: all leaves but the near ones wait in the pile, more than one block would split."""
    n = 6000
    graph = build_graph(n, np.zeros(n - 1, int), np.arange(1, n), np.arange(1, n, dtype=np.int32), xp=np)
    record, _ = run("sssp", graph, backend, loop, run_ahead="off", delta="2500", direction="push")
    splits = [row["frontier_vertices"] for row in record.trace if row["phase"] == "split"]
    assert splits == [n - 2500, n - 5000, 0]
    relaxed = [row["frontier_vertices"] for row in record.trace if row["phase"] == "relax"]
    assert relaxed == [1, 2499, 2500, 1000]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_running_ahead_shows_the_frontiers_between_barriers(loop: str, backend: str) -> None:
    graph = path(100)
    for name in ("bfs", "bc"):
        record, outputs = run(
            name, graph, backend, loop, run_ahead="7", **({"direction": "push"} if name == "bfs" else {})
        )
        every = levels(graph, outputs["labels"])
        assert shown(record, "ahead") == {level: every[level] for level in every if level % 7 == 0}
        assert {row["mode"] for row in record.trace} == {"-"}
    record, _ = run("bc", graph, backend, loop, run_ahead="7")
    source = int(graph.csr.degrees().argmax())
    sizes = {row["phase"]: (row["frontier_vertices"], row["frontier_edges"]) for row in record.trace}
    assert sizes["forward"] == (99, graph.m - graph.csr.degrees()[source])
    assert sizes["backward"] == (100, graph.m)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_pulled_pagerank_shows_its_vertices(loop: str, backend: str) -> None:
    graph = GRAPHS["directed"]
    record, _ = run("pagerank", graph, backend, loop, max_iterations=3, tolerance=0.0)
    sizes = [(row["phase"], row["frontier_vertices"], row["frontier_edges"]) for row in record.trace]
    whole = ("iterate", graph.n, graph.m)
    assert sizes == [("begin", graph.n, 0), whole, whole, whole, ("iterate", graph.n, 0)]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_components_show_what_each_pass_goes_over(loop: str, backend: str) -> None:
    graph = GRAPHS["hubs"]
    record, _ = run("cc", graph, backend, loop, variant="hook-jump")
    assert record.trace[0]["frontier_vertices"] == graph.m  # a frontier of edges
    edges = [row["frontier_vertices"] for row in record.trace if row["phase"] == "hook"]
    assert edges == sorted(edges, reverse=True)
    record, _ = run("cc", graph, backend, loop, sampling="on", linking="id")
    for row in record.trace:
        if row["phase"] != "finish":
            assert row["frontier_vertices"] == graph.n


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("mode", ["TM", "TWC", "LB", "LB_NODES"])
def test_the_mode_is_that_of_the_advance(mode: str, loop: str, backend: str) -> None:
    record, _ = run("bfs", GRAPHS["hubs"], backend, loop, mode, direction="optimized")
    assert record.trace[0]["mode"] == "-"  # the source's list, by all threads
    for row in record.trace[1:]:
        assert row["mode"] == (mode if row["phase"] == "push" and row["frontier_vertices"] else "-")


@pytest.mark.parametrize("backend", BACKENDS)
def test_hybrid_follows_the_papers_rule(backend: str) -> None:
    """Groups by length where lists are shorter than a warp in the mean; else the threshold decides."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 12}), np)
    record, _ = run("bfs", graph, backend, "device", "HYBRID", direction="push")
    warp, below = (1 if backend == "cpu" else 32), record.options["lb_threshold"]
    rows = [row for row in record.trace[1:] if row["phase"] == "push" and row["frontier_vertices"]]
    assert rows
    for row in rows:
        short = row["frontier_edges"] < warp * row["frontier_vertices"]
        large = row["frontier_edges"] >= below
        assert row["mode"] == ("TWC" if short else "LB" if large else "LB_NODES")


@pytest.mark.parametrize("backend", BACKENDS)
def test_auto_shows_what_it_chose(backend: str) -> None:
    """Small frontiers go by items, large ones with long lists by edges; a mode is never 'AUTO'."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 12}), np)
    record, _ = run("bfs", graph, backend, direction="push", run_ahead="1")
    chosen = {
        row["mode"]: row["frontier_edges"]
        for row in record.trace[1:]  # after the source's list
        if row["phase"] == "push" and row["frontier_vertices"]
    }
    assert set(chosen) == {"LB", "LB_NODES"}
    for row in record.trace:
        if row["mode"] == "LB":
            assert row["frontier_edges"] >= record.options["lb_threshold"]


@pytest.mark.gpu
def test_auto_shares_out_the_list_of_a_lone_hub() -> None:
    """Equal shares of items would leave it to one block."""
    leaves = np.arange(1, 3001, dtype=np.int32)
    star = with_weights(build_graph(3001, np.zeros_like(leaves), leaves, xp=np), "unit")
    record, _ = run("sssp", star, "cuda")
    (first,) = [row for row in record.trace if row["frontier_vertices"] == 1 and row["mode"] != "-"]
    assert (first["frontier_edges"], first["mode"]) == (3000, "LB")
