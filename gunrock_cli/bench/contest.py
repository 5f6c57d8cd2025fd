"""A primitive's default on a graph against all other settings of ``compare-modes``: which is best?

All settings are scanned in a few runs; those far behind are given up after the first. Then the best run
again beside the default, in turns, so that anything that changes meanwhile changes for all. If a setting
asks for a layout of the graph, the layout's time counts with each of its runs.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from gunrock_cli.bench.ablation import Ablation, Variant
from gunrock_cli.bench.record import Record
from gunrock_cli.bench.runner import Protocol, measure
from gunrock_cli.bench.time_limit import OverLimit
from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.program import is_left_running
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model import Graph
from gunrock_cli.operators.advance import AUTO
from gunrock_cli.primitives.base import Options, Primitive
from gunrock_cli.primitives.code import kernel_unit
from gunrock_cli.primitives.external import recorded_name
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.warm import Job, jobs_beside

ROUNDS = 4
"""Turns that the default and each of the best take."""
TRIES = 3
SHORT_MS = 1.0
"""Nothing faster than this is given up: a first run may do what later ones need not."""


@dataclass(frozen=True)
class Rules:
    """``best`` of the settings run again beside the default, ``runs`` times each. In the scan of
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
    """A setting and its outcome: "ok", "slow" if it was given up, "failed", or "ended" if it took the
    process with it."""

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
    """The default's median on a graph, and those of the best settings beside it, lowest first."""

    default_ms: float
    others: list[tuple[float, str]]
    wrong: int
    """Settings that failed or gave wrong answers."""

    @property
    def ratio(self) -> float:
        """The default's median over the best of all; 1 if the default is the best."""
        return self.default_ms / min([self.default_ms, *(ms for ms, _ in self.others)])


