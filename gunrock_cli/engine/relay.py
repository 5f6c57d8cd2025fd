"""A run that one program begins, and may leave to another if its frontiers call for it (``STATUS_LEFT``
in ``kernels/core/enactor.cuh``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gunrock_cli.engine.contract import Contract
from gunrock_cli.engine.program import Left, Program, RunResult
from gunrock_cli.jsontypes import QueueUse
from gunrock_cli.toolchain.carried import Archive

Problem = dict[str, Any]
RELAY = "GR_RELAY"
"""The kernels' macro for a relay."""


class Relay:
    """``first`` begins every run. ``make_other(problem)`` compiles the program that may end it, and
    allocates the arrays that its problem has besides ``problem``; it is called when a run first needs it,
    as most graphs never do. Queues, counters and trace are the first program's; the other uses them
    instead of its own."""

    def __init__(self, first: Program, make_other: Callable[[Problem], tuple[Program, Problem]]) -> None:
        self._first, self._make_other = first, make_other
        self._other: Program | None = None
        self._made_for: Problem = {}
        self._own: Problem = {}  # the second program's problem

    @property
    def programs(self) -> list[Program]:
        """The programs compiled so far."""
        return [self._first, *([self._other] if self._other else [])]

    @property
    def contract(self) -> Contract:
        """The first program's contract."""
        return self._first.contract

    @property
    def archive(self) -> Archive | None:
        """The first program's archive."""
        return self._first.archive

    @property
    def warnings(self) -> list[str]:
        """The warnings of both programs."""
        return [text for program in self.programs for text in program.warnings]

    def queues(self) -> QueueUse:
        """The current capacity of the queues, for a record."""
        return self._first.queues()

    def run(self, problem: Problem, reset: Callable[[], None]) -> RunResult:
        """Reset and run once; queues that are too small are grown and the run repeated. The time is from
        the first launch's begin to the last one's end, including the host's time between launches."""
        while True:
            reset()
            self._prepare(problem)
            ms = self._first.launch_whole()
            left = self._first.left_at()
            if left is None:
                result = self._first.result(ms)
            elif self._made_for is not problem or self._other is None:
                self._other, self._own = self._make_other(problem)
                self._made_for = problem
                continue  # compiling takes seconds, which are no part of a run
            else:
                result = self._end(self._other, ms, left)
            if result is not None:
                return result

    def _end(self, other: Program, ms: float, left: Left) -> RunResult | None:
        other.go_on_at(left)
        ms = other.launch_after(self._first, ms)
        result = other.result(ms, (self._first.contract, left.rows))
        if result is None:
            self._first.share_room(other)
        return result

    def _prepare(self, problem: Problem) -> None:
        """Prepare everything that either program reads, so that going on takes no more than a launch."""
        self._first.prepare(problem)
        if self._other is not None and self._made_for is problem:
            self._other.work_in(self._first)
            own = {"source": problem["source"]} if "source" in problem else {}
            self._other.prepare_to_go_on({**self._own, **own})
