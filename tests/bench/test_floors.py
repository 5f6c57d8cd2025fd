"""Floors: the bytes that they count, by hand; no run beats one; and their place in records."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from planned import planned
from records_helper import make_record

from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.bench.protocol import floors
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.file import parse_record
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Traffic

WAYS: list[tuple[str, dict[str, Any]]] = [
    ("bfs", {}),
    ("bfs", {"mark_pred": True}),
    ("bfs", {"direction": "push", "run_ahead": "1"}),
    ("bfs", {"direction": "pull"}),
    ("bfs", {"direction": "push", "idempotence": True}),
    ("sssp", {}),
    ("sssp", {"mark_pred": True}),
    ("sssp", {"priority_queue": False}),
    ("bc", {}),
    ("bc", {"run_ahead": "1"}),
    ("bc", {"backward": "push"}),
    ("cc", {}),
    ("cc", {"variant": "hook-jump"}),
    ("cc", {"linking": "random", "sampling": "off"}),
    ("matching", {}),
    ("matching", {"by": "random"}),
    ("mst", {}),
    ("pagerank", {}),
    ("pagerank", {"precision": "float64"}),
    ("pagerank", {"push": True}),
    ("mis", {}),
    ("color", {}),
    ("color", {"waiting": "in-order"}),
    ("color", {"method": "independent-sets"}),
    ("kcore", {}),
    ("scc", {}),
    ("cdlp", {}),
    ("toposort", {}),
    ("biconnected", {}),
    ("ktruss", {}),
    ("cliques", {}),
    ("triangles", {}),
    ("triangles", {"per": "edge"}),
    ("triangles", {"per": "graph"}),
    ("clustering", {}),
    ("distances", {"sample": 300}),
    ("distances", {"sample": 300, "per": "pair"}),
    ("closeness", {"sample": 300}),
]
"""Every primitive by its default, and by every other way to the answer."""
GROWING = {"ktruss", "cliques"}
"""Those whose work grows with triangles or cliques, of which a large graph may have billions."""
SMALL = {
    "R-MAT": GraphSpec("rmat", params={"scale": 10}),
    "lattice": GraphSpec("grid2d", params={"width": 60, "height": 50}),
    "geometric": GraphSpec("rgg", params={"scale": 11}),
    "small world": GraphSpec("smallworld", params={"nodes": 3000}),
    "star": GraphSpec("star", params={"nodes": 4000}),
}
LARGE = {
    "R-MAT": GraphSpec("rmat", params={"scale": 20}),
    "R-MAT in the cache": GraphSpec("rmat", params={"scale": 14}),
    "lattice": GraphSpec("grid2d", params={"width": 1414, "height": 1414}),
    "geometric": GraphSpec("rgg", params={"scale": 21}),
    "random": GraphSpec("random", params={"nodes": 1 << 21}),
}


def run(name: str, way: dict[str, Any], graph: Graph, backend: Backend, sources: Any = None) -> Record:
    primitive = get_primitive(name)
    options = {**{option.key: option.default for option in primitive.options}, **way}
    if primitive.needs.weights and not graph.weighted:
        graph = with_weights(graph, "random:1:64")
    source = int(graph.csr.degrees().argmax())
    return measure(
        primitive, graph, options, sources or [source], backend, Protocol(runs=5, warmup=1, check="none")
    ).record


def assert_above_floor(record: Record) -> None:
    assert record.floor_ms
    assert min(record.runs_ms) > record.floor_ms, (record.graph["name"], record.options)
    assert record.time_ms is not None
    assert record.over_floor == pytest.approx(record.time_ms.mean / record.floor_ms)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SMALL)
def test_no_run_beats_its_floor(name: str) -> None:
    backend = choose_backend("cpu")
    graph = load_graph(SMALL[name])
    for primitive, way in WAYS:
        assert_above_floor(run(primitive, way, graph, backend))


@pytest.mark.gpu
@pytest.mark.parametrize("name", [*SMALL, *(f"large {name}" for name in LARGE)])
def test_no_run_beats_its_floor_on_a_gpu(name: str) -> None:
    backend = choose_backend("cuda")
    large = name.startswith("large ")
    graph = load_graph(LARGE[name.removeprefix("large ")] if large else SMALL[name], backend.xp)
    for primitive, way in WAYS:
        if not (large and primitive in GROWING):
            assert_above_floor(run(primitive, way, graph, backend))


# --- the bytes, by hand ---------------------------------------------------------------------------
def graph_of(n: int, edges: list[tuple[int, int]], undirected: bool = True) -> Graph:
    ends = np.array(edges, np.int32).reshape(-1, 2)
    return build_graph(n, ends[:, 0], ends[:, 1], undirected=undirected)


DIAMOND = graph_of(6, [(0, 1), (0, 2), (1, 3), (2, 3), (1, 2)])
"""One edge is within a level, and two vertices are out of reach."""


@pytest.mark.parametrize(
    ("name", "way", "expected"),
    [
        ("bfs", {}, Traffic(4 * 3, 4 * 3)),
        ("bfs", {"direction": "pull"}, Traffic(4 * 3, 4 * 3)),
        ("bfs", {"mark_pred": True}, Traffic(4 * 3, 8 * 3)),
        ("sssp", {}, Traffic(8 * 3, 4 * 3)),
        ("sssp", {"mark_pred": True}, Traffic(8 * 3, 8 * 3)),
        ("bc", {}, Traffic(4 * 4, 4 * 3 + 4 * 2)),  # 1 and 2 lie between
        ("cc", {}, Traffic(4 * 3, 4 * 3)),
        ("mst", {}, Traffic(8 * 5, 4 * 3)),
        ("matching", {}, Traffic(8 * 5, 8 * 2)),
        ("matching", {"by": "random"}, Traffic(4 * 1, 8 * 1)),  # 1 and 2 leave nobody to the others
        (
            "pagerank",
            {"tolerance": 0.0, "max_iterations": 7},
            Traffic(4 * 10 + 4 * 7 + 4 * 4, 4 * 4, passes=7),
        ),
        (
            "pagerank",
            {"tolerance": 0.0, "max_iterations": 7, "precision": "float64"},
            Traffic(4 * 10 + 4 * 7 + 8 * 4, 8 * 4, passes=7),
        ),
    ],
)
def test_what_cannot_be_avoided(name: str, way: dict[str, Any], expected: Traffic) -> None:
    record = run(name, way, DIAMOND, choose_backend("cpu", 2), [0])
    assert record.traffic == vars(expected)
    assert record.floor_ms == Ceilings.from_dict(record.ceilings).floor_ms(expected)


@pytest.mark.parametrize(
    ("backend", "devices", "known"), [("cuda", (), True), ("cuda", (0, 1), False), ("cpu", (0, 1), True)]
)
def test_several_gpus_are_not_held_to_the_floor_of_one(
    backend: str, devices: tuple[int, ...], known: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Ceilings.from_dict(run("bfs", {}, DIAMOND, choose_backend("cpu", 2), [0]).ceilings)
    monkeypatch.setattr(floors, "ceilings", lambda _: limits)
    record, bfs = make_record(), get_primitive("bfs")
    record.floor_ms, record.ceilings, record.model_ms = None, {}, None
    options = planned(bfs, DIAMOND).options
    work = bfs.work(DIAMOND, options, {"labels": np.array([0, 1, 1, 2, -1, -1], np.int32)})
    floors.note_floor(record, bfs, DIAMOND, options, [work], Backend(backend, ""), devices)
    assert bool(record.floor_ms and record.ceilings) == known
    assert not record.warnings


def test_shares_that_nobody_reads_or_that_never_change_are_not_counted() -> None:
    graph = graph_of(4, [(0, 1), (1, 2)], undirected=False)
    record = run("pagerank", {"tolerance": 0.0, "max_iterations": 1}, graph, choose_backend("cpu", 2))
    assert record.traffic == vars(Traffic(4 * 2 + 4 * 5 + 4 * 2, 4 * 1))


def test_of_several_sources_the_mean() -> None:
    graph = graph_of(5, [(0, 1), (1, 2), (3, 4)])
    record = run("bfs", {}, graph, choose_backend("cpu", 2), [0, 3])
    assert record.traffic == vars(Traffic(6, 6))


def test_edges_between_levels_are_counted_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    from gunrock_cli.primitives import bc

    labels = np.array([0, 1, 1, 2, -1, -1], np.int32)
    for chunk in (1, 3, 1 << 20):
        monkeypatch.setattr(bc, "CHUNK", chunk)
        assert bc.edges_between_levels(DIAMOND, labels) == 4


def test_a_source_alone_has_nothing_to_beat() -> None:
    record = run("bfs", {}, DIAMOND, choose_backend("cpu", 2), [5])
    assert (record.floor_ms, record.over_floor) == (0, None)


# --- records --------------------------------------------------------------------------------------
def test_the_model_has_its_own_name() -> None:
    record = run("bfs", {"direction": "push"}, DIAMOND, choose_backend("cpu", 2), [0])
    assert record.accesses == {"moved": 4 * 10 + 8 * 4, "gathers": 10, "table": 24, "passes": 1}
    assert record.model_ms
    assert parse_record(record.to_json()) == record


def test_a_device_that_cannot_be_measured_costs_the_floor_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(backend: Backend) -> Ceilings:
        raise OutOfMemory("no room for 12 bytes")

    monkeypatch.setattr(floors, "ceilings", fail)
    record = run("bfs", {}, DIAMOND, choose_backend("cpu", 2), [0])
    assert (record.status, record.floor_ms, record.model_ms) == ("ok", None, None)
    assert "no floor: no room for 12 bytes" in record.warnings
