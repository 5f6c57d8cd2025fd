"""What a primitive is to the tool: a question, what it is asked with, and how an answer is checked.

How an answer is found is a ``Variant`` (variant.py), which ``plan`` chooses. A primitive is two files:
``kernels/primitives/NAME.cuh`` (Problem, functors, enactor) and ``gunrock_cli/primitives/NAME.py``, which
defines ``PRIMITIVE = SomePrimitive()``; or two folders of that name, if there are several ways to the
answer. Commands, sweeps, tables and tests find the primitive by its file; nothing else needs to change.
See docs/writing-a-primitive.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.variant import Variant

PROVED = "gunrock's answer, proved by certificate"
"""The ``reference`` of a Validation that compared an answer with a proved one (``Primitive.agrees``)."""
Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Validation:
    """``verdict`` is "pass", "fail" or "skipped"; ``reference`` names what the answer was checked with;
    ``sources`` is how many sources' answers were checked, where there are several. ``method`` is one of
    ``certificates.CHECKS``. ``extent`` is given where less than the whole answer was compared with
    ours: "number", a number alone; "self", nothing, as another system checked its own answer."""

    verdict: str
    reference: str
    message: str = ""
    sources: int | None = None
    method: str = "reference"
    extent: str | None = None

    @classmethod
    def of_vertices(cls, reference: str, name: str, found: Array, expected: Array) -> Validation:
        """Whether the output called ``name`` equals the reference at every vertex; if not, the message
        shows the first few vertices where it differs."""
        found, expected = np.asarray(found), np.asarray(expected)
        if found.shape != expected.shape:
            return cls("fail", reference, f"{name}: shape {found.shape}, expected {expected.shape}")
        wrong = np.flatnonzero(found != expected)
        if len(wrong) == 0:
            return cls("pass", reference)
        shown = "; ".join(f"vertex {v}: {found[v]}, expected {expected[v]}" for v in wrong[:5])
        return cls("fail", reference, f"{len(wrong)} {name} differ: {shown}")

    def to_dict(self) -> dict[str, Any]:
        shown = {
            "verdict": self.verdict,
            "reference": self.reference,
            "method": self.method,
            "message": self.message,
            "sources": self.sources,
            "extent": self.extent,
        }
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True)
class Work:
    """What one run did, counted from its outputs after the clock stopped (docs/records.md)."""

    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_for_mteps: int | None = None  # None: the primitive reports no MTEPS
    depth: int | None = None
    iterations: int | None = None  # where they differ from the enactor's steps
    metrics: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Traffic:
    """Bytes that any program over the same arrays must read and write for an answer, each once, or
    ``passes`` times where every iteration must. The floor follows from it, so traffic that might be
    avoided is not counted."""

    read: int
    written: int
    passes: int = 1


@dataclass(frozen=True)
class Accesses:
    """What this algorithm is expected to do, ``passes`` times: move this many bytes, and gather this many
    words at random from a table of that many bytes. The model's time follows from it."""

    moved: int
    gathers: int
    table: int
    passes: int = 1


