"""The measuring protocol: compile, warm up, run, count, check, record.

The clock covers the enactor alone (device events on a GPU, a monotonic clock on the CPU). Loading,
compilation, resets and validation are timed apart and recorded as phases.
"""

from __future__ import annotations

import datetime
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

import numpy as np

from gunrock_cli.bench import ceilings, environment, statistics, throttle
from gunrock_cli.bench.answers import Answers
from gunrock_cli.bench.record import Record
from gunrock_cli.engine.backend import Backend, out_of_memory_as_error
from gunrock_cli.engine.layout import TRACE_ROW
from gunrock_cli.engine.program import Program, RunResult, RunSettings
from gunrock_cli.engine.source import ADVANCE_MODES
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.graph import Graph
from gunrock_cli.primitives.base import Options, Primitive, Validation, Work


@dataclass(frozen=True)
class Protocol:
    """How to measure. ``runs`` timed runs a source after ``warmup`` untimed ones."""

    runs: int = 10
    warmup: int = 1
    validate: bool = True
    advance_mode: str = "AUTO"
    loop: str = "device"
    lb_threshold: int = 4096
    max_steps: int | None = None
    trace: bool = False
    count: bool = False
    command: Sequence[str] = ()

    def options(self) -> dict[str, Any]:
        """What a record stores beside the primitive's own options."""
        return {"advance_mode": self.advance_mode, "loop": self.loop,
                "lb_threshold": self.lb_threshold, "runs": self.runs, "warmup": self.warmup}


@dataclass
class Measured:
    """A record, and the arrays of the last run (on the host, by name)."""

    record: Record
    outputs: dict[str, np.ndarray[Any, Any]] = field(default_factory=dict)


