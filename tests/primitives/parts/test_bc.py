"""Betweenness centrality in parts: the scores of one device, however shortest paths run between them."""

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


def parallel(n: int, m: int) -> Graph:
    """Most edges more than once, and some that lead nowhere."""
    draw = np.random.default_rng(m)
    ends = draw.integers(0, n, (2, m // 3))[:, draw.integers(0, m // 3, m)]
    return build_graph(n, ends[0], ends[1], keep_duplicates=True, keep_self_loops=True, undirected=False,
                       xp=np, name="parallel")


GRAPHS: dict[str, Graph] = {
    "rmat": load_graph(GraphSpec("rmat", params={"scale": 10}), np),
    "grid": load_graph(GraphSpec("grid2d", params={"width": 40, "height": 30}), np),
    "directed": directed_graph(1500, 6000),
    "parallel edges": parallel(300, 3000),
    "path": path_between_parts(400, 400),
    "not all reached": directed_graph(1500, 1600, 3),
    "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
    "no edge": build_graph(300, np.zeros(0, int), np.zeros(0, int), xp=np),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_device(name: str, backend: str) -> None:
    check_cuts("bc", GRAPHS[name], backend, {})


@pytest.mark.parametrize("backend", BACKENDS)
def test_with_the_host_between_steps_and_small_queues(backend: str) -> None:
    check_growing_queues("bc", GRAPHS["rmat"], backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_level_is_told_once_each_way(backend: str) -> None:
    chosen, counts = backend_of(backend)
    record = check("bc", GRAPHS["grid"], chosen, counts[-1], {}, 0)
    for device in range(counts[-1]):
        phases = [row["phase"] for row in record.trace if row["device"] == device]
        assert phases.count("exchange") == (record.depth + 2) + (record.depth - 2)
        assert phases.count("backward") == record.depth - 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("backward", ["optimized", "pull"])
def test_scores_are_sent_up_where_the_level_below_has_few_edges(backward: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    graph = load_graph(GraphSpec("rmat", params={"scale": 12, "edge_factor": 4}), np)
    for devices in counts:
        record = check("bc", graph, chosen, devices, {"backward": backward},
                       int(np.argmax(graph.csr.degrees())), partition="random")
        steps = [row["phase"] for row in record.trace if row["device"] == devices - 1]
        assert (steps.count("upward") > 0) == (backward == "optimized")
        assert steps.count("upward") == steps.count("score")
        assert steps.count("upward") + steps.count("backward") == record.depth - 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_runs_leave_nothing_behind(backend: str) -> None:
    chosen, counts = backend_of(backend)
    check("bc", GRAPHS["rmat"], chosen, counts[-1], {}, 3, runs=3)


@pytest.mark.fuzz
def test_random_graphs() -> None:
    chosen, counts = backend_of("cpu")
    for case in range(cases(40)):
        draw = np.random.default_rng(case)
        n = int(draw.integers(50, 1500))
        graph = directed_graph(n, int(n * draw.uniform(0.5, 8)), case) if case % 2 else \
            build_graph(n, draw.integers(0, n, 2 * n), draw.integers(0, n, 2 * n), xp=np)
        check("bc", graph, chosen, counts[case % 2], {}, int(draw.integers(n)), check="reference",
              partition=PARTITIONS[case % 3])


@pytest.mark.parametrize(("option", "value"), [("variant", "edges"), ("backward", "push"),
                                           ("frontiers", "rebuilt"), ("run_ahead", "4")])
def test_what_only_one_device_can_do_is_refused(option: str, value: Any) -> None:
    chosen, _ = backend_of("cpu")
    named = f"--{option.replace('_', '-')} {value}"
    with pytest.raises(UsageError, match=f"{named}.* (one device|keep step)"):
        check("bc", GRAPHS["grid"], chosen, 2, {option: value}, 0)