@dataclass(frozen=True)
class Listing:
    """A short answer as a table."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int | float, ...], ...]

    def to_dict(self) -> dict[str, list[int | float]]:
        """A list for each column."""
        return {heading: [row[place] for row in self.rows] for place, heading in enumerate(self.headings)}


SWEEPS = 16
"""How many times a primitive that ``sweeps`` looks at the whole graph, at least."""


class Primitive:
    """Base of every primitive. Class attributes describe the question, methods check an answer. In a
    subclass's methods ``options`` are of the class that it ``takes``: as asked if a method says that
    they need not be resolved, otherwise as a run took them."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line, shown by ``gunrock --help``."""
    takes: ClassVar[type[Options]] = Options
    """The options that a run is asked for."""
    variant: ClassVar[type[Variant[Any]] | None] = None
    """The way to the answer, if there is one only; otherwise ``plan`` chooses."""
    needs_source: ClassVar[bool] = True
    instead_of_source: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that say where a run starts, in place of --src."""
    needs_weights: ClassVar[bool] = False
    uses_weights: ClassVar[bool] = False
    """Whether weights are used where there are any, though none are needed."""
    heaviest: ClassVar[bool] = False
    """Whether of equal edges the heaviest counts, and so is the one that stays when a graph is made."""
    needs_vertex_weights: ClassVar[bool] = False
    """Whether ``ctx.graph.vertex_weights`` is read; graphs without them are refused."""
    needs_undirected: ClassVar[bool] = False
    """Whether the question makes sense only for undirected graphs; others are refused."""
    needs_reverse: ClassVar[bool] = False
    """Whether in-edges are read at all. If not, ``ctx.graph.reverse`` of a directed graph is null
    pointers, and the graph takes half the memory."""
    directed: ClassVar[bool] = False
    """Whether the command line keeps the edges' directions unless told otherwise (``--undirected``), as
    the question is about them."""
    columns: ClassVar[tuple[str, ...]] = ()
    """The outputs that together are one answer: ``--save`` writes them as columns of one file, ``--top``
    shows each. If empty, the first output is the answer."""
    further_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs besides the answer that have a flag of their own, ``--save-predecessors`` or
    ``--save-levels``."""
    rows: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Where the answer is a list, not a value for each vertex: the columns that ``--save`` writes, one
    row for each entry, and the outputs that they hold."""
    nearest_first: ClassVar[bool] = False
    """Whether the first output holds distances, negative or infinite where unreached: ``--top`` then
    shows the smallest, otherwise the highest."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are vertices, or negative for none: tables show them by the user's names."""
    advance_under: ClassVar[Mapping[str, Any] | None] = MappingProxyType({})
    """Options, by key, under which advance does the work, so that its modes can be compared; None where
    the primitive calls no advance."""
    to_advance: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Values of options, by key, in place of ``auto`` where an option of advance is given and ``auto``
    calls none, as by blocks that run ahead."""
    limits: ClassVar[tuple[str, ...]] = ()
    """Options, by key, whose limit can end a run, or a part of it, that would have gone on: in the order
    in which the kernel counts them when it says so (``note_limit``)."""
    shared_options: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that other systems follow too: peers are given them."""
    peers: ClassVar[Mapping[str, Callable[..., Any]]] = MappingProxyType({})
    """By a peer's name, how it runs this primitive, where the peer's own file does not say: called as
    ``peers.base.Peer.run`` describes, it returns a ``PeerResult``."""
    sums_sources: ClassVar[bool] = False
    """Whether the answer for several sources is the sum of each one's (of the first output)."""
    lists_answer: ClassVar[bool] = False
    """Whether the answer is a short list that is always shown (``listing``)."""
    mean_metrics: ClassVar[tuple[str, ...]] = ()
    """Metrics for which a record of several sources holds the mean; for others it holds the last
    source's."""
    sides_apart: ClassVar[bool] = False
    """For a primitive that ``renumbers``: whether it gathers values of the two ends of edges in turn,
    over lists of both kinds, so that vertices are numbered separately as either end."""
    in_parts: ClassVar[InParts | None] = None
    """How it runs on several devices; None where it does not."""
    sweeps: ClassVar[bool] = False
    """Whether a run looks at the whole graph again and again, not about once."""
    queue_factor: ClassVar[float] = 1.0
    """First guess for the frontier queues' capacity, as a share of ``queues`` (grown when too small); 0
    where there are none."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, as the command line shows them."""
        return self.takes.declared()

    def asked(self, given: Mapping[str, Any]) -> Any:
        """The options with these values, by key, and defaults for the rest; UsageError for a value that
        does not fit."""
        return self.takes.of(given)

    def plan(self, graph: Graph, asked: Any, alone: bool = True) -> Variant[Any]:
        """The way to the answer on a graph: ``auto`` resolved, contradictions refused (UsageError).
        ``alone``: False on one of several devices."""
        if self.variant is not None:
            return self.variant(graph, asked)
        raise NotImplementedError(f"{self.name} names no variant, and has no plan()")

    def entries_looked_at(self, graph: Graph) -> int:
        """About how many vertices and edges a run looks at, which says how many threads it is worth."""
        return (graph.n + graph.m) * (SWEEPS if self.sweeps else 1)

    def limits_of(self, bits: int) -> list[str]:
        """The ``limits`` that a kernel said to have ended a run."""
        return [key for place, key in enumerate(self.limits) if bits >> place & 1]

    def named_sources(self, graph: Graph, options: Any) -> list[int]:
        """The sources named by the primitive's own options, which replace --src; ``options`` need not be
        resolved."""
        return []

    def refuse_source(self, options: Any, given: str) -> None:
        """UsageError where the primitive's own options already say where to start; ``given`` also says
        so."""
        for key in self.instead_of_source:
            if getattr(options, key) is not None:
                raise UsageError(
                    f"--{key.replace('_', '-')} says where to start, and so does {given}: "
                    "leave one of them out"
                )

    def reads_source(self, options: Any) -> bool:
        """Whether a run with these options starts from a source; they may name where it starts instead,
        and need not be resolved."""
        return self.needs_source

    def listing(self, outputs: Outputs) -> Listing:
        """The answer for one source as a table; for primitives that have ``lists_answer``."""
        raise NotImplementedError

    def listings(self, options: Any, source: int | None, outputs: Outputs) -> list[tuple[int, Listing]]:
        """All such tables of a run, each with its vertex; ``source`` is None where the run read none."""
        return [] if source is None else [(source, self.listing(outputs))]

    def row_columns(self, options: Any) -> Mapping[str, str]:
        """``rows`` with these options, which need not be resolved."""
        return self.rows

    def column_names(self, options: Any) -> tuple[str, ...]:
        """A name for each column, where the first output has several values for every vertex; ``options``
        are resolved."""
        return ()

    def reads_reverse(self, options: Any) -> bool:
        """``needs_reverse`` with these options, which need not be resolved."""
        return self.needs_reverse

    def work(self, graph: Graph, options: Any, outputs: dict[str, Array]) -> Work:
        """Count what the run did. ``outputs`` are in ``graph.xp``."""
        return Work()

    def finish_work(self, work: Work, options: Any, steps: int, mean_ms: float) -> Work:
        """Add what follows from the enactor's steps and the mean time of a run; peers have neither."""
        return work

    def traffic(self, graph: Graph, options: Any, work: Work) -> Traffic | None:
        """What no program can avoid moving for this answer; None where that is not known."""
        return None

    def accesses(self, graph: Graph, options: Any, work: Work) -> Accesses | None:
        """What a run is expected to move and to gather; None where there is no such estimate."""
        return None

    def validate(self, graph: Graph, options: Any, source: int | None, outputs: Outputs) -> Validation:
        """Compare with an independent reference; ``graph`` and ``outputs`` are on the host. Peers
        are checked by the same method, and may lack optional outputs (predecessors)."""
        raise NotImplementedError

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare a peer's answer with one of ours that a certificate proved; both are on the host. None
        where that does not decide, as two right answers may differ: then ``validate`` decides."""
        return None

    def validate_sum(
        self, graph: Graph, options: Any, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """``validate`` for a sum over several sources; only for primitives that have ``sums_sources``."""
        raise NotImplementedError
