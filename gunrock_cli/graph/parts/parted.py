"""A graph in parts on several devices, nowhere stored as a whole: each device drew the rows that it owns.

Questions about the whole (the number of vertices and edges, degrees, a hash) are answered from the parts.
Rows that a device needs besides its own are also drawn, not fetched from the others.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.graph import Array, Csr, Graph, array_module, offset_dtype, to_numpy
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.parts.partition import Part, Partition, offsets_for, part_within, with_offsets


class Places(Protocol):
    """Several devices, each with its own memory (``engine.devices.Devices``)."""

    @property
    def xp(self) -> ModuleType: ...

    def __len__(self) -> int: ...

    def at(self, place: int) -> AbstractContextManager[Any]: ...

    def copied(self, array: Array | None, place: int) -> Array | None: ...

    def gathered(self, pieces: list[Array]) -> Array: ...


def on_each(places: Places, work: Callable[[int], Any]) -> list[Any]:
    """Call ``work(place)`` for all devices: at the same time on GPUs, one after the other on teams of the
    host, as each uses all of its threads."""
    if places.xp is np:
        return [work(place) for place in range(len(places))]
    with ThreadPoolExecutor(len(places)) as pool:
        return list(pool.map(work, range(len(places))))


def sum_where(places: Places, pieces: list[Array], chosen: Array) -> int:
    """Sum the numbers for which ``chosen`` (bool, for all vertices, on the current device) is true; each
    device holds the numbers of its own vertices."""
    total, begin = 0, 0
    for place, piece in enumerate(pieces):
        wanted = places.copied(chosen[begin : begin + len(piece)], place)
        with places.at(place):
            total += int((piece * wanted).sum(dtype=np.int64))
        begin += len(piece)
    return total


@dataclass(frozen=True)
class RowsInParts(Csr):
    """Rows of all vertices; each device has its own in ``parts``. The arrays of the whole are empty and
    only give the types of the parts' arrays."""

    parts: tuple[Csr, ...] = ()
    places: Any = None  # Places

    @classmethod
    def of(cls, parts: list[Csr], places: Places) -> RowsInParts:
        """Join consecutive rows, beginning with those of vertex 0."""
        xp, m = places.xp, sum(part.m for part in parts)
        return cls(
            xp.empty(0, offset_dtype(xp, m)), xp.empty(0, np.int32), parts=tuple(parts), places=places
        )

    @property
    def n(self) -> int:
        return sum(part.n for part in self.parts)

    @property
    def m(self) -> int:
        return sum(part.m for part in self.parts)

    def _of_each(self, ask: Callable[[Csr], Any]) -> list[Any]:
        found = []
        for place, part in enumerate(self.parts):
            with self.places.at(place):
                found.append(ask(part))
        return found

    def degrees(self) -> Array:
        """The degrees of all vertices, on the current device: int32 if they fit."""
        kind = offset_dtype(np, self.longest)
        return self.places.gathered(self._of_each(lambda part: part.degrees().astype(kind, copy=False)))

    def sample(self) -> Csr:
        return self.parts[0]

    @cached_property
    def longest(self) -> int:
        longest: int = max(self._of_each(lambda part: part.longest))
        return longest

    def longer_than(self, length: int) -> int:
        return sum(self._of_each(lambda part: part.longer_than(length)))

    def edges_of(self, chosen: Array) -> int:
        return sum_where(self.places, self._of_each(Csr.degrees), chosen)

    def loops(self) -> int:
        return sum(self._of_each(Csr.loops))

    def sources(self) -> Array:
        raise GunrockError(
            "this graph lies in parts on several devices, and something asked for all of "
            "its edges at once"
        )

    def to(self, xp: ModuleType) -> Csr:
        """The whole on the host, for references and tests: OutOfMemory if there is no room."""
        if xp is array_module(self.row_offsets) and xp is not np:
            return self
        kind = np.dtype(offset_dtype(np, self.m))
        require_host_memory(
            4 * self.m + kind.itemsize * (self.n + 1),
            f"the whole graph: {self.n} vertices and {self.m} directed edges",
        )
        offsets, columns = np.zeros(self.n + 1, kind), np.empty(self.m, np.int32)
        row = edge = 0
        for place, part in enumerate(self.parts):
            with self.places.at(place):
                offsets[row + 1 : row + part.n + 1] = to_numpy(part.row_offsets[1:]) + kind.type(edge)
                columns[edge : edge + part.m] = to_numpy(part.column_indices)
            row, edge = row + part.n, edge + part.m
        return Csr(offsets, columns)


@dataclass(frozen=True)
class GraphInParts(Graph):
    """``csr`` and ``reverse`` (if there is one) are ``RowsInParts``. ``ends_within`` draws, in a device's
    memory, the rows by source of a ``Part``."""

    partition: Partition = field(default_factory=lambda: Partition("contiguous", (0, 0)))
    places: Any = None  # Places
    ends_within: Callable[[int], Csr] = field(default=lambda place: Csr(None, None))

    def to(self, xp: ModuleType) -> Graph:
        """The whole on the host, for references and tests: OutOfMemory if there is no room."""
        csr = self.csr.to(xp)
        if csr is self.csr:
            return self
        reverse = csr if self.reverse is self.csr else self.reverse and self.reverse.to(xp)
        return Graph(
            self.name,
            csr,
            reverse,
            self.undirected,
            self.hash,
            self.origin,
            self.names,
            changes=self.changes,
        )

    def each_part(self, by_source: bool, by_target: bool, outward: bool = False) -> list[Part]:
        """``part`` for all devices, with offsets of one type."""
        return self._alike(lambda place: self.part(place, by_source, by_target, outward))

    def each_part_within(self) -> list[Part]:
        """The parts that ``partition.cut_within`` makes, for all devices, with offsets of one type."""
        return self._alike(self._within)

    def _alike(self, part_of: Callable[[int], Part]) -> list[Part]:
        parts = on_each(self.places, part_of)
        kind = offsets_for(parts)

        def alike(place: int) -> Part:
            with self.places.at(place):
                return with_offsets(parts[place], kind)

        return on_each(self.places, alike)

    def _within(self, place: int) -> Part:
        sides = [self.csr] if self.undirected or self.reverse is None else [self.csr, self.reverse]
        with self.places.at(place):
            own = [rows.parts[place] for rows in sides if isinstance(rows, RowsInParts)]
            return part_within(self, own, self.partition, place)

    def part(self, place: int, by_source: bool, by_target: bool, outward: bool = False) -> Part:
        """The part that ``partition.cut`` makes from a whole graph, in its device's memory."""
        assert isinstance(self.csr, RowsInParts)
        out = self.csr.parts[place]
        own = None
        if by_target and self.reverse is not None:
            assert isinstance(self.reverse, RowsInParts)
            own = self.reverse.parts[place]
        csr = out if outward else self.ends_within(place) if by_source else own
        assert csr is not None
        with self.places.at(place):
            degrees = out.degrees()
        return Part.of(self, self.partition, place, csr, own, degrees)
