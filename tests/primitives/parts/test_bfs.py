"""BFS in parts: the labels equal one device's, for any partition, graph and loop."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from several import BACKENDS, PARTITIONS, backend_of, check, directed_graph

from gunrock_cli.bench.inputs.sharing import bytes_needed
from gunrock_cli.engine.devices import Devices
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.parts.partition import partition_of, renumbered
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.parts.base import OnSeveralDevices

RMAT = GraphSpec("rmat", params={"scale": 11})
GRID = GraphSpec("grid2d", params={"width": 60, "height": 50})


def graphs() -> dict[str, Graph]:
    draw = np.random.default_rng(1)
    return {
        "rmat": load_graph(RMAT, np),
        "grid": load_graph(GRID, np),
        "directed": directed_graph(2000, 9000),
        "islands": build_graph(1500, draw.integers(0, 1500, 900), draw.integers(0, 1500, 900), xp=np),
        "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
        "alone": build_graph(1, np.zeros(0, int), np.zeros(0, int), xp=np),
    }


GRAPHS = graphs()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("direction", ["push", "optimized", pytest.param("pull", marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_device(name: str, direction: str, backend: str) -> None:
    graph = GRAPHS[name]
    chosen, counts = backend_of(backend)
    for number, devices in enumerate(counts):
        for partition in PARTITIONS:
            source = (7919 * number + len(partition)) % graph.n
            options = {"direction": direction, "mark_pred": True, "alpha": "5"}
            check("bfs", graph, chosen, devices, options, source, partition=partition)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_blocks_run_ahead_between_two_exchanges(name: str, backend: str) -> None:
    """Answers are right wherever the shortest paths cross between devices."""
    graph = GRAPHS[name]
    chosen, counts = backend_of(backend)
    options = {"direction": "push", "mark_pred": True, "run_ahead": "4"}
    for devices in counts:
        for partition in ("contiguous", "random"):
            for loop in ("device", "host") if name == "grid" else ("device",):
                check(
                    "bfs", graph, chosen, devices, options, graph.n // 3, partition=partition, loop=loop
                )


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mesh_takes_few_exchanges(backend: str) -> None:
    """The default takes one exchange for many levels, if paths keep to the parts."""
    chosen, counts = backend_of(backend)
    record = check("bfs", GRAPHS["grid"], chosen, counts[0], {"mark_pred": True}, 0)
    ahead = record.options["run_ahead"]
    told = [row for row in record.trace if row["device"] == 0 and row["phase"] == "exchange"]
    levels = 60 + 50 - 2
    assert levels / ahead <= len(told) < levels / 8
    assert told[0]["frontier_vertices"] == 60  # vertices at the border


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mesh_in_any_order_takes_few_exchanges(backend: str) -> None:
    """The default cuts a mesh into layers, between which a path crosses once or twice."""
    chosen, counts = backend_of(backend)
    shuffled = renumbered(GRAPHS["grid"], partition_of(GRAPHS["grid"], 2, "random"))
    levels, told = 60 + 50 - 2, {}
    for kind in ("auto", "contiguous"):
        record = check("bfs", shuffled, chosen, counts[0], {"mark_pred": True}, 7, partition=kind)
        exchanges = [row for row in record.trace if row["device"] == 0 and row["phase"] == "exchange"]
        told[record.device["partition"]] = (len(exchanges), exchanges[0]["frontier_vertices"])
    assert told["layered"][0] < levels / 8
    assert told["layered"][1] <= 2 * 50 < 1000 < told["contiguous"][1]  # vertices at the border
    assert told["layered"][0] < told["contiguous"][0]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["rmat", "grid"])
def test_host_loop(name: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    check("bfs", GRAPHS[name], chosen, counts[-1], {"mark_pred": True, "alpha": "5"}, 1, loop="host")


def test_both_directions_are_taken_and_shown_for_each_device() -> None:
    chosen, _ = backend_of("cpu")
    record = check("bfs", GRAPHS["rmat"], chosen, 3, {"mark_pred": True, "alpha": "5", "beta": "5"}, 5)
    phases = [[row["phase"] for row in record.trace if row["device"] == device] for device in range(3)]
    assert phases[0] == phases[1] == phases[2]
    assert {"exchange", "to queue", "push", "pull"} <= set(phases[0])
    assert phases[0][0] == "push"  # the source's list, which every device knows
    assert [each["number"] for each in record.device["devices"]] == [0, 1, 2]
    assert record.options["devices"] == "3"
    assert record.phases_ms["partition"] >= 0


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_direction_is_chosen_by_cost(backend: str) -> None:
    """Costs are sums over all devices: two levels, and no others, have most edges."""
    graph = load_graph(GraphSpec("rmat", params={"scale": 13, "edge_factor": 16}), np)
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("bfs", graph, chosen, devices, {}, int(np.argmax(graph.csr.degrees())))
        assert record.options["alpha"] == "cost"
        last = [row for row in record.trace if row["device"] == devices - 1]
        steps = [row for row in last if row["phase"] != "exchange"]
        assert [row["phase"] for row in steps[:3]] == ["push", "pull", "pull"]
        assert steps[1]["frontier_edges"] > graph.m / 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_pull_by_cost_counts_the_edges_into_what_is_not_found(backend: str) -> None:
    """Vertices that no path leads to have most edges, all into vertices found before the pull."""
    near, far, unreachable = np.arange(1, 1001), np.arange(1001, 1301), np.arange(1301, 2301)
    sources = [np.zeros(1000, int), np.repeat(near, 20), np.repeat(unreachable, 900)]
    ends = [near, 1001 + np.arange(20_000) * 7 % len(far), 1 + np.arange(900_000) % len(near)]
    graph = build_graph(2301, np.concatenate(sources), np.concatenate(ends), undirected=False, xp=np)
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("bfs", graph, chosen, devices, {"alpha": "cost", "direction": "optimized"}, 0)
        first = [row["phase"] for row in record.trace if row["device"] == 0]
        assert [phase for phase in first if phase != "exchange"][:2] == ["push", "pull"]


def test_devices_of_other_sizes_turn_at_the_same_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of a turn depends on the number of threads. Here one team alone would turn."""
    threads = cycle((1, 12))
    monkeypatch.setattr(Devices, "backend_at", lambda self: replace(self.backend, threads=next(threads)))
    draw = np.random.default_rng(22)
    n = int(draw.integers(200, 3000))
    m = int(n * draw.uniform(1.5, 8))
    sources, ends = ((n * draw.random(m) ** 3).astype(int) for _ in range(2))
    graph = build_graph(n, sources, ends, xp=np)
    check("bfs", graph, backend_of("cpu")[0], 2, {"direction": "optimized", "alpha": "cost"}, 864)


