"""The choice between pushing and pulling in breadth-first search: by Beamer's test, or by the cost of a
level."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from bfs_helper import BACKENDS, CORNERS, check, graph_of, random_graph
from planned import planned

from gunrock_cli.bench.protocol.runner import Measured
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.bfs import PRIMITIVE

COST = {"alpha": "cost"}


def phases(measured: Measured) -> list[str]:
    assert measured.record.trace
    return [str(row["phase"]) for row in measured.record.trace]


def traced(graph: Graph, backend: str, **options: Any) -> list[str]:
    return phases(check(graph, backend=backend, protocol={"trace": True}, **options))


def dumbbell(n: int, m: int, between: int) -> Graph:
    """Two dense graphs, and a path from one to the other: large frontiers, with small ones between."""
    ends = np.random.default_rng(5).integers(1, n, (2, m))
    edges = [(int(a), int(b)) for a, b in ends.T]
    path = [(v, v + 1) for v in range(n - 1, n + between)]
    far = [(n + between + a, n + between + b) for a, b in edges]
    spokes = [(0, v) for v in range(1, 9)] + [(n + between, n + between + v) for v in range(1, 9)]
    return graph_of(2 * n + between, edges + path + far + spokes)


def web(folders: int, pages: int) -> Graph:
    """Folders whose pages link to each other, in a chain: each level finds one more, and long before that
    the first page, which links to one page of each, has as many edges as Beamer's test asks for."""
    edges = [
        (f * pages + a, f * pages + b) for f in range(folders) for a in range(pages) for b in range(a)
    ]
    edges += [(f * pages, (f + 1) * pages) for f in range(folders - 1)]
    return graph_of(folders * pages, edges)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", CORNERS)
def test_corner_cases(name: str, backend: str) -> None:
    for loop in ("device", "host"):
        check(CORNERS[name], backend=backend, loop=loop, mark_pred=True, **COST)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("idempotence", [False, True])
@pytest.mark.parametrize("fusion", ["on", "off"])
def test_directed_and_not(fusion: str, idempotence: bool, backend: str) -> None:
    for graph in (random_graph(3000, 40000, 7, True), random_graph(3000, 40000, 7, False)):
        check(graph, 5, backend=backend, idempotence=idempotence, fusion=fusion, mark_pred=True, **COST)


@pytest.mark.parametrize("backend", BACKENDS)
def test_pull_is_entered_as_often_as_it_pays(backend: str) -> None:
    """Beamer's test enters it once. The levels between are pushed either way, as their frontiers are
    small."""
    graph = dumbbell(60_000, 900_000, 50)
    by_cost = traced(graph, backend, **COST)
    entered = [now for before, now in itertools.pairwise(by_cost) if now == "pull" and before != "pull"]
    assert len(entered) == 2
    assert by_cost.count("to queue") == 1
    by_test = traced(graph, backend, alpha="15", beta="18")
    assert by_test.count("to bitmap") == 1
    assert by_cost.count("to bitmap") == 2  # the pushes behind the first leave no bitmap


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("spokes", "before"), [(8000, ["push"]), (8, ["push", "push", "push", "to bitmap"])]
)
def test_a_first_push_of_many_edges_leaves_a_bitmap(spokes: int, before: list[str], backend: str) -> None:
    ends = np.random.default_rng(5).integers(1, 20_000, (2, 900_000))
    edges = [(int(a), int(b)) for a, b in ends.T] + [(0, v) for v in range(1, spokes + 1)]
    shown = traced(graph_of(20_000, edges), backend, **COST)
    assert shown[: shown.index("pull")] == before


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("idempotence", [False, True])
def test_a_second_pull_asks_for_its_own_frontier(idempotence: bool, backend: str) -> None:
    """A second pull must not reuse the frontier before the pushes between, if these are two steps
    each."""
    shown = traced(dumbbell(20_000, 900_000, 50), backend, fusion="off", idempotence=idempotence, **COST)
    behind = shown[shown.index("to queue") :]
    assert behind.index("filter") < behind.index("to bitmap") < behind.index("pull")


