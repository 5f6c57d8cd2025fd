"""Differences between two states of a graph, and a graph that comes with an answer from before them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import NamedTuple

from gunrock_cli.graph.model.graph import Array, Graph, array_module, moved


class Edges(NamedTuple):
    """Directed edges: int32 ends, and the weights if the graph has some; all of one shape."""

    src: Array
    dst: Array
    weights: Array | None


@dataclass(frozen=True)
class Change:
    """Directed edges that differ between two states of a graph, in ascending order.

    ``keys`` (int64) are source << 32 | target. ``was`` and ``now`` (bool) say in which states an edge is
    there; ``old`` and ``new`` are its weights in them, or None if the graph has none."""

    keys: Array
    was: Array
    now: Array
    old: Array | None
    new: Array | None

    def __len__(self) -> int:
        return len(self.keys)

    def then(self, later: Change) -> Change:
        """The differences after ``later`` as well; an edge that is again as it was is no difference."""
        xp = array_module(self.keys)
        keys = xp.concatenate((self.keys, later.keys))
        order = xp.argsort(keys, kind="stable")
        keys = keys[order]
        begins = xp.ones(len(keys), bool)
        begins[1:] = keys[1:] != keys[:-1]
        ends = xp.ones(len(keys), bool)
        ends[:-1] = begins[1:]
        first, last = order[begins], order[ends]

        def of(mine: Array | None, other: Array | None, chosen: Array) -> Array | None:
            return None if mine is None or other is None else xp.concatenate((mine, other))[chosen]

        both = Change(
            keys[begins],
            of(self.was, later.was, first),
            of(self.now, later.now, last),
            of(self.old, later.old, first),
            of(self.new, later.new, last),
        )
        return both.where(both._differs())

    def where(self, chosen: Array) -> Change:
        """The chosen differences, by number or by a mask."""

        def of(array: Array | None) -> Array | None:
            return None if array is None else array[chosen]

        return Change(self.keys[chosen], self.was[chosen], self.now[chosen], of(self.old), of(self.new))

    def added(self) -> Edges:
        """Edges that are there only now."""
        return self._edges(self.now & ~self.was, self.new)

    def removed(self) -> Edges:
        """Edges that were there only before, with the weights that they had."""
        return self._edges(self.was & ~self.now, self.old)

    def new_paths(self) -> Edges:
        """Edges that are there now, and were not or had another weight."""
        return self._edges(self.now, self.new)

    def lost_paths(self) -> Edges:
        """Edges that were there, and are not or have another weight, with the weights that they had."""
        return self._edges(self.was, self.old)

    def to(self, xp: ModuleType) -> Change:
        """The same in another array module."""

        def of(array: Array | None) -> Array | None:
            return None if array is None else moved(array, xp)

        return Change(*map(of, (self.keys, self.was, self.now, self.old, self.new)))

    def _differs(self) -> Array:
        differs = self.was != self.now
        if self.old is None or self.new is None:
            return differs
        return differs | (self.was & self.now & (self.old != self.new))

    def _edges(self, chosen: Array, weights: Array | None) -> Edges:
        xp = array_module(self.keys)
        pairs = xp.ascontiguousarray(self.keys[chosen]).view(xp.int32).reshape(-1, 2)
        src, dst = (xp.ascontiguousarray(pairs[:, side]) for side in (1, 0))  # little-endian
        return Edges(src, dst, None if weights is None else weights[chosen])


@dataclass(frozen=True, repr=False, kw_only=True)
class Updated(Graph):
    """A graph with an answer for an earlier state (``before``: its outputs by name, in the graph's
    memory) and the ``change`` since then. To a primitive that cannot go on from such an answer it is a
    graph like any other."""

    change: Change
    before: Mapping[str, Array]

    def to(self, xp: ModuleType) -> Graph:
        if self.xp is xp:
            return self
        before = {name: moved(array, xp) for name, array in self.before.items()}
        return replace(super().to(xp), change=self.change.to(xp), before=before)  # type: ignore[call-arg]
