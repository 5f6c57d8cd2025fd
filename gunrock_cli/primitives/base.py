"""The base of primitives: a question, its options, and how an answer is checked.

A ``Variant`` (variant.py), which ``plan`` chooses, finds the answer. A primitive is two files:
``kernels/primitives/NAME.cuh`` (Problem, functors, enactor) and ``gunrock_cli/primitives/NAME.py``, which
defines ``PRIMITIVE = SomePrimitive()``; or two folders of that name, if there are several ways to the
answer. Commands, sweeps, tables and tests find the primitive by its file; nothing else needs to change.
See docs/writing-a-primitive.md."""

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
from gunrock_cli.primitives.variant import Variant

PROVED = "gunrock's answer, proved by certificate"
"""The ``reference`` of a Validation that compared an answer with a proved answer
(``Primitive.agrees``)."""
Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Validation:
    """The result of a check.

    ``verdict`` is "pass", "fail" or "skipped"; ``reference`` names what the answer was checked with;
    ``sources`` is the number of sources whose answers were checked, if there are several. ``method`` is
    one of ``certificates.CHECKS``. ``extent`` is given if less than the whole answer was compared with
    ours: "number" for a single number; "self" for nothing, as another system checked its own answer."""

    verdict: str
    reference: str
    message: str = ""
    sources: int | None = None
    method: str = "reference"
    extent: str | None = None

    @classmethod
    def of_vertices(cls, reference: str, name: str, found: Array, expected: Array) -> Validation:
        """Check that the output called ``name`` equals the reference at every vertex; if not, the message
        shows the first few vertices where they differ."""
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
    """The work of one run, counted from its outputs after the clock has stopped (docs/records.md)."""

    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_for_mteps: int | None = None  # None: the primitive reports no MTEPS
    depth: int | None = None
    iterations: int | None = None  # if they differ from the enactor's steps
    metrics: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Traffic:
    """Bytes that any program over the same arrays must read and write for an answer, each once, or
    ``passes`` times if every iteration must. The floor follows from them, so avoidable traffic is not
    counted."""

    read: int
    written: int
    passes: int = 1


@dataclass(frozen=True)
class Accesses:
    """The expected work of this algorithm, done ``passes`` times: move this many bytes, and gather this
    many words at random from a table of that many bytes. The model's time follows from it."""

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
        """Return a list for each column."""
        return {heading: [row[place] for row in self.rows] for place, heading in enumerate(self.headings)}


SWEEPS = 16
"""The least number of times that a primitive that ``sweeps`` looks at the whole graph."""


