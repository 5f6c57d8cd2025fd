"""Breadth-first searches from many sources: the variants of those primitives that fold or keep what such
searches find (``distances``, ``closeness``, ``eccentricity``)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph, is_host_module
from gunrock_cli.graph.model.memory import WORTH_ASKING, available_bytes, available_device_bytes
from gunrock_cli.operators.launch_shapes import SHARED_ROWS, SOURCES
from gunrock_cli.operators.lists import has_many_levels
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.portions import InPortions
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.seeds import bitmap_words
from gunrock_cli.primitives.sources_in_parts import SourcesInParts
from gunrock_cli.primitives.variant import Chosen, Macros, Member, Problem

LEAST, USUAL, MOST = 128, 1024, 4096
"""Searches that share a pass: of one quad of 32-bit words, as many as a batch has unless told otherwise,
and at most."""
ROWS = 3
"""Rows of bits for each vertex: what was visited, and two frontiers."""
MOST_ROOMS = 528
"""Blocks that an H200 runs at a time, each with its own arrays."""
LANES = 4
"""Lanes that share a list of a search apart, which is short on graphs of many levels."""
FAR = 2**31 - 1
"""A depth beyond any."""
MOST_CHECKED, MOST_LOOKED_AT = 64, 1 << 26
"""The most searches that a check makes, and the vertices and edges that they look at."""
Ways = Literal["auto", "together", "apart"]
Batch = Literal["auto", "128", "256", "512", "1024", "2048", "4096"]


@dataclass(frozen=True)
class Batched(Options):
    """Options of primitives that search from many sources."""

    batch: Batch = option(
        "auto",
        "Searches that share each pass over the edges. auto: 1024, fewer if memory is short.",
        expert=True,
    )
    searches: Ways = option(
        "auto",
        "together: searches share passes, a bit for each at every vertex. apart: each block makes "
        "searches of its own. auto: together, left for apart if there are so many levels that "
        "searches seldom meet.",
        expert=True,
    )


def batch_of(graph: Graph, asked: Batch) -> Batch:
    """The width of a batch: as asked, or USUAL, or the greatest whose rows take at most half of the free
    memory. (It does not follow the number of sources, so that code is compiled once.)"""
    if asked != "auto":
        return asked
    width = USUAL
    if graph.n + graph.m >= WORTH_ASKING:
        free = available_bytes() if is_host_module(graph.xp) else available_device_bytes()
        while width > LEAST and ROWS * graph.n * width // 8 > free // 2:
            width //= 2
    chosen: Any = str(width)
    return chosen


def drawn(graph: Graph, count: int, seed: int = 0) -> Array:
    """Draw this many different vertices, all if there are fewer: an array on the host. A seed gives the
    same draw every time."""
    if count >= graph.n:
        return np.arange(graph.n, dtype=np.int32)
    return np.random.default_rng(seed).choice(graph.n, count, replace=False).astype(np.int32)


def turned(graph: Graph) -> Graph:
    """The graph with every edge reversed; an undirected graph as it is."""
    if graph.undirected or graph.reverse is None:
        return graph
    return replace(graph, csr=graph.reverse, reverse=graph.csr)


@dataclass(frozen=True)
class Searched:
    """What is searched from, and what is kept of it."""

    sources: Sequence[int] | Array
    outputs: Callable[[Problem], dict[str, Array]]
    """The answer, from the members of ``kept``."""
    folded: tuple[str, ...] = ()
    """What is added up: of ``reached``, ``sums``, ``harmonic`` and ``farthest``."""
    per: str = "PER_VERTEX"
    """What the answer has a value for, in the kernels' words."""
    within: int = FAR
    """The depth beyond which nothing is searched."""
    depths_kept: int = 0
    """How many depths of each source are counted apart, as ``at``."""

    @property
    def totals(self) -> tuple[str, ...]:
        """The members of ``kept`` to which searches add."""
        return () if self.per == "PER_PAIR" else (*self.folded, *(["at"] if self.depths_kept else []))

    def kept(self, graph: Graph) -> dict[str, Member]:
        """The members that hold it, and those that bound it."""
        count = len(self.sources)
        kinds = {"reached": np.int64, "sums": np.int64, "harmonic": np.float64, "farthest": np.int32}
        size = count if self.per == "PER_SOURCE" else graph.n
        return {
            "within": self.within,
            **{
                name: Room(size, kind, filled=0) if name in self.totals else None
                for name, kind in kinds.items()
            },
            "depths": Room((graph.n, count), np.int32, filled=-1) if self.per == "PER_PAIR" else None,
            "at": Room((count, self.depths_kept), np.int64, filled=0) if self.depths_kept else None,
            "depths_kept": self.depths_kept,
        }


class FromSources(InPortions[Chosen]):
    """Base of variants whose tasks are searches, one from each source."""

    @property
    def searched_from(self) -> Sequence[int] | Array:
        """The sources, in the order of the tasks."""
        raise NotImplementedError

    def of_sources(self) -> dict[str, Member]:
        """The members that say what to search from."""
        return {"starts": Room(self.tasks, np.int32), "sources": self.tasks, "portion": Room(2, np.int64)}

    def start(self, problem: Problem, source: int) -> None:
        problem["starts"][...] = self.xp.asarray(self.searched_from, dtype=np.int32)
        self.choose(problem, 0, self.tasks)

    @property
    def tasks(self) -> int:
        return len(self.searched_from)

    def choose(self, problem: Problem, first: int, end: int) -> None:
        problem["portion"][...] = self.xp.asarray((first, end), dtype=np.int64)


