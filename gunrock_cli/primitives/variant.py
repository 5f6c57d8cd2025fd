"""One way to a primitive's answer on one graph: a kernel, and what the host does for it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, Self, TypeVar

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.options import Options
from gunrock_cli.resources import kernels_dir

Macros = Mapping[str, str | int]
Problem = dict[str, Any]
"""The members of a kernel's ``Problem`` struct by name: arrays, scalars, None for a null pointer."""
Chosen = TypeVar("Chosen", bound=Options, covariant=True)


Member = Room | Array | int | float | None


@dataclass(frozen=True)
class Queues:
    """The most that the frontier's two queues could hold, duplicates aside, in the even and in the odd
    steps (``most``). ``lists``: True if they also hold the items' lists, as all but plain queues do."""

    most: tuple[int, int]
    lists: bool = True


@dataclass(frozen=True)
class Variant(Generic[Chosen]):
    """Base of every variant; ``options`` are resolved, and are what a record stores.

    A variant names its kernel and the members of the kernel's ``Problem``. ``Room.filled`` says what a
    member holds at the start of every run; ``start`` does the rest, such as marking the source."""

    graph: Graph
    options: Chosen

    kernel: ClassVar[Path | str] = ""
    """The .cuh file: a path, or its name below ``kernels/primitives`` without suffix; if empty, the file
    of the same name next to the Python file."""
    answer: ClassVar[tuple[str, ...]] = ()
    """The members that are the answer, under the names of the outputs. A variant whose outputs have other
    names, or must be computed, defines ``outputs`` instead."""

    goes_on: ClassVar[bool] = False
    """True if it goes on from an earlier answer, with which its graph comes (``Updated``)."""
    sides_apart: ClassVar[bool] = False
    """If it ``renumbers``: True if values of the two ends of edges are gathered in turn, over lists of
    both kinds, so that vertices are numbered separately as either end."""

    @property
    def xp(self) -> ModuleType:
        """The module of the arrays that a run works on."""
        return self.graph.xp

    def on(self, graph: Graph) -> Self:
        """The same variant for another graph, such as this one renumbered or a part of it."""
        return replace(self, graph=graph)

    @property
    def kernel_file(self) -> Path:
        """The .cuh file."""
        return self.file()

    @classmethod
    def file(cls) -> Path:
        """The .cuh file that ``kernel`` names."""
        if isinstance(cls.kernel, Path):
            return cls.kernel
        if cls.kernel:
            return kernels_dir() / "primitives" / f"{cls.kernel}.cuh"
        beside = getattr(sys.modules.get(cls.__module__), "__file__", None)
        if beside is None:
            raise UsageError(f"{cls.__name__}.kernel: name its .cuh file, a pathlib.Path")
        return Path(beside).resolve().with_suffix(".cuh")

    @property
    def advance(self) -> Advance:
        """How much of advance the kernel has: ``--advance-mode`` and ``--lb-threshold`` are refused if
        they would have no effect. (A primitive whose
        ``frontier.advance_under`` is None has none at all.)"""
        return Advance.BALANCED

    @property
    def launch(self) -> Tuning | None:
        """The launch shape on a GPU (operators/launch_shapes.py); None for the largest blocks that fit,
        with their queues in shared memory."""
        return None

    @property
    def queues(self) -> Queues:
        """The capacity that the queues may need: every vertex, unless they hold edges."""
        return Queues((self.graph.n, self.graph.n))

    @property
    def defines(self) -> Macros:
        """Macros besides those of compile-time options."""
        return {}

    @property
    def constants(self) -> Mapping[str, int]:
        """Numbers that the kernel defines under the same names, such as the mark of an unreached vertex:
        compared with those in the compiled code before it runs."""
        return {}

    def members(self) -> Mapping[str, Member]:
        """The members of the kernel's ``Problem`` by name. A member ``source`` is set by each run."""
        raise NotImplementedError

    def start(self, problem: Problem, source: int) -> None:
        """Finish the initial state, after every ``Room.filled`` is written; not timed."""

    def outputs(self, problem: Problem) -> dict[str, Array]:
        """The answer by name, in vertex order (``labels``, ``distances``, ...)."""
        if not self.answer:
            raise NotImplementedError(f"{type(self).__name__} names no answer, and has no outputs()")
        return {name: problem[name] for name in self.answer}

    @property
    def successor(self) -> Variant[Options] | None:
        """The variant to which a run may be left for good (GR_RELAY), or None."""
        return None

    @property
    def renumbers(self) -> bool:
        """True if the kernel reads the graph with its vertices numbered by falling out-degree
        (``renumbering.Renumbered``). The source, vertices that options name, and the answer are in the
        graph's own numbers."""
        return False

    @property
    def layout_saves(self) -> tuple[float, float] | None:
        """The extra time that an iteration without renumbering was measured to take, as a share, at
        least; first if the table gathered from fits the cache, then if it does not. A record tells from
        this when the layout has paid for itself. None if it was not measured."""
        return None

    @property
    def pushes_by_level(self) -> bool:
        """True if a run expands what it finds level by level, so that counts tell what it found more than
        once."""
        return False

    def frontier_levels(self, outputs: Mapping[str, Array]) -> Array | None:
        """The depth of every vertex (-1 if unreached), if a vertex is queued for the step after the one
        that found it and every step expands one queue; otherwise None."""
        return None

    @cached_property
    def _members(self) -> Mapping[str, Member]:
        return self.members()

    def allocate(self, shared: Mapping[str, Any] | None = None) -> Problem:
        """Allocate the members of a run in ``xp``, except those that ``shared`` already has."""
        shared = shared or {}
        found: Problem = {}
        for name, member in self._members.items():
            if not isinstance(member, Room):
                found[name] = member
            elif shared.get(name) is None:
                found[name] = self.xp.empty(member.shape, member.dtype)
            else:
                found[name] = shared[name]
        return found

    def reset(self, problem: Problem, source: int) -> None:
        """Bring the arrays to their initial state before a run; not timed."""
        for name, member in self._members.items():
            if isinstance(member, Room):
                member.fill(problem[name])
        if "source" in problem:
            problem["source"] = source
        self.start(problem, source)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that a run and its successor allocate."""
        rooms = {name: each for name, each in self._members.items() if isinstance(each, Room)}
        if self.successor is not None:
            others = self.successor._members
            rooms = {name: each for name, each in others.items() if isinstance(each, Room)} | rooms
        return sum(room.nbytes for room in rooms.values())
