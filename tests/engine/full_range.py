"""A primitive for tests of the driver: visits every vertex once, and may lie about what a block can
hold (see full_range.cuh)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.primitives.base import Options, Outputs, Primitive, Validation


class FullRange(Primitive):
    name = "full_range"
    summary = "Visit every vertex."

    def __init__(self, lies: bool) -> None:
        self.kernel = Path(__file__).with_suffix(".cuh")  # type: ignore[misc]
        self.lies = lies

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        return {"GR_LIES": int(self.lies)}

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        return {"visits": graph.xp.empty(graph.n, np.uint32), "source": 1}

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        problem["visits"].fill(0)

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        return {"visits": problem["visits"]}

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        return Validation("pass" if (outputs["visits"] == 1).all() else "fail", "by hand")


def star(n: int = 100_000) -> Graph:
    return build_graph(n, np.zeros(n - 1, np.int32), np.arange(1, n, dtype=np.int32), xp=np, name="star")
