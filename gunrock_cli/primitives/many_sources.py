"""Breadth-first searches from many sources that share their passes over the edges: the variant of those
primitives that fold or keep what such searches find (``distances``, ``closeness``, ``eccentricity``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph, is_host_module
from gunrock_cli.graph.model.memory import WORTH_ASKING, available_bytes, available_device_bytes
from gunrock_cli.operators.launch_shapes import SHARED_ROWS
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.seeds import bitmap_words
from gunrock_cli.primitives.variant import Macros, Member, Variant

LEAST, USUAL, MOST = 128, 1024, 4096
"""Searches that share a pass: of one quad of 32-bit words, as many as a batch has unless told otherwise,
and at most."""
ROWS = 3
"""Rows of bits for each vertex: what was visited, and two frontiers."""
FAR = 2**31 - 1
"""A depth beyond any."""
MOST_CHECKED, MOST_LOOKED_AT = 64, 1 << 26
"""The most searches that a check makes, and the vertices and edges that they look at."""
Batch = Literal["auto", "128", "256", "512", "1024", "2048", "4096"]


@dataclass(frozen=True)
class Batched(Options):
    """Options of primitives that search from many sources."""

    batch: Batch = option(
        "auto",
        "Searches that share each pass over the edges. auto: 1024, fewer for fewer sources or if memory "
        "is short.",
        expert=True,
    )


Given = TypeVar("Given", bound=Batched, covariant=True)


def batch_of(graph: Graph, asked: Batch, sources: int) -> Batch:
    """The width of a batch: as asked, or the least that holds all sources, at most USUAL, and whose rows
    take at most half of the free memory."""
    if asked != "auto":
        return asked
    width = LEAST
    while width < min(sources, USUAL):
        width *= 2
    if graph.n + graph.m >= WORTH_ASKING:
        free = available_bytes() if is_host_module(graph.xp) else available_device_bytes()
        while width > LEAST and ROWS * graph.n * width // 8 > free // 2:
            width //= 2
    chosen: Any = str(width)
    return chosen


def drawn(graph: Graph, count: int) -> list[int]:
    """Draw this many different vertices, all if there are fewer; the draw is the same every time."""
    if count >= graph.n:
        return list(range(graph.n))
    return [int(v) for v in np.random.default_rng(0).choice(graph.n, count, replace=False)]


def turned(graph: Graph) -> Graph:
    """The graph with every edge reversed; an undirected graph as it is."""
    if graph.undirected or graph.reverse is None:
        return graph
    return replace(graph, csr=graph.reverse, reverse=graph.csr)


class Together(Variant[Given]):
    """A bit for each search at every vertex."""

    kernel = "distances/together"

    @property
    def sources(self) -> Sequence[int] | Array:
        """The vertices to search from."""
        raise NotImplementedError

    @property
    def per(self) -> str:
        """What the answer has a value for, in the kernel's words."""
        return "PER_VERTEX"

    @property
    def batch(self) -> int:
        """Searches that share a pass."""
        return int(self.options.batch)

    @property
    def folded(self) -> tuple[str, ...]:
        """What is added up: of ``reached``, ``sums``, ``harmonic`` and ``farthest``."""
        return ()

    @property
    def within(self) -> int:
        """The depth beyond which nothing is searched."""
        return FAR

    @property
    def launch(self) -> Tuning:
        return SHARED_ROWS

    @property
    def defines(self) -> Macros:
        return {"GR_QUADS": self.batch // LEAST, "GR_PER": self.per}

    def members(self) -> Mapping[str, Member]:
        n, sources, words = self.graph.n, self.sources, self.batch // 32
        bitmap = bitmap_words(n)
        return {
            "starts": self.xp.asarray(sources, dtype=np.int32),
            "sources": len(sources),
            "within": self.within,
            "visited": Room((n, words), np.uint32),
            "held": Room((2 * n, words), np.uint32),
            "alive": Room((3, words), np.uint32),
            "bitmaps": Room(3 * bitmap, np.uint32),
            "bitmap_stride": bitmap,
            "long_lists": Room(n, np.int32),
            "long_counts": Room(1, np.int32, filled=0),
            **self._folds(len(sources)),
            "counts": Room(3 * self.batch, np.uint32, filled=0) if self.per == "PER_SOURCE" else None,
        }

    def _folds(self, sources: int) -> dict[str, Member]:
        kinds = {"reached": np.int64, "sums": np.int64, "harmonic": np.float64, "farthest": np.int32}
        size = sources if self.per == "PER_SOURCE" else self.graph.n
        pairs = self.per == "PER_PAIR"
        return {
            **{
                name: Room(size, kind, filled=0) if name in self.folded and not pairs else None
                for name, kind in kinds.items()
            },
            "depths": Room((self.graph.n, sources), np.int32, filled=-1) if pairs else None,
        }


def checked(graph: Graph, candidates: Sequence[int], most: int = MOST_CHECKED) -> list[int]:
    """The places of some of the candidates: of all if there are few and the graph is small."""
    each = max(1, graph.n + graph.m)
    count = min(len(candidates), most, max(1, MOST_LOOKED_AT // each))
    places = np.random.default_rng(1).choice(max(1, len(candidates)), count, replace=False)
    return sorted(int(place) for place in places)


def hops_to(graph: Graph, v: int) -> np.ndarray[Any, Any]:
    """The hops from every vertex to v by SciPy, -1 without a path: int32, shape (n,)."""
    return reference_labels(turned(graph), v)
