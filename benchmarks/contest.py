"""A primitive's default on a graph against all other settings of ``compare-modes``: which is best?

All settings are scanned in a few runs; those far behind are given up after the first. Then the best run
again in turns with the default, so that any disturbance affects all. If a setting asks for a layout of
the graph, the layout's time counts with each of its runs."""

from __future__ import annotations

import json
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any, NoReturn

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.protocol.time_limit import OverLimit
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.studies.ablation import Ablation, Configuration, Values, Variant
from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.program import is_left_running
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance import AUTO
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.code import kernel_unit
from gunrock_cli.primitives.external import recorded_name
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.warm import Job, jobs_beside

ROUNDS = 4
"""Turns that the default and each of the best take."""
TRIES = 3
FAULTS = ("failed", "hung", "ended")
SHORT_MS = 1.0
"""Faster runs are never given up, as a first run may do work that later ones need not."""


@dataclass(frozen=True)
class Rules:
    """``best`` of the settings run again in turns with the default, ``runs`` times each. In the scan of
    ``scan_runs`` a setting is given up if one of its runs takes ``cutoff`` times the default's median, or
    ``limit_s`` seconds. The answers of the default and the best are checked, as ``check`` says."""

    best: int = 3
    runs: int = 20
    scan_runs: int = 5
    cutoff: float = 3.0
    limit_s: float = 10.0
    validate: bool = True
    check: str = "certificate"


@dataclass
class Entry:
    """A setting and its outcome: "ok", "slow" if it was given up, "failed", "hung" if it does not end,
    "ended" if it ended the process, or "open" if somebody else ended the process meanwhile."""

    label: str
    options: dict[str, Any]
    status: str
    runs_ms: list[float] = field(default_factory=list)
    error: str = ""
    over_limit: bool = False

    @property
    def key(self) -> str:
        return _key(self.options)


@dataclass(frozen=True)
class Verdict:
    """The default's median on a graph, and the medians of the best settings, lowest first."""

    default_ms: float
    others: list[tuple[float, str]]
    wrong: int
    """The number of settings that failed, hung, ended the process or gave wrong answers."""
    faults: list[str] = field(default_factory=list)
    """Their names, and the fault of each."""

    @property
    def ratio(self) -> float:
        """The default's median over the best of all; 1 if the default is the best."""
        return self.default_ms / min([self.default_ms, *(ms for ms, _ in self.others)])


