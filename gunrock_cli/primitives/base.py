"""What a primitive is to the tool: options, arrays, outputs, and how its answer is checked.

A primitive is two files: ``kernels/primitives/NAME.cuh`` (Problem, functors, enactor; a folder of that
name where there are several ways to the answer) and ``gunrock_cli/primitives/NAME.py``, which defines
``PRIMITIVE = SomePrimitive()``. Commands, sweeps, tables and tests find the primitive by its file;
nothing else needs to change. See docs/writing-a-primitive.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.options import Options as TypedOptions
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.primitives.variant import Queues, Variant
from gunrock_cli.resources import kernels_dir

PROVED = "gunrock's answer, proved by certificate"
"""The ``reference`` of a Validation that compared an answer with a proved one (``Primitive.agrees``)."""
Options = Any  # in transition
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
    """Base of every primitive. Class attributes describe it, methods say what it does."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line, shown by ``gunrock --help``."""
    takes: ClassVar[type[TypedOptions]] = TypedOptions
    """The options that a run is asked for."""
    variant: ClassVar[type[Variant[Any]] | None] = None
    """The way to the answer, if there is one only; otherwise ``plan`` chooses."""
    options: ClassVar[tuple[Option, ...]] = ()
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
    answer: ClassVar[tuple[str, ...]] = ()
    """The members of ``problem`` that are the answer, under the names of the outputs. A primitive whose
    outputs have other names or must be computed defines ``outputs`` instead."""
    rows: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Where the answer is a list, not a value for each vertex: the columns that ``--save`` writes, one
    row for each entry, and the outputs that they hold."""
    nearest_first: ClassVar[bool] = False
    """Whether the first output holds distances, negative or infinite where unreached: ``--top`` then
    shows the smallest, otherwise the highest."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are vertices, or negative for none: tables show them by the user's names."""
    kernel: ClassVar[Path | None] = None
    """The .cuh file; None for ``kernels/primitives/NAME.cuh``."""
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

    def __init_subclass__(cls, **how: Any) -> None:
        super().__init_subclass__(**how)
        if "takes" in vars(cls):
            cls.options = cls.takes.declared()

    def asked(self, given: Mapping[str, Any]) -> Any:
        """The options with these values, by key, and defaults for the rest; UsageError for a value that
        does not fit."""
        if self.takes is TypedOptions and self.options:  # in transition
            return with_defaults(self.options, given)
        return self.takes.of(given)

    def plan(self, graph: Graph, asked: Any, alone: bool = True) -> Variant[Any]:
        """The way to the answer on a graph: ``auto`` resolved, contradictions refused (UsageError).
        ``alone``: False on one of several devices."""
        if self.variant is not None:
            return self.variant(graph, asked)
        given = all_values(asked) if alone else {**all_values(asked), "relay": False}
        return Hooked(graph, self.check_options(graph, given), self)

    def entries_looked_at(self, graph: Graph) -> int:
        """About how many vertices and edges a run looks at, which says how many threads it is worth."""
        return (graph.n + graph.m) * (SWEEPS if self.sweeps else 1)

    def limits_of(self, bits: int) -> list[str]:
        """The ``limits`` that a kernel said to have ended a run."""
        return [key for place, key in enumerate(self.limits) if bits >> place & 1]

    def queues(self, graph: Graph, options: Options) -> Queues:
        """What the queues could hold: every vertex, unless they hold edges."""
        return Queues((graph.n, graph.n))

    def named_sources(self, graph: Graph, options: Options) -> list[int]:
        """The sources named by the primitive's own options, which replace --src; ``options`` need not be
        resolved."""
        return []

    def refuse_source(self, options: Options, given: str) -> None:
        """UsageError where the primitive's own options already say where to start; ``given`` also says
        so."""
        for key in self.instead_of_source:
            if all_values(options)[key] is not None:
                raise UsageError(
                    f"--{key.replace('_', '-')} says where to start, and so does {given}: "
                    "leave one of them out"
                )

    def reads_source(self, options: Options) -> bool:
        """Whether a run with these options starts from a source; they may name where it starts instead,
        and need not be resolved."""
        return self.needs_source

    def listing(self, outputs: Outputs) -> Listing:
        """The answer for one source as a table; for primitives that have ``lists_answer``."""
        raise NotImplementedError

    def listings(
        self, options: Options, source: int | None, outputs: Outputs
    ) -> list[tuple[int, Listing]]:
        """All such tables of a run, each with its vertex; ``source`` is None where the run read none."""
        return [] if source is None else [(source, self.listing(outputs))]

    def row_columns(self, options: Options) -> Mapping[str, str]:
        """``rows`` with these options, which need not be resolved."""
        return self.rows

    def column_names(self, options: Options) -> tuple[str, ...]:
        """A name for each column, where the first output has several values for every vertex; ``options``
        are resolved."""
        return ()

    def reads_reverse(self, options: Options) -> bool:
        """``needs_reverse`` with these options, which need not be resolved."""
        return self.needs_reverse

    def renumbers(self, options: Options) -> bool:
        """Whether the kernel reads the graph with its vertices numbered by falling out-degree
        (``renumbering.Renumbered``, which ``problem`` and ``reset`` are then given); ``options`` are
        resolved. The source, vertices that options name, and the answer are in the graph's own
        numbers."""
        return False

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        """For a primitive that ``renumbers``: how much longer an iteration was measured to take without
        it, as a share, at least; first where the table gathered from fits the cache, then where it does
        not. A record tells from this when the layout has paid for itself. None where it was not measured.
        ``options`` are resolved."""
        return None

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        """Resolve ``auto`` values and refuse contradictions (``UsageError``); returns the final
        options, which the record stores."""
        return dict(options)

    def advances(self, graph: Graph, options: Options) -> Advance:
        """What these (resolved) options leave of advance: ``--advance-mode`` and ``--lb-threshold`` are
        refused where they would have no effect."""
        return Advance.NONE if self.advance_under is None else Advance.BALANCED

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        """Further macros, besides those of compile-time options: types, variants."""
        return {}

    def others_options(self, graph: Graph, options: Options) -> Options | None:
        """The resolved options of a second kernel to which the first may leave a run, for good
        (GR_RELAY); None where one kernel does it all."""
        return None

    def constants(self, graph: Graph, options: Options) -> Mapping[str, int]:
        """Numbers that the kernel has under the same names, such as the mark of an unreached vertex:
        compared with those in the compiled code before it runs."""
        return {}

    def kernel_file(self, graph: Graph, options: Options) -> Path:
        """The kernel for these options, where a primitive has more than one."""
        return self.kernel or kernels_dir() / "primitives" / f"{self.name}.cuh"

    def variant_file(self, variant: str) -> Path:
        """One of the kernels that lie side by side in ``kernels/primitives/NAME``."""
        return kernels_dir() / "primitives" / self.name / f"{variant}.cuh"

    def launch(self, graph: Graph, options: Options) -> Tuning | None:
        """The launch shape on a GPU (operators/launch_shapes.py); None for the largest blocks that fit,
        with their queues in shared memory."""
        return None

    def problem(self, graph: Graph, options: Options) -> dict[str, Array | int | float]:
        """The members of the kernel's ``Problem`` struct by name: arrays in ``graph.xp`` and
        scalars. Allocated once, before the runs; nothing here is timed."""
        raise NotImplementedError

    def reset(self, problem: dict[str, Any], graph: Graph, options: Options, source: int) -> None:
        """Bring the arrays to their initial state before a run; not timed."""
        raise NotImplementedError

    def outputs(self, problem: dict[str, Any], graph: Graph, options: Options) -> dict[str, Array]:
        """The answer by name, in vertex order (``labels``, ``distances``, ...)."""
        if not self.answer:
            raise NotImplementedError(f"{self.name} names no answer, and has no outputs()")
        return {name: problem[name] for name in self.answer}

    def work(self, graph: Graph, options: Options, outputs: dict[str, Array]) -> Work:
        """Count what the run did. ``outputs`` are in ``graph.xp``."""
        return Work()

    def pushes_by_level(self, options: Options) -> bool:
        """Whether a run expands what it finds level by level, so that counts tell what it found more than
        once."""
        return False

    def frontier_levels(self, options: Options, outputs: dict[str, Array]) -> Array | None:
        """The depth of every vertex (-1 where unreached), where a vertex is queued for the step after the
        one that found it and every step expands one queue; None where a run works otherwise."""
        return None

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        """Add what follows from the enactor's steps and the mean time of a run; peers have neither."""
        return work

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic | None:
        """What no program can avoid moving for this answer; None where that is not known."""
        return None

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """What a run is expected to move and to gather; None where there is no such estimate."""
        return None

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        """Compare with an independent reference; ``graph`` and ``outputs`` are on the host. Peers
        are checked by the same method, and may lack optional outputs (predecessors)."""
        raise NotImplementedError

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare a peer's answer with one of ours that a certificate proved; both are on the host. None
        where that does not decide, as two right answers may differ: then ``validate`` decides."""
        return None

    def validate_sum(
        self, graph: Graph, options: Options, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """``validate`` for a sum over several sources; only for primitives that have ``sums_sources``."""
        raise NotImplementedError


@dataclass(frozen=True)
class Hooked(Variant[Any]):
    """In transition: a primitive's own methods as a variant."""

    primitive: Any = None

    @property
    def kernel_file(self) -> Path:
        return self.primitive.kernel_file(self.graph, self.options)

    @property
    def advance(self) -> Advance:
        return self.primitive.advances(self.graph, self.options)

    @property
    def launch(self) -> Tuning | None:
        return self.primitive.launch(self.graph, self.options)

    @property
    def queues(self) -> Queues:
        return self.primitive.queues(self.graph, self.options)

    @property
    def defines(self) -> Mapping[str, str | int]:
        return self.primitive.defines(self.graph, self.options)

    @property
    def constants(self) -> Mapping[str, int]:
        return self.primitive.constants(self.graph, self.options)

    def allocate(self, shared: Mapping[str, Any] | None = None) -> dict[str, Any]:
        own = self.primitive.problem(self.graph, self.options)
        if not shared:
            return own
        return own | {
            name: shared[name]
            for name, value in own.items()
            if name in shared and (value is None or getattr(value, "ndim", 0) > 0)
        }

    def reset(self, problem: dict[str, Any], source: int) -> None:
        self.primitive.reset(problem, self.graph, self.options, source)

    def outputs(self, problem: dict[str, Any]) -> dict[str, Array]:
        return self.primitive.outputs(problem, self.graph, self.options)

    @property
    def nbytes(self) -> int:
        return 0

    @property
    def successor(self) -> Variant[Any] | None:
        others = self.primitive.others_options(self.graph, self.options)
        return None if others is None else Hooked(self.graph, others, self.primitive)

    @property
    def renumbers(self) -> bool:
        return self.primitive.renumbers(self.options)

    @property
    def layout_saves(self) -> tuple[float, float] | None:
        return self.primitive.layout_saves(self.options)

    @property
    def pushes_by_level(self) -> bool:
        return self.primitive.pushes_by_level(self.options)

    def frontier_levels(self, outputs: Mapping[str, Array]) -> Array | None:
        return self.primitive.frontier_levels(self.options, outputs)


def recorded(options: Any) -> dict[str, Any]:
    """Resolved options as a record stores them."""
    return dict(options) if isinstance(options, Mapping) else options.recorded()


def all_values(options: Any) -> dict[str, Any]:
    """Options by key."""
    return dict(options) if isinstance(options, Mapping) else options.values()


def with_values(options: Any, **values: Any) -> Any:
    """Options with other values."""
    return {**options, **values} if isinstance(options, Mapping) else replace(options, **values)
