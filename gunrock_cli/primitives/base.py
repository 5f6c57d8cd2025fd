"""What a primitive is to the tool: options, arrays, outputs, and how its answer is checked.

A primitive is two files: ``kernels/primitives/NAME.cuh`` (Problem, functors, enactor; a folder of that
name where there are several ways to the answer) and
``gunrock_cli/primitives/NAME.py``, which defines ``PRIMITIVE = SomePrimitive()``. Commands,
sweeps, tables and tests find it by its file; nothing else needs to change.
See docs/writing-a-primitive.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.primitives.parts.base import InParts
from gunrock_cli.resources import kernels_dir

PROVED = "gunrock's answer, proved by certificate"
"""What a Validation was checked with that compared with such an answer (``Primitive.agrees``)."""
Options = Mapping[str, Any]
Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Option:
    """One command-line option of a primitive.

    A bool becomes ``--name/--no-name``. ``define`` names the macro that a compile-time option
    sets (bools as 0/1, choices as their ``constants``, or their index); run-time options have none and
    reach the kernel through ``Primitive.problem``. ``default=None`` with ``kind`` given means "not set".

    ``gunrock compare-modes`` compares the values of every bool that has a default, of every option with
    choices, and those that ``compares`` names, unless ``changes_answer``.
    """

    name: str  # as on the command line, with dashes
    default: Any
    help: str
    kind: type = str
    choices: tuple[str, ...] = ()
    define: str | None = None
    constants: tuple[str, ...] = ()
    """The names that the kernel has for the choices."""
    minimum: float | None = None  # inclusive
    maximum: float | None = None
    changes_answer: bool = False
    """Asks for another answer, not for another way to it."""
    lists_vertices: bool = False
    """Names vertices, as text; from Python also as a list or an array of them."""
    takes_list: bool = False
    """Commas in its value are its own, and not values for a sweep."""
    compares: tuple[Any, ...] = ()
    """Of one that takes a text, or is not set by default, the values that compare-modes runs."""
    panel: str = ""
    """The heading under which its values are compared; its own name where empty."""
    under: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Values of other options, by key, with which its own are compared: those that let it take
    effect and leave all else equal. What the user set stands."""

    @property
    def key(self) -> str:
        """The name in ``options`` dictionaries and records."""
        return self.name.replace("-", "_")

    @property
    def compared(self) -> tuple[Any, ...]:
        """The values that compare-modes runs; none for an option that is not compared."""
        if self.changes_answer:
            return ()
        if self.compares or self.default is None:
            return self.compares
        if self.kind is bool:
            return (False, True)
        return tuple(choice for choice in self.choices if choice != "auto")


@dataclass(frozen=True)
class Validation:
    """``verdict`` is "pass", "fail" or "skipped"; ``reference`` names what it was checked with;
    ``sources``, of how many sources the answers were checked, where there are several. ``method`` is
    one of ``certificates.CHECKS``; ``extent`` is given where not the whole answer was compared: a
    "number" alone, or by the "self" of another system."""

    verdict: str
    reference: str
    message: str = ""
    sources: int | None = None
    method: str = "reference"
    extent: str | None = None

    @classmethod
    def of_vertices(cls, reference: str, name: str, found: Array, expected: Array) -> Validation:
        """Whether an output called ``name`` is what the reference has for every vertex; if not, the
        message shows the first few that are not."""
        found, expected = np.asarray(found), np.asarray(expected)
        if found.shape != expected.shape:
            return cls("fail", reference, f"{name}: shape {found.shape}, expected {expected.shape}")
        wrong = np.flatnonzero(found != expected)
        if len(wrong) == 0:
            return cls("pass", reference)
        shown = "; ".join(f"vertex {v}: {found[v]}, expected {expected[v]}" for v in wrong[:5])
        return cls("fail", reference, f"{len(wrong)} {name} differ: {shown}")

    def to_dict(self) -> dict[str, Any]:
        shown = {"verdict": self.verdict, "reference": self.reference, "method": self.method,
                 "message": self.message, "sources": self.sources, "extent": self.extent}
        return {key: value for key, value in shown.items() if value is not None}


@dataclass(frozen=True)
class Work:
    """What one run did, counted from its outputs after the clock stopped (docs/records.md)."""

    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_for_mteps: int | None = None  # None: the primitive reports no MTEPS
    depth: int | None = None
    iterations: int | None = None  # where they are not the enactor's steps
    metrics: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Traffic:
    """Bytes that any program over the same arrays must read and write for an answer, each once;
    ``passes`` times over where every iteration must. The floor comes of it, so what might be avoided
    is not counted."""

    read: int
    written: int
    passes: int = 1