class Stopwatch:
    """Milliseconds of named phases that are not the enactor's."""

    def __init__(self) -> None:
        self.phases: dict[str, float] = {}

    def time(self, name: str, work: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        try:
            return work()
        finally:
            passed = 1e3 * (time.perf_counter() - begin)
            self.phases[name] = self.phases.get(name, 0.0) + passed


def measure(primitive: Primitive, graph: Graph, options: Options, sources: Sequence[int],
            backend: Backend, protocol: Protocol, phases_ms: dict[str, float] | None = None,
            progress: Callable[[int, int], None] | None = None) -> Measured:
    """Run ``primitive`` from each source (one pass without sources for those that need none).

    ``options`` are the primitive's own, unresolved. ``progress(done, all)`` is called after each
    run. A wrong answer does not raise: the record's status says so.
    """
    watch = Stopwatch()
    watch.phases.update(phases_ms or {})
    chosen = primitive.check_options(graph, options)
    record = new_record(primitive, graph, backend, {**protocol.options(), **chosen})
    record.command = list(protocol.command)
    memory = _PeakMemory(backend)
    what = f"{primitive.name} on {graph.name}, {graph.n} vertices, {graph.m} edges"
    with out_of_memory_as_error(what):
        program: Program = watch.time(
            "compile", lambda: compile_primitive(primitive, graph, chosen, backend, protocol)
        )
        problem = watch.time("allocate", lambda: primitive.problem(graph, chosen))
        answers = Answers(primitive, graph, chosen, sources, protocol.validate,
                           lambda: primitive.outputs(problem, graph, chosen))

        def note(number: int) -> None:
            memory.look()
            answers.add(number)
            memory.tidy()

        last, throttled = _run_all(primitive, program, problem, graph, chosen, sources, protocol,
                                   record, progress, note)
        host = answers.last()
        if protocol.count:
            counting = compile_primitive(primitive, graph, chosen, backend, protocol, count=True)
            record.edges_inspected = _inspected(primitive, counting, problem, graph, chosen, sources)
    record.peak_device_bytes = memory.peak
    _count(record, primitive, graph, chosen, backend, answers.works, last)
    if protocol.trace:
        record.trace = trace_rows(primitive, last)
    if protocol.validate:
        host_graph = graph.to(np)
        verdict = watch.time("validate", lambda: answers.validate(host_graph, host))
    else:
        verdict = Validation("skipped", "")
    record.validation = verdict.to_dict()
    if verdict.verdict == "fail":
        record.status, record.error = "wrong", verdict.message
    record.warnings += statistics.noise_warnings(record.runs_ms) + throttled + program.warnings
    record.phases_ms = {name: round(ms, 3) for name, ms in watch.phases.items()}
    return Measured(record, host)


def compile_primitive(primitive: Primitive, graph: Graph, options: Options, backend: Backend,
                      protocol: Protocol, count: bool = False) -> Program:
    """The primitive's kernel for this graph, these (resolved) options and this backend; ``count``: with
    code that counts the edges it inspects."""
    if not primitive.reads_reverse(options):
        graph = graph.without_reverse()
    elif graph.reverse is None:
        raise GunrockError(f"{primitive.name} reads in-edges, and {graph.name} was loaded without")
    kernel = primitive.kernel_file(graph, options)
    defines: dict[str, str | int] = {}
    for option in primitive.options:
        if option.define is not None:
            value = options[option.key]
            defines[option.define] = option.choices.index(value) if option.choices else int(value)
    defines.update(primitive.defines(graph, options))
    settings = RunSettings(
        loop=protocol.loop, lb_threshold=protocol.lb_threshold, trace=protocol.trace, count=count,
        **({} if protocol.max_steps is None else {"max_steps": protocol.max_steps}),
    )
    return backend.program(kernel, graph, defines, protocol.advance_mode, primitive.queue_factor,
                           settings, primitive.launch(graph, options))


def new_record(primitive: Primitive, graph: Graph, backend: Backend,
               options: dict[str, Any]) -> Record:
    """A record that knows all but the results."""
    return Record(
        primitive=primitive.name, system="gunrock", status="ok", id=uuid.uuid4().hex,
        time=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        gunrock=environment.project_version(), backend=backend.name,
        device=environment.device_info(backend),
        libraries=dict(environment.library_versions(backend.name)),
        graph=describe_graph(graph), options=options,
    )


def describe_graph(graph: Graph) -> dict[str, Any]:
    """The ``graph`` of a record."""
    degrees = graph.csr.degrees()
    return {
        "name": graph.name, "hash": graph.hash, "vertices": graph.n, "edges": graph.m,
        "undirected": graph.undirected, "max_degree": int(degrees.max()) if graph.n else 0,
        "mean_degree": round(graph.m / graph.n, 4) if graph.n else 0.0, "origin": graph.origin,
    }


def _run_all(primitive: Primitive, program: Program, problem: dict[str, Any], graph: Graph,
             options: Options, sources: Sequence[int], protocol: Protocol, record: Record,
             progress: Callable[[int, int], None] | None,
             note: Callable[[int], None]) -> tuple[RunResult, list[str]]:
    """``note(number)`` is called when the runs of a source are done."""
    starts = list(sources) if primitive.needs_source else [0]
    total = len(starts) * protocol.runs
    clocks, late = [], 0
    result: RunResult | None = None
    for number, source in enumerate(starts):
        def reset(source: int = source) -> None:
            primitive.reset(problem, graph, options, source)

        for _ in range(protocol.warmup if number == 0 else 0):
            program.run(problem, reset)
        for _ in range(protocol.runs):
            result = program.run(problem, reset)
            late += result.late
            record.runs_ms.append(result.ms)
            if primitive.needs_source:
                record.sources.append(source)
            if progress is not None:
                progress(len(record.runs_ms), total)
        note(number)
        if record.backend == "cuda":
            clocks.append(throttle.sample(_pci_bus_id()))
    if result is None:
        raise GunrockError("nothing to run: no source, or no iteration")
    if late:
        record.warnings.append(f"{late} of {total} runs began before the host had queued them, so "
                               "their times may hold its delays")
    return result, throttle.throttle_warnings(clocks)


def _inspected(primitive: Primitive, program: Program, problem: dict[str, Any], graph: Graph,
               options: Options, sources: Sequence[int]) -> int:
    """Edges that operators look at in a run from each source, on the mean."""
    def count(source: int) -> int:
        return program.run(
            problem, lambda: primitive.reset(problem, graph, options, source)).inspected

    return round(fmean(map(count, sources if primitive.needs_source else [0])))


def _pci_bus_id() -> str:
    from gunrock_cli.engine.cuda import pci_bus_id

    return pci_bus_id()


def _count(record: Record, primitive: Primitive, graph: Graph, options: Options, backend: Backend,
           works: Sequence[Work], last: RunResult) -> None:
    """``works`` of all sources: means of what can be counted, the rest from the last run."""
    record.time_ms = statistics.timing(record.runs_ms)
    work = primitive.finish_work(works[-1], options, last.steps, record.time_ms.mean)
    record.iterations = last.steps if work.iterations is None else work.iterations
    record.depth = work.depth
    record.metrics = dict(work.metrics)
    record.vertices_visited = _mean([each.vertices_visited for each in works])
    record.edges_visited = _mean([each.edges_visited for each in works])
    traversed = [each.edges_for_mteps for each in works if each.edges_for_mteps is not None]
    if traversed and record.time_ms.mean > 0:
        record.mteps = fmean(traversed) / record.time_ms.mean / 1e3
    limits = ceilings.ceilings(_device_key(record), backend.xp)
    floors = [primitive.floor_ms(graph, options, each, limits) for each in (*works[:-1], work)]
    known = [floor for floor in floors if floor is not None]
    if known:
        record.floor_ms = fmean(known)
    if record.floor_ms:
        record.over_floor = record.time_ms.mean / record.floor_ms


def _mean(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return round(fmean(known)) if known else None


def _device_key(record: Record) -> str:
    return f"{record.device['name']} x{record.device.get('threads', 1)}"


def trace_rows(primitive: Primitive, result: RunResult) -> list[dict[str, Any]]:
    """The trace as plain rows: one a step, times in milliseconds."""
    assert result.trace.dtype == TRACE_ROW
    ends = [*result.trace["time_ns"][1:].tolist(), result.end_ns]
    rows = []
    for row, end in zip(result.trace, ends, strict=False):
        rows.append({
            "iteration": int(row["iteration"]),
            "phase": primitive.phases[row["phase"]],
            "mode": "-" if row["mode"] < 0 else ADVANCE_MODES[row["mode"]],
            "one_block": bool(row["alone"]),
            "frontier_vertices": int(row["count"]),
            "frontier_edges": int(row["edges"]),
            "ms": max(0, int(end) - int(row["time_ns"])) / 1e6,
        })
    return rows


class _PeakMemory:
    """What CuPy's pool holds at most: the graph, the problem and the workspace, but not what counting
    takes after the runs."""

    def __init__(self, backend: Backend) -> None:
        self.peak: int | None = None
        self._pool = None
        if backend.name == "cuda":
            import cupy

            self._pool = cupy.get_default_memory_pool()

    def look(self) -> None:
        if self._pool is not None:
            self.peak = max(self.peak or 0, int(self._pool.total_bytes()))

    def tidy(self) -> None:
        """Give back what was needed in passing."""
        if self._pool is not None:
            self._pool.free_all_blocks()
