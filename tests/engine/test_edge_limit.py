"""Frontiers whose lists add up to more than a packed size can hold: here ten bits of edges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import EDGE_BITS, choose_backend, engine_macros
from gunrock_cli.engine.program import RunSettings
from gunrock_cli.engine.room import Room
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.graph import MOST_STRIDE, Csr, Graph, offset_dtype
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Macros, Member, Variant
from gunrock_cli.resources import kernels_dir

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
BITS = 10
ALL = 2**BITS - 1
MOST_NARROW = 2**31 - 1 - MOST_STRIDE


@dataclass(frozen=True)
class Queueing(Variant[Options]):
    hub: Hub
    kernel = Path(__file__).with_name("hub.cuh")
    answer = ("found",)

    @property
    def defines(self) -> Macros:
        return dict(self.hub.macros)

    def members(self) -> Mapping[str, Member]:
        return {
            "times": self.hub.times,
            "alone": int(self.hub.lonely),
            "far": Room(1, np.int32),
            "found": Room(2, np.int64, filled=-1),
        }


class Hub(Primitive):
    name = "hub"
    summary = "Queue a star's hub many times."
    source = None

    def __init__(self, times: int, alone: bool, slices: bool, lone_block: bool, bits: int) -> None:
        self.times, self.lonely = times, alone
        self.macros = {"GR_SLICES": int(slices), "GR_SINGLE_BLOCK": int(lone_block), "GR_EDGE_BITS": bits}

    def plan(self, graph: Graph, asked: Options) -> Queueing:
        return Queueing(graph, asked, self)


def star(edges: int, wide: bool) -> Graph:
    graph = build_graph(
        edges + 1,
        np.zeros(edges, np.int32),
        np.arange(1, edges + 1),
        xp=np,
        undirected=False,
        name="star",
    )
    if not wide:
        return graph

    def widened(csr: Csr) -> Csr:
        return replace(csr, row_offsets=csr.row_offsets.astype(np.int64))

    return replace(graph, csr=widened(graph.csr), reverse=widened(graph.reverse))


def run(
    edges: int,
    times: int,
    backend: str = "cpu",
    wide: bool = True,
    loop: str = "device",
    alone: bool = False,
    slices: bool = False,
    lone_block: bool = False,
    bits: int = BITS,
) -> list[int]:
    chosen = choose_backend(backend, 3)
    primitive = Hub(times, alone, slices, lone_block, bits)
    protocol = Protocol(runs=1, warmup=0, check="none", loop=loop)
    graph = star(edges, wide).to(chosen.xp)
    found: list[int] = measure(primitive, graph, {}, [], chosen, protocol).outputs["found"].tolist()
    return found


ways = pytest.mark.parametrize(
    "way",
    [
        {},
        {"alone": True},
        {"slices": True},
        {"slices": True, "alone": True},
        {"lone_block": True},
        {"loop": "host"},
        {"wide": False},
    ],
    ids=str,
)


@ways
@pytest.mark.parametrize("backend", BACKENDS)
def test_more_edges_than_fit_are_an_error(way: dict[str, Any], backend: str) -> None:
    for times, edges in ((1, ALL), (ALL, 1), (31, 33)):  # exactly the limit
        assert run(edges, times, backend, **way) == [times, times * edges]
    # One too many; exactly a power of two, whose low bits are zero; and often enough to carry far.
    for times, edges in ((2, 512), (ALL + 1, 1), (64, 16), (2048, 2), (5000, 1000)):
        with pytest.raises(GunrockError, match=f"frontier's edges, .* exceed {ALL}; use an exact"):
            run(edges, times, backend, **way)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_graph_that_does_not_fit_is_refused_before_it_runs(backend: str) -> None:
    with pytest.raises(GunrockError, match=f"star has {ALL + 1} edges; a frontier can hold {ALL}$"):
        run(ALL + 1, 1, backend)


@pytest.mark.long
@pytest.mark.parametrize("backend", BACKENDS)
def test_there_is_room_for_all_that_32_bits_cannot_hold(backend: str) -> None:
    """A sum refused with 32-bit offsets is counted with wider ones."""
    edges, times = 5_000_000, 1000
    assert run(edges, times, backend, wide=True, bits=33) == [times, times * edges]
    for slices in (False, True):
        with pytest.raises(GunrockError, match=f"exceed {MOST_NARROW}"):
            run(edges, times, backend, wide=False, slices=slices, bits=33)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_frontier_with_32_bits_leaves_room_for_a_stride(backend: str) -> None:
    """A frontier leaves room as a graph does: threads step beyond its last edge, where no index may wrap
    around."""
    assert offset_dtype(np, MOST_NARROW) is np.int32
    assert offset_dtype(np, MOST_NARROW + 1) is np.int64
    times = 2000
    fits = MOST_NARROW // times
    assert run(fits, times, backend, wide=False, bits=33) == [times, times * fits]
    for total in (MOST_NARROW + times, 2**31 - 1):
        with pytest.raises(GunrockError, match=f"exceed {MOST_NARROW}.*no more than {MOST_NARROW}"):
            run(total // times, times, backend, wide=False, bits=33)


def test_a_large_graph_gets_as_many_bits_as_it_needs() -> None:
    """R-MAT 29 needs two bits more than half of the packed size."""

    def bits(n: int, m: int) -> int | str | None:
        rows = SimpleNamespace(row_offsets=np.empty(0, np.int64), values=None, m=m)
        graph: Any = SimpleNamespace(n=n, m=m, csr=rows)
        return engine_macros(graph, RunSettings(), {}).get("GR_EDGE_BITS")

    header = (kernels_dir() / "core/frontier.cuh").read_text()
    assert f"#define GR_EDGE_BITS {EDGE_BITS}\n" in header
    assert bits(2**29, 2**EDGE_BITS - 1) is None
    assert bits(2**29, 2**EDGE_BITS) == bits(2**29, 2**34 - 1) == 34
    assert bits(2**29, 2**34) is None  # 29 bits are too few for so many vertices: it is refused
    assert bits(2**29 - 1, 2**34) == 35


def test_the_packed_size_of_a_larger_graph() -> None:
    edges, times = 5_000_000, 2000  # together more than the default has bits for
    assert run(edges, times, wide=True, bits=34) == [times, times * edges]