@dataclass(frozen=True)
class Searching(FromSources[Batched]):
    """The base of both variants by hops."""

    what: Searched

    @property
    def searched_from(self) -> Sequence[int] | Array:
        return self.what.sources

    def members(self) -> Mapping[str, Member]:
        """Those that both kernels have."""
        return {**self.of_sources(), **self.what.kept(self.graph)}

    def outputs(self, problem: Problem) -> dict[str, Array]:
        return self.what.outputs(problem)

    @property
    def least_portion(self) -> int:
        return USUAL if self.options.searches == "apart" else int(self.options.batch)

    def totals(self, problem: Problem) -> dict[str, Array]:
        return {name: problem[name] for name in self.what.totals}

    def settled(self, problem: Problem, done: int) -> dict[str, Array]:
        pairs = {"depths": problem["depths"][:, :done]} if self.what.per == "PER_PAIR" else {}
        return pairs | ({"left": problem["left"]} if "left" in problem else {})

    def of_first(self, outputs: dict[str, Array], done: int) -> dict[str, Array] | None:
        if self.what.per == "PER_VERTEX":
            return None
        if self.what.per == "PER_SOURCE":
            return {name: array[:done] for name, array in outputs.items()}
        return {name: array[..., :done] for name, array in outputs.items()}


class Together(Searching):
    """A bit for each search at every vertex."""

    kernel = "distances/together"
    reads_in_edges = True

    @property
    def launch(self) -> Tuning:
        return SHARED_ROWS

    @property
    def defines(self) -> Macros:
        return {"GR_QUADS": int(self.options.batch) // LEAST, "GR_PER": self.what.per}

    def members(self) -> Mapping[str, Member]:
        n, batch, bitmap = self.graph.n, int(self.options.batch), bitmap_words(self.graph.n)
        return {
            **super().members(),
            "left": Room(1, np.uint32, filled=0),
            "visited": Room((n, batch // 32), np.uint32),
            "held": Room((2 * n, batch // 32), np.uint32),
            "alive": Room((3, batch // 32), np.uint32),
            "bitmaps": Room(3 * bitmap, np.uint32),
            "bitmap_stride": bitmap,
            "long_lists": Room(n, np.int32),
            "long_counts": Room(1, np.int32, filled=0),
            "counts": Room(3 * batch, np.uint32, filled=0) if self.what.per == "PER_SOURCE" else None,
        }

    def choose(self, problem: Problem, first: int, end: int) -> None:
        super().choose(problem, first, end)
        problem["long_counts"].fill(0)

    @property
    def successor(self) -> Apart | None:
        return Apart(self.graph, self.options, self.what) if self.options.searches == "auto" else None


class Apart(Searching):
    """A block for each search."""

    kernel = "distances/apart"

    @property
    def launch(self) -> Tuning:
        return SOURCES

    @property
    def defines(self) -> Macros:
        return {"GR_LANES": LANES, "GR_PER": self.what.per}

    def members(self) -> Mapping[str, Member]:
        n, words = self.graph.n, bitmap_words(self.graph.n)
        rooms = rooms_of(self.graph, self.tasks)
        return {
            **super().members(),
            "order": Room(rooms * n, np.int32),
            "seen": Room(rooms * words, np.uint32),
            "seen_stride": words,
            "rooms": rooms,
        }


def searching(graph: Graph, asked: Batched, what: Searched) -> Together | Apart:
    """The variant that these options name."""
    apart = asked.searches == "apart"
    if apart and asked.batch != "auto":
        raise UsageError(f"--batch {asked.batch} is for searches together: leave out one of them")
    chosen = replace(asked, batch=batch_of(graph, asked.batch))
    return (Apart if apart else Together)(graph, chosen, what)


def searching_in_parts(graph: Graph, asked: Batched, what: Searched) -> SourcesInParts:
    """The same on several devices, where no second kernel can take over."""
    if asked.searches == "auto":
        way: Ways = "apart" if asked.batch == "auto" and has_many_levels(graph) else "together"
        asked = replace(asked, searches=way)
    alone = searching(graph, asked, what)
    return SourcesInParts(graph, alone.options, alone=alone)


def rooms_of(graph: Graph, sources: int, bytes_each: int = 5) -> int:
    """How many blocks search at a time: as many as run, if their arrays, of so many bytes per vertex,
    take at most a quarter of the free memory; at least one."""
    each = bytes_each * max(1, graph.n)
    host = is_host_module(graph.xp)
    most = min(max(1, sources), os.cpu_count() or 1 if host else MOST_ROOMS)
    if most * each < WORTH_ASKING:
        return most
    free = available_bytes() if host else available_device_bytes()
    return max(1, min(most, free // 4 // each))


def checked(graph: Graph, candidates: Sized, most: int = MOST_CHECKED) -> list[int]:
    """The places of some of the candidates: of all if there are few and the graph is small."""
    each = max(1, graph.n + graph.m)
    count = min(len(candidates), most, max(1, MOST_LOOKED_AT // each))
    places = np.random.default_rng(1).choice(max(1, len(candidates)), count, replace=False)
    return sorted(int(place) for place in places)


def hops_to(graph: Graph, v: int) -> np.ndarray[Any, Any]:
    """The hops from every vertex to v by SciPy, -1 without a path: int32, shape (n,)."""
    return reference_labels(turned(graph), v)
