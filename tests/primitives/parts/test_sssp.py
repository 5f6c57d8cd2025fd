"""Shortest paths in parts: the distances equal one device's, wherever the paths cross between devices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fuzzing import cases
from several import (
    BACKENDS,
    PARTITIONS,
    backend_of,
    check,
    check_cuts,
    check_growing_queues,
    directed_graph,
    path_between_parts,
)

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.sssp.widths import PUSHED_EDGES


def weighted(graph: Graph, weights: str = "random:1:64") -> Graph:
    return with_weights(graph, weights)


def chain(n: int, weight: float, dtype: Any) -> Graph:
    return path_between_parts(n, n, np.full(n - 1, weight, dtype))


GRAPHS: dict[str, Graph] = {
    "rmat": weighted(load_graph(GraphSpec("rmat", params={"scale": 10}), np)),
    "grid": weighted(load_graph(GraphSpec("grid2d", params={"width": 40, "height": 30}), np)),
    "directed": weighted(directed_graph(1500, 6000)),
    "floats": chain(700, 0.37, np.float32),
    "zero weights": chain(300, 0, np.int32),
    "not all reached": weighted(directed_graph(1500, 1600, 3)),
    "fewer than parts": weighted(build_graph(3, np.array([0]), np.array([2]), xp=np)),
}


CASES: list[tuple[str, dict[str, Any]]] = [
    *((name, options) for name in GRAPHS for options in ({}, {"mark_pred": True})),
    *(
        (name, options)
        for name in ("rmat", "directed")
        for options in ({"delta": "3"}, {"priority_queue": False})
    ),
]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_answers_are_those_of_one_device(name: str, options: dict[str, Any], backend: str) -> None:
    check_cuts("sssp", GRAPHS[name], backend, options, ("random",) if options else PARTITIONS)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_weight_of_minus_zero_is_the_least_of_all(backend: str) -> None:
    """Only one device has this weight. From one vertex, no other weight stays below the bound."""
    chosen, counts = backend_of(backend)
    edges = [(0, 1, 9.5), (1, 2, -0.0), (0, 2, 9.9), (0, 399, 1000), (4, 300, 50)]
    edges += [(0, v, 5) for v in range(3, 300)] + [(v, v + 1, 3) for v in range(3, 299)]
    sources, ends, weights = (np.array(column) for column in zip(*edges, strict=True))
    graph = build_graph(400, sources, ends, weights.astype(np.float32), undirected=False, xp=np)
    for devices in counts:
        check("sssp", graph, chosen, devices, {"direction": "optimized", "bound": "10"}, 0)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_blocks_run_ahead_between_two_exchanges(name: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    graph = GRAPHS[name]
    for devices in counts:
        for partition in ("contiguous", "random"):
            check(
                "sssp",
                graph,
                chosen,
                devices,
                {"run_ahead": "on", "delta": "30"},
                graph.n // 3,
                partition=partition,
            )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_a_bound_prunes_on_several_devices_as_well(name: str, backend: str) -> None:
    """Answers are right whatever the bound leaves over, and wherever the source is."""
    chosen, counts = backend_of(backend)
    graph = GRAPHS[name]
    hub = int(np.argmax(graph.csr.degrees()))
    for devices in counts:
        for partition, bound, source in (("contiguous", "auto", hub), ("random", "3", 0)):
            check(
                "sssp",
                graph,
                chosen,
                devices,
                {"direction": "optimized", "bound": bound},
                source,
                partition=partition,
            )


@pytest.mark.parametrize(
    ("backend", "scale", "proof"),
    [("cpu", 13, "both"), pytest.param("cuda", 19, "certificate", marks=pytest.mark.gpu)],
)  # below PUSHED_EDGES GPUs push
def test_with_hubs_a_bound_is_set_of_its_own_accord(backend: str, scale: int, proof: str) -> None:
    chosen, counts = backend_of(backend)
    graph = weighted(load_graph(GraphSpec("rmat", params={"scale": scale, "edge_factor": 16}), chosen.xp))
    assert backend == "cpu" or graph.m >= PUSHED_EDGES
    record = check("sssp", graph, chosen, counts[0], {}, int(graph.csr.degrees().argmax()), check=proof)
    assert record.options["direction"] == "optimized"
    steps = [row for row in record.trace if row["device"] == 0]
    turns = [row for row in steps if row["phase"] == "turn"]
    assert turns[-1]["frontier_edges"] < graph.m / 2  # which the rest looks back over
    relaxed = [row["frontier_edges"] for row in steps if row["phase"] == "relax"]
    assert sum(relaxed) < graph.m / 2


def test_a_search_of_a_small_component_ends_below_the_first_bound() -> None:
    """If no edge is left, nothing is beyond the bound."""
    graph = weighted(build_graph(500, np.array([0, 1, 3]), np.array([1, 2, 4]), xp=np))
    chosen, _ = backend_of("cpu")
    record = check("sssp", graph, chosen, 2, {"direction": "optimized", "bound": "1000"}, 0)
    assert [row["phase"] for row in record.trace if row["device"] == 0].count("turn") == 1


def test_predecessors_are_found_by_push_on_several_devices() -> None:
    chosen, _ = backend_of("cpu")
    options = {"mark_pred": True, "direction": "optimized"}
    with pytest.raises(UsageError, match="--direction optimized with --mark-pred is for one device"):
        check("sssp", GRAPHS["rmat"], chosen, 2, options, 0)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_mesh_runs_ahead_of_its_own_accord(backend: str) -> None:
    """The bound is shared by all devices: the number of runs equals one device's."""
    chosen, counts = backend_of(backend)
    one = check("sssp", GRAPHS["grid"], chosen, 1, {"run_ahead": "on"}, 0)
    several = check("sssp", GRAPHS["grid"], chosen, counts[0], {}, 0)
    assert one.options["run_ahead"] == several.options["run_ahead"] == "on"
    runs = [
        [row for row in record.trace if row["phase"] == "ahead" and row.get("device", 0) == 0]
        for record in (one, several)
    ]
    assert len(runs[1]) <= 1.5 * len(runs[0]) + 2


