"""BFS in every combination of options compared with SciPy's shortest paths, on both backends."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from bfs_helper import BACKENDS, CORNERS, DEFAULTS, check, expected_labels, graph_of, random_graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES
from planned import planned

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.program import QueueRoom
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.culling import COMPARED
from gunrock_cli.primitives.bfs import PRIMITIVE
from gunrock_cli.primitives.bfs.options import BfsOptions
from gunrock_cli.primitives.compile import compile_variant


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
@pytest.mark.parametrize("direction", ["push", "pull", "optimized"])
def test_corner_cases(name: str, direction: str, backend: str) -> None:
    check(CORNERS[name], backend=backend, direction=direction, alpha="15", mark_pred=True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("idempotence", [False, True])
@pytest.mark.parametrize("direction", ["push", "optimized"])
def test_every_option(mode: str, idempotence: bool, direction: str, backend: str) -> None:
    for undirected, loop in itertools.product([True, False], ["device", "host"]):
        graph = random_graph(3000, 20000, 7, undirected)
        check(
            graph,
            5,
            backend=backend,
            mode=mode,
            loop=loop,
            direction=direction,
            idempotence=idempotence,
            mark_pred=True,
            alpha="15",
            beta="18",
        )


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_path_of_100000(backend: str) -> None:
    n = 100_000
    path = graph_of(n, [(v, v + 1) for v in range(n - 1)])
    measured = check(path, backend=backend)
    assert measured.record.depth == n - 1


@pytest.mark.parametrize("alpha", ["0", "0.5", "1000000"])
@pytest.mark.parametrize("beta", ["0.1", "18", "1000000"])
def test_switching_points(alpha: str, beta: str) -> None:
    back = {} if alpha == "0" else {"beta": beta}  # refused if no level is pulled
    check(random_graph(2000, 9000, 3, True), direction="optimized", alpha=alpha, **back)


@pytest.mark.parametrize("culls", list(itertools.product(["", "bitmask"], ["", "warp"], ["", "history"])))
def test_each_culling_can_be_left_out(culls: tuple[str, ...]) -> None:
    check(
        random_graph(500, 4000, 1, True),
        idempotence=True,
        direction="push",
        cull=",".join(filter(None, culls)) or "none",
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("cull", ["warp-hash", "bitmask,warp,warp-hash,history"])
def test_culling_by_a_warps_table(cull: str, backend: str) -> None:
    """Lists have the same ends, at once in one warp: whatever is dropped, no vertex is missed."""
    for graph in (random_graph(500, 4000, 1, True), fans(200, 60)):
        for loop in ("device", "host"):
            check(
                graph,
                backend=backend,
                loop=loop,
                idempotence=True,
                direction="push",
                cull=cull,
                mark_pred=True,
            )


def fans(width: int, ends: int) -> Graph:
    """Vertices that one vertex leads to, each with a list of the same ends."""
    middle = range(1, width)
    return graph_of(
        width + ends, [(0, v) for v in middle] + [(v, width + end) for v in middle for end in range(ends)]
    )


@pytest.mark.sampled(2)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mark_pred", [False, True])
@pytest.mark.parametrize("cull", ["grid", "bitmask,warp,warp-hash,history,grid"])
def test_finders_that_know_of_each_other_by_the_label(cull: str, mark_pred: bool, backend: str) -> None:
    """On a GPU: a lone block's finds; one pass of each of many blocks; more, which wait in a stage; one
    block's that wait while another's go straight to the queue."""
    middle = range(1, 900)
    mixed = graph_of(
        1600,
        [(0, v) for v in middle]
        + [(v, 900 + v % 7) for v in middle]
        + [(v, v + 1) for v in range(900, 1500)],
    )
    for graph in (
        fans(20, 60),
        fans(500, 300),
        fans(3000, 300),
        mixed,
        random_graph(60_000, 300_000, 4, True),
    ):
        for loop in ("device", "host"):
            record = check(
                graph,
                backend=backend,
                loop=loop,
                idempotence=True,
                direction="push",
                cull=cull,
                mark_pred=mark_pred,
                protocol={"count": True},
            ).record
            queued = record.counts["queued_vertices"]
            assert queued - record.vertices_visited == record.counts["duplicates"] >= 0


@pytest.mark.gpu
def test_fewer_are_queued_twice_where_finders_know_of_each_other() -> None:
    """Each of 300 ends has 499 finders, at the same time."""

    def duplicates(cull: str) -> int:
        return check(
            fans(500, 300),
            backend="cuda",
            idempotence=True,
            direction="push",
            cull=cull,
            protocol={"count": True},
        ).record.counts["duplicates"]

    assert duplicates("grid") < duplicates("none")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ({}, "grid"),
        ({"cull": " Auto"}, "grid"),
        ({"cull": "none"}, "none"),
        ({"cull": "grid,history"}, "history,grid"),
        ({"cull": "history+warp-hash"}, "warp-hash,history"),
        ({"cull": " Warp , bitmask"}, "bitmask,warp"),
    ],
)
def test_one_spelling_of_what_is_culled(given: dict[str, Any], kept: str) -> None:
    options = planned(PRIMITIVE, CORNERS["star"], {"idempotence": True, **given}).options
    assert options.cull == kept


@pytest.mark.parametrize("cull", ["", "labels", "none,warp", "bitmask,,warp"])
def test_what_cannot_be_culled_by_is_told(cull: str) -> None:
    with pytest.raises(UsageError, match=r"^--cull .*: give none, or some of bitmask, warp"):
        planned(PRIMITIVE, CORNERS["star"], {"cull": cull})


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"cull": "bitmask"}, "--cull bitmask needs --idempotence"),
        ({"cull": "none"}, "--cull none needs --idempotence"),
        ({"cull": "none", "strategy": "quadratic"}, "--cull none needs --idempotence"),
        ({"idempotence": True, "strategy": "quadratic"}, "--idempotence is for searches with queues"),
        ({"alpha": "3", "strategy": "hybrid"}, "--alpha 3.0: for --strategy fused, not hybrid"),
        (
            {"alpha": "3", "beta": "9", "strategy": "quadratic"},
            "--alpha 3.0 and --beta 9.0: for --strategy fused",
        ),
    ],
)
def test_what_would_have_no_effect_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=f"^{told}"):
        planned(PRIMITIVE, CORNERS["star"], given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"strategy": "quadratic"},
        {"strategy": "hybrid", "idempotence": True},
        {"direction": "push"},
        {"direction": "pull", "alpha": "15"},
    ],
    ids=str,
)
@pytest.mark.parametrize("graph", ["star", "lattice"])
def test_what_was_resolved_is_accepted(graph: str, given: dict[str, Any]) -> None:
    """A record's options run again, and resolve to themselves."""
    found = CORNERS["star"] if graph == "star" else graph_of(400, [(v, v + 1) for v in range(399)])
    options = planned(PRIMITIVE, found, given).options
    assert planned(PRIMITIVE, found, options.recorded()).options == options


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    n=st.integers(1, 40),
    data=st.data(),
    undirected=st.booleans(),
    direction=st.sampled_from(["push", "pull", "optimized"]),
)
def test_random_graphs(n: int, data: st.DataObject, undirected: bool, direction: str) -> None:
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex), max_size=120))
    check(graph_of(n, edges, undirected), data.draw(vertex), direction=direction, alpha="15")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(n=st.integers(1, 40), data=st.data(), cull=st.sampled_from(COMPARED), mark_pred=st.booleans())
