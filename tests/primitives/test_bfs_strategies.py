"""Merrill's ways to arrange a search's queues, a separate filter, and growing queues."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from bfs_helper import BACKENDS, CORNERS, DEFAULTS, check, graph_of, random_graph
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modes import MODES
from planned import planned

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.bfs import PRIMITIVE
from gunrock_cli.primitives.bfs.variants import STRATEGIES, Search
from gunrock_cli.primitives.variant import Macros

ARRANGED = [name for name in STRATEGIES if name != "fused"]
QUEUED = [name for name in ARRANGED if name != "quadratic"]
LOOPS = ["device", "host"]
UNFUSED = {"fusion": "off", "direction": "push"}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("strategy", ARRANGED)
def test_corner_cases(strategy: str, loop: str, backend: str) -> None:
    for name in CORNERS:
        check(CORNERS[name], backend=backend, loop=loop, strategy=strategy, mark_pred=True)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode == "AUTO" or not isinstance(mode, str)])
@pytest.mark.parametrize("how", [*({"strategy": name} for name in ARRANGED), UNFUSED], ids=str)
def test_modes_and_lists_of_all_lengths(how: dict[str, Any], mode: str, backend: str) -> None:
    """One tile has hubs for the block, lists for a warp, and short ones."""
    draw = np.random.default_rng(5)
    ends = [(0, v) for v in range(1, 6000)] + [
        (1 + v % 40, int(w)) for v, w in enumerate(draw.integers(0, 9000, 4000))
    ]
    ends += [(int(a), int(b)) for a, b in draw.integers(0, 9000, (9000, 2))]
    for graph in (graph_of(9000, ends), random_graph(3000, 20000, 7, False)):
        walks = backend == "cuda" or "strategy" not in how or how["strategy"] == "expand-contract"
        check(graph, 5, backend=backend, mode=mode if walks else None, **how)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(
    ("how", "cull"),
    [
        *(({"strategy": name}, "bitmask,warp,warp-hash,history") for name in QUEUED),
        (UNFUSED, "bitmask,warp,warp-hash,history"),
        ({"strategy": "hybrid"}, "none"),
        ({"strategy": "expand-contract"}, "bitmask,grid"),
        ({"strategy": "hybrid"}, "grid"),
    ],
    ids=str,
)
def test_idempotent(how: dict[str, Any], cull: str, loop: str, backend: str) -> None:
    check(
        random_graph(2000, 9000, 7, True),
        5,
        backend=backend,
        loop=loop,
        idempotence=True,
        cull=cull,
        mark_pred=True,
        **how,
    )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("threshold", ["0", "50", "1000000", "auto"])
def test_hybrid_switches_at_any_size(threshold: str, backend: str) -> None:
    graph = random_graph(2000, 9000, 3, True)
    measured = check(
        graph,
        backend=backend,
        strategy="hybrid",
        hybrid_threshold=threshold,
        mark_pred=True,
        protocol={"trace": True},
    )
    rows = [row for row in measured.record.trace if row["phase"].startswith("contract")]
    if threshold != "auto":
        assert [row["phase"] for row in rows if row["frontier_vertices"]] == [
            "contract" if row["frontier_vertices"] > int(threshold) else "contract expand"
            for row in rows
            if row["frontier_vertices"]
        ]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    n=st.integers(1, 40),
    data=st.data(),
    undirected=st.booleans(),
    loop=st.sampled_from(LOOPS),
    how=st.sampled_from([*({"strategy": name} for name in ARRANGED), UNFUSED]),
)
def test_random_graphs(
    n: int, data: st.DataObject, undirected: bool, loop: str, how: dict[str, Any]
) -> None:
    vertex = st.integers(0, n - 1)
    edges = data.draw(st.lists(st.tuples(vertex, vertex), max_size=120))
    check(graph_of(n, edges, undirected), data.draw(vertex), loop=loop, mark_pred=True, **how)


TREE = graph_of(13, [(0, 1), (0, 2), (0, 3), *((1 + v // 3, 4 + v) for v in range(9))], undirected=False)
"""Each vertex has one in-edge: levels of 1, 3 and 9 vertices."""


@pytest.mark.parametrize(
    ("strategy", "rows"),
    [
        (
            "expand-contract",
            [
                ("begin", 0),
                ("expand contract", 1),
                ("expand contract", 3),
                ("expand contract", 9),
                ("expand contract", 0),
            ],
        ),
        (
            "contract-expand",
            [
                ("begin", 0),
                ("expand", 1),
                ("contract expand", 3),
                ("contract expand", 9),
                ("contract expand", 0),
            ],
        ),
        (
            "two-phase",
            [
                ("begin", 0),
                ("expand", 1),
                ("contract", 3),
                ("expand", 3),
                ("contract", 9),
                ("expand", 9),
                ("contract", 0),
                ("expand", 0),
            ],
        ),
        ("quadratic", [("level", 13)] * 3),
    ],
)
def test_trace_shows_what_lies_in_the_queues(strategy: str, rows: list[tuple[str, int]]) -> None:
    counted = strategy == "two-phase"
    measured = check(TREE, strategy=strategy, protocol={"trace": True, "count": counted})
    assert [(row["phase"], row["frontier_vertices"]) for row in measured.record.trace] == rows
    assert measured.record.edges_inspected == (TREE.m if counted else None)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "how", [*({"strategy": name} for name in QUEUED), UNFUSED, {"direction": "push"}], ids=str
)
def test_small_queues_grow(how: dict[str, Any], backend: str) -> None:
    graph = random_graph(20000, 100000, 2, True)
    measured = check(graph, backend=backend, protocol={"queue_sizing": 0.001}, **how)
    queues = measured.record.queues
    assert queues["growths"] > 0
    assert max(queues["items"]) > 0.001 * graph.m
    assert queues["bytes"] > 0
    assert check(
        graph, backend=backend, protocol={"queue_sizing": 1.0}, strategy="two-phase"
    ).record.queues["items"] == [graph.m, graph.n]


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("sizing", [None, 0.1])
def test_a_queue_that_overflowed_is_not_left_to_a_lone_block(sizing: float | None, backend: str) -> None:
    """The whole queue would be small enough for a lone block."""
    middle = range(1, 51)
    ends = [(0, v) for v in middle] + [(v, v + 50) for v in middle]
    ends += [(v, w) for v in middle for w in (*range(1, 11), *range(101, 136))]
    check(
        graph_of(136, ends, undirected=False),
        backend=backend,
        protocol={"queue_sizing": sizing},
        **UNFUSED,
    )


def count_bits(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every search count so many bits of its queues' lengths."""
    defines = Search.defines.fget  # type: ignore[attr-defined]

    def with_bits(search: Search) -> Macros:
        return {**defines(search), "GR_EDGE_BITS": 64 - bits}

    monkeypatch.setattr(Search, "defines", property(with_bits))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("strategy", ["contract-expand", "two-phase"])