class Primitive:
    """Base of every primitive. Class attributes describe the question; methods check an answer. In a
    subclass's methods ``options`` are of the class that it ``takes``: as asked if a method says that they
    need not be resolved, otherwise as a run took them."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line, shown by ``gunrock --help``."""
    takes: ClassVar[type[Options]] = Options
    """The class of the options that a run is asked with."""
    variant: ClassVar[type[Variant[Any]] | None] = None
    """The only way to the answer; if there are several, ``plan`` chooses."""
    needs_source: ClassVar[bool] = True
    instead_of_source: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that say where a run starts, in place of --src."""
    needs_weights: ClassVar[bool] = False
    uses_weights: ClassVar[bool] = False
    """True if weights are used when a graph has them, though none are needed."""
    heaviest: ClassVar[bool] = False
    """True if the heaviest of equal edges counts, and so is kept when a graph is made."""
    needs_vertex_weights: ClassVar[bool] = False
    """True if ``ctx.graph.vertex_weights`` is read; graphs without them are refused."""
    needs_undirected: ClassVar[bool] = False
    """True if the question makes sense only for undirected graphs; others are refused."""
    needs_reverse: ClassVar[bool] = False
    """True if in-edges are read. If not, ``ctx.graph.reverse`` of a directed graph is null pointers, and
    the graph takes half the memory."""
    directed: ClassVar[bool] = False
    """True if the question is about directions: the command line then keeps them unless given
    ``--undirected``."""
    columns: ClassVar[tuple[str, ...]] = ()
    """The outputs that together are one answer: ``--save`` writes them as columns of one file, ``--top``
    shows each. If empty, the first output is the answer."""
    further_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs besides the answer that have a flag of their own, ``--save-predecessors`` or
    ``--save-levels``."""
    rows: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """If the answer is a list rather than a value per vertex: the columns that ``--save`` writes, one row
    per entry, and the outputs that they hold."""
    nearest_first: ClassVar[bool] = False
    """True if the first output holds distances, negative or infinite if unreached: ``--top`` then shows
    the smallest, otherwise the highest."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are vertices, or negative for none: tables show them by the user's names."""
    advance_under: ClassVar[Mapping[str, Any] | None] = MappingProxyType({})
    """Options, by key, under which advance does the work, so that its modes can be compared; None if the
    primitive calls no advance."""
    to_advance: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Values of options, by key, that replace ``auto`` if an option of advance is given and ``auto``
    would call none, for example because blocks run ahead."""
    limits: ClassVar[tuple[str, ...]] = ()
    """Options, by key, whose limit can end a run, or a part of it, early: in the order in which the
    kernel reports them (``note_limit``)."""
    shared_options: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that other systems also follow: peers are given them."""
    own_options: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that ask another question if they are set, which no other system here is asked:
    they are refused with peers."""
    peers: ClassVar[Mapping[str, Callable[..., Any]]] = MappingProxyType({})
    """Functions, by a peer's name, that run this primitive with that peer, unless the peer's own file
    does. Each is called as ``peers.base.Peer.run`` describes and returns a ``PeerResult``."""
    sums_sources: ClassVar[bool] = False
    """True if the answer for several sources is the sum of their answers (of the first output)."""
    lists_answer: ClassVar[bool] = False
    """True if the answer is a short list that is always shown (``listing``)."""
    mean_metrics: ClassVar[tuple[str, ...]] = ()
    """Metrics for which a record of several sources holds the mean; for others it holds the last
    source's."""
    sides_apart: ClassVar[bool] = False
    """For a primitive that ``renumbers``: True if it gathers values of the two ends of edges in turn,
    over lists of both kinds, so that vertices are numbered separately as either end."""
    in_parts: ClassVar[bool] = False
    """True if it also runs on several devices: ``plan`` then returns an ``InParts`` for them."""
    within_partition: ClassVar[Mapping[str, Any]] = MappingProxyType({})
    """Values of options, by key, that replace ``auto`` if the user says how to cut the graph, or it is in
    parts already, so that the cut is not the primitive's choice."""
    sweeps: ClassVar[bool] = False
    """True if a run looks at the whole graph repeatedly, not about once."""
    queue_factor: ClassVar[float] = 1.0
    """First guess for the frontier queues' capacity, as a share of ``queues`` (grown when too small); 0
    if there are none."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, as the command line shows them."""
        return self.takes.declared()

    def asked(self, given: Mapping[str, Any]) -> Any:
        """Return the options with these values, by key, and defaults for the rest; UsageError for a value
        that does not fit."""
        return self.takes.of(given)

    def plan(self, graph: Graph, asked: Any, alone: bool = True) -> Variant[Any]:
        """Choose the way to the answer on a graph: resolve ``auto`` and refuse contradictions
        (UsageError). ``alone`` is False on one of several devices, which takes an ``InParts``."""
        if self.variant is not None:
            return self.variant(graph, asked)
        raise NotImplementedError(f"{self.name} names no variant, and has no plan()")

    def entries_looked_at(self, graph: Graph) -> int:
        """Estimate how many vertices and edges a run looks at, which says how many threads are
        worthwhile."""
        return (graph.n + graph.m) * (SWEEPS if self.sweeps else 1)

    def limits_of(self, bits: int) -> list[str]:
        """The ``limits`` that ended a run, by the kernel's bits."""
        return [key for place, key in enumerate(self.limits) if bits >> place & 1]

    def named_sources(self, graph: Graph, options: Any) -> list[int]:
        """The sources named by the primitive's own options, which replace --src; ``options`` need not be
        resolved."""
        return []

    def refuse_source(self, options: Any, given: str) -> None:
        """Raise UsageError if the primitive's own options already say where to start, as ``given``
        does."""
        for key in self.instead_of_source:
            if getattr(options, key) is not None:
                raise UsageError(
                    f"--{key.replace('_', '-')} says where to start, and so does {given}: "
                    "leave one of them out"
                )

    def reads_source(self, options: Any) -> bool:
        """True if a run with these options starts from a source; they may name where it starts instead,
        and need not be resolved."""
        return self.needs_source

    def listing(self, outputs: Outputs) -> Listing:
        """The answer for one source as a table; for primitives that have ``lists_answer``."""
        raise NotImplementedError

    def listings(self, options: Any, source: int | None, outputs: Outputs) -> list[tuple[int, Listing]]:
        """All tables of a run, each with its vertex; ``source`` is None if the run read none."""
        return [] if source is None else [(source, self.listing(outputs))]

    def row_columns(self, options: Any) -> Mapping[str, str]:
        """``rows`` with these options, which need not be resolved."""
        return self.rows

    def column_names(self, options: Any) -> tuple[str, ...]:
        """A name for each column, if the first output has several values per vertex; ``options`` are
        resolved."""
        return ()

    def reads_weights(self, options: Any) -> bool:
        """``needs_weights`` with these options, which need not be resolved."""
        return self.needs_weights

    def reads_reverse(self, options: Any) -> bool:
        """``needs_reverse`` with these options, which need not be resolved."""
        return self.needs_reverse

    def work(self, graph: Graph, options: Any, outputs: dict[str, Array]) -> Work:
        """Count what the run did. ``outputs`` are arrays of ``graph.xp``."""
        return Work()

    def finish_work(self, work: Work, options: Any, steps: int, mean_ms: float) -> Work:
        """Add what follows from the enactor's steps and the mean time of a run; peers have neither."""
        return work

    def traffic(self, graph: Graph, options: Any, work: Work) -> Traffic | None:
        """The bytes that any program must move for this answer, or None if not known."""
        return None

    def accesses(self, graph: Graph, options: Any, work: Work) -> Accesses | None:
        """The bytes and gathers that a run is expected to need, or None without an estimate."""
        return None

    def validate(self, graph: Graph, options: Any, source: int | None, outputs: Outputs) -> Validation:
        """Compare with an independent reference; ``graph`` and ``outputs`` are on the host. Peers
        are checked by the same method, and may lack optional outputs (predecessors)."""
        raise NotImplementedError

    def agrees(self, options: Any, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare a peer's answer with one of ours that a certificate proved; both are on the host. None
        if the comparison decides nothing, as two right answers may differ: then ``validate`` decides."""
        return None

    def validate_sum(
        self, graph: Graph, options: Any, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """``validate`` for a sum over several sources; only for primitives that have ``sums_sources``."""
        raise NotImplementedError
