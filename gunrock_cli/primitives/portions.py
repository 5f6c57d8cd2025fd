"""Runs that are made of several launches, each of a portion of the work: between two of them the host
learns how far a run is, and what was done stays if the run is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from gunrock_cli.engine.program import Program, RunResult
from gunrock_cli.engine.relay import Relay
from gunrock_cli.engine.room import Room
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.primitives.variant import Chosen, Problem, Variant

SHORT_MS, LONG_MS = 250.0, 1000.0
"""A portion that takes less than the first is followed by one of twice its size, and one that takes more
than the second by one of half: so a launch costs little, and little is lost with one."""


class InPortions(Variant[Chosen]):
    """Base of variants whose work is a number of tasks, done in order, which launches may share."""

    reads_in_edges: ClassVar[bool] = False
    """True if the kernel reads in-edges."""

    @property
    def tasks(self) -> int:
        """How many there are."""
        raise NotImplementedError

    @property
    def least_portion(self) -> int:
        """How many a launch does together; portions have a multiple of it."""
        raise NotImplementedError

    def choose(self, problem: Problem, first: int, end: int) -> None:
        """Let the next launch do the tasks from ``first`` to ``end``, without the latter."""
        raise NotImplementedError

    def totals(self, problem: Problem) -> dict[str, Array]:
        """The members to which launches add: a launch that does not end spoils them."""
        raise NotImplementedError

    def settled(self, problem: Problem, done: int) -> dict[str, Array]:
        """Other members, or the front of their last axis, that hold what the first tasks have found."""
        raise NotImplementedError

    def kept(self, done: int) -> dict[str, Array]:
        """What a ``Course`` of so many tasks has found, with ``settled``: arrays of its shapes and dtypes
        that have no memory."""
        problem = {
            name: np.broadcast_to(np.empty((), member.dtype), member.shape)
            if isinstance(member, Room)
            else member
            for name, member in self._members.items()
        }
        return {**self.totals(problem), **self.settled(problem, done)}

    def of_first(self, outputs: dict[str, Array], done: int) -> dict[str, Array] | None:
        """The part of the outputs that the first tasks have finished; None if each value needs all."""
        raise NotImplementedError


@dataclass(frozen=True)
class Course:
    """How far a run is: ``done`` tasks, which took ``ms`` and ``steps``. ``found`` are members as they
    were then, or the front of their last axis, with which the next launch begins."""

    done: int = 0
    ms: float = 0.0
    steps: int = 0
    found: Mapping[str, Array] = field(default_factory=dict)


def run_in_portions(
    program: Program | Relay,
    variant: InPortions[Any],
    problem: Problem,
    reset: Callable[[], None],
    course: Course,
    note: Callable[[Course], None],
) -> RunResult:
    """Run from where ``course`` is to the end; ``note`` is called after each portion. The result's time
    is the sum over all launches, without the time between them."""
    size = variant.least_portion
    results: list[RunResult] = []
    while not results or course.done < variant.tasks:
        end = min(course.done + size, variant.tasks)

        def ready(begin: Course = course, end: int = end) -> None:  # for a launch, or to repeat it
            if not results:
                reset()
            for name, array in begin.found.items():
                problem[name][..., : array.shape[-1]] = variant.xp.asarray(array)
            variant.choose(problem, begin.done, end)

        last = program.run(problem, ready)
        found = {name: array.copy() for name, array in variant.totals(problem).items()}
        results.append(last)
        course = Course(end, course.ms + last.ms, course.steps + last.steps, found)
        note(course)
        if last.ms < SHORT_MS:
            size *= 2
        elif last.ms > LONG_MS:
            size = max(variant.least_portion, size // 2 // variant.least_portion * variant.least_portion)
    return replace(_joined(results), ms=course.ms, steps=course.steps)


def _joined(results: list[RunResult]) -> RunResult:
    """The result of launches that followed each other, as if no time had passed between them."""
    found = results[0]
    for each in results[1:]:
        trace = each.trace.copy()
        gap = int(trace["time_ns"][0]) - found.end_ns if len(trace) else 0
        trace["time_ns"] -= np.array(gap).astype(trace["time_ns"].dtype)
        found = replace(
            each,
            trace=np.concatenate([found.trace, trace]),
            end_ns=each.end_ns - gap,
            late=found.late or each.late,
            inspected=found.inspected + each.inspected,
            counted={name: found.counted[name] + count for name, count in each.counted.items()},
            limits=found.limits | each.limits,
            phases=(*found.phases, *each.phases),
        )
    return found
