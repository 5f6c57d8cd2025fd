"""BFS in parts: the same labels as on one device, whatever the partition, the graph and the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from several import BACKENDS, PARTITIONS, backend_of, check, directed_graph

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.spec import GraphSpec

RMAT = GraphSpec("rmat", params={"scale": 11})
GRID = GraphSpec("grid2d", params={"width": 60, "height": 50})


def graphs() -> dict[str, Graph]:
    draw = np.random.default_rng(1)
    return {
        "rmat": load_graph(RMAT, np), "grid": load_graph(GRID, np),
        "directed": directed_graph(2000, 9000),
        "islands": build_graph(1500, draw.integers(0, 1500, 900), draw.integers(0, 1500, 900), xp=np),
        "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
        "alone": build_graph(1, np.zeros(0, int), np.zeros(0, int), xp=np),
    }


GRAPHS = graphs()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("direction", [
    "push", "optimized", pytest.param("pull", marks=pytest.mark.long)])
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
@pytest.mark.parametrize("name", ["rmat", "grid"])
def test_host_loop(name: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    check("bfs", GRAPHS[name], chosen, counts[-1], {"mark_pred": True, "alpha": "5"}, 1, loop="host")


def test_both_directions_are_taken_and_shown_for_each_device() -> None:
    chosen, _ = backend_of("cpu")
    record = check("bfs", GRAPHS["rmat"], chosen, 3, {"mark_pred": True}, 5)
    phases = [[row["phase"] for row in record.trace if row["device"] == device] for device in range(3)]
    assert phases[0] == phases[1] == phases[2]
    assert {"begin", "exchange", "to queue", "push", "pull"} <= set(phases[0])
    assert [each["number"] for each in record.device["devices"]] == [0, 1, 2]
    assert record.options["devices"] == "3"
    assert record.phases_ms["partition"] >= 0


def test_edges_are_counted_over_all_devices() -> None:
    chosen, _ = backend_of("cpu")
    options = {"direction": "push", "mark_pred": True}
    record = check("bfs", GRAPHS["rmat"], chosen, 3, options, 5, count=True)
    assert record.edges_inspected == record.edges_visited


@pytest.mark.parametrize(("options", "words"), [
    ({"idempotence": True}, "--idempotence is for one device"),
    ({"run_ahead": "8"}, "--run-ahead 8: several devices keep step; use 1"),
])
def test_what_one_device_alone_can_do_is_refused(options: dict[str, Any], words: str) -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match=words):
        check("bfs", GRAPHS["alone"], chosen, 2, options, 0)
