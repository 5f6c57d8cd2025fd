"""The measuring protocol: compile, warm up, run, count, check, record.

The clock covers the enactor alone (device events on a GPU, a monotonic clock on the CPU); the wall time
of the call around it, which resets the arrays and launches, is recorded as well. Loading, compilation
and validation are timed separately and recorded as phases.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import Any, ParamSpec, TypeVar

import numpy as np

from gunrock_cli.bench.inputs.sources import lone_source_warnings
from gunrock_cli.bench.protocol import failed, throttle
from gunrock_cli.bench.protocol.answers import Answers
from gunrock_cli.bench.protocol.cold import flushing
from gunrock_cli.bench.protocol.contention import CoreWait
from gunrock_cli.bench.protocol.enough_runs import is_enough, noise_warning
from gunrock_cli.bench.protocol.floors import note_floor
from gunrock_cli.bench.protocol.resuming import Finished, State
from gunrock_cli.bench.protocol.time_limit import time_limit
from gunrock_cli.bench.records import environment, statistics, strictjson
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.shapes import GraphFacts, TraceRow
from gunrock_cli.engine.backend import Backend, out_of_memory_as_error
from gunrock_cli.engine.contract import Contract
from gunrock_cli.engine.program import Program, RunResult
from gunrock_cli.engine.relay import Relay
from gunrock_cli.engine.team import TeamProgram
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.change import Updated
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.operators.advance import ADVANCE_MODES, Advance, mode_constant
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.certificates.parts import ProverInParts, prover_of
from gunrock_cli.primitives.execution import Execution, execution_of
from gunrock_cli.primitives.external import recorded_name
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.portions import Course, InPortions
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.shown import Listing, Outputs


@dataclass(frozen=True)
class Protocol(RunOptions):
    """The protocol of a measurement: ``runs`` timed runs per source after ``warmup`` untimed ones, each
    with the options of every run; with ``until_noise``, more, until the mean's noise is below that share
    of it (see ``enough_runs``). ``cold`` runs begin with flushed caches (see ``cold``)."""

    runs: int = 10
    until_noise: float | None = None
    cold: bool = False
    warmup: int = 1
    check: str = "reference"  # one of certificates.CHECKS, or none
    count: bool = False  # also count the edges inspected, in a run off the clock
    limit_s: float | None = None  # OverLimit if a timed run takes longer
    enough_ms: float = math.inf  # after a run longer than this, its source gets no further runs
    resume: Path | None = None  # the file of a single run's state (resuming.py)
    command: Sequence[str] = ()

    def options(self, advance: Advance) -> dict[str, Scalar]:
        """The options that a record of a run with this advance stores besides the primitive's own."""
        noise = {} if self.until_noise is None else {"until_noise": self.until_noise}
        cold = {"cold": True} if self.cold else {}
        return {**self.values(advance), "runs": self.runs, "warmup": self.warmup, **noise, **cold}


@dataclass
class Measured:
    """A record, and the arrays of the last run by name (on the host, unless asked otherwise). ``options``
    are the resolved ones. ``column_names`` name the columns of the first array, if it has several;
    ``listings`` are the answers of each source, if they are short. ``names`` are the vertices'
    (``Graph.names``). ``failure`` is what ended the measurement after runs had been timed: the record has
    what was known by then."""

    record: Record
    outputs: dict[str, Array] = field(default_factory=dict)
    options: Any = None
    failure: BaseException | None = None
    column_names: tuple[str, ...] = ()
    names: Any = None
    listings: list[tuple[int, Listing]] = field(default_factory=list)


Result = TypeVar("Result")
Arguments = ParamSpec("Arguments")
Turns = Generator[bool, None, Result]
"""A measurement that stops after each timed run: see ``in_turns``."""


