"""Searches that one kernel begins, in step, and leaves to another whose blocks run ahead."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ctrl_c_helper import check_ctrl_c
from graph_helper import generated
from hypothesis import HealthCheck, settings
from hypothesis import given as drawn_from
from hypothesis import strategies as st
from planned import planned
from runs_helper import BACKENDS, LOOPS
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import gunrock_cli as gunrock
from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.program import QueueRoom
from gunrock_cli.engine.relay import Relay
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.compile import compile_run
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.run_options import RunOptions

FIRST = {"bfs": "push", "bc": "forward", "sssp": "relax"}
"""A phase of the kernel in step; ``AHEAD`` is a phase of the other."""
AHEAD = "ahead"
SCRIPT = Path(__file__).with_name("interrupted_relay.py")
WAYS: list[tuple[str, dict[str, Any], str | None]] = [
    ("bfs", {}, None),
    ("bfs", {"mark_pred": True}, None),
    ("bfs", {"direction": "push"}, None),
    ("bc", {}, None),
    ("sssp", {}, "random:1:9"),
    ("sssp", {}, "random:0:3"),
    ("sssp", {}, "random:0.0:1.0"),  # ZERO_OR_ONE
]


def joined(n: int, *parts: np.ndarray[Any, Any], undirected: bool = True) -> Graph:
    ends = np.concatenate(parts)
    return build_graph(
        n, ends[:, 0].copy(), ends[:, 1].copy(), None, undirected=undirected, xp=np, name="joined"
    )


def drawn(begin: int, n: int, m: int, seed: int) -> np.ndarray[Any, Any]:
    return begin + np.random.default_rng(seed).integers(0, n, (m, 2), dtype=np.int64)


def path(begin: int, n: int) -> np.ndarray[Any, Any]:
    return np.stack([np.arange(begin, begin + n - 1), np.arange(begin + 1, begin + n)], axis=1)


def lattice(width: int, height: int) -> np.ndarray[Any, Any]:
    at = np.arange(width * height).reshape(height, width)
    return np.concatenate(
        [
            np.stack([at[:, :-1].ravel(), at[:, 1:].ravel()], axis=1),
            np.stack([at[:-1].ravel(), at[1:].ravel()], axis=1),
        ]
    )


def one_who_knows_some(side: int, known: int) -> Graph:
    others = np.random.default_rng(3).choice(side * side, known, replace=False)
    hub = np.stack([np.full(known, side * side), others], axis=1)
    return joined(side * side + 1, lattice(side, side), hub)


def ring(n: int, shortcuts: int) -> Graph:
    return joined(n, path(0, n), np.array([[n - 1, 0]]), drawn(0, n, shortcuts, 5))


LEFT: dict[str, Graph] = {
    "lattice": generated("grid2d", width=70, height=60),
    "lattice of three dimensions": generated("grid3d", width=120, height=7, depth=7),
    "road": generated("road", nodes=60000),
    "small world": ring(6000, 40),
    "path": joined(3000, path(0, 3000)),
    "path between random graphs": joined(
        1200, drawn(0, 500, 2500, 1), path(499, 203), drawn(701, 499, 9000, 2)
    ),
    "lattice and random graph": joined(3400, lattice(60, 40), drawn(2399, 1001, 6000, 4)),
    "lattice with one who knows some": one_who_knows_some(60, 9),
    "directed": joined(3600, lattice(60, 60), path(0, 3600)[::7, ::-1], undirected=False),
    "directed ring": joined(2000, path(0, 2000), np.array([[1999, 0]]), undirected=False),
}
"""Graphs whose frontiers stay small."""
KEPT: dict[str, Graph] = {
    "random": generated("random", nodes=3000, edges=24000),
    "hubs": generated("rmat", scale=11, edge_factor=8),
    "star": generated("star", nodes=3000),
}
"""Graphs searched in few levels."""
ZERO_OR_ONE = "random:0.0:1.0"
FEW_SLICES = [LEFT[name] for name in ("lattice of three dimensions", "lattice and random graph")]
"""If edges have lengths of 0 and 1, these take too few slices for two windows."""
each_left = pytest.mark.parametrize("graph", LEFT.values(), ids=LEFT)
each_way = pytest.mark.parametrize(("name", "given", "weights"), WAYS, ids=str)


def expected(name: str, graph: Graph, source: int) -> np.ndarray[Any, Any]:
    """The answer by none of the tool's own code: distances by Dijkstra, scores by Brandes's sums."""
    csr = graph.csr
    weights = np.ones(graph.m) if name != "sssp" or csr.values is None else csr.values.astype(float)
    matrix = csr_array((weights, csr.column_indices, csr.row_offsets), shape=(graph.n, graph.n))
    depths = dijkstra(matrix, indices=source)
    if name != "bc":
        return np.where(np.isinf(depths), -1, depths)
    tails, heads = np.repeat(np.arange(graph.n), csr.degrees()), csr.column_indices
    down = np.isfinite(depths[tails]) & (depths[heads] == depths[tails] + 1)
    tails, heads = tails[down], heads[down]
    order = np.argsort(depths[tails], kind="stable")
    tails, heads = tails[order], heads[order]
    levels = np.split(np.arange(len(tails)), np.flatnonzero(np.diff(depths[tails])) + 1)
    paths, scores = np.zeros(graph.n), np.zeros(graph.n)
    paths[source] = 1
    for level in levels:
        np.add.at(paths, heads[level], paths[tails[level]])
    for level in reversed(levels):
        u, v = tails[level], heads[level]
        np.add.at(scores, u, paths[u] / paths[v] * (1 + scores[v]))
    scores[source] = 0
    return scores


def check(name: str, graph: Graph, given: dict[str, Any], source: int = 0, **how: Any) -> list[str]:
    """The phases of a run whose answer is right."""
    measured = run(name, graph, given, source, **how)
    found = measured.outputs[{"bfs": "labels", "bc": "scores", "sssp": "distances"}[name]]
    np.testing.assert_allclose(found, expected(name, graph, source), rtol=1e-4, atol=1e-4)
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return [row["phase"] for row in measured.record.trace]


def run(
    name: str,
    graph: Graph,
    given: dict[str, Any],
    source: int = 0,
    backend: str = "cpu",
    threads: int = 3,
    **protocol: Any,
) -> Measured:
    chosen, primitive = choose_backend(backend, threads), get_primitive(name)
    measured = measure(
        primitive,
        graph.to(chosen.xp),
        with_defaults(primitive.options, given),
        [source],
        chosen,
        Protocol(**{"runs": 1, "warmup": 0, "trace": True, **protocol}),
    )
    if measured.failure is not None:
        raise measured.failure
    return measured


def weighted(graph: Graph, weights: str | None) -> Graph:
    return with_weights(graph, weights) if weights else graph


def assert_left(name: str, phases: list[str]) -> None:
    """Check that the run began in step, ended ahead, and never went back."""
    place = phases.index(AHEAD)
    assert FIRST[name] in phases[:place]
    assert phases[place - 1] == "begin"
    assert set(phases[1 : place - 1]).isdisjoint({"begin", AHEAD})
    assert name == "bc" or set(phases[place:]) <= {AHEAD, "predecessors"}


@pytest.mark.sampled(5)
@each_left
@each_way
@pytest.mark.parametrize("loop", LOOPS)
def test_a_search_whose_frontiers_stay_small_is_left(
    loop: str, name: str, given: dict[str, Any], weights: str | None, graph: Graph
) -> None:
    phases = check(name, weighted(graph, weights), given, graph.n // 3, loop=loop)
    if weights != ZERO_OR_ONE or not any(graph is one for one in FEW_SLICES):
        assert_left(name, phases)


@pytest.mark.parametrize("graph", KEPT.values(), ids=KEPT)
@each_way
@pytest.mark.parametrize("loop", LOOPS)
def test_one_of_few_levels_is_not(
    loop: str, name: str, given: dict[str, Any], weights: str | None, graph: Graph
) -> None:
    assert AHEAD not in check(name, weighted(graph, weights), given, 1, loop=loop)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
@each_way
@pytest.mark.parametrize("side", [150, 900])
def test_so_it_is_on_a_gpu(
    side: int, name: str, given: dict[str, Any], weights: str | None, loop: str
) -> None:
    graph = weighted(one_who_knows_some(side, 9), weights)
    for source in (0, graph.n // 3, graph.n - 1):
        phases = check(name, graph, given, source, backend="cuda", loop=loop)
        assert AHEAD in phases or side < 900
    assert AHEAD not in check(name, weighted(KEPT["hubs"], weights), given, 1, backend="cuda", loop=loop)


@drawn_from(st.integers(0, 10**6))
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_joined_graphs(seed: int) -> None:
    """Lattices, paths and random graphs at random places of each other, with vertices out of reach."""
    pick = random.Random(seed)
    pieces, begin = [], 0
    for _ in range(pick.randint(1, 4)):
        n = pick.randint(50, 1500)
        side = max(2, int(n**0.5))
        piece = pick.choice(
            [path(0, n), lattice(side, side), lattice(n // 5, 5), drawn(0, n, 2 * n, seed)]
        )
        pieces.append(begin + piece)
        if begin:
            pieces.append(np.array([[pick.randrange(begin), begin]]))
        begin += n
    graph = joined(begin, *pieces, undirected=pick.random() < 0.7)
    name, own, weights = pick.choice(WAYS)
    check(
        name,
        weighted(graph, weights),
        own,
        pick.randrange(begin),
        threads=pick.randint(1, 4),
        loop=pick.choice(LOOPS),
    )


# --- in either kernel -------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@each_way
def test_queues_that_are_too_small_grow(
    name: str, given: dict[str, Any], weights: str | None, loop: str, backend: str
) -> None:
    growths = 0
    for shape in ("lattice", "path between random graphs"):
        graph = weighted(LEFT[shape], weights)
        measured = run(name, graph, given, backend=backend, loop=loop, queue_sizing=1e-4)
        growths += measured.record.queues["growths"]  # a core may hold all of one search
        check(name, graph, given, backend=backend, loop=loop, queue_sizing=1e-4)
    assert growths > 0


@each_way
def test_a_queue_that_is_too_small_for_the_second_grows(
    name: str, given: dict[str, Any], weights: str | None
) -> None:
    """The queue holds the first kernel's vertices on a path, but not the second's at its end."""
    graph = weighted(LEFT["path between random graphs"], weights)
    source = 608 if name == "bfs" else 600  # on the path; the second's bounds lie where it begins
    relay, problem, reset = prepared(name, graph, given)
    relay._first.room = QueueRoom(12, 12)
    relay._first._allocate_queues()
    result = relay.run(problem, lambda: reset(source))
    assert relay._other is not None
    assert relay._first.growths > 0
    assert AHEAD in result.phases
    grown = relay.queues()["items"]
    relay.run(problem, lambda: reset(source))
    assert relay.queues()["items"] == grown
    np.testing.assert_allclose(answer(name, problem), expected(name, graph, source), rtol=1e-4)


def prepared(
    name: str, graph: Graph, given: dict[str, Any]
) -> tuple[Relay, dict[str, Any], Callable[[int], None]]:
    primitive = get_primitive(name)
    variant = planned(primitive, graph, given)
    relay = compile_run(primitive, variant, choose_backend("cpu", 3), RunOptions(trace=True))
    assert isinstance(relay, Relay)
    problem = variant.allocate()
    return relay, problem, lambda source: variant.reset(problem, source)


def answer(name: str, problem: dict[str, Any]) -> np.ndarray[Any, Any]:
    found = problem[{"bfs": "labels", "bc": "scores", "sssp": "distances"}[name]]
    if name != "sssp":
        return found
    far = np.iinfo(np.int32).max if found.dtype == np.int32 else np.inf
    return np.where(found == far, -1, found)


@each_way
def test_runs_from_several_sources_in_turn(name: str, given: dict[str, Any], weights: str | None) -> None:
    """Scalars belong to each kernel: the source changes, the width of slices differs."""
    graph = weighted(LEFT["lattice and random graph"], weights)
    relay, problem, reset = prepared(name, graph, given)
    seen = set()
    for source in (0, 3000, 2399, 1, 0):
        result = relay.run(problem, lambda: reset(source))  # noqa: B023
        seen.add(AHEAD in result.phases)
        np.testing.assert_allclose(answer(name, problem), expected(name, graph, source), rtol=1e-4)
    assert True in seen


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["bfs", "bc", "sssp"])
def test_a_prepared_call(name: str, backend: str) -> None:
    graph = weighted(LEFT["road"], "random:1:9" if name == "sssp" else None)
    csr = graph.csr
    values = np.ones(graph.m, np.int32) if csr.values is None else csr.values
    matrix = csr_array((values, csr.column_indices, csr.row_offsets))
    call = gunrock.prepare(name, matrix, backend=backend)
    for source in (0, graph.n // 2, 7, 0):
        found = getattr(call(source), {"bfs": "labels", "bc": "scores", "sssp": "distances"}[name])
        found = np.where(np.isinf(found), -1, found)
        np.testing.assert_allclose(found, expected(name, graph, source), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("name", "given", "protocol"),
    [
        ("bfs", {}, {"advance_mode": "TM"}),
        ("bfs", {}, {"lb_threshold": 7}),
        ("bfs", {"idempotence": True}, {}),
        ("bfs", {"run_ahead": "1"}, {}),
        ("bfs", {"run_ahead": "16", "direction": "push"}, {}),
        ("bfs", {"alpha": "15"}, {}),
        ("bfs", {"direction": "pull"}, {}),
        ("bfs", {"fusion": "off"}, {}),
        ("bfs", {"strategy": "two-phase"}, {}),
        ("bc", {}, {"advance_mode": "TM"}),
        ("bc", {"run_ahead": "1"}, {}),
        ("bc", {"run_ahead": "16"}, {}),
        ("bc", {"backward": "push"}, {}),
        ("bc", {"frontiers": "rebuilt"}, {}),
        ("sssp", {}, {"advance_mode": "TM"}),
        ("sssp", {"run_ahead": "off"}, {}),
        ("sssp", {"run_ahead": "on"}, {}),
        ("sssp", {"mark_pred": True}, {}),
        ("sssp", {"priority_queue": False}, {}),
        ("sssp", {"delta": "2", "mark_pred": True}, {}),
    ],
    ids=str,
)
def test_what_is_given_is_one_kernel_s(
    name: str, given: dict[str, Any], protocol: dict[str, Any]
) -> None:
    graph = weighted(LEFT["lattice"], "random:1:9" if name == "sssp" else None)
    phases = check(name, graph, given, **protocol)
    assert (AHEAD in phases) == (given.get("run_ahead") in ("16", "on"))
    assert FIRST[name] not in phases or AHEAD not in phases or name == "bc"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@each_way
def test_a_limit_of_steps_counts_both_kernels(
    name: str, given: dict[str, Any], weights: str | None, loop: str, backend: str
) -> None:
    graph = weighted(LEFT["path"], weights)
    steps = run(name, graph, given, backend=backend, loop=loop).record.trace
    before = [row["phase"] for row in steps].index(AHEAD)
    for limit in (before - 3, before + 2):
        with pytest.raises(GunrockError, match=rf"^stopped after {limit} steps \(--max-steps\)"):
            run(name, graph, given, backend=backend, loop=loop, max_steps=limit)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_ctrl_c_ends_the_second(loop: str, backend: str) -> None:
    check_ctrl_c([sys.executable, str(SCRIPT), "--backend", backend, "--loop", loop])