@pytest.mark.parametrize("backend", BACKENDS)
def test_pull_is_left_alone_where_few_edges_are_left(backend: str) -> None:
    """Fewer than ten edges are left per thread: the CPU has two threads here, a GPU very many."""
    ends = np.random.default_rng(5).integers(0, 2000, (2, 60_000))
    wide = graph_of(2000, [(int(a), int(b)) for a, b in ends.T])
    found = traced(wide, backend, **COST)
    assert ("pull" in found) == (backend == "cpu")
    assert "pull" in traced(wide, backend, alpha="15", beta="18")


@pytest.mark.parametrize("backend", BACKENDS)
def test_pull_is_left_alone_where_candidates_would_look_in_vain(backend: str) -> None:
    graph = web(40, 60)
    assert "pull" not in traced(graph, backend, **COST)[:30]  # one level per folder
    assert "pull" in traced(graph, backend, alpha="1000", beta="18")[:10]


@pytest.mark.parametrize("fusion", ["on", "off"])
def test_candidates_are_counted_with_the_edges_into_them(fusion: str) -> None:
    """Edges are directed, and a pull walks in-edges. Nearly all that lead out of the frontier and of the
    candidates, a hundred each, lead back; one leads into each candidate."""
    hubs, frontier, candidates = range(1, 1001), range(1001, 2001), range(2001, 8001)
    draw = np.random.default_rng(2)
    edges = [(0, v) for v in (*hubs, *frontier)]
    edges += [
        (u, int(v)) for u in (*frontier, *candidates) for v in draw.choice(hubs, 100, replace=False)
    ]
    edges += [(frontier[k % 1000], v) for k, v in enumerate(candidates)]
    graph = graph_of(8001, edges, undirected=False)
    shown = traced(graph, "cpu", direction="optimized", fusion=fusion, **COST)
    assert shown.count("push") == 1  # otherwise the candidates' level is the first to be pulled
    assert "pull" in shown


@pytest.mark.parametrize(
    ("backend", "cached", "joined"),
    [("cpu", 1 << 19, 60_000), pytest.param("cuda", 1 << 23, 700_000, marks=pytest.mark.gpu)],
)
def test_where_labels_do_not_fit_the_cache_beamers_test_holds_as_well(
    backend: str, cached: int, joined: int
) -> None:
    """The cost alone never pulls here: all those vertices without edges are candidates."""
    ends = np.random.default_rng(3).integers(0, joined, (2, 2 * joined))
    for n in (cached, cached + 1):
        found = traced(build_graph(n, *ends, xp=np), backend, **COST)
        entered = sum(now == "pull" != before for before, now in itertools.pairwise(found))
        assert entered == (n > cached)  # once


@pytest.mark.parametrize("backend", BACKENDS)
def test_long_lists_of_candidates(backend: str) -> None:
    """Lists have the lengths for a thread, a part of a warp and a block; the parent is the last of the
    list, or missing."""
    hubs = {4000: 7, 4001: 40, 4002: 300, 4003: 3500, 4004: 3999}
    edges = [(hub, v) for hub, length in hubs.items() for v in range(4000 - length, 4000)]
    edges += [(4005, 3999), (4005, 3998)]
    for graph in (graph_of(4010, edges), graph_of(4010, [(b, a) for a, b in edges], undirected=False)):
        for options in ({"direction": "pull"}, {"alpha": "1e9", "beta": "1e9"}, COST):
            check(graph, 4005, backend=backend, mark_pred=True, **options)
            check(graph, 3999, backend=backend, mark_pred=True, **options)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, ("cost", "cost")),
        ({"alpha": "cost"}, ("cost", "cost")),
        ({"alpha": "3"}, (3.0, 18.0)),
        ({"beta": "5"}, (15.0, 5.0)),
        ({"alpha": "0.5", "beta": "2"}, (0.5, 2.0)),
        ({"alpha": "0"}, (0.0, 18.0)),
    ],
)
def test_how_options_are_understood(given: dict[str, Any], found: tuple[Any, Any]) -> None:
    chosen = planned(PRIMITIVE, CORNERS["star"], given).options
    assert (chosen.alpha, chosen.beta) == found


@pytest.mark.parametrize(
    "given", [{"alpha": "cost", "beta": 18.0}, {"beta": "cost", "alpha": 15.0}, {"beta": "cost"}]
)
def test_what_contradicts_itself_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"^--(alpha|beta) "):
        planned(PRIMITIVE, CORNERS["star"], given)
