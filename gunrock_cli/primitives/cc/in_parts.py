"""Connected components on several devices: each builds a forest, and the devices exchange links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.devices import MOST_DEVICES, Sizes
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.drawn_parts import Undrawn
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.launch_shapes import FOREST, GATHER
from gunrock_cli.operators.lists import has_no_hubs
from gunrock_cli.primitives.cc.options import CcOptions
from gunrock_cli.primitives.cc.variants import advances_from_samples
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.references import smallest_vertices

CHUNK = 1 << 20
"""Pairs that a device sends at once."""
_NO_HUB = np.iinfo(np.uint64).max
_LESSER_END = (1 << 32) - 1
"""Selects the smaller end in a word of ``Part.crossing``."""


class CcInParts(InParts):
    counts_from_zero = True
    vertex_outputs = ("components",)

    def advances(self, graph: Graph, options: CcOptions) -> Advance:
        if self.within(graph, options) and not advances_from_samples(graph, options):
            return Advance.NONE
        return Advance.BALANCED

    def launch(self, shape: Tuning | None) -> Tuning | None:
        return FOREST if shape == GATHER else shape  # measured on one device only, as runs

    def defines(self, options: CcOptions) -> dict[str, str | int]:
        return {"GR_RUNS": 0}

    def accept(self, options: CcOptions) -> CcOptions:
        if options.variant != "afforest":
            raise UsageError(f"--variant {options.variant} is for one device; use afforest")
        return options

    def kernel_file(self, primitive: str, graph: Graph, options: CcOptions) -> Path:
        return self.variant_file(
            primitive, "afforest_in_parts" if self.within(graph, options) else "in_parts"
        )

    def within(self, graph: Graph, options: CcOptions) -> bool:
        """True if the graph has no hubs. Otherwise, or if ``hub`` is asked for, the giant component is
        found from the largest hub; this takes more memory, so it is assumed of a graph not drawn yet."""
        return options.sampling != "hub" and not isinstance(graph, Undrawn) and has_no_hubs(graph)

    def heap(self, graph: Graph, options: CcOptions, devices: int) -> Sizes:
        told = {"counts": (MOST_DEVICES, np.int64), "inbox": (2 * devices * _chunk(graph.n), np.uint64)}
        if self.within(graph, options):
            return told
        return {
            **told,
            "inside": (_words(graph.n), np.uint32),
            "hubs": (MOST_DEVICES, np.uint64),
            "left": (2 * MOST_DEVICES, np.uint64),
        }

    def problem(self, part: Part, options: CcOptions) -> dict[str, Any]:
        xp, n = part.xp, part.whole_n
        if part.crossing is not None:
            keys = xp.unique((part.crossing & np.uint64(_LESSER_END)).astype(np.int32))
            return {
                "parents": xp.empty(part.n, np.int32),
                "others": None,
                "forest": xp.empty(n, np.int32),
                "roots": xp.empty(n, np.int32),
                "crossing": part.crossing,
                "crossing_edges": len(part.crossing),
                "keys": keys,
                "key_count": len(keys),
                "later": xp.empty(max(0, len(keys) - _chunk(n)), np.uint64),
                "chunk": _chunk(n),
            }
        return {
            "parents": xp.empty(n, np.int32),
            "noted": xp.empty(_words(n), np.uint32),
            "pairs": xp.empty(n, np.uint64),
            "chunk": _chunk(n),
            "vertices": n,
            "directed": int(part.directed),
            "sampling": int(options.sampling != "off" and not part.directed),
        }

    def reset(self, problem: dict[str, Any], part: Part, options: CcOptions, source: int) -> None:
        problem["parents"][...] = part.xp.arange(len(problem["parents"]), dtype=np.int32)
        if part.crossing is not None:
            problem["forest"][...] = part.xp.arange(part.whole_n, dtype=np.int32)
            problem["roots"].fill(-1)
            problem["counts"].fill(-1)
            return
        for name in ("noted", "inside", "left"):
            problem[name].fill(0)
        problem["hubs"].fill(_NO_HUB)

    def outputs(self, problem: dict[str, Any], part: Part, options: CcOptions) -> dict[str, Array]:
        forest = problem["parents" if part.crossing is None else "forest"]
        return {"components": forest[part.first : part.last]}

    def finish(self, outputs: dict[str, Array], graph: Graph, options: CcOptions) -> dict[str, Array]:
        return {"components": smallest_vertices(outputs["components"], graph.xp)}


def _words(n: int) -> int:
    return (n + 127) // 128 * 4


def _chunk(n: int) -> int:
    return max(1, min(n, CHUNK))
