"""Shortest paths from many sources, each search by a block of its own: the variant of ``distances`` for
lengths by weight, and for the nearest vertices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.operators.launch_shapes import SOURCES
from gunrock_cli.primitives.many_sources import LANES, USUAL, FromSources, rooms_of
from gunrock_cli.primitives.seeds import bitmap_words
from gunrock_cli.primitives.sssp.distances import INT_UNREACHED, may_leave_range
from gunrock_cli.primitives.sssp.widths import in_range, weight_per_degree
from gunrock_cli.primitives.variant import Macros, Member, Problem

WIDTH = 16.0
"""The width of slices by distance, in multiples of mean weight / mean degree."""
NO_KEY = np.uint64(2**64 - 1)
"""Stands for a vertex where fewer are reached than are asked for."""
FOLDED = {"reached": "reached", "sums": "sums", "harmonic": "harmonic", "eccentricities": "farthest"}
PER = {"source": "PER_SOURCE", "pair": "PER_PAIR", "nearest": "PER_NEAREST"}
"""The outputs and what they are made of, in the kernel's words."""


@dataclass(frozen=True)
class Lengths(FromSources[Any]):
    """A block for each search; ``options`` are those of ``distances``."""

    sources: Any

    kernel = "distances/lengths"

    @property
    def searched_from(self) -> Any:
        return self.sources

    @property
    def launch(self) -> Tuning:
        return SOURCES

    @property
    def constants(self) -> Mapping[str, int]:
        return {"UNREACHED": INT_UNREACHED} if self._dtype == np.int32 else {}

    @property
    def per(self) -> str:
        """What is kept, a key of PER."""
        return self.options.per if self.options.nearest is None else "nearest"

    @property
    def defines(self) -> Macros:
        return {
            "GR_LANES": LANES,
            "GR_PER": PER[self.per],
            "GR_WEIGHTED": int(self.options.weighted),
            "GR_CHECK_RANGE": int(self._checks_range),
        }

    @property
    def _dtype(self) -> Any:
        values = self.graph.csr.values
        return np.dtype(np.int32) if values is None else values.dtype

    @property
    def _checks_range(self) -> bool:
        return self.options.weighted and may_leave_range(self.graph)

    def members(self) -> Mapping[str, Member]:
        n, count, dtype = self.graph.n, self.tasks, self._dtype
        words, rooms = bitmap_words(n), rooms_of(self.graph, count, 25)
        unreached, none = (INT_UNREACHED, -1) if dtype == np.int32 else (np.inf, np.inf)
        width = 1.0  # one level of hops
        if self.options.weighted:
            width = in_range(self.graph, WIDTH * weight_per_degree(self.graph))
        folds, pairs, nearest = (self.per == per for per in PER)
        within, most = self.options.within, min(self.options.nearest or 0, n)
        return {
            **self.of_sources(),
            "within": dtype.type(unreached if within is None else min(within, unreached)),
            "delta": dtype.type(width),
            "lengths": Room(rooms * n, dtype),
            "queues": Room(rooms * 5 * n, np.int32),
            "queued": Room(rooms * 2 * words, np.uint32),
            "stride": words,
            "rooms": rooms,
            "reached": Room(count, np.int64, filled=0) if folds else None,
            "sums": Room(count, np.float64, filled=0) if folds else None,
            "harmonic": Room(count, np.float64, filled=0) if folds else None,
            "farthest": Room(count, dtype, filled=0) if folds else None,
            "pairs": Room((n, count), dtype, filled=none) if pairs else None,
            "keys": Room((count, most), np.uint64, filled=NO_KEY) if nearest else None,
            "nearest": most,
            "out_of_range": Room(1, np.uint32, filled=0),
        }

    def outputs(self, problem: Problem) -> dict[str, Array]:
        if self._checks_range and bool(problem["out_of_range"][0]):
            integers = self._dtype == np.int32
            hint = "use --weight-type float32" if integers else "scale the weights down"
            raise InputError(
                f"{self.graph.name}: a distance is beyond the range of {self._dtype}; {hint}"
            )
        if self.per == "pair":
            found = {"distances": problem["pairs"]}
        elif self.per == "source":
            found = {name: problem[each] for name, each in FOLDED.items()}
        else:
            vertices, distances = self._decoded(problem["keys"])
            found = {"nearest": vertices, "distances": distances}
        return {**found, "sources": problem["starts"]}

    def _decoded(self, keys: Array) -> tuple[Array, Array]:
        """The vertices in their order, -1 if there are fewer, and their lengths, -1 or infinity there."""
        xp = self.xp
        keys = xp.sort(keys, axis=1)
        none = keys == NO_KEY
        vertices = xp.where(none, np.uint64(2**32 - 1), keys & np.uint64(2**32 - 1)).astype(np.uint32)
        bits = (keys >> np.uint64(32)).astype(np.uint32).view(self._dtype)
        if not self.options.weighted:
            bits = xp.where(none, -1, bits).astype(np.int32)
        elif self._dtype == np.int32:
            bits = xp.where(none, np.int32(-1), bits)
        else:
            bits = xp.where(none, np.float32(np.inf), bits)
        return vertices.view(np.int32), bits

    @property
    def least_portion(self) -> int:
        return USUAL

    def totals(self, problem: Problem) -> dict[str, Array]:
        """None: each search writes its own results."""
        return {}

    def settled(self, problem: Problem, done: int) -> dict[str, Array]:
        found = {name: problem[name][:done] for name in FOLDED.values()} if self.per == "source" else {}
        if self.per == "pair":
            found["pairs"] = problem["pairs"][:, :done]
        if self.per == "nearest":
            found["keys"] = problem["keys"]
        return {**found, "out_of_range": problem["out_of_range"]}

    def of_first(self, outputs: dict[str, Array], done: int) -> dict[str, Array] | None:
        by_columns = self.per == "pair"
        return {
            name: array[:, :done] if by_columns and array.ndim > 1 else array[:done]
            for name, array in outputs.items()
        }