class Stopwatch:
    """Milliseconds of named phases outside the enactor."""

    def __init__(self) -> None:
        self.phases: dict[str, float] = {}

    def time(self, name: str, work: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        try:
            return work()
        finally:
            passed = 1e3 * (time.perf_counter() - begin)
            self.phases[name] = self.phases.get(name, 0.0) + passed


def in_turns(
    primitive: Primitive,
    graph: Graph,
    options: Options | Mapping[str, Any],
    sources: Sequence[int],
    backend: Backend,
    protocol: Protocol,
    phases_ms: dict[str, float] | None = None,
    progress: Callable[[float, int], None] | None = None,
    each: Callable[[int, Outputs], None] | None = None,
    in_place: bool = False,
    interrupted: Callable[[Measured, Finished], None] | None = None,
) -> Turns[Measured]:
    """Run ``primitive`` from each source (one pass without sources for those that need none).

    Stops after each timed run, so that others may have their turn, and yields True while another run
    follows. The step after the last run checks the answer.

    ``options`` are the primitive's own, unresolved; those not given by key have their defaults.
    ``progress(done, all)`` is called after each run and each portion of a run, ``each(source, outputs)``
    after the last run of a source (not if outputs are summed). ``in_place`` leaves the outputs in the
    graph's memory, where a counting run would overwrite them. ``interrupted`` is called with what a run
    has done that ends early, before KeyboardInterrupt is raised. A wrong answer does not raise, nor does
    a failure after the first timed run: the record's status says so."""
    watch = Stopwatch()
    watch.phases.update(phases_ms or {})
    backend = backend.fitted(primitive.entries_looked_at(graph))
    execution = execution_of(primitive, graph, options, backend, protocol)
    chosen = execution.options
    record = new_record(
        primitive,
        graph,
        backend,
        strictjson.plain({**protocol.options(execution.advance), **chosen.recorded()}),
        execution.devices,
    )
    record.command = list(protocol.command)
    measured = Measured(
        record, options=chosen, column_names=primitive.shows.column_names(chosen), names=graph.names
    )
    try:
        with out_of_memory_as_error(
            f"{primitive.name} on {graph.name}, {graph.n} vertices, {graph.m} edges"
        ):
            yield from _measure(
                measured,
                execution,
                primitive,
                graph,
                chosen,
                sources,
                backend,
                protocol,
                watch,
                progress,
                each,
                in_place,
                interrupted,
            )
    except (Exception, KeyboardInterrupt) as error:
        if not record.runs_ms:
            raise
        failed.record_failure(record, error)
        measured.failure = error
    record.phases_ms = {name: round(ms, 3) for name, ms in watch.phases.items()}
    return measured


def finished(turns: Turns[Measured]) -> Measured:
    """Take all turns of a measurement."""
    while True:
        try:
            next(turns)
        except StopIteration as end:
            measured: Measured = end.value
            return measured


def _at_once(begin: Callable[Arguments, Turns[Measured]]) -> Callable[Arguments, Measured]:
    def measure(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Measured:
        return finished(begin(*args, **kwargs))

    return measure


measure = _at_once(in_turns)
"""Run a primitive with these options from each source, one run after the other (see ``in_turns``)."""


def _measure(
    measured: Measured,
    execution: Execution,
    primitive: Primitive,
    graph: Graph,
    chosen: Options,
    sources: Sequence[int],
    backend: Backend,
    protocol: Protocol,
    watch: Stopwatch,
    progress: Callable[[float, int], None] | None,
    each: Callable[[int, Outputs], None] | None,
    in_place: bool,
    interrupted: Callable[[Measured, Finished], None] | None,
) -> Turns[None]:
    """Fill in the record until the measurement ends or fails."""
    record = measured.record
    memory = _PeakMemory(backend, execution.devices)
    execution.prepare(watch.time)
    if execution.partition_kind is not None:
        record.device["partition"] = execution.partition_kind
    state = _state(primitive, graph, execution, protocol)
    begin = Course() if state is None else state.course()
    if begin.done:
        record.warnings.append(f"{begin.done} of {execution.tasks} sources are an earlier process's work")
    program: Program | Relay | TeamProgram = watch.time("compile", execution.program)
    record.libraries |= environment.compiler_of(program.archive, backend.name)
    problem = watch.time("allocate", execution.problem)
    prover = _prover(primitive, graph, chosen, backend, protocol)

    def prove(source: int, outputs: dict[str, Array]) -> Validation | None:
        if prover is None:
            return None
        proved: Validation | None = watch.time(
            "certify", lambda: prover.verdict(source, outputs, execution.evidence(problem))
        )
        return proved

    counted = graph.for_counting()
    answers = Answers(
        primitive,
        counted,
        chosen,
        sources,
        protocol.check != "none",
        lambda: execution.outputs(problem),
        each,
        prove,
    )

    def note(number: int) -> None:
        memory.sample()
        record.peak_device_bytes = memory.peak
        answers.add(number)
        memory.trim()

    def part_done(course: Course) -> None:
        of = execution.tasks or 1
        if progress is not None and course.done < of:
            progress(len(record.runs_ms) + course.done / of, protocol.runs)
        if state is not None:
            state.note(lambda: execution.so_far(problem))

    try:
        last, throttled = yield from _run_all(
            primitive,
            execution,
            program,
            problem,
            sources,
            protocol,
            record,
            progress,
            note,
            part_done,
            begin,
        )
    except KeyboardInterrupt:
        done = execution.course.done
        if done and (of := execution.tasks) is not None:
            outputs = None
            if done > begin.done:  # otherwise the arrays may not have been restored yet
                if state is not None:
                    state.write(execution.so_far(problem))
                outputs = execution.outputs_so_far(problem)
            if interrupted is not None:
                interrupted(measured, Finished(done, of, outputs))
        raise
    record.queues = program.queues()
    found = measured.outputs = answers.last(in_place)
    measured.listings = answers.listings
    _count(record, primitive, counted, backend, answers.works, last, execution)
    record.metrics |= execution.metrics(record.metric("iteration_ms"))
    if protocol.count:
        from gunrock_cli.bench.protocol.counting import note_counts

        note_counts(record, primitive, graph, execution, sources, problem)
    record.warnings += (
        lone_source_warnings(record, graph)
        + statistics.noise_warnings(record.runs_ms)
        + throttled
        + program.warnings
    )
    if protocol.trace:
        record.trace = trace_rows(program.contract, last)
    verdict = _verdict(answers, found, graph, protocol, watch)
    record.validation = verdict.to_dict()
    if verdict.verdict == "fail":
        record.status, record.error = "wrong", verdict.message


def _state(primitive: Primitive, graph: Graph, execution: Execution, protocol: Protocol) -> State | None:
    if protocol.resume is None:
        return None
    if not isinstance(execution.variant, InPortions):
        raise UsageError(f"--resume {protocol.resume}: several devices make one launch; leave out one")
    return State(protocol.resume, primitive, graph, execution.variant)


def _prover(
    primitive: Primitive, graph: Graph, options: Options, backend: Backend, protocol: Protocol
) -> Prover | ProverInParts | None:
    if protocol.check in ("none", "reference"):
        return None
    certificate = certificate_of(primitive)
    return None if certificate is None else prover_of(certificate, graph, options, backend)


def _verdict(
    answers: Answers, found: dict[str, Array], graph: Graph, protocol: Protocol, watch: Stopwatch
) -> Validation:
    """The result of the checks asked for; if a certificate proves nothing, the reference takes over."""
    if protocol.check == "none":
        return Validation("skipped", "", method="none")
    proved = answers.proved()
    if proved is not None and (protocol.check == "certificate" or proved.verdict == "fail"):
        return proved
    host_graph = graph.to(np)
    compared: Validation = watch.time("validate", lambda: answers.validate(host_graph, found))
    if proved is None or compared.verdict != "pass":
        return compared
    return replace(
        compared,
        reference=f"{proved.reference} and {compared.reference}",
        method="both",
        message=proved.message,
    )


def new_record(
    primitive: Primitive,
    graph: Graph,
    backend: Backend,
    options: dict[str, Scalar],
    devices: Sequence[int] = (),
) -> Record:
    """A record with everything but the results."""
    return Record.new(
        recorded_name(primitive),
        backend=backend.name,
        device=environment.device_info(backend, devices),
        libraries=dict(environment.library_versions(backend.name)),
        graph=describe_graph(graph),
        options=options,
        clock="kernel",
    )


def describe_graph(graph: Graph) -> GraphFacts:
    """The ``graph`` of a record."""
    described = graph.described()
    return {
        "name": graph.name,
        "hash": graph.hash,
        "undirected": graph.undirected,
        "weighted": graph.weighted,
        "max_degree": graph.csr.longest,
        "mean_degree": round(graph.m / graph.n, 4) if graph.n else 0.0,
        "vertices": described["vertices"],
        "edges": described["edges"],
        "origin": described["origin"],
        "changes": described["changes"],
    }


def _run_all(
    primitive: Primitive,
    execution: Execution,
    program: Program | Relay | TeamProgram,
    problem: Any,
    sources: Sequence[int],
    protocol: Protocol,
    record: Record,
    progress: Callable[[float, int], None] | None,
    note: Callable[[int], None],
    part_done: Callable[[Course], None],
    begin: Course,
) -> Turns[tuple[RunResult, list[str]]]:
    """Run all sources, the first time from where it ``begin``s; ``note(number)`` is called after the last
    run of a source, ``part_done`` after each portion of a run."""
    from_sources = primitive.reads_source(execution.options)
    starts = list(sources) if from_sources else [0]
    total = len(starts) * protocol.runs
    clocks, late = [], 0
    record.limited_by = {}
    cores = CoreWait()
    flush = flushing(record.backend, execution.devices) if protocol.cold else None

    def when_reset() -> None:
        if flush is not None:
            flush()
            cores.begin()

    result: RunResult | None = None
    for number, source in enumerate(starts):

        def timed(source: int = source) -> RunResult:
            begun = time.perf_counter()
            with time_limit(protocol.limit_s):
                found = execution.run(program, problem, source, when_reset, part_done, begin)
            if flush is None:  # no call from Python flushes caches
                record.call_ms.append(1e3 * (time.perf_counter() - begun))
            return found

        for _ in range(protocol.warmup if number == 0 else 0):
            execution.run(program, problem, source)
        limits, before, enough = 0, len(record.runs_ms), False
        while not enough:
            result = cores.during(timed) if record.backend == "cpu" else timed()
            late += result.late
            limits |= result.limits
            record.runs_ms.append(result.ms)
            if from_sources:
                record.sources.append(source)
            if progress is not None:
                progress(len(record.runs_ms), max(total, len(record.runs_ms)))
            here = record.runs_ms[before:]
            enough = result.ms > protocol.enough_ms or is_enough(
                here, protocol.runs, protocol.until_noise
            )
            yield number + 1 < len(starts) or not enough
        record.warnings += noise_warning(record.runs_ms[before:], protocol.until_noise)
        for key in primitive.takes.limits_of(limits):
            record.limited_by[key] = record.limited_by.get(key, 0) + 1
        note(number)
        if record.backend == "cuda":
            clocks.append(throttle.sample(_pci_bus_id()))
    if (names := execution.graph.names) is not None:
        record.source_names = [str(names[source]) for source in record.sources]
    if record.backend == "cpu":
        record.core_wait = cores.share(sum(record.runs_ms))
    if result is None:
        raise GunrockError("nothing to run: no source, or no iteration")
    if late:
        record.warnings.append(
            f"{late} of {len(record.runs_ms)} runs began before the host had queued them, so "
            "their times may hold its delays"
        )
    return result, throttle.throttle_warnings(clocks) + statistics.wait_warnings(record.core_wait)


def _pci_bus_id() -> str:
    from gunrock_cli.engine.cuda import pci_bus_id

    return pci_bus_id()


def _count(
    record: Record,
    primitive: Primitive,
    graph: Graph,
    backend: Backend,
    works: Sequence[Work],
    last: RunResult,
    execution: Execution,
) -> None:
    """Note the counts of the work. ``works`` are those of all sources: the record gets means of what can
    be counted, and the rest from the last run. A run that goes on from an earlier answer has no floor, as
    it need not look at the whole graph."""
    options = execution.options
    record.time_ms = statistics.timing(record.runs_ms)
    work = primitive.finish_work(works[-1], options, last.steps, record.time_ms.mean)
    record.iterations = last.steps if work.iterations is None else work.iterations
    record.depth = work.depth
    depths = [each.depth for each in works if each.depth is not None]
    record.metrics = strictjson.plain(
        {**work.metrics, **{name: fmean(each.means[name] for each in works) for name in work.means}}
    )
    if len(depths) > 1:
        record.metrics["mean_depth"] = fmean(depths)
    record.vertices_visited = _mean([each.vertices_visited for each in works])
    record.edges_visited = _mean([each.edges_visited for each in works])
    traversed = [each.edges_for_mteps for each in works if each.edges_for_mteps is not None]
    if traversed and record.time_ms.mean > 0:
        record.mteps = fmean(traversed) / record.time_ms.mean / 1e3
    if isinstance(graph, Updated):
        record.metrics["went_on"] = int(execution.goes_on)
    if not execution.goes_on:
        note_floor(record, primitive, graph, options, [*works[:-1], work], backend, execution.devices)


def _mean(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return round(fmean(known)) if known else None


def trace_rows(contract: Contract, result: RunResult) -> list[TraceRow]:
    """The trace as plain rows, one per step, times in milliseconds; with several devices, one device
    after the other."""
    if result.devices:
        return [
            {"device": place, **row}
            for place, one in enumerate(result.devices)
            for row in trace_rows(contract, one)
        ]
    modes = {contract.enum("Mode")[mode_constant(mode)]: mode for mode in ADVANCE_MODES}
    ends = [*result.trace["time_ns"][1:].tolist(), result.end_ns]
    rows: list[TraceRow] = []
    for row, end, phase in zip(result.trace, ends, result.phases, strict=False):
        rows.append(
            {
                "iteration": int(row["iteration"]),
                "phase": phase,
                "mode": modes.get(int(row["mode"]), "-"),
                "one_block": bool(row["single_block"]),
                "frontier_vertices": int(row["count"]),
                "frontier_edges": int(row["edges"]),
                "ms": max(0, int(end) - int(row["time_ns"])) / 1e6,
            }
        )
    return rows


class _PeakMemory:
    """The peak of CuPy's pool: the graph, the problem and the workspace, but not what counting takes
    after the runs. With several devices, that of the fullest."""

    def __init__(self, backend: Backend, devices: Sequence[int] = ()) -> None:
        self.peak: int | None = None
        self._pool = None
        self._devices = devices
        if backend.name == "cuda":
            import cupy

            self._pool = cupy.get_default_memory_pool()

    def sample(self) -> None:
        """Raise the peak to what the pool holds now."""
        if self._pool is not None:
            here = int(self._pool.total_bytes())
            self.peak = max(self.peak or 0, here, *map(self._held, self._devices))

    def _held(self, device: int) -> int:
        import cupy

        assert self._pool is not None
        with cupy.cuda.Device(device):
            return int(self._pool.total_bytes())

    def trim(self) -> None:
        """Free the pool's unused blocks, which only the check needed."""
        if self._pool is not None:
            self._pool.free_all_blocks()