@pytest.mark.parametrize("backend", BACKENDS)
def test_with_the_host_between_steps_and_small_queues(backend: str) -> None:
    check_growing_queues("sssp", GRAPHS["rmat"], backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_work_and_exchange_are_traced_for_each_device(backend: str) -> None:
    chosen, counts = backend_of(backend)
    devices = counts[-1]
    trace = check("sssp", GRAPHS["rmat"], chosen, devices, {"direction": "push"}, 0).trace
    told = [
        [
            row["frontier_vertices"]
            for row in trace
            if row["device"] == device and row["phase"] == "exchange"
        ]
        for device in range(devices)
    ]
    heard = [
        [
            row["frontier_vertices"]
            for row in trace
            if row["device"] == device and row["phase"] == "receive"
        ]
        for device in range(devices)
    ]
    assert len({tuple(each) for each in heard}) == 1
    assert [sum(each) for each in zip(*told, strict=True) if sum(each)] == heard[0]
    assert {row["phase"] for row in trace} == {"begin", "relax", "split", "receive", "exchange"}


@pytest.mark.parametrize("backend", BACKENDS)
def test_paths_too_long_for_their_type_are_refused(backend: str) -> None:
    chosen, counts = backend_of(backend)
    with pytest.raises(AssertionError, match="beyond the range of int32; use --weight-type float32"):
        check("sssp", chain(300, 2**30, np.int32), chosen, counts[-1], {}, 0)


@pytest.mark.fuzz
def test_random_graphs() -> None:
    chosen, counts = backend_of("cpu")
    for case in range(cases(40)):
        draw = np.random.default_rng(case)
        n = int(draw.integers(50, 1500))
        graph = weighted(
            directed_graph(n, int(n * draw.uniform(0.5, 8)), case),
            ("random:1:64", "random:0:2")[case // 4 % 2],
        )
        delta = str(int(draw.integers(1, 200)))
        options = {
            **({"delta": delta} if case % 5 else {"priority_queue": False}),
            "mark_pred": bool(case // 2 % 2),
        }
        check(
            "sssp",
            graph,
            chosen,
            counts[case % 2],
            options,
            int(draw.integers(n)),
            check="reference",
            partition=PARTITIONS[case % len(PARTITIONS)],
        )


@pytest.mark.parametrize(("option", "value"), [("redundancy", "bitmap"), ("fusion", "off")])
def test_what_only_one_device_can_do_is_refused(option: str, value: Any) -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match=f"--{option.replace('_', '-')}.* (one device|keep step)"):
        check("sssp", GRAPHS["grid"], chosen, 2, {option: value}, 0)