def test_random_graphs_idempotently(n: int, data: st.DataObject, cull: str, mark_pred: bool) -> None:
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex), max_size=120))
    check(
        graph_of(n, edges, data.draw(st.booleans())),
        data.draw(vertex),
        idempotence=True,
        direction="push",
        cull=cull,
        mark_pred=mark_pred,
    )


@pytest.mark.timeout(120)
def test_the_team_never_hangs_nor_differs() -> None:
    """Run many short searches with more threads than cores, as a lone block once raced with a slow
    reader."""
    graph = random_graph(4000, 30000, 11, True)
    expected = expected_labels(graph, 0)
    backend = choose_backend("cpu", 3)
    variant = planned(PRIMITIVE, graph, {"alpha": "15"})
    program = compile_variant(PRIMITIVE, variant, backend, Protocol())
    problem = variant.allocate()
    for _ in range(200):
        program.run(problem, lambda: variant.reset(problem, 0))
        assert np.array_equal(problem["labels"], expected)


@pytest.mark.parametrize("backend", BACKENDS)
def test_queues_grow_when_too_small(backend: str) -> None:
    chosen = choose_backend(backend, 2)
    graph = random_graph(20000, 100000, 2, True).to(chosen.xp)
    variant = planned(PRIMITIVE, graph, {"direction": "push"})
    program = compile_variant(PRIMITIVE, variant, chosen, Protocol())
    program.room = QueueRoom(64, 64)
    program._allocate_queues()
    problem = variant.allocate()
    program.run(problem, lambda: variant.reset(problem, 0))
    assert program.room.even > 64
    assert program.growths > 0
    found = problem["labels"] if backend == "cpu" else problem["labels"].get()
    assert np.array_equal(found, expected_labels(graph.to(np), 0))