@dataclass(frozen=True)
class Accesses:
    """What this algorithm is expected to do, ``passes`` times: move so many bytes, and gather
    so many words at random from a table of so many bytes. The model's time follows from it."""

    moved: int
    gathers: int
    table: int
    passes: int = 1


@dataclass(frozen=True)
class Queues:
    """What the frontier's two queues could hold at most, duplicates aside: ``most`` of the even and of
    the odd steps. ``lists``: whether they hold the items' lists, as all but plain queues do."""

    most: tuple[int, int]
    lists: bool = True


@dataclass(frozen=True)
class Listing:
    """A short answer as a table."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int | float, ...], ...]

    def to_dict(self) -> dict[str, list[int | float]]:
        """A list for each column."""
        return {heading: [row[place] for row in self.rows] for place, heading in enumerate(self.headings)}


class Primitive:
    """Base of every primitive. Class attributes describe it, methods say what it does."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line, shown by ``gunrock --help``."""
    options: ClassVar[tuple[Option, ...]] = ()
    needs_source: ClassVar[bool] = True
    instead_of_source: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that say where a run starts, in the place of --src."""
    needs_weights: ClassVar[bool] = False
    uses_weights: ClassVar[bool] = False
    """Whether weights count where there are some, though none are needed."""
    needs_vertex_weights: ClassVar[bool] = False
    """Whether ``ctx.graph.vertex_weights`` is read; graphs without them are refused."""
    needs_undirected: ClassVar[bool] = False
    """Whether the question is one about undirected graphs only; others are refused."""
    needs_reverse: ClassVar[bool] = False
    """Whether in-edges are read at all. Where not, ``ctx.graph.reverse`` of a directed graph is null
    pointers, and the graph takes half of the memory."""
    directed: ClassVar[bool] = False
    """Whether the command line keeps the edges' directions unless told otherwise (``--undirected``), as
    the question is one about them."""
    columns: ClassVar[tuple[str, ...]] = ()
    """The outputs that are one answer together: ``--save`` writes them as columns of one file, ``--top``
    shows each. Where empty, the first output is the answer."""
    answer: ClassVar[tuple[str, ...]] = ()
    """The members of ``problem`` that are the answer, under the names of the outputs; a primitive whose
    outputs have other names or come of some calculation says so in ``outputs``."""
    rows: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Where the answer is not a value of each vertex but a list: the columns that ``--save`` writes, a
    row each entry, and the outputs that they hold."""
    nearest_first: ClassVar[bool] = False
    """Whether the first output holds distances, negative or infinite where unreached: ``--top`` shows the
    smallest then, else the highest."""
    vertex_outputs: ClassVar[tuple[str, ...]] = ()
    """Outputs whose values are vertices, or negative for none: tables show them by the user's names."""
    kernel: ClassVar[Path | None] = None
    """The .cuh file; None for ``kernels/primitives/NAME.cuh``."""
    advance_under: ClassVar[Mapping[str, Any] | None] = MappingProxyType({})
    """Options, by key, with which advance does the work, so that its modes can be compared; None
    where the primitive calls no advance."""
    shared_options: ClassVar[tuple[str, ...]] = ()
    """Options, by key, that other systems follow as well: peers are given them."""
    peers: ClassVar[Mapping[str, Callable[..., Any]]] = MappingProxyType({})
    """By a peer's name, how it runs this primitive, where the peer's own file does not say: called
    as ``peers.base.Peer.run`` says, returns a ``PeerResult``."""
    sums_sources: ClassVar[bool] = False
    """Whether the answer for several sources is the sum of theirs (of the first output)."""
    lists_answer: ClassVar[bool] = False
    """Whether the answer is a short list, which is always shown (``listing``)."""
    mean_metrics: ClassVar[tuple[str, ...]] = ()
    """Metrics of which a record of several sources holds the mean; of others that of the last."""
    sides_apart: ClassVar[bool] = False
    """Of one that ``renumbers``: whether values of the two ends of edges are gathered in turn, over lists
    of both kinds, so that vertices have numbers of their own as either."""
    in_parts: ClassVar[InParts | None] = None
    """How it runs on several devices; None where it does not."""
    queue_factor: ClassVar[float] = 1.0
    """First guess for the frontier queues' capacity, as a share of ``queues`` (grown when too small);
    0 where there are none."""

    def queues(self, graph: Graph, options: Options) -> Queues:
        """What the queues could hold: every vertex, unless they hold edges."""
        return Queues((graph.n, graph.n))

    def named_sources(self, graph: Graph, options: Options) -> list[int]:
        """The sources that options of its own name, to be taken instead of --src; ``options`` need not be
        resolved."""
        return []

    def refuse_source(self, options: Options, given: str) -> None:
        """UsageError where options of its own say where to start; ``given`` is what says so too."""
        for key in self.instead_of_source:
            if options[key] is not None:
                raise UsageError(f"--{key.replace('_', '-')} says where to start, and so does {given}: "
                                 "leave one of them out")

    def reads_source(self, options: Options) -> bool:
        """Whether a run starts from a source with these options, which need not be resolved: they may
        name where it starts instead."""
        return self.needs_source

    def listing(self, outputs: Outputs) -> Listing:
        """The answer of one source as a table; of those that have ``lists_answer``."""
        raise NotImplementedError

    def listings(self, options: Options, source: int | None, outputs: Outputs
                 ) -> list[tuple[int, Listing]]:
        """All such tables of a run, and of which vertex each is; ``source`` is None where the run read
        none."""
        return [] if source is None else [(source, self.listing(outputs))]

    def row_columns(self, options: Options) -> Mapping[str, str]:
        """``rows`` with these options, which need not be resolved."""
        return self.rows

    def column_names(self, options: Options) -> tuple[str, ...]:
        """Of each column, where the first output has several values for every vertex; ``options`` are
        resolved."""
        return ()

    def reads_reverse(self, options: Options) -> bool:
        """``needs_reverse`` with these options, which need not be resolved."""
        return self.needs_reverse

    def renumbers(self, options: Options) -> bool:
        """Whether the kernel reads the graph with its vertices numbered by falling out-degree
        (``renumbering.Renumbered``, which ``problem`` and ``reset`` are given then); ``options`` are
        resolved. A source, what options name, and the answer are in the graph's own numbers."""
        return False

    def layout_saves(self, options: Options) -> tuple[float, float] | None:
        """Of one that ``renumbers``: what an iteration was measured to take more without, as a share, at
        least, where what is gathered from fits the cache, and where it does not; a record says by that
        when the layout is made up for. None where it was not measured. ``options`` are resolved."""
        return None

    def check_options(self, graph: Graph, options: Options) -> dict[str, Any]:
        """Resolve ``auto`` values and refuse contradictions (``UsageError``); returns the final
        options, which the record stores."""
        return dict(options)

    def defines(self, graph: Graph, options: Options) -> dict[str, str | int]:
        """Further macros, beside those of compile-time options: types, variants."""
        return {}

    def constants(self, graph: Graph, options: Options) -> Mapping[str, int]:
        """Numbers that the kernel knows by the same names, such as what marks a vertex that was not
        reached: compared with the compiled code's before it runs."""
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

    def frontier_levels(self, options: Options, outputs: dict[str, Array]) -> Array | None:
        """The depth of every vertex (-1 where unreached), where a vertex is queued for the step after the
        one that found it and every step expands one queue; None where a run is otherwise."""
        return None

    def finish_work(self, work: Work, options: Options, steps: int, mean_ms: float) -> Work:
        """Add what follows from the enactor's steps and the mean time of a run; peers have neither."""
        return work

    def traffic(self, graph: Graph, options: Options, work: Work) -> Traffic | None:
        """What no program can avoid to move for this answer; None where that is not known."""
        return None

    def accesses(self, graph: Graph, options: Options, work: Work) -> Accesses | None:
        """What a run is expected to move and to gather; None where there is no such estimate."""
        return None

    def validate(self, graph: Graph, options: Options, source: int | None,
                 outputs: Outputs) -> Validation:
        """Compare with an independent reference; ``graph`` and ``outputs`` are on the host. Peers
        are checked by the same method, and may lack optional outputs (predecessors)."""
        raise NotImplementedError

    def agrees(self, options: Options, outputs: Outputs, proved: Outputs) -> Validation | None:
        """Compare a peer's answer with one of ours that a certificate proved; both are on the host. None
        where that does not decide, as two right answers may differ: then ``validate`` does."""
        return None

    def validate_sum(self, graph: Graph, options: Options, sources: Sequence[int],
                     outputs: Outputs) -> Validation:
        """The same for a sum over several sources; only for those that have ``sums_sources``."""
        raise NotImplementedError
