"""Searches on the lanes backend: breadth-first, shortest paths, betweenness."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from lanes.running import GRAPHS, OnLanes, check, graph

from gunrock_cli.bench.protocol.counting import active_lanes
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.micro import get_micro
from gunrock_cli.primitives.micro.recording import Recording

FEW = ("mesh", "hubs", "star", "parts")


@pytest.mark.parametrize("name", ["bfs", "sssp", "bc"])
def test_by_default(name: str) -> None:
    check(name, GRAPHS)


@pytest.mark.parametrize("name", ["bfs", "sssp", "bc"])
def test_a_run_that_is_left_to_another_kernel(name: str) -> None:
    weights = "random:1:64" if name == "sssp" else ""
    lanes = OnLanes(get_primitive(name), graph("long", weights))
    lanes.answer(1)
    assert [program.kernel for program in lanes.programs] == ["in_step.cuh", "ahead.cuh"]


@pytest.mark.parametrize(
    "options",
    [
        {"direction": "push", "run_ahead": "1", "idempotence": True, "mark_pred": True},
        {
            "direction": "push",
            "run_ahead": "1",
            "idempotence": True,
            "cull": "bitmask,warp,warp-hash,history",
        },
        {"direction": "push", "run_ahead": "3"},
        {"direction": "pull"},
        {"direction": "optimized", "mark_pred": True},
        {"strategy": "expand-contract"},
        {"strategy": "contract-expand"},
        {"strategy": "two-phase"},
        {"strategy": "hybrid", "hybrid_threshold": "20"},
        {"strategy": "quadratic"},
    ],
    ids=str,
)
def test_bfs(options: dict[str, Any]) -> None:
    check("bfs", FEW, proves=False, **options)


@pytest.mark.parametrize("mode", ["TM", "TWC", "LB", "SERIAL", "WARP", "SCAN", "HYBRID"])
def test_advance_modes(mode: str) -> None:
    check(
        "bfs", ("hubs", "star"), proves=False, direction="push", run_ahead="1", run={"advance_mode": mode}
    )


def test_the_loop_of_the_host() -> None:
    check("bfs", ("mesh", "hubs"), proves=False, run_ahead="1", run={"loop": "host"})


@pytest.mark.parametrize(
    "options",
    [
        {"run_ahead": "off", "mark_pred": True},
        {"run_ahead": "off", "redundancy": "bitmap"},
        {"run_ahead": "on"},
        {"run_ahead": "off", "direction": "optimized", "bound": "4"},
        {"priority_queue": False},
    ],
    ids=str,
)
def test_sssp(options: dict[str, Any]) -> None:
    check("sssp", FEW, proves=False, **options)


@pytest.mark.parametrize(
    "options",
    [
        {"run_ahead": "1", "backward": "push"},
        {"run_ahead": "1", "frontiers": "rebuilt"},
        {"run_ahead": "4"},
        {"variant": "edges"},
        {"weighted": True},
    ],
    ids=str,
)
def test_bc(options: dict[str, Any]) -> None:
    check("bc", FEW, proves=False, **options)


def test_sums_of_floats_that_tie_after_rounding() -> None:
    """Two ways to vertex 3 differ and round to the same float: the thread that lowers the word must queue
    it."""
    edges = [
        (0, 1, 0.25),
        (0, 2, 0.25),
        (1, 3, 0.75 - 2**-24),
        (2, 3, 0.75 - 2**-23),
        (3, 4, 3),
        (4, 5, 1),
    ]
    tails, heads, weights = zip(*edges, strict=True)
    tied = build_graph(
        6, np.array(tails), np.array(heads), np.array(weights, np.float32), xp=np, undirected=True
    )
    lanes = OnLanes(get_primitive("sssp"), tied, {"run_ahead": "on"})
    for seed in range(64):
        found = lanes.answer(seed=seed)["distances"]
        np.testing.assert_array_equal(found[[0, 1, 2, 4, 5]], [0, 0.25, 0.25, 4, 5], f"seed {seed}")


def test_lanes_with_an_edge_are_counted() -> None:
    """A thread per list leaves lanes idle beside a hub's; edges end to end do not."""
    warp, shares = 4, {}
    for mode in ("TM", "SCAN"):
        options = {"direction": "push", "run_ahead": "1"}
        lanes = OnLanes(get_primitive("bfs"), graph("hubs"), options, count=True, advance_mode=mode)
        source = int(lanes.graph.csr.degrees().argmax())
        result = lanes.run(source)
        share = active_lanes([result], warp)
        assert share is not None
        assert result.inspected == result.counted["BY_LANES"] > 100
        assert 1 / warp <= share <= 1
        shares[mode] = share
    assert shares["TM"] < 0.9 * shares["SCAN"], shares


@pytest.mark.parametrize("name", ["sssp", "pagerank"])
def test_the_papers_other_two_say_which_lanes_look(name: str) -> None:
    for kind in ("hubs", "mesh"):
        lanes = OnLanes(
            get_primitive(name), graph(kind, "random:1:64" if name == "sssp" else ""), count=True
        )
        result = lanes.run(1)
        assert active_lanes([result], 4) is not None, (kind, result.inspected, result.counted)


@pytest.mark.parametrize("strategy", ["TWC", "SERIAL"])
def test_tiles_are_stolen_once(strategy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    here, gather = graph("hubs"), get_micro("gather")
    recorded = Recording.of(here, 1, "cpu")
    monkeypatch.setattr(Recording, "of", lambda *_: recorded)
    lanes = OnLanes(gather, here, {"strategy": strategy, "tiles": "stolen"})
    for seed in range(3):
        outputs = lanes.answer(1, seed)
        assert not gather.fault(here, lanes.options, recorded.labels, outputs)


@pytest.mark.parametrize("name", ["bfs", "sssp"])
def test_graphs_that_change(name: str) -> None:
    for size in (2, 40):
        check(name, GRAPHS, seeds=(0, 1), changes=size)