class Log:
    """The results of cells, kept in JSON-lines files if a path is given. Cells in them are not measured
    again. The path gets a line for each cell: its verdict, or why its default failed. A second file
    (``.settings.jsonl``) has the settings as they were run; only cells without such a line need it."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._settings = None if path is None else path.with_suffix(".settings.jsonl")
        self.verdicts: dict[str, Verdict] = {}
        self.failures: dict[str, str] = {}
        self._entries: dict[tuple[str, str], Entry] = {}
        self._broken: Counter[str] = Counter()
        for each in (self._path, self._settings):
            if each is not None:
                each.parent.mkdir(parents=True, exist_ok=True)
                for line in each.read_text().splitlines() if each.exists() else ():
                    with suppress(json.JSONDecodeError):  # torn, as the process ended
                        self._take(json.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        if "verdict" in line:
            found = line["verdict"]
            self.verdicts[line["cell"]] = Verdict(
                found["default_ms"],
                [(ms, label) for ms, label in found["others"]],
                found["wrong"],
                found.get("faults", []),
            )
        elif "failed" in line:
            self.failures[line["cell"]] = line["failed"]
        elif "broken" in line:
            self._broken[line["cell"]] += 1
        else:
            entry = Entry(**line["entry"])
            self._entries[line["cell"], entry.key] = entry

    def known(self, cell: str, options: Values) -> Entry | None:
        found = self._entries.get((cell, _key(options)))
        return None if found is None or found.status == "open" else found

    def note(self, cell: str, entry: Entry) -> None:
        _append(self._settings, {"cell": cell, "entry": asdict(entry)})
        self._entries[cell, entry.key] = entry

    def is_hopeless(self, cell: str) -> bool:
        """True if device errors have ended a process in the cell so often that it is left out."""
        return self._broken[cell] >= TRIES

    def note_broken(self, cell: str, error: BaseException) -> None:
        """A device error ends the process."""
        _append(self._settings, {"cell": cell, "broken": f"{type(error).__name__}: {error}"})
        self._broken[cell] += 1

    def settle(self, cell: str, verdict: Verdict) -> None:
        _append(self._path, {"cell": cell, "verdict": {**asdict(verdict), "ratio": verdict.ratio}})
        self.verdicts[cell] = verdict

    def fail(self, cell: str, error: str) -> None:
        """Note that the cell has no verdict, as its default fails."""
        _append(self._path, {"cell": cell, "failed": error})
        self.failures[cell] = error


def _append(path: Path | None, line: dict[str, Any]) -> None:
    if path is not None:
        with path.open("a") as file:
            file.write(json.dumps(line) + "\n")


class StillRunning(Exception):
    """Raised if a kernel holds the device beyond its time: only another process can go on."""


class OutOfTime(Exception):
    """Raised if the time for a cell is over before all was scanned: the log has the finished settings."""


@dataclass
class Cell:
    """A primitive on a graph, with some options given, under its own name."""

    name: str
    primitive: Primitive
    graph: Graph
    sources: Sequence[int]
    backend: Backend
    given: Values = field(default_factory=dict)

    def run(self, options: Values, run: Values, protocol: Protocol) -> Record:
        """Measure; raises the error that ended it, even if some runs were made."""
        measured = measure(
            self.primitive, self.graph, options, self.sources, self.backend, replace(protocol, **run)
        )
        if measured.failure is not None:
            raise measured.failure
        return measured.record


def settings(ablation: Ablation, axes: set[str]) -> list[tuple[Variant, dict[str, Any]]]:
    """All settings that reach the same answer in another way than the default (on those axes, if any are
    named), each once, with their options resolved. AUTO comes before the other modes of advance."""
    answer = [option.key for option in ablation.primitive.options if option.changes_answer]
    found: dict[str, tuple[Variant, dict[str, Any]] | None] = {
        _key(ablation.resolve(ablation.base)): None
    }
    for variant in (variant for panel in ablation.panels for variant in panel.variants):
        if (axes and variant.axis not in axes) or any(
            variant.options[key] != ablation.base[key] for key in answer
        ):
            continue
        with suppress(UsageError):  # options that do not go together
            resolved = ablation.resolve(variant.options)
            found.setdefault(_key(resolved), (variant, resolved))
    every = [pair for pair in found.values() if pair is not None]
    return sorted(every, key=lambda pair: pair[1]["advance_mode"] != AUTO)


def label_of(ablation: Ablation, variant: Variant) -> str:
    """All options in which a setting differs from the default."""
    return " ".join([variant.label, *ablation.also_changed(variant)])


def is_right(record: Record) -> bool:
    return record.status == "ok" and record.validation["verdict"] != "fail"


def times(record: Record) -> list[float]:
    """Milliseconds of each run, plus the time to lay out the graph for it, which defaults take into
    account."""
    layout = record.metric("renumber_ms") or 0.0
    return [ms + layout for ms in record.runs_ms]


@dataclass
class Contest:
    """The contest of one cell. ``tell`` is called with each message. After ``deadline``, a time of
    ``time.monotonic``, at most one setting is scanned."""

    cell: Cell
    rules: Rules
    log: Log
    tell: Callable[[str], None]
    deadline: float = math.inf

    def judge(self, axes: set[str]) -> Verdict:
        """Scan, then run the best in turns with the default. GunrockError if the default fails, OutOfTime
        after the deadline."""
        ablation = Ablation(self.cell.primitive, self.cell.graph, self.cell.given, _unmeasured)
        scanned = self.log.known(self.cell.name, ablation.resolve(ablation.base)) is None
        default = self._entry(ablation, "default", ablation.base, ablation.resolve(ablation.base), [])
        if default.status != "ok":
            self._fail(default.error)
        found: list[tuple[Entry, Variant]] = []
        every = settings(ablation, axes)
        for variant, resolved in every:
            if self.log.known(self.cell.name, resolved) is None:
                if scanned and time.monotonic() > self.deadline:
                    raise OutOfTime(f"{self.cell.name}: {len(found)} of {len(every)} settings in time")
                scanned = True
            known = [default, *(entry for entry, _ in found)]
            entry = self._entry(ablation, variant.label, variant.options, resolved, known)
            found.append((entry, variant))
        sound = sorted(
            (pair for pair in found if pair[0].status == "ok"), key=lambda pair: min(pair[0].runs_ms)
        )
        best = sound[: self.rules.best]
        (default_ms, reason), *others = self._in_turns(
            ablation, [(default, ablation.base), *((entry, variant.options) for entry, variant in best)]
        )
        if default_ms is None:
            self._fail(reason)
        right = [
            (ms, label_of(ablation, variant))
            for (ms, _), (_, variant) in zip(others, best, strict=True)
            if ms is not None
        ]
        faults = [
            f"{label_of(ablation, variant)}: {entry.error}"
            for entry, variant in found
            if entry.status in FAULTS
        ]
        faults += [
            f"{label_of(ablation, variant)}: {reason}"
            for (ms, reason), (_, variant) in zip(others, best, strict=True)
            if ms is None
        ]
        verdict = Verdict(default_ms, sorted(right), len(faults), faults)
        self.log.settle(self.cell.name, verdict)
        return verdict

    def _fail(self, reason: str) -> NoReturn:
        error = f"the default: {reason}"
        self.log.fail(self.cell.name, error)
        raise GunrockError(error)

    def _entry(
        self,
        ablation: Ablation,
        label: str,
        options: Values,
        resolved: dict[str, Any],
        known: Sequence[Entry],
    ) -> Entry:
        """The entry from the log, or scanned now."""
        entry = self.log.known(self.cell.name, resolved)
        if entry is None:
            entry = Entry(label, resolved, "ok")
            with self._watched(entry):
                entry = self._scanned(ablation, entry, options, known)
            self._settled(entry)
        return entry

    @contextmanager
    def _watched(self, entry: Entry) -> Iterator[None]:
        """Let the log blame a setting if the process ends meanwhile, unless somebody else ended it."""
        self.log.note(self.cell.name, replace(entry, status="ended", error="the process ended meanwhile"))
        try:
            yield
        except KeyboardInterrupt:
            self.log.note(self.cell.name, replace(entry, status="open"))
            raise

    def _settled(self, entry: Entry) -> None:
        """Note the outcome of a setting. StillRunning if it holds the device."""
        hung = is_left_running()
        self.log.note(self.cell.name, replace(entry, status="hung") if hung else entry)
        if entry.status == "failed":
            self.tell(f"{self.cell.name} {entry.label}: {entry.error[:200]}")
        if hung:
            raise StillRunning(f"{self.cell.name} {entry.label}: {entry.error}, and does not end")

    def _scanned(
        self, ablation: Ablation, entry: Entry, options: Values, known: Sequence[Entry]
    ) -> Entry:
        if any(other.over_limit and _but_advance(other) == _but_advance(entry) for other in known):
            return replace(entry, status="slow", error="as the same with AUTO, which was given up")
        far_ms = max(SHORT_MS, self.rules.cutoff * median(known[0].runs_ms)) if known else math.inf
        protocol = Protocol(
            runs=self.rules.scan_runs,
            warmup=0,
            check="none",
            enough_ms=far_ms,
            limit_s=self.rules.limit_s,
        )
        try:
            taken = times(self.cell.run(*ablation.split(options), protocol))
        except OverLimit as error:
            return replace(entry, status="slow", error=str(error), over_limit=True)
        except GunrockError as error:
            return replace(entry, status="failed", error=str(error))
        return replace(entry, status="slow" if taken[-1] > far_ms else "ok", error="", runs_ms=taken)

    def _in_turns(
        self, ablation: Ablation, every: Sequence[tuple[Entry, Values]]
    ) -> list[tuple[float | None, str]]:
        """The median of each; None for settings with an error, and the error. Answers are checked in the
        first turn."""
        taken: list[list[float]] = [[] for _ in every]
        wrong: dict[int, str] = {}
        for turn in range(ROUNDS):
            protocol = Protocol(
                runs=-(-self.rules.runs // ROUNDS),
                check=self.rules.check if self.rules.validate and turn == 0 else "none",
                limit_s=self.rules.limit_s,
            )
            for place, (entry, options) in enumerate(every):
                if place not in wrong:
                    with self._watched(entry) if turn == 0 else nullcontext():
                        record = self._record(*ablation.split(options), protocol)
                    if turn == 0 or is_left_running():
                        self._settled(replace(entry, error=record.error or ""))
                    taken[place] += times(record)
                    if not is_right(record):
                        wrong[place] = record.error or record.validation["message"]
                        self.tell(f"{self.cell.name} {entry.label}: {wrong[place][:200]}")
        return [
            (None if place in wrong else median(found), wrong.get(place, ""))
            for place, found in enumerate(taken)
        ]

    def _record(self, own: Values, run: Values, protocol: Protocol) -> Record:
        try:
            return self.cell.run(own, run, protocol)
        except OverLimit as error:
            return Record.new(self.cell.primitive.name, "gunrock", "failed", error=str(error))
        except GunrockError as error:
            return Record.new(
                recorded_name(self.cell.primitive), "gunrock", error.status, error=str(error)
            )


def _key(options: Values) -> str:
    return json.dumps(options, sort_keys=True)


def _but_advance(entry: Entry) -> str:
    return _key({**entry.options, "advance_mode": AUTO})


def _unmeasured(configurations: list[Configuration]) -> list[Record]:
    raise AssertionError("settings are measured by the contest")


def code_of(cell: Cell, axes: set[str], arch: int | str) -> Iterator[Job]:
    """The kernels that a contest needs, and those that prove its answers."""
    ablation = Ablation(cell.primitive, cell.graph, cell.given, _unmeasured)
    for options in (ablation.base, *(variant.options for variant, _ in settings(ablation, axes))):
        own, run = ablation.split(options)
        unit = kernel_unit(cell.primitive, arch, own, RunOptions(**run), graph=cell.graph)
        yield Job(arch, unit, own, RunOptions(**run))
        yield from jobs_beside(cell.primitive, arch, True, ablation.planned(options).renumbers)
