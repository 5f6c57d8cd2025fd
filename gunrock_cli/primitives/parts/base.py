"""The base of every variant on several devices, and the sizes of what they exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Any, ClassVar, Self

from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.variant import Chosen, Member, Problem, Variant


@dataclass(frozen=True)
class InParts(Variant[Chosen]):
    """A way to the answer on several devices, each of which finds the answer for its own vertices and
    writes what others need into their heaps (docs/writing-a-primitive.md).

    ``graph`` is the whole graph. ``members``, ``start`` and ``outputs`` are for one device, and are asked
    only of the variant ``on_part``. There vertices have the partition's numbers: the source that
    ``start`` is given, and outputs that are vertices."""

    _part: Part | None = None

    counts_from_zero: ClassVar[bool] = False
    """True if the kernel's graph is only the part: n counts its own vertices, whose rows start from 0."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are numbers of vertices, or negative for none."""
    part_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs that are not per vertex: ``finish`` gets the arrays of all parts, one after the other."""

    def on_part(self, part: Part) -> Self:
        """The same variant on the device that has this part."""
        return replace(self, _part=part)

    @property
    def part(self) -> Part:
        """The device's part of the graph."""
        assert self._part is not None
        return self._part

    @property
    def owned(self) -> int:
        """The number of the device's own vertices."""
        return self.part.last - self.part.first

    def own(self, values: Array) -> Array:
        """The values of its own vertices, out of those of all vertices."""
        return values[self.part.first : self.part.last]

    @property
    def xp(self) -> ModuleType:
        return self.part.xp

    @property
    def by_source(self) -> bool:
        """True if a part needs the edges that lead to its vertices, as rows by source."""
        return False

    @property
    def outward(self) -> bool:
        """True if a part needs, in place of those, the edges that lead out of its vertices."""
        return False

    @property
    def both(self) -> bool:
        """True if the edges that lead out of its vertices are further rows after those by source."""
        return False

    @property
    def by_target(self) -> bool:
        """True if a part needs the edges that lead to its vertices as rows by target."""
        return True

    everything: ClassVar[bool] = False
    """True if each part needs the whole graph, as ``csr``, and the device's own vertices only say which
    share of the work it takes."""

    in_order: ClassVar[bool] = False
    """True if vertices keep the graph's numbers: parts are then contiguous ranges."""

    @property
    def within(self) -> bool:
        """True if a part needs, in place of all those, the edges between its own vertices, and separately
        those to other parts' vertices (``partition.cut_within``)."""
        return False

    def heap(self, devices: int) -> Mapping[str, Room]:
        """The members of ``Problem`` that other devices write into, equal on each of ``devices``."""
        raise NotImplementedError

    @cached_property
    def _members(self) -> Mapping[str, Member]:
        return {**self.heap(len(self.part.bounds) - 1), **self.members()}

    def evidence(self, problem: Problem) -> dict[str, Array]:
        """Arrays that a proof reads besides the answer, for the device's own vertices."""
        return {}

    def finish(self, outputs: dict[str, Array]) -> dict[str, Array]:
        """The whole answer, as the primitive gives it, from the outputs of all devices; both are by the
        vertices of the graph as it was loaded."""
        return outputs


class OnSeveralDevices(Primitive):
    """Base of primitives that also run on several devices."""

    within_partition: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Values of options, by key, that replace ``auto`` if the user says how to cut the graph, or it is in
    parts already, so that the cut is not the primitive's choice."""

    def plan_in_parts(self, graph: Graph, asked: Any) -> InParts[Any]:
        """``plan`` for one of several devices."""
        raise NotImplementedError


def bitmap_words(n: int) -> int:
    """Words of a bitmap, padded so that the next one begins at a multiple of 16 bytes."""
    return (n + 127) // 128 * 4
