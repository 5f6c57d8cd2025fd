"""Runs that go on from an answer for an earlier state of a graph: their answers are those of a run from
scratch, by reference and certificate, over many small graphs and batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from runs_helper import BACKENDS
from updated_helper import answer, batch_for

from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.changing import ChangingGraph
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import bfs, cc, get_primitive, primitive_names, sssp

GO_ON = [name for name in primitive_names() if get_primitive(name).goes_on_from]
Batch = tuple[list[int], list[int], Any]


def random_graph(rng: np.random.Generator, undirected: bool, weights: Any) -> Graph:
    """Up to 40 vertices, in half of the graphs with a hub, and a few of them alone."""
    n = int(rng.integers(1, 40))
    src, dst = rng.integers(0, n, (2, int(rng.integers(0, 2 * n))))
    if rng.random() < 0.5:
        src, dst = (np.concatenate(pair) for pair in ((src, np.zeros(n, int)), (dst, np.arange(n) // 2)))
    drawn = None if weights is None else rng.integers(0, 9, len(src)).astype(weights)
    return build_graph(n, src, dst, drawn, undirected=undirected, keep_self_loops=True)


def check(name: str, graph: Graph, batches: list[Any], source: int, backend: str) -> None:
    """Check the answer after each batch, but for one that is left out: the next goes on over two."""
    primitive = get_primitive(name)
    d = ChangingGraph(graph.to(choose_backend(backend).xp))
    last, version = answer(primitive, d.graph, {}, source, backend), d.version
    for number, batch in enumerate(batches):
        d.apply(*batch)
        if number % 3 == 1:
            continue
        now = d.after(version, {primitive.goes_on_from: last[primitive.goes_on_from]})
        last, version = answer(primitive, now, {}, source, backend), d.version


@pytest.fixture(autouse=True)
def always_from_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go on also where one from scratch may be faster."""
    monkeypatch.setattr(cc, "pays", lambda graph: True)
    for module in (bfs, sssp):
        monkeypatch.setattr(module, "gains_on", lambda graph, lost: True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("undirected", [False, True])
@pytest.mark.parametrize("name", GO_ON)
def test_random_batches(name: str, undirected: bool, backend: str) -> None:
    weighs = get_primitive(name).needs.weights
    rng = np.random.default_rng(7)
    for trial in range(25):
        kind = (np.int32, np.float32)[trial % 2] if weighs else None
        graph = random_graph(rng, undirected, kind)
        d, batches = ChangingGraph(graph), []
        for number in range(4):
            batches.append(batch_for(d.graph, rng, int(rng.integers(1, 6)), grows=number % 2))
            d.apply(*batches[-1])
        check(name, graph, batches, int(rng.integers(0, graph.n)), backend)


def of_edges(n: int, *ends: tuple[int, int], weight: int | None = None) -> Graph:
    src, dst = np.array(ends, np.int32).reshape(-1, 2).T
    weights = None if weight is None else np.full(len(ends), weight, np.int32)
    return build_graph(n, src, dst, weights)


def corner_cases() -> list[tuple[str, Graph, Batch]]:
    many = 2000
    path = [(v, v + 1) for v in range(many - 1)]
    star = [(0, v) for v in range(1, many)]
    clique = [(u, v) for u in range(20) for v in range(u)]
    tails = [*star, *((v, many + v) for v in range(1, many))]
    return [
        ("nothing changes", of_edges(4, (0, 1)), ([0], [1], True)),
        ("first edge", of_edges(3), ([0], [2], True)),
        ("last edge", of_edges(3, (0, 2)), ([0], [2], False)),
        ("one vertex", of_edges(1), ([0], [0], True)),
        ("new vertices", of_edges(3, (0, 1)), ([1, 6], [5, 0], True)),
        ("a path is cut in the middle", of_edges(many, *path), ([many // 2], [many // 2 + 1], False)),
        ("a path is cut at its source", of_edges(many, *path), ([0], [1], False)),
        ("a path becomes a ring", of_edges(many, *path), ([0], [many - 1], True)),
        ("a star loses its hub", of_edges(many, *star), ([0] * (many - 1), list(range(1, many)), False)),
        ("a star loses leaves", of_edges(many, *star), ([0] * 5, list(range(1, 50, 10)), False)),
        ("tails fall off", of_edges(2 * many, *tails), ([0] * 9, list(range(1, 10)), False)),
        ("tails lose their tips", of_edges(2 * many, *tails), ([7, 9], [many + 7, many + 9], False)),
        ("a clique loses a vertex", of_edges(20, *clique), ([0] * 19, list(range(1, 20)), False)),
        ("two cliques", of_edges(40, *clique, *((u + 20, v + 20) for u, v in clique)), ([3], [25], True)),
    ]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GO_ON)
def test_corner_cases(name: str, backend: str) -> None:
    for _, graph, (src, dst, inserts) in corner_cases():
        if get_primitive(name).needs.weights:
            graph = of_edges(graph.n, *zip(*ends(graph), strict=True), weight=2)
        back = (src, dst, None, not inserts)
        check(name, graph, [(src, dst, None, inserts), back], 0, backend)


def ends(graph: Graph) -> tuple[list[int], list[int]]:
    return graph.csr.sources().tolist(), graph.csr.column_indices.tolist()


def test_without_an_answer_that_helps() -> None:
    """Any other primitive sees a graph like any other."""
    d = ChangingGraph(of_edges(3, (0, 1)))
    version = d.version
    d.insert([1], [2])
    now = d.after(version, {})
    assert isinstance(now, Updated)
    assert answer(get_primitive("kcore"), now, {}, 0)["cores"].tolist() == [1, 1, 1]
