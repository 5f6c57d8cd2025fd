"""The number of levels that blocks run ahead if the user leaves it to the tool, and the copy of the
lists."""

from typing import Any, Literal
from unittest.mock import patch

import numpy as np
import pytest
from graph_helper import generated
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.on_gpu import as_on_gpu
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.operators import advance_ahead
from gunrock_cli.operators.advance_ahead import (
    LEVELS,
    LEVELS_OF_LATTICES,
    ahead_macros,
    launch_shape,
    levels_ahead,
    padded_room,
    pads_ahead,
)
from gunrock_cli.operators.launch_shapes import (
    AHEAD_LONG,
    AHEAD_SHORT,
    AHEAD_SHORT_WEIGHTED,
    AHEAD_UNEVEN,
    AHEAD_UNEVEN_WEIGHTED,
)
from gunrock_cli.operators.lists import has_many_levels
from gunrock_cli.primitives import get_primitive

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]


def resolved(graph: Graph, wanted: int | Literal["auto"] = "auto", able: bool = True) -> Any:
    return levels_ahead(wanted, graph, able, "--direction push")


@pytest.mark.parametrize(
    ("generator", "how", "levels"),
    [
        ("grid2d", {"width": 30, "height": 30}, LEVELS),
        ("grid3d", {"width": 9, "height": 9, "depth": 9}, LEVELS),
        (
            "random",
            {"nodes": 2000, "edges": 64000},
            1,
        ),  # without hubs, but all is reached in three levels
        ("rmat", {"scale": 10, "edge_factor": 8}, 1),  # hubs
    ],
)
def test_by_itself_only_where_many_levels_are_expected(
    generator: str, how: dict[str, int], levels: int
) -> None:
    graph = generated(generator, **how)
    assert resolved(graph) == levels
    assert has_many_levels(graph) == (levels > 1)
    assert resolved(graph, able=False) == 1


def test_further_on_lattices_where_lists_are_padded() -> None:
    with patch.object(advance_ahead, "pads_ahead", return_value=True):
        assert resolved(generated("grid2d", width=30, height=30)) == LEVELS_OF_LATTICES
        assert resolved(generated("road", nodes=2000)) == LEVELS


@pytest.mark.parametrize(
    ("generator", "how", "shape", "weighted"),
    [
        ("grid2d", {"width": 30, "height": 30}, AHEAD_SHORT, AHEAD_SHORT_WEIGHTED),
        ("road", {"nodes": 2000}, AHEAD_UNEVEN, AHEAD_UNEVEN_WEIGHTED),
        ("rgg", {"scale": 14}, AHEAD_LONG, AHEAD_LONG),
    ],
)
def test_shapes_by_how_even_lists_are(
    generator: str, how: dict[str, int], shape: Tuning, weighted: Tuning
) -> None:
    graph = generated(generator, **how)
    assert launch_shape(graph) == shape
    assert launch_shape(graph, weighted=True) == weighted
    on_gpu = ahead_macros(as_on_gpu(graph), weighted=True)
    assert ("GR_AHEAD_LONG" in on_gpu) == (shape is AHEAD_LONG)
    assert not ahead_macros(graph)


def test_as_told_on_every_graph() -> None:
    graph = generated("random", nodes=2000, edges=64000)
    assert resolved(graph, 7) == 7
    with pytest.raises(UsageError, match="--run-ahead 7 needs --direction push"):
        resolved(graph, 7, able=False)


# --- over a copy of the lists ----------------------------------------------------------------------
def search(
    graph: Graph,
    source: int,
    name: str,
    levels: int,
    backend: str = "cpu",
    loop: str = "device",
    threads: int = 3,
) -> str:
    """The verdict of a search that runs ahead over the copy, even if it would not do so by default."""
    primitive = get_primitive(name)
    options = {option.key: option.default for option in primitive.options} | {"run_ahead": str(levels)}
    if name == "bfs":
        options["direction"] = "push"
    if name == "sssp":  # the distance to run ahead is `levels` mean weights
        graph = with_weights(graph, "random:0:40" if levels < 16 else "random:0.0:1.0")
        options |= {"run_ahead": "on", "delta": str(20 * levels if levels < 16 else 2)}
    with patch.object(advance_ahead, "pads_ahead", return_value=True):
        assert padded_room(graph) is not None
        measured = measure(
            primitive,
            graph,
            options,
            [source],
            choose_backend(backend, threads),
            Protocol(runs=2, warmup=0, loop=loop),
        )
    return str(measured.record.validation["verdict"])


@st.composite
def graphs_of_some_long_lists(draw: st.DrawFn) -> tuple[Graph, int]:
    n = draw(st.integers(1, 40))
    vertex = st.integers(0, n - 1)
    ends = draw(st.lists(st.tuples(vertex, vertex), max_size=3 * n))
    hub = draw(vertex)
    ends += [(hub, v) for v in range(draw(st.integers(0, n)))]
    table = np.array(ends, np.int64).reshape(-1, 2)
    graph = build_graph(
        n,
        table[:, 0],
        table[:, 1],
        None,
        undirected=draw(st.booleans()),
        keep_self_loops=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
    )
    return graph, draw(vertex)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(graphs_of_some_long_lists(), st.sampled_from(["bfs", "bc", "sssp"]), st.sampled_from([2, 5, 16]))
def test_random_graphs_over_the_copy(drawn: tuple[Graph, int], name: str, levels: int) -> None:
    graph, source = drawn
    assert search(graph, source, name, levels) == "pass"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("name", ["bfs", "bc", "sssp"])
@pytest.mark.parametrize(
    ("generator", "how"),
    [
        ("grid2d", {"width": 300, "height": 70}),
        ("road", {"nodes": 20000}),
        ("grid3d", {"width": 20, "height": 20, "depth": 20}),  # longer lists
        ("rmat", {"scale": 10, "edge_factor": 8}),
        ("grid2d", {"width": 1, "height": 500}),
    ],
)
def test_meshes_over_the_copy(
    generator: str, how: dict[str, int], name: str, loop: str, backend: str
) -> None:
    graph = generated(generator, **how).to(choose_backend(backend).xp)
    for levels in (2, 16):
        assert search(graph, 3, name, levels, backend, loop) == "pass"


def test_a_core_reads_the_lists_themselves() -> None:
    assert padded_room(generated("grid2d", width=30, height=30)) is None


class OnGpu:
    """A graph that a rule takes for one on a GPU."""

    def __init__(self, graph: Graph) -> None:
        self.xp, self.csr, self.n, self.m = None, graph.csr, graph.n, graph.m


def test_weights_are_copied_where_lists_are_uneven_and_the_cache_holds_the_copy() -> None:
    lattice, road = (
        OnGpu(generated(name, **how))
        for name, how in (("grid2d", {"width": 300, "height": 300}), ("road", {"nodes": 2000}))
    )
    assert [pads_ahead(graph) for graph in (lattice, road)] == [True, True]
    assert [pads_ahead(graph, weighted=True) for graph in (lattice, road)] == [False, True]
    with patch.object(advance_ahead, "MOST_WEIGHTED", 8 * 4 * road.n - 1):
        assert not pads_ahead(road, weighted=True)
        assert pads_ahead(road)
