"""Components in parts: they equal one device's, however the pieces of a component are distributed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fuzzing import cases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from several import BACKENDS, PARTITIONS, backend_of, check, directed_graph, path_between_parts

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.cc import in_parts


def islands(n: int, m: int, seed: int) -> Graph:
    draw = np.random.default_rng(seed)
    return build_graph(n, draw.integers(0, n, m), draw.integers(0, n, m), xp=np, name="islands")


def giants(n: int, bridge: bool) -> Graph:
    """Two dense halves, apart or joined by one edge that samples miss."""
    draw = np.random.default_rng(n)
    half = n // 2
    tails = [draw.integers(0, half, 8 * n), draw.integers(half, n, 8 * n)]
    heads = [draw.integers(0, half, 8 * n), draw.integers(half, n, 8 * n)]
    ends = [
        np.concatenate([*side, np.full(int(bridge), end)])
        for side, end in ((tails, half - 1), (heads, n - 1))
    ]
    return build_graph(n, *ends, xp=np, name="giants")


GRAPHS: dict[str, Graph] = {
    "rmat": load_graph(GraphSpec("rmat", params={"scale": 11}), np),
    "grid": load_graph(GraphSpec("grid2d", params={"width": 60, "height": 50}), np),
    "path": path_between_parts(1500, 0),
    "islands": islands(1500, 1200, 1),
    "one giant of two": giants(1024, True),
    "two giants": giants(1024, False),
    "directed": directed_graph(2000, 2500),
    "directed path": path_between_parts(700, 2, undirected=False),
    "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
    "no edge": build_graph(300, np.zeros(0, int), np.zeros(0, int), xp=np),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "options",
    [{}, {"sampling": "on", "linking": "id"}, {"sampling": "off", "linking": "random"}],
    ids=str,
)
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_device(name: str, options: dict[str, Any], backend: str) -> None:
    chosen, counts = backend_of(backend)
    for devices in counts:
        for partition in PARTITIONS:
            check("cc", GRAPHS[name], chosen, devices, options, partition=partition)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("turned", [False, True])
def test_the_giant_is_found_from_a_few_edges(turned: bool, backend: str) -> None:
    """Few edges of each vertex are enough, though its neighbors are on other devices: few lists are read
    to their ends, whichever device has the hub."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 14, "edge_factor": 16}), np)
    if turned:
        last = graph.n - 1
        graph = build_graph(graph.n, last - graph.csr.sources(), last - graph.csr.column_indices, xp=np)
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("cc", graph, chosen, devices, {"sampling": "on", "linking": "id"})
        left = sum(row["frontier_edges"] for row in record.trace if row["phase"] == "finish")
        assert 0 < left < graph.m / 500
        rounds = [row for row in record.trace if row["device"] == 0 and row["phase"] == "grow"]
        assert len(rounds) == 2  # as the hub has neighbors everywhere


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_of_a_mesh_all_are_told_once(loop: str, backend: str) -> None:
    """Each key's tree is told once; if the host steps, some may be told before others are done."""
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("cc", GRAPHS["grid"], chosen, devices, {}, loop=loop)
        for device in range(devices):
            phases = [row["phase"] for row in record.trace if row["device"] == device]
            told = [
                row["frontier_vertices"]
                for row in record.trace
                if row["device"] == device and row["phase"] == "exchange"
            ]
            assert phases[-1] == "name"
            assert "hub" not in phases
            assert set(told) == {60 if device in (0, devices - 1) else 120}  # a row for each border
            assert loop == "host" or len(told) == 1


def test_the_giant_is_looked_for_where_there_are_hubs_or_one_is_asked_for() -> None:
    chosen, _ = backend_of("cpu")
    for name, options in (("rmat", {}), ("grid", {"sampling": "hub"})):
        record = check("cc", GRAPHS[name], chosen, 2, options)
        assert record.trace[0]["phase"] == "hub"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["path", "rmat", "directed"])
def test_what_is_told_comes_in_chunks(name: str, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_parts, "CHUNK", 37)
    chosen, counts = backend_of(backend)
    for loop in ("device", "host"):
        record = check(
            "cc", GRAPHS[name], chosen, counts[-1], {"sampling": "off"}, partition="random", loop=loop
        )
    told = [row for row in record.trace if row["device"] == 0 and row["phase"] == "exchange"]
    assert len(told) > 5


@pytest.mark.fuzz
def test_sparse_graphs() -> None:
    """Sparse graphs, on which any missing message shows."""
    chosen, counts = backend_of("cpu")
    for case in range(cases(40)):
        draw = np.random.default_rng(case)
        n = int(draw.integers(200, 1200))
        graph = islands(n, int(n * draw.uniform(0.3, 1.5)), case)
        options = {"sampling": ("on", "off")[case % 2], "linking": ("id", "random")[case // 2 % 2]}
        check(
            "cc",
            graph,
            chosen,
            counts[case % 2],
            options,
            check="reference",
            partition=PARTITIONS[case % len(PARTITIONS)],
        )


@st.composite
def crossing(draw: st.DrawFn) -> Graph:
    """Few edges, most of which cross any cut: between halves, and along a path."""
    n = draw(st.integers(1, 700))
    pairs = st.tuples(st.integers(0, n // 2), st.integers(n // 2, n - 1) if n > 1 else st.just(0))
    ends = draw(st.lists(pairs, max_size=150))
    path = np.arange(0, n - 1, draw(st.integers(1, 200)))
    tails, heads = np.array(ends, np.int64).reshape(-1, 2).T
    return build_graph(
        n,
        np.concatenate([tails, path]),
        np.concatenate([heads, path + 1]),
        undirected=draw(st.booleans()),
        xp=np,
        name="crossing",
    )


@pytest.mark.fuzz
@settings(
    max_examples=cases(15),
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    graph=crossing(),
    devices=st.integers(2, 5),
    partition=st.sampled_from(PARTITIONS),
    sampling=st.sampled_from([("on", "id"), ("off", "random")]),
    chunk=st.integers(1, 60),
    loop=st.sampled_from(["device", "host"]),
)
def test_whatever_crosses(
    graph: Graph,
    devices: int,
    partition: str,
    sampling: tuple[str, str],
    chunk: int,
    loop: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(in_parts, "CHUNK", chunk)
    chosen, _ = backend_of("cpu")
    check(
        "cc",
        graph,
        chosen,
        devices,
        dict(zip(("sampling", "linking"), sampling, strict=True)),
        check="reference",
        partition=partition,
        loop=loop,
    )


def test_the_other_variant_is_for_one_device() -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match="--variant hook-jump is for one device"):
        check("cc", GRAPHS["grid"], chosen, 2, {"variant": "hook-jump"})
