"""One question to a described program: its starts, the times that it printed, and its answer."""

from __future__ import annotations

import math
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers.base import NO_ANSWER, PeerFailure, PeerResult
from gunrock_cli.peers.commands.answers import check_number, read_answer
from gunrock_cli.peers.commands.description import (
    MS_PER_UNIT,
    FileAnswer,
    OwnCheck,
    PrintedAnswer,
    Program,
    TimeRule,
    filled,
)
from gunrock_cli.peers.commands.printed import Printed, decoded
from gunrock_cli.peers.commands.process import MOST_OUTPUT, Ended, start
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.visible import visible

Found = TypeVar("Found")
_MEMORY = re.compile(r"bad_alloc|out of memory|not enough memory|cannot allocate memory", re.IGNORECASE)
_SLACK_FACTOR, _SLACK_MS = 1.1, 20.0
"""The most by which the sum of a program's times may exceed the wall clock's."""


class Session:
    """The state of one question. ``values`` are those of all placeholders except {runs}; programs run in
    ``folder``."""

    def __init__(
        self, name: str, program: Program, path: str, values: Mapping[str, str], folder: Path
    ) -> None:
        self.name = name
        self.program = program
        self.path = path
        self.values = values
        self.folder = folder
        self.times_ms: list[float] = []
        self.wall_ms = 0.0
        self.printed = Printed()
        self.found: dict[str, list[str]] = {}

    def measure(self, runs: int) -> None:
        """Start the program once if it takes the number of runs, otherwise until there are enough
        times."""
        while len(self.times_ms) < runs:
            ended = self._start(self.program.command, runs + self.program.time.drop)
            self._refuse_failed(ended)
            self.wall_ms += ended.wall_ms
            self.times_ms += self._sure(partial(self._own_times, runs, ended.wall_ms))
        del self.times_ms[runs:]

    def result(self, primitive: Primitive, graph: Graph, source: int | None) -> PeerResult:
        """The times, with the answer or the results of its checks. After several starts, the last
        one's."""
        answer, outputs, verdict = self.program.answer, {}, NO_ANSWER
        if isinstance(answer, FileAnswer):
            path = Path(self.values["answer"])
            outputs = self._sure(partial(read_answer, path, answer, primitive, graph.n))
        elif isinstance(answer, PrintedAnswer):
            verdict = self._sure(partial(check_number, answer, self.found["answer"], graph, source))
        if self.program.check is not None and verdict.verdict != "fail":
            verdict = _joined(verdict, self._own_verdict(self.program.check))
        iterations = self._sure(self._iterations)
        return PeerResult(
            self.times_ms, outputs, iterations, verdict, {"process": self.wall_ms}, self.printed.kept
        )

    def _start(self, command: Sequence[str], runs: int) -> Ended:
        values = {**self.values, "runs": str(runs)}
        words = [self.path, *(filled(word, values) for word in command[1:])]
        env = {name: filled(text, values) for name, text in self.program.env.items()}
        Path(self.values["answer"]).unlink(missing_ok=True)  # one from an earlier start does not count
        ended = start(words, env, self.folder, self.program.timeout)
        self.printed = decoded(ended.stdout, ended.stderr)
        return ended

    def _refuse_failed(self, ended: Ended) -> None:
        """Raise PeerFailure for a start that did not end well."""
        said = f": {self.printed.last}" if self.printed.last else ""
        if ended.error:
            raise self._failure(f"could not be started: {visible(ended.error)}")
        if ended.stopped == "time":
            raise self._failure(f"took longer than {self.program.timeout:g} s{said}", "timeout")
        if ended.stopped == "output":
            raise self._failure(f"printed more than {MOST_OUTPUT >> 20} MiB{said}")
        if ended.code:
            status = "OOM" if _MEMORY.search(self.printed.kept) else "error"
            raise self._failure(f"ended {_how(ended.code)}{said}", status)

    def _own_times(self, runs: int, wall_ms: float) -> list[float]:
        """The times of one start, in ms, without the first ones that do not count."""
        rule = self.program.time
        self.found = self.printed.find(self._patterns())
        times = [_milliseconds(text, rule) for text in self.found["time"]]
        if self.program.repeats and len(times) != runs + rule.drop:
            raise BackendError(f"printed {len(times)} times where {runs + rule.drop} were asked for")
        if len(times) <= rule.drop:
            raise BackendError(
                f"printed {len(times)} times"
                + (f", and the first {rule.drop} do not count" if rule.drop else "")
            )
        if sum(times) > wall_ms * _SLACK_FACTOR + _SLACK_MS:
            raise BackendError(
                f"printed times of {sum(times):.6g} ms together, and ran for "
                f"{wall_ms:.6g} ms in all: is {rule.unit} the unit?"
            )
        return times[rule.drop :]

    def _patterns(self) -> dict[str, re.Pattern[str]]:
        program = self.program
        found = {"time": program.time.pattern}
        if isinstance(program.answer, PrintedAnswer):
            found["answer"] = program.answer.pattern
        if program.iterations is not None:
            found["iterations"] = program.iterations
        if program.check is not None and not program.check.command:
            found |= {"pass": program.check.passed, "fail": program.check.failed}
        return found

    def _own_verdict(self, check: OwnCheck) -> Validation:
        """The program's own verdict on its answer, which at best says that it was not compared with
        ours."""
        found, reference = self.found, f"{self.name}'s own check"
        if check.command:
            ended = self._start(check.command, 1)
            if ended.stopped == "time":
                took = f"{reference} took longer than {self.program.timeout:g} s"
                return Validation("skipped", "", took, method="none")
            self._refuse_failed(ended)
            found = self._sure(partial(self.printed.find, {"pass": check.passed, "fail": check.failed}))
        if found["fail"]:
            said = visible(found["fail"][0])[:100]
            failed = f"its own check failed: {said}"
            return Validation("fail", reference, failed, method="none", extent="self")
        if not found["pass"]:
            return Validation("skipped", "", f"{reference} said nothing", method="none")
        said = visible(found["pass"][-1])[:100]
        passed = f"its own check passed ({said})"
        return Validation("skipped", reference, passed, method="none", extent="self")

    def _iterations(self) -> int | None:
        if self.program.iterations is None:
            return None
        printed = self.found["iterations"]
        if not printed or not printed[-1].isascii() or not printed[-1].isdigit() or len(printed[-1]) > 18:
            raise BackendError(
                "printed no number of iterations"
                + (f", but {visible(printed[-1])[:40]!r}" if printed else "")
            )
        return int(printed[-1])

    def _sure(self, work: Callable[[], Found]) -> Found:
        """Apply ``work`` to the program's output; its errors get the program's name and output."""
        try:
            return work()
        except BackendError as error:
            raise self._failure(str(error)) from error

    def _failure(self, message: str, status: str = "error") -> PeerFailure:
        return PeerFailure(f"{self.name} {message}", status=status, printed=self.printed.kept)


def _joined(ours: Validation, own: Validation) -> Validation:
    """The verdict from a compared number, if there was one, and from the program's own check."""
    if ours.verdict == "skipped" or own.verdict == "fail":
        return own
    return replace(ours, message=f"{ours.message}; {own.message}")


def _milliseconds(text: str, rule: TimeRule) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0:
        raise BackendError(f"printed {visible(text)[:40]!r} where a time should be")
    if value == 0:
        raise BackendError(f"printed a time of {visible(text)[:40]} {rule.unit}: finer than it shows")
    return value * MS_PER_UNIT[rule.unit]


def _how(code: int) -> str:
    if code > 0:
        return f"with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = f"signal {-code}"
    return f"by {name}" + (", as the kernel does when memory runs out" if name == "SIGKILL" else "")