def test_more_items_than_can_be_counted_are_an_error(
    strategy: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the number wraps: 130 is more than twice what fits."""
    count_bits(6, monkeypatch)
    chosen = choose_backend(backend, 2)
    for leaves in (63, 64, 130):
        graph = graph_of(leaves + 1, [(0, v) for v in range(1, leaves + 1)], undirected=False)

        def run(graph: Graph = graph) -> Measured:
            return measure(
                PRIMITIVE,
                graph.to(chosen.xp),
                {**DEFAULTS, "strategy": strategy},
                [0],
                chosen,
                Protocol(runs=1, warmup=0),
            )

        if leaves == 63:
            assert run().record.validation["verdict"] == "pass"
        else:
            with pytest.raises(GunrockError, match="a frontier's edges, duplicates included, exceed"):
                run()


@pytest.mark.parametrize("backend", BACKENDS)
def test_more_edges_than_can_be_counted_do_not_wait_for_a_filter(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 64-bit offsets a level may have more of them than a queue can count."""
    chosen, bits = choose_backend(backend, 2), 14
    count_bits(bits, monkeypatch)
    for leaves in (2**bits - 1, 2**bits, 5 * 2**bits // 2):
        star = graph_of(leaves + 1, [(0, v) for v in range(1, leaves + 1)], undirected=False)
        wide = replace(star.csr, row_offsets=star.csr.row_offsets.astype(np.int64))
        graph = replace(star, csr=wide, reverse=None)

        def run(graph: Graph = graph) -> Measured:
            return measure(
                PRIMITIVE,
                graph.to(chosen.xp),
                {**DEFAULTS, **UNFUSED},
                [0],
                chosen,
                Protocol(runs=1, warmup=0),
            )

        if leaves < 2**bits:
            assert run().record.validation["verdict"] == "pass"
        else:
            with pytest.raises(GunrockError, match=rf"queues hold edges \(no more than {2**bits - 1}\)"):
                run()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (
            {"strategy": "hybrid", "direction": "pull"},
            "--strategy hybrid pushes; leave out --direction pull",
        ),
        ({"strategy": "two-phase", "direction_optimized": True}, "leave out --direction optimized"),
        ({"strategy": "quadratic", "fusion": "off"}, "--fusion off is for --strategy fused"),
        ({"strategy": "hybrid", "run_ahead": "4"}, "--run-ahead 4 needs .* --strategy fused"),
        ({"fusion": "off", "direction": "push", "run_ahead": "4"}, "--run-ahead 4 needs .* --fusion on"),
        ({"hybrid_threshold": "8"}, "--hybrid-threshold 8 is for --strategy hybrid, not fused"),
    ],
)
def test_what_does_not_go_together_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        planned(PRIMITIVE, CORNERS["star"], options)


def test_a_strategy_pushes_and_needs_no_in_edges() -> None:
    options = planned(PRIMITIVE, CORNERS["directed away"], {"strategy": "two-phase"}).options
    assert (options.direction, options.run_ahead) == ("push", 1)
    assert not PRIMITIVE.reads_reverse(options)
