"""A primitive for tests of the driver: it visits every vertex once, and may misstate a block's capacity
(see full_range.cuh)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.primitives.variant import Macros, Member, Problem, Variant


@dataclass(frozen=True)
class Visiting(Variant[Options]):
    lies: bool
    kernel = Path(__file__).with_suffix(".cuh")
    answer = ("visits",)

    @property
    def defines(self) -> Macros:
        return {"GR_LIES": int(self.lies)}

    def members(self) -> Mapping[str, Member]:
        return {"visits": Room(self.graph.n, np.uint32, filled=0), "source": 1}

    def start(self, problem: Problem, source: int) -> None:
        problem["source"] = 1


class FullRange(Primitive):
    name = "full_range"
    summary = "Visit every vertex."

    def __init__(self, lies: bool) -> None:
        self.lies = lies

    def plan(self, graph: Graph, asked: Options) -> Visiting:
        return Visiting(graph, asked, self.lies)

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return Validation("pass" if (outputs["visits"] == 1).all() else "fail", "by hand")


def star(n: int = 100_000) -> Graph:
    return build_graph(n, np.zeros(n - 1, np.int32), np.arange(1, n, dtype=np.int32), xp=np, name="star")