def test_a_search_ends_when_no_candidate_is_left() -> None:
    """The level that would find nothing on any device is not run."""
    ends = np.arange(1, 640)
    graph = build_graph(640, np.zeros(639, int), ends, xp=np, name="star")
    chosen, _ = backend_of("cpu")
    record = check("bfs", graph, chosen, 2, {"alpha": "1000"}, 5)
    steps = [row["phase"] for row in record.trace if row["device"] == 1 and row["phase"] != "exchange"]
    assert steps == ["push", "pull", "pull"]


def test_edges_are_counted_over_all_devices() -> None:
    chosen, _ = backend_of("cpu")
    options = {"direction": "push", "mark_pred": True}
    record = check("bfs", GRAPHS["rmat"], chosen, 3, options, 5, count=True)
    assert record.edges_inspected == record.edges_visited


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"idempotence": True}, "--idempotence is for one device"),
        ({"strategy": "two-phase"}, "--strategy and --fusion off are for one device"),
    ],
)
def test_what_one_device_alone_can_do_is_refused(options: dict[str, Any], words: str) -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match=words):
        check("bfs", GRAPHS["alone"], chosen, 2, options, 0)


@pytest.mark.parametrize(
    "name", [name for name in primitive_names() if isinstance(get_primitive(name), OnSeveralDevices)]
)
def test_what_parts_need_is_known_from_options_as_they_were_given(name: str) -> None:
    """Devices are chosen before a run is planned on them."""
    graph, primitive = with_weights(GRAPHS["rmat"], "unit"), get_primitive(name)
    half = 4 * graph.m // 2
    assert bytes_needed(primitive, graph, primitive.asked({}), 2) > half
