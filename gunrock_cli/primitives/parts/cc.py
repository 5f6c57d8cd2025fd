"""Connected components on several devices: a forest on each, and what they tell of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.partition import Part
from gunrock_cli.primitives.parts.base import InParts, Options
from gunrock_cli.primitives.references import smallest_vertices

CHUNK = 1 << 20
"""Pairs that a device tells at once."""
_NO_HUB = np.iinfo(np.uint64).max


class CcInParts(InParts):
    counts_from_zero = True
    vertex_outputs = ("components",)

    def accept(self, options: Options) -> dict[str, Any]:
        if options["variant"] != "afforest":
            raise UsageError(f"--variant {options['variant']} is for one device; use afforest")
        return dict(options)

    def heap(self, graph: Graph, options: Options, devices: int) -> Sizes:
        return {"inside": (_words(graph.n), np.uint32), "hubs": (MOST_DEVICES, np.uint64),
                "left": (2 * MOST_DEVICES, np.uint64), "counts": (MOST_DEVICES, np.int64),
                "inbox": (2 * devices * _chunk(graph.n), np.uint64)}

    def problem(self, part: Part, options: Options) -> dict[str, Any]:
        xp, n = part.xp, part.whole_n
        return {
            "parents": xp.empty(n, np.int32),
            "noted": xp.empty(_words(n), np.uint32),
            "pairs": xp.empty(n, np.uint64),
            "chunk": _chunk(n),
            "vertices": n,
            "directed": int(part.directed),
            "sampling": int(options["sampling"] != "off" and not part.directed),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: Options, source: int) -> None:
        problem["parents"][...] = part.xp.arange(part.whole_n, dtype=np.int32)
        for name in ("noted", "inside", "left"):
            problem[name].fill(0)
        problem["hubs"].fill(_NO_HUB)

    def outputs(self, problem: dict[str, Any], part: Part, options: Options) -> dict[str, Array]:
        return {"components": problem["parents"][part.first : part.last]}

    def finish(self, outputs: dict[str, Array], graph: Graph, options: Options) -> dict[str, Array]:
        return {"components": smallest_vertices(outputs["components"], graph.xp)}


def _words(n: int) -> int:
    return (n + 127) // 128 * 4


def _chunk(n: int) -> int:
    return max(1, min(n, CHUNK))
