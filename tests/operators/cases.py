"""Graphs and frontiers for the tests of operators, and a way to run one operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant

Numbers = np.ndarray[Any, Any]
BACKENDS = ["cpu", "lanes:1", "lanes:2", pytest.param("cuda", marks=pytest.mark.gpu)]
"""Backends of these tests; on lanes, with a seed (tests/lanes), for small graphs only."""


def random_graph(n: int, m: int, seed: int, hub: int = 0, wide: bool = False) -> Graph:
    """A directed graph; vertex 0 has ``hub`` extra edges. ``wide``: 64-bit row offsets."""
    draw = np.random.default_rng(seed)
    tails = np.concatenate([draw.integers(0, n, m), np.zeros(hub, np.int64)])
    heads = np.concatenate([draw.integers(0, n, m), draw.integers(0, n, hub)])
    return directed(n, tails, heads, wide)


def directed(n: int, tails: Numbers, heads: Numbers, wide: bool = False) -> Graph:
    """A graph of these edges, including duplicates and self-loops."""
    graph = build_graph(
        n, tails, heads, None, xp=np, undirected=False, keep_duplicates=True, keep_self_loops=True
    )
    if not wide:
        return graph
    long = {
        name: replace(csr, row_offsets=csr.row_offsets.astype(np.int64))
        for name, csr in (("csr", graph.csr), ("reverse", graph.reverse))
    }
    return replace(graph, **long)


def symmetric(n: int, tails: Numbers, heads: Numbers, wide: bool = False) -> Graph:
    return directed(n, np.concatenate((tails, heads)), np.concatenate((heads, tails)), wide)


@dataclass(frozen=True)
class Operating(Variant[Options]):
    one: One

    @property
    def kernel_file(self) -> Path:
        return self.one.kernel

    @property
    def launch(self) -> Tuning | None:
        return self.one.launch

    @property
    def defines(self) -> Macros:
        return dict(self.one.macros)

    def members(self) -> Mapping[str, Member]:
        xp = self.graph.xp
        return {
            name: xp.array(value) if isinstance(value, np.ndarray) else value
            for name, value in self.one.arrays.items()
        }

    def start(self, problem: Problem, source: int) -> None:
        for name, value in self.one.arrays.items():
            if isinstance(value, np.ndarray):
                problem[name][...] = self.graph.xp.asarray(value)

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return {name: problem[name] for name in self.one.shown}


class One(Primitive):
    """A primitive with one operator: arrays by name go in, those named in ``shown`` come out. ``launch``
    is its launch shape on a GPU, if it needs one."""

    name = "one"
    summary = "Test of an operator."
    source = None
    needs = Needs(reverse=True)

    def __init__(
        self,
        kernel: str,
        arrays: dict[str, Any],
        shown: tuple[str, ...],
        launch: Tuning | None = None,
        **macros: str | int,
    ) -> None:
        self.launch = launch
        self.kernel = Path(__file__).with_name(kernel)
        self.arrays, self.shown, self.macros = arrays, shown, macros

    def plan(self, graph: Graph, asked: Options) -> Operating:
        return Operating(graph, asked, self)


def run(
    primitive: One, graph: Graph, backend: str, mode: str = "AUTO", loop: str = "device", threads: int = 3
) -> dict[str, Numbers]:
    """The operator's arrays after one run. ``threads`` are the CPU's."""
    if backend.startswith("lanes:"):
        from lanes.running import OnLanes

        return OnLanes(primitive, graph, advance_mode=mode, loop=loop).answer(seed=int(backend[6:]))
    chosen = choose_backend(backend, threads)
    protocol = Protocol(runs=1, warmup=0, check="none", advance_mode=mode, loop=loop)
    return measure(primitive, graph.to(chosen.xp), {}, [], chosen, protocol).outputs
