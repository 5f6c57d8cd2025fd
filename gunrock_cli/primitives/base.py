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

from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.jsontypes import Metric, Verdict
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.question import Needs, Source
from gunrock_cli.primitives.shown import Outputs, Shown
from gunrock_cli.primitives.variant import Variant


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
        return cls.of_each(reference, name, found, expected, "vertex")

    @classmethod
    def of_each(cls, reference: str, name: str, found: Array, expected: Array, one: str) -> Validation:
        """``of_vertices`` for an output with a value for each of other things; ``one`` is the word for
        one of them."""
        found, expected = np.asarray(found), np.asarray(expected)
        if found.shape != expected.shape:
            return cls("fail", reference, f"{name}: shape {found.shape}, expected {expected.shape}")
        wrong = np.flatnonzero(found != expected)
        if len(wrong) == 0:
            return cls("pass", reference)
        shown = "; ".join(f"{one} {v}: {found[v]}, expected {expected[v]}" for v in wrong[:5])
        return cls("fail", reference, f"{len(wrong)} {name} differ: {shown}")

    def to_dict(self) -> Verdict:
        shown: Verdict = {
            "verdict": self.verdict,
            "reference": self.reference,
            "method": self.method,
            "message": self.message,
        }
        if self.sources is not None:
            shown["sources"] = self.sources
        if self.extent is not None:
            shown["extent"] = self.extent
        return shown


@dataclass(frozen=True)
class Work:
    """The work of one run, counted from its outputs after the clock has stopped (docs/records.md)."""

    vertices_visited: int | None = None
    edges_visited: int | None = None
    edges_for_mteps: int | None = None  # None: the primitive reports no MTEPS
    depth: int | None = None
    iterations: int | None = None  # if they differ from the enactor's steps
    metrics: dict[str, Metric] = field(default_factory=dict)
    means: Mapping[str, float] = field(default_factory=dict)
    """Metrics of which a record of several sources holds the mean; of others, the last source's."""


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
    source: ClassVar[Source | None] = Source()
    """Where a run starts; None if it starts from no source."""
    needs: ClassVar[Needs] = Needs()
    """What it needs of a graph."""
    shows: ClassVar[Shown] = Shown()
    """How its answer is shown and saved."""
    frontier: ClassVar[Frontier] = Frontier()
    """What its kernels do with a frontier."""
    goes_on_from: ClassVar[str] = ""
    """The output of an answer for an earlier state of a graph from which a run can go on
    (``graph/model/change.py``); empty if it always runs from scratch."""
    goes_on_with: ClassVar[tuple[str, ...]] = ()
    """The keys of the options that a run from an earlier answer takes."""
    sweeps: ClassVar[bool] = False
    """True if a run looks at the whole graph repeatedly, not about once."""
    in_portions: ClassVar[bool] = False
    """True if its runs have portions (portions.py), so that they can be resumed."""
    peers: ClassVar[Mapping[str, Callable[..., Any]]] = MappingProxyType({})
    """Functions, by a peer's name, that run this primitive with that peer, unless the peer's own file
    does. Each is called as ``peers.base.Peer.run`` describes and returns a ``PeerResult``."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, as the command line shows them."""
        return self.takes.declared()

    def asked(self, given: Mapping[str, Any]) -> Any:
        """Return the options with these values, by key, and defaults for the rest; UsageError for a value
        that does not fit."""
        return self.takes.of(given)

    def plan(self, graph: Graph, asked: Any) -> Variant[Any]:
        """Choose the way to the answer on a graph: resolve ``auto`` and refuse contradictions
        (UsageError)."""
        if self.variant is not None:
            return self.variant(graph, asked)
        raise NotImplementedError(f"{self.name} names no variant, and has no plan()")

    def entries_looked_at(self, graph: Graph) -> int:
        """Estimate how many vertices and edges a run looks at, which says how many threads are
        worthwhile."""
        return (graph.n + graph.m) * (SWEEPS if self.sweeps else 1)

    def reads_source(self, options: Any) -> bool:
        """True if a run with these options starts from a source; they need not be resolved."""
        return self.source is not None and self.source.is_read(options)

    def reads_weights(self, options: Any) -> bool:
        """True if a run with these options needs weights; they need not be resolved."""
        return self.needs.weights

    def reads_reverse(self, options: Any) -> bool:
        """True if a run with these options reads in-edges; they need not be resolved."""
        return self.needs.reverse

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


class SumsSources(Primitive):
    """Base of primitives whose answer for several sources is the sum of their answers (of the first
    output)."""

    def validate_sum(
        self, graph: Graph, options: Any, sources: Sequence[int], outputs: Outputs
    ) -> Validation:
        """``validate`` for a sum over several sources."""
        raise NotImplementedError
