"""When a run goes on from an earlier answer, and when it begins from scratch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.graph.changing import ChangingGraph
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive, going_on
from gunrock_cli.primitives.cc.choose import pays
from gunrock_cli.primitives.references import component_names


def path(n: int, *more: tuple[int, int], undirected: bool = True) -> Graph:
    """A path of ``n`` vertices and more edges, all of weight 2."""
    ends = [*((v, v + 1) for v in range(n - 1)), *more]
    return build_graph(
        int(np.max(ends)) + 1, *np.array(ends).T, np.full(len(ends), 2, np.int32), undirected=undirected
    )


def after(graph: Graph, u: int, v: int, weight: int | None) -> Updated:
    """The graph after an edge is inserted, with that weight, or deleted; with components from before."""
    d = ChangingGraph(graph)
    version, before = d.version, component_names(graph, "weak").astype(np.int32)
    d.apply([u], [v], None if weight is None else [weight], weight is not None)
    found = d.after(version, {"components": before})
    assert isinstance(found, Updated)
    return found


def goes_on(name: str, graph: Updated) -> bool:
    primitive = get_primitive(name)
    variant: Any = primitive.plan(graph, primitive.asked({}))
    return bool(variant.kernel == f"{name}/updated")


@pytest.mark.parametrize(
    ("change", "relying"),
    [
        ((0, 3, 2), set()),
        ((10, 11, None), {"bfs", "cc", "sssp"}),
        ((10, 11, 5), {"sssp"}),  # an edge with another weight is another edge to shortest paths only
    ],
)
def test_lost_edges_on_a_gpu(
    change: tuple[int, int, int | None], relying: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = after(path(8, (8, 9), (9, 10), (10, 11)), *change)
    for name in ("bfs", "cc", "sssp"):
        assert goes_on(name, graph)
    monkeypatch.setattr(going_on, "np", None)  # now no array is a host's
    for name in ("bfs", "cc", "sssp"):
        assert goes_on(name, graph) == (name not in relying)


STAR = [(30, v) for v in range(31, 60)]


@pytest.mark.parametrize(
    ("graph", "change", "expected"),
    [
        (path(12), (0, 5, 2), True),
        (path(12), (4, 5, None), False),  # of the component of all vertices
        (path(12), (4, 5, 7), True),  # no component loses it
        (path(5, (5, 6), (6, 7)), (2, 3, None), False),
        (path(5, (5, 6), (6, 7)), (5, 6, None), True),
        (path(31, *STAR), (4, 5, None), True),  # a hub tells where it may be cut
        (path(31, *STAR, undirected=False), (4, 5, None), False),
    ],
)
def test_components_that_lose_edges(
    graph: Graph, change: tuple[int, int, int | None], expected: bool
) -> None:
    assert pays(after(graph, *change)) == expected