def test_a_wrong_answer_is_told() -> None:
    graph = CORNERS["disconnected"]
    labels = expected_labels(graph, 0)
    labels[2] = 7
    verdict = PRIMITIVE.validate(graph, BfsOptions(), 0, {"labels": labels})
    assert verdict.verdict == "fail"
    assert "vertex 2: 7, expected 2" in verdict.message
    tree = np.array([-1, 0, 0, -1, -1, -1], np.int32)  # 0-2 is no edge
    verdict = PRIMITIVE.validate(
        graph, BfsOptions(), 0, {"labels": expected_labels(graph, 0), "predecessors": tree}
    )
    assert verdict.verdict == "fail"


@pytest.mark.parametrize(
    "options", [{"direction": "pull", "direction_optimized": True}, {"alpha": "x"}, {"beta": "-1"}]
)
def test_bad_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        planned(PRIMITIVE, CORNERS["star"], options)


def test_trace_covers_the_run() -> None:
    graph = CORNERS["leaf of a star"]
    measured = measure(
        PRIMITIVE,
        graph,
        {**DEFAULTS, "direction": "push"},
        [0],
        choose_backend("cpu", 2),
        Protocol(runs=1, trace=True),
    )
    rows = measured.record.trace
    pushes = [row for row in rows if row["phase"] == "push"]
    assert [row["frontier_vertices"] for row in pushes] == [1, 1, 2998, 0]
    assert sum(row["frontier_edges"] for row in pushes) == graph.m


# --- blocks that run ahead ----------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("levels", ["2", "7", "100000"])
def test_running_ahead(levels: str, loop: str, backend: str) -> None:
    """Run on all graphs, also if frontiers outgrow a block, and with every mode."""
    graphs = [
        *CORNERS.values(),
        random_graph(3000, 9000, 1, True),
        random_graph(900, 40000, 2, False),
        graph_of(20_001, [(v, v + 1) for v in range(20_000)]),
    ]
    for graph in graphs:
        check(
            graph,
            backend=backend,
            loop=loop,
            direction="push",
            run_ahead=levels,
            mark_pred=True,
            threads=3,
        )


@pytest.mark.parametrize(
    ("given", "ran"),
    [
        ({}, "optimized"),
        ({"direction": "optimized", "alpha": "0"}, "push"),
        ({"direction": "push"}, "push"),
        ({"alpha": "0"}, "push"),
        ({"direction_optimized": True}, "optimized"),
        ({"alpha": "15"}, "optimized"),
        ({"direction": "pull"}, "pull"),
    ],
)
def test_the_direction_that_runs_is_recorded(given: dict[str, Any], ran: str) -> None:
    """If alpha is 0, a search that may switch never does."""
    lattice = graph_of(400, [(v, v + 1) for v in range(399)])
    variant = planned(PRIMITIVE, lattice, given)
    assert variant.options.direction == ran
    assert (variant.members().get("bitmaps") is None) == (ran == "push")


def test_long_lists_of_like_lengths_are_no_mesh_s() -> None:
    """A uniform random graph has few levels, of which the last need not be pushed."""
    graph = random_graph(1000, 32000, 3, True)
    alone = planned(PRIMITIVE, graph).options
    assert (alone.direction, alone.alpha, alone.run_ahead) == ("optimized", "cost", "auto")
    beside = planned(PRIMITIVE, graph, alone=False).options
    assert (beside.direction, beside.alpha, beside.run_ahead) == ("optimized", "cost", 1)


def test_running_ahead_is_left_to_what_is_seen() -> None:
    """Degrees decide if a list is so long that all blocks would wait for the one that walks it, or if
    there is no second kernel."""
    lattice = graph_of(400, [(v, v + 1) for v in range(399)])
    star = graph_of(3000, [(0, v) for v in range(1, 3000)])
    assert planned(PRIMITIVE, lattice).options.run_ahead == "auto"
    beside = planned(PRIMITIVE, lattice, alone=False).options
    assert (beside.direction, beside.alpha, beside.run_ahead) == ("push", 0, 16)
    assert planned(PRIMITIVE, star).options.run_ahead == 1
    for refused in ({"run_ahead": "8", "idempotence": True}, {"run_ahead": "8", "direction": "pull"}):
        with pytest.raises(UsageError, match="--run-ahead"):
            planned(PRIMITIVE, lattice, refused)
    assert planned(PRIMITIVE, lattice, {"idempotence": True}).options.run_ahead == 1
