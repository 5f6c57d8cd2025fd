"""The base of a primitive's half for several devices.

Its kernel is one more variant, ``kernels/primitives/NAME/in_parts.cuh``: it finds the answer for its own
vertices, and writes what other devices need into their heaps (docs/writing-a-primitive.md)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from gunrock_cli.engine.devices import Sizes
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.operators.advance import Advance
from gunrock_cli.resources import kernels_dir


class InParts:
    """The runs of a primitive in parts, named by ``Primitive.in_parts``. Parts number vertices as the
    partition does; the source given to ``reset``, and outputs that are vertices, use these numbers."""

    kernel: ClassVar[Path | None] = None
    """The .cuh file; None for ``kernels/primitives/NAME/in_parts.cuh``."""
    counts_from_zero: ClassVar[bool] = False
    """True if the kernel's graph is only the part: n counts its own vertices, whose rows start from 0."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are numbers of vertices, or negative for none."""
    part_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs that are not per vertex: ``finish`` gets the arrays of all parts, one after the other."""

    def kernel_file(self, primitive: str, graph: Graph, options: Any) -> Path:
        """The kernel, given the primitive's name, the whole graph, and these (resolved) options."""
        return self.kernel or self.variant_file(primitive, "in_parts")

    def variant_file(self, primitive: str, variant: str) -> Path:
        """The file of one of several kernels of a primitive."""
        return kernels_dir() / "primitives" / primitive / f"{variant}.cuh"

    def advances(self, graph: Graph, options: Any) -> Advance:
        """The advance of the kernel on each device."""
        return Advance.BALANCED

    def launch(self, shape: Tuning | None) -> Tuning | None:
        """The launch shape on each device, given the shape on a single one."""
        return shape

    def accept(self, options: Any) -> Any:
        """Return the options for ``Primitive.plan``, with those replaced that the kernel in parts
        determines. UsageError for options that only one device can follow."""
        return options

    def within_partition(self, options: Any) -> Any:
        """Change the options that ``accept`` returned if the user says how to cut the graph, so that they
        do not ask for another cut."""
        return options

    def by_source(self, options: Any) -> bool:
        """True if a part needs the edges that lead to its vertices, as rows by source."""
        return False

    def outward(self, graph: Graph, options: Any) -> bool:
        """True if a part needs, in place of those, the edges that lead out of its vertices."""
        return False

    def both(self, graph: Graph, options: Any) -> bool:
        """True if the edges that lead out of its vertices are further rows after those by source."""
        return False

    def by_target(self, options: Any) -> bool:
        """True if a part needs the edges that lead to its vertices as rows by target."""
        return True

    def within(self, graph: Graph, options: Any) -> bool:
        """True if a part needs, in place of all those, the edges between its own vertices, and separately
        those to other parts' vertices (``partition.cut_within``)."""
        return False

    def heap(self, graph: Graph, options: Any, devices: int) -> Sizes:
        """The members of the kernel's ``Problem`` that other devices write into, of equal size on each of
        ``devices``; ``graph`` is whole."""
        raise NotImplementedError

    def problem(self, part: Part, options: Any) -> dict[str, Any]:
        """The other members of ``Problem``, in ``part.xp``."""
        raise NotImplementedError

    def reset(self, problem: dict[str, Any], part: Part, options: Any, source: int) -> None:
        """Bring all members to their initial state before a run; not timed."""
        raise NotImplementedError

    def defines(self, options: Any) -> dict[str, str | int]:
        """Macros besides the primitive's."""
        return {}

    def outputs(self, problem: dict[str, Any], part: Part, options: Any) -> dict[str, Array]:
        """The answer for the part's own vertices, by name."""
        raise NotImplementedError

    def evidence(self, problem: dict[str, Any], part: Part, options: Any) -> dict[str, Array]:
        """Arrays that a proof reads besides the answer, for the part's own vertices."""
        return {}

    def finish(self, outputs: dict[str, Array], graph: Graph, options: Any) -> dict[str, Array]:
        """The whole answer, as the primitive gives it, by the vertices of the graph as it was loaded."""
        return outputs