class Log:
    """What is known of cells, kept in a JSON-lines file if one is given: entries as they are made, and
    verdicts. What is already there is not measured again."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.verdicts: dict[str, Verdict] = {}
        self._entries: dict[tuple[str, str], Entry] = {}
        self._broken: Counter[str] = Counter()
        if path is not None and path.exists():
            for line in path.read_text().splitlines():
                self._take(json.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        if "verdict" in line:
            found = line["verdict"]
            self.verdicts[line["cell"]] = Verdict(
                found["default_ms"], [(ms, label) for ms, label in found["others"]], found["wrong"])
        elif "broken" in line:
            self._broken[line["cell"]] += 1
        else:
            entry = Entry(**line["entry"])
            self._entries[line["cell"], entry.key] = entry

    def known(self, cell: str, options: Options) -> Entry | None:
        return self._entries.get((cell, _key(options)))

    def note(self, cell: str, entry: Entry) -> None:
        self._write({"cell": cell, "entry": asdict(entry)})
        self._entries[cell, entry.key] = entry

    def is_hopeless(self, cell: str) -> bool:
        """Whether device errors have ended a process in it so often that it is left out."""
        return self._broken[cell] >= TRIES

    def note_broken(self, cell: str, error: BaseException) -> None:
        """A device error ends the process."""
        self._write({"cell": cell, "broken": f"{type(error).__name__}: {error}"})
        self._broken[cell] += 1

    def settle(self, cell: str, verdict: Verdict) -> None:
        self._write({"cell": cell, "verdict": {**asdict(verdict), "ratio": verdict.ratio}})
        self.verdicts[cell] = verdict

    def _write(self, line: dict[str, Any]) -> None:
        if self._path is not None:
            with self._path.open("a") as file:
                file.write(json.dumps(line) + "\n")


class StillRunning(Exception):
    """A kernel holds the device beyond its time: only another process can go on."""


@dataclass
class Cell:
    """A primitive on a graph, with some options given, under its own name."""

    name: str
    primitive: Primitive
    graph: Graph
    sources: Sequence[int]
    backend: Backend
    given: Options = field(default_factory=dict)

    def run(self, options: Options, run: Options, protocol: Protocol) -> Record:
        """Raises what broke it off, even if some runs were made."""
        measured = measure(self.primitive, self.graph, options, self.sources, self.backend,
                           replace(protocol, **run))
        if measured.failure is not None:
            raise measured.failure
        return measured.record


def settings(ablation: Ablation, axes: set[str]) -> list[tuple[Variant, dict[str, Any]]]:
    """All settings that reach the same answer in another way than the default (on those axes, if any are
    named), each once, with their options resolved. AUTO comes before the other modes of advance."""
    answer = [option.key for option in ablation.primitive.options if option.changes_answer]
    found: dict[str, tuple[Variant, dict[str, Any]] | None] = {
        _key(ablation.resolve(ablation.base)): None}
    for variant in (variant for panel in ablation.panels for variant in panel.variants):
        if (axes and variant.axis not in axes) or any(
                variant.options[key] != ablation.base[key] for key in answer):
            continue
        with suppress(UsageError):  # options that do not go together
            resolved = ablation.resolve(variant.options)
            found.setdefault(_key(resolved), (variant, resolved))
    every = [pair for pair in found.values() if pair is not None]
    return sorted(every, key=lambda pair: pair[1]["advance_mode"] != AUTO)


def label_of(ablation: Ablation, variant: Variant) -> str:
    """Everything in which a setting differs from the default."""
    return " ".join([variant.label, *ablation.also_changed(variant)])


def is_right(record: Record) -> bool:
    return record.status == "ok" and record.validation["verdict"] != "fail"


def times(record: Record) -> list[float]:
    """Milliseconds of each run, plus what a layout of the graph for it took: defaults weigh that."""
    layout: float = record.metrics.get("renumber_ms", 0.0)
    return [ms + layout for ms in record.runs_ms]


@dataclass
class Contest:
    """The contest of one cell. ``tell`` is called with anything worth a line."""

    cell: Cell
    rules: Rules
    log: Log
    tell: Callable[[str], None]

    def judge(self, axes: set[str]) -> Verdict:
        """Scan, then run the best in turns with the default. GunrockError if the default fails."""
        ablation = Ablation(self.cell.primitive, self.cell.graph, self.cell.given, _unmeasured)
        default = self._entry(ablation, "default", ablation.base, ablation.resolve(ablation.base), [])
        if default.status != "ok":
            raise GunrockError(f"the default: {default.error}")
        found: list[tuple[Entry, Variant]] = []
        for variant, resolved in settings(ablation, axes):
            known = [default, *(entry for entry, _ in found)]
            entry = self._entry(ablation, variant.label, variant.options, resolved, known)
            found.append((entry, variant))
        sound = sorted((pair for pair in found if pair[0].status == "ok"),
                       key=lambda pair: min(pair[0].runs_ms))
        best = [variant for _, variant in sound[:self.rules.best]]
        default_ms, *others = self._in_turns(ablation, best)
        if default_ms is None:
            raise GunrockError("the default's answer is wrong")
        right = [(ms, label_of(ablation, variant))
                 for ms, variant in zip(others, best, strict=True) if ms is not None]
        failed = sum(entry.status == "failed" for entry, _ in found) + len(best) - len(right)
        verdict = Verdict(default_ms, sorted(right), failed)
        self.log.settle(self.cell.name, verdict)
        return verdict

    def _entry(self, ablation: Ablation, label: str, options: Options, resolved: dict[str, Any],
               known: Sequence[Entry]) -> Entry:
        """From the log, or scanned."""
        entry = self.log.known(self.cell.name, resolved)
        if entry is None:
            entry = Entry(label, resolved, "ended", error="the process ended meanwhile")
            self.log.note(self.cell.name, entry)  # what remains if that happens
            entry = self._scanned(ablation, entry, options, known)
            self.log.note(self.cell.name, entry)
            if entry.status == "failed":
                self.tell(f"{self.cell.name} {label}: {entry.error[:200]}")
            if is_left_running():
                raise StillRunning(f"{self.cell.name} {label}: {entry.error}, and does not end")
        return entry

    def _scanned(self, ablation: Ablation, entry: Entry, options: Options, known: Sequence[Entry]
                 ) -> Entry:
        if any(other.over_limit and _but_advance(other) == _but_advance(entry) for other in known):
            return replace(entry, status="slow", error="as the same with AUTO, which was given up")
        far_ms = max(SHORT_MS, self.rules.cutoff * median(known[0].runs_ms)) if known else math.inf
        protocol = Protocol(runs=self.rules.scan_runs, warmup=0, validate=False, enough_ms=far_ms,
                            limit_s=self.rules.limit_s)
        try:
            taken = times(self.cell.run(*ablation.split(options), protocol))
        except OverLimit as error:
            return replace(entry, status="slow", error=str(error), over_limit=True)
        except GunrockError as error:
            return replace(entry, status="failed", error=str(error))
        return replace(entry, status="slow" if taken[-1] > far_ms else "ok", error="", runs_ms=taken)

    def _in_turns(self, ablation: Ablation, best: Sequence[Variant]) -> list[float | None]:
        """The medians of the default and of the best; None for settings that are not right. Answers are
        checked in the first turn."""
        every = [("default", ablation.base), *((variant.label, variant.options) for variant in best)]
        taken: list[list[float]] = [[] for _ in every]
        wrong: set[int] = set()
        for turn in range(ROUNDS):
            protocol = Protocol(runs=-(-self.rules.runs // ROUNDS), check=self.rules.check,
                                validate=self.rules.validate and turn == 0)
            for place, (label, options) in enumerate(every):
                if place not in wrong:
                    record = self._record(*ablation.split(options), protocol)
                    taken[place] += times(record)
                    if not is_right(record):
                        wrong.add(place)
                        reason = record.error or record.validation["message"]
                        self.tell(f"{self.cell.name} {label}: {reason[:200]}")
        return [None if place in wrong else median(found) for place, found in enumerate(taken)]

    def _record(self, own: Options, run: Options, protocol: Protocol) -> Record:
        try:
            return self.cell.run(own, run, protocol)
        except GunrockError as error:
            return Record.new(recorded_name(self.cell.primitive), "gunrock", error.status,
                              error=str(error))


def _key(options: Options) -> str:
    return json.dumps(options, sort_keys=True)


def _but_advance(entry: Entry) -> str:
    return _key({**entry.options, "advance_mode": AUTO})


def _unmeasured(own: Options, run: Options) -> Record:
    raise AssertionError("settings are measured by the contest")


def code_of(cell: Cell, axes: set[str], arch: int | str) -> Iterator[Job]:
    """The kernels that a contest needs, and those that prove its answers."""
    ablation = Ablation(cell.primitive, cell.graph, cell.given, _unmeasured)
    for options in (ablation.base, *(variant.options for variant, _ in settings(ablation, axes))):
        own, run = ablation.split(options)
        unit = kernel_unit(cell.primitive, arch, own, RunOptions(**run), graph=cell.graph)
        yield Job(arch, unit, own, RunOptions(**run))
        yield from jobs_beside(cell.primitive, arch, True, ablation.resolve(options))
