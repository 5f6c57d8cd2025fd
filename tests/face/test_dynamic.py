"""``gunrock.DynamicGraph``: batches from Python, and runs that go on from earlier Results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from runs_helper import BACKENDS
from scipy import sparse

import gunrock_cli as gunrock
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph


def ring(**how: Any) -> Any:
    """A ring of ten vertices."""
    ends = np.arange(10)
    return gunrock.DynamicGraph((ends, (ends + 1) % 10), symmetrize=True, **{"backend": "cpu", **how})


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_call_is_about_the_graph_as_it_is_then(backend: str) -> None:
    d = ring(backend=backend)
    first = gunrock.bfs(d, source=0, check=True, backend=backend)
    assert int(first.labels.max()) == 5
    d.insert([0], [5])
    second = gunrock.bfs(d, source=0, previous=first, check=True, backend=backend)
    assert second.labels.tolist() == [0, 1, 2, 3, 2, 1, 2, 3, 2, 1]
    d.delete([0, 0, 5], [1, 9, 0])
    d.insert([11], [2])
    third = gunrock.bfs(d, source=0, previous=first, check=True, backend=backend)  # over two batches
    assert third.labels.tolist() == [0] + [-1] * 11
    assert gunrock.cc(d, backend=backend).components.tolist() == [0] + [1] * 9 + [10, 1]


def test_whatever_takes_a_graph_takes_it() -> None:
    d = ring()
    search = gunrock.prepare("bfs", d, backend="cpu")
    d.insert([0] * 7, range(2, 9))
    assert int(search(0).labels.max()) == 5  # prepared for the graph as it was
    assert gunrock.diameter(d).lower == 2
    assert gunrock.run("kcore", d, backend="cpu").cores.tolist() == [2] * 10
    assert gunrock.DynamicGraph(d.graph).graph is d.graph
    assert "after 1 batches" in repr(d)


def test_weights() -> None:
    a = sparse.csr_array(np.array([[0, 2.5, 9], [0, 0, 1], [0, 0, 0]], np.float32))
    d = gunrock.DynamicGraph(a, backend="cpu")
    first = gunrock.sssp(d, source=0, backend="cpu")
    assert first.distances.tolist() == [0, 2.5, 3.5]
    d.insert([0, 0], [1, 2], weights=[9, 3])
    assert gunrock.sssp(d, 0, previous=first, backend="cpu").distances.tolist() == [0, 9, 3]
    d = ring()  # without weights, where every edge weighs 1
    first = gunrock.sssp(d, source=0, backend="cpu")
    d.insert([0], [5])
    d.delete([0], [1])
    found = gunrock.sssp(d, source=0, previous=first, check=True, backend="cpu").distances
    assert found.tolist() == [0, 5, 4, 3, 2, 1, 2, 3, 2, 1]


def test_options_are_refused_whatever_has_changed() -> None:
    """Also where the run begins from scratch, as the changes are forgotten."""
    d = ring()
    first = gunrock.bfs(d, source=0, backend="cpu")
    d.insert([0] * 9, range(1, 10))
    d.delete([0] * 9, range(1, 10))
    d.insert([0], [1])
    assert type(d.after(first.version, {})) is Graph
    with pytest.raises(UsageError, match="mark_pred=True does not go with"):
        gunrock.bfs(d, 0, previous=first, mark_pred=True, backend="cpu")
    ranks = gunrock.pagerank(d, backend="cpu")
    gunrock.pagerank(d, previous=ranks, tolerance=1e-4, backend="cpu")
    with pytest.raises(UsageError, match="push=True does not go with"):
        gunrock.pagerank(d, previous=ranks, push=True, backend="cpu")


@pytest.mark.parametrize(
    ("call", "problem"),
    [
        (lambda d, r: gunrock.cc(d.graph, previous=r), "previous is for a DynamicGraph"),
        (lambda d, r: gunrock.cc(d, previous=r), "previous is an answer of bfs, not of cc"),
        (lambda d, r: gunrock.bfs(d, previous=r.labels), "previous is no answer for this graph"),
        (lambda d, r: gunrock.bfs(d, previous=gunrock.bfs(d.graph)), "previous is no answer"),
        (lambda d, r: gunrock.bfs(d, previous=gunrock.bfs(d, symmetrize=True)), "previous is no answer"),
        (lambda d, r: gunrock.bfs(ring(), previous=r), "the answer of another graph"),
        (lambda d, r: gunrock.bfs(d, source=1, previous=r), "previous starts from vertex 0, not 1"),
        (lambda d, r: gunrock.bfs(d, previous=r, mark_pred=True), "mark_pred=True does not go with"),
        (lambda d, r: gunrock.bfs(d, previous=r, devices="2"), "devices='2' does not go with previous"),
        (lambda d, r: gunrock.bfs(d, previous=r, symmetrize=True), "symmetrize=True does not go"),
        (lambda d, r: gunrock.kcore(d, previous=r), "kcore has no option 'previous'"),
        (lambda d, r: gunrock.DynamicGraph(d.graph, symmetrize=True), "symmetrize is for making"),
    ],
)
def test_what_cannot_go_on(call: Callable[[Any, Any], Any], problem: str) -> None:
    d = ring()
    with pytest.raises(UsageError, match=problem) as refused:
        call(d, gunrock.bfs(d, source=0, backend="cpu"))
    assert "\n" not in str(refused.value)
