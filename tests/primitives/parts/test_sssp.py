"""Shortest paths in parts: the distances of one device, however the paths run between the devices."""

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
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.graph.weights import with_weights


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
    *((name, options) for name in ("rmat", "directed") for options in (
        {"delta": "3"}, {"priority_queue": False}))]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "options"), CASES, ids=str)
def test_answers_are_those_of_one_device(name: str, options: dict[str, Any], backend: str) -> None:
    check_cuts("sssp", GRAPHS[name], backend, options, ("random",) if options else PARTITIONS)


@pytest.mark.parametrize("backend", BACKENDS)
def test_with_the_host_between_steps_and_small_queues(backend: str) -> None:
    check_growing_queues("sssp", GRAPHS["rmat"], backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_work_and_exchange_are_traced_for_each_device(backend: str) -> None:
    chosen, counts = backend_of(backend)
    devices = counts[-1]
    trace = check("sssp", GRAPHS["rmat"], chosen, devices, {}, 0).trace
    told = [[row["frontier_vertices"] for row in trace
             if row["device"] == device and row["phase"] == "exchange"] for device in range(devices)]
    heard = [[row["frontier_vertices"] for row in trace
              if row["device"] == device and row["phase"] == "receive"] for device in range(devices)]
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
        graph = weighted(directed_graph(n, int(n * draw.uniform(0.5, 8)), case),
                         ("random:1:64", "random:0:2")[case // 4 % 2])
        options = {"delta": str(int(draw.integers(1, 200))), "priority_queue": bool(case % 5),
                   "mark_pred": bool(case // 2 % 2)}
        check("sssp", graph, chosen, counts[case % 2], options, int(draw.integers(n)),
              check="reference", partition=PARTITIONS[case % 3])


@pytest.mark.parametrize(("option", "value"), [("redundancy", "bitmap"), ("fusion", "off"),
                                                 ("run_ahead", "on")])
def test_what_only_one_device_can_do_is_refused(option: str, value: Any) -> None:
    chosen, _ = backend_of("cpu")
    with pytest.raises(UsageError, match=f"--{option.replace('_', '-')}.* (one device|keep step)"):
        check("sssp", GRAPHS["grid"], chosen, 2, {option: value}, 0)
