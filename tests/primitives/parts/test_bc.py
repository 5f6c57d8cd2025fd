"""Betweenness centrality in parts: the scores equal one device's, wherever shortest paths lead."""

from __future__ import annotations

import threading
import time
from typing import Any

import numpy as np
import pytest
from fuzzing import cases
from hypothesis import given, settings
from hypothesis import strategies as st
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

from gunrock_cli.engine import team
from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.bc import in_parts


def parallel(n: int, m: int) -> Graph:
    """Most edges occur more than once, and some lead nowhere."""
    draw = np.random.default_rng(m)
    ends = draw.integers(0, n, (2, m // 3))[:, draw.integers(0, m // 3, m)]
    return build_graph(
        n,
        ends[0],
        ends[1],
        keep_duplicates=True,
        keep_self_loops=True,
        undirected=False,
        xp=np,
        name="parallel",
    )


GRAPHS: dict[str, Graph] = {
    "rmat": load_graph(GraphSpec("rmat", params={"scale": 10}), np),
    "grid": load_graph(GraphSpec("grid2d", params={"width": 40, "height": 30}), np),
    "directed": directed_graph(1500, 6000),
    "parallel edges": parallel(300, 3000),
    "path": path_between_parts(400, 400),
    "directed path": path_between_parts(300, 3, undirected=False),
    "directed grid": load_graph(
        GraphSpec("grid2d", params={"width": 40, "height": 30}, undirected=False), np
    ),
    "not all reached": directed_graph(1500, 1600, 3),
    "fewer than parts": build_graph(3, np.array([0]), np.array([2]), xp=np),
    "no edge": build_graph(300, np.zeros(0, int), np.zeros(0, int), xp=np),
}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_device(name: str, backend: str) -> None:
    """Compare the way that suits the graph, and the other one."""
    graph = GRAPHS[name]
    check_cuts("bc", graph, backend, {})
    check_cuts("bc", graph, backend, {"run_ahead": "1" if has_no_hubs(graph) else "3"})


@pytest.mark.parametrize("backend", BACKENDS)
def test_with_the_host_between_steps_and_small_queues(backend: str) -> None:
    check_growing_queues("bc", GRAPHS["rmat"], backend)


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_level_is_told_once_each_way(backend: str) -> None:
    chosen, counts = backend_of(backend)
    record = check("bc", GRAPHS["grid"], chosen, counts[-1], {"run_ahead": "1"}, 0)
    for device in range(counts[-1]):
        phases = [row["phase"] for row in record.trace if row["device"] == device]
        assert phases.count("exchange") == (record.depth + 2) + (record.depth - 2)
        assert phases.count("backward") == record.depth - 1


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_on_a_mesh_no_level_takes_a_meeting(loop: str, backend: str) -> None:
    """Devices meet while depths are searched; the rest is one step out and one back."""
    chosen, counts = backend_of(backend)
    for devices in counts:
        record = check("bc", GRAPHS["grid"], chosen, devices, {}, 0, loop=loop)
        ahead = record.options["run_ahead"]
        assert ahead > 1
        for device in range(devices):
            phases = [row["phase"] for row in record.trace if row["device"] == device]
            assert phases[-5:] == ["count levels", "sum levels", "sort", "forward", "backward"]
            assert phases.count("exchange") <= 2 * (record.depth // ahead + devices)


def _tells_nothing(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep this device's values from the others, which wait in vain."""

    def bitmap(part: Part, border: Array) -> Array:
        found = made(part, border)
        if part.bounds[place] == part.first:
            found.fill(0)
        return found

    made = in_parts.border_bitmap
    monkeypatch.setattr(in_parts, "border_bitmap", bitmap)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_one_whose_values_do_not_come_is_named(
    loop: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen, _ = backend_of(backend)
    monkeypatch.setitem(team.LIMIT_S, backend, 1.0)
    _tells_nothing(1, monkeypatch)
    with pytest.raises(BackendError, match=r"^device 1 did not arrive in 1 s, and device 0 gave up"):
        check("bc", GRAPHS["grid"], chosen, 2, {}, 0, loop=loop)


def test_those_that_wait_for_values_hear_of_one_that_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen, _ = backend_of("cpu")
    _tells_nothing(1, monkeypatch)
    programs: list[Any] = []
    start = team.TeamProgram._start

    def started(self: Any, step: int | None = None) -> Any:
        programs[:] = self._programs
        threading.Timer(0.3, programs[1].ask_to_stop).start()
        return start(self, step)

    monkeypatch.setattr(team.TeamProgram, "_start", started)
    begin = time.perf_counter()
    with pytest.raises((KeyboardInterrupt, BackendError)):
        check("bc", GRAPHS["path"], chosen, 2, {}, 5, partition="contiguous")
    assert time.perf_counter() - begin < min(team.LIMIT_S.values())
    (left, whom), (stopped, _) = (program.status() for program in programs)
    assert (left, whom, stopped) == ("STATUS_PEER_LEFT", 1, "STATUS_INTERRUPTED")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("backward", ["optimized", "pull"])
def test_scores_are_sent_up_where_the_level_below_has_few_edges(backward: str, backend: str) -> None:
    chosen, counts = backend_of(backend)
    graph = load_graph(GraphSpec("rmat", params={"scale": 12, "edge_factor": 4}), np)
    for devices in counts:
        record = check(
            "bc",
            graph,
            chosen,
            devices,
            {"backward": backward},
            int(np.argmax(graph.csr.degrees())),
            partition="random",
        )
        steps = [row["phase"] for row in record.trace if row["device"] == devices - 1]
        assert (steps.count("upward") > 0) == (backward == "optimized")
        assert steps.count("upward") == steps.count("score")
        assert steps.count("upward") + steps.count("backward") == record.depth - 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_on_the_way_back_only_what_has_a_score_is_told(backend: str) -> None:
    """Use a tree with 400 vertices at depth two, only the first of which has a child."""
    chosen, counts = backend_of(backend)
    ends = np.arange(1, 422)
    tree = build_graph(422, np.maximum(ends - 1, 0) // 20, ends, xp=np)
    for partition in PARTITIONS:
        record = check("bc", tree, chosen, counts[-1], {"run_ahead": "1"}, 0, partition=partition)
        told = [row for row in record.trace if row["phase"] == "exchange"]
        assert record.depth == 3
        assert sum(row["frontier_vertices"] for row in told) == tree.n + 1


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
        graph = (
            directed_graph(n, int(n * draw.uniform(0.5, 8)), case)
            if case % 2
            else build_graph(n, draw.integers(0, n, 2 * n), draw.integers(0, n, 2 * n), xp=np)
        )
        check(
            "bc",
            graph,
            chosen,
            counts[case % 2],
            {},
            int(draw.integers(n)),
            check="reference",
            partition=PARTITIONS[case % len(PARTITIONS)],
        )


@st.composite
def crossing(draw: st.DrawFn) -> Graph:
    """Shortest paths that cross between parts, often or seldom, several at a time or one."""
    n = draw(st.integers(1, 600))
    path = (
        np.random.default_rng(draw(st.integers(0, 9))).permutation(n)
        if draw(st.booleans())
        else np.arange(n)
    )
    width = draw(st.integers(1, 40))
    tails = [path[:-1], path[:-width]][: draw(st.integers(1, 2))]
    heads = [path[1:], path[width:]][: len(tails)]
    return build_graph(
        n,
        np.concatenate(tails),
        np.concatenate(heads),
        undirected=draw(st.booleans()),
        keep_duplicates=draw(st.booleans()),
        xp=np,
        name="crossing",
    )


@pytest.mark.fuzz
@settings(max_examples=cases(15), deadline=None, derandomize=True)
@given(
    graph=crossing(),
    devices=st.integers(2, 5),
    partition=st.sampled_from(PARTITIONS),
    levels=st.integers(2, 40),
    loop=st.sampled_from(["device", "host"]),
    data=st.data(),
)
def test_whatever_crosses(
    graph: Graph, devices: int, partition: str, levels: int, loop: str, data: st.DataObject
) -> None:
    chosen, _ = backend_of("cpu")
    source = data.draw(st.integers(0, graph.n - 1))
    check(
        "bc",
        graph,
        chosen,
        devices,
        {"run_ahead": str(levels)},
        source,
        check="reference",
        partition=partition,
        loop=loop,
    )


@pytest.mark.parametrize(
    ("option", "value"), [("variant", "edges"), ("backward", "push"), ("frontiers", "rebuilt")]
)
def test_what_only_one_device_can_do_is_refused(option: str, value: Any) -> None:
    chosen, _ = backend_of("cpu")
    named = f"--{option.replace('_', '-')} {value}"
    with pytest.raises(UsageError, match=f"{named}.* one device"):
        check("bc", GRAPHS["grid"], chosen, 2, {option: value}, 0)
