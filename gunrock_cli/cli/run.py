"""What a primitive's command does: load, choose sources, measure, print, save, record."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunrock_cli.cli import meanwhile
from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.delivery import Delivery
from gunrock_cli.cli.graph_progress import graph_progress
from gunrock_cli.cli.invocation import invoked_command, is_given
from gunrock_cli.cli.messages import error, is_quiet, notice, step, warning
from gunrock_cli.cli.save import Labels, answers_each, check_paths, save, saving_each
from gunrock_cli.errors import EXIT_WRONG, GunrockError, OutOfMemory, UsageError
from gunrock_cli.primitives.base import Outputs, Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from gunrock_cli.bench.record import Record
    from gunrock_cli.bench.runner import Measured, Protocol
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.model.graph import Graph


def run_primitive(primitive: Primitive, values: dict[str, Any]) -> None:
    """Run one command line; exits 1 on a wrong answer.

    Records are appended as they come, before anything else can fail.
    """
    options = primitive.asked({option.key: values.pop(option.key) for option in primitive.options})
    for key, flag in (("src", "--src"), ("num_sources", "--num-sources")):
        if is_given(key):
            primitive.refuse_source(options, flag)
    check_paths(values, options)
    if values["top"] and primitive.row_columns(options):
        raise UsageError(
            f"--top: {primitive.name} finds a list, not a value of each vertex; --save writes it"
        )
    peers = _peers(values["against"], primitive)
    ready = _get_ready(values)
    backend = chosen_backend(values)
    delivery = Delivery(values["output"], values["as_json"])
    try:
        measured, found = _measure(primitive, options, values, backend, peers, delivery, ready)
    except OutOfMemory as problem:
        delivery.keep(_failed_record(primitive, options, values, problem))
        raise
    if measured.failure is None and values["trace_csv"]:
        delivery.attempt(lambda: _write_trace(values["trace_csv"], measured.record))
    if measured.failure is None and not answers_each(primitive, measured.record.sources):
        delivery.attempt(lambda: save(measured, values, primitive))
    if not values["as_json"]:
        delivery.show(lambda: _show(found, measured, primitive, values))
    _finish(measured, delivery)


def _write_trace(path: Path, record: Record) -> None:
    from gunrock_cli.cli import show
    from gunrock_cli.files import atomic_write

    with atomic_write(path) as file:
        show.trace_frame(record).to_csv(file, index=False, mode="wb")


def _show(found: list[Record], measured: Measured, primitive: Primitive, values: dict[str, Any]) -> None:
    from gunrock_cli.cli import show

    show.print_records(found, primitive)
    if values["trace"] or values["trace_csv"]:
        show.print_trace(measured.record)
    show.print_listings(measured)
    if values["top"] and measured.outputs:
        from gunrock_cli.cli.top import tops

        show.print_top(tops(measured, primitive, values["top"]))


def _beside(measured: Measured, primitive: Primitive, values: dict[str, Any]) -> dict[str, Any]:
    """What --json shows along with the record, which does not hold it."""
    if measured.failure is not None:
        return {}
    beside: dict[str, Any] = {}
    if primitive.lists_answer:
        beside["listings"] = [
            {"source": vertex, **listing.to_dict()} for vertex, listing in measured.listings
        ]
    if values["top"]:
        from gunrock_cli.cli.top import tops

        beside["top"] = [top.to_dict() for top in tops(measured, primitive, values["top"])]
    return beside


def _finish(measured: Measured, delivery: Delivery) -> None:
    """A wrong answer, what was not delivered, and what ended the measurement: all are reported, the last
    by the exit code."""
    record, failure = measured.record, measured.failure
    step(", ".join(f"{name} {ms:.4g} ms" for name, ms in record.phases_ms.items()))
    if record.status == "wrong":
        error(f"gunrock: wrong answer: {record.error}")
        delivery.report_failures()
        raise SystemExit(EXIT_WRONG)
    if failure is None:
        delivery.finish()
        return
    delivery.report_failures()
    if isinstance(failure, (GunrockError, KeyboardInterrupt)):
        raise failure
    raise GunrockError(f"what follows the runs failed: {record.error}") from failure


def chosen_backend(values: dict[str, Any]) -> Backend:
    """The backend of --backend and --threads."""
    from gunrock_cli.engine.backend import choose_backend

    backend = choose_backend(values["backend"], values["threads"])
    step(backend.why)
    return backend


def announce(backend: Backend, values: dict[str, Any]) -> None:
    """Say on stderr which backend ``auto`` chose: once nothing in the command line can be wrong any
    more, so that an error stands alone."""
    if values["backend"] == "auto":
        notice(f"gunrock: {backend.said}")


def _peers(names: str | None, primitive: Primitive) -> list[str]:
    if not names:
        return []
    from gunrock_cli.peers.measure import check_names

    return check_names(names.split(","), primitive)


def _measure(
    primitive: Primitive,
    options: Options,
    values: dict[str, Any],
    backend: Backend,
    peers: list[str],
    delivery: Delivery,
    ready: Callable[[], None],
) -> tuple[Measured, list[Record]]:
    from gunrock_cli.bench import runner
    from gunrock_cli.bench.sharing import share
    from gunrock_cli.bench.source_vertices import choose_sources
    from gunrock_cli.cli.compiling import compiling_meanwhile
    from gunrock_cli.graph.drawn_parts import Undrawn
    from gunrock_cli.graph.parts.parted import GraphInParts

    spec = replace(values["graph_spec"], reverse=primitive.reads_reverse(options))
    protocol = _protocol(values)
    with compiling_meanwhile(primitive, options.values(), protocol, backend, spec) as settle:
        graph, load_ms = load(primitive, {**values, "graph_spec": spec}, backend)
        waited = {} if isinstance(graph, Undrawn) else settle(graph)
    ready()
    if backend.name == "cpu":
        from gunrock_cli.engine.cpu import tell_of_crashes

        tell_of_crashes()
    begun = time.perf_counter()
    with graph_progress() as report:
        shared = share(primitive, graph, options, backend, protocol.devices, _limit(values), report)
    if isinstance(graph, Undrawn):
        load_ms += 1e3 * (time.perf_counter() - begun)
        say_changes(shared.graph)
    phases = {"load": load_ms, **waited}
    graph, protocol = shared.graph, replace(protocol, devices=shared.devices)
    if shared.why:
        notice(f"gunrock: {shared.why}")
    if peers and isinstance(graph, GraphInParts):
        raise UsageError(
            f"--against {values['against']}: other systems need the whole of {graph.name}, "
            "which lies in parts on several devices; leave it out"
        )
    sources: list[int] = []
    if primitive.reads_source(options):
        sources = primitive.named_sources(graph, options) or choose_sources(
            graph, values["src"], values["num_sources"], values["seed"]
        )
    announce(backend, values)
    saving = (
        saving_each(values, sources, graph.n, primitive.name, Labels.of(graph.names, primitive))
        if answers_each(primitive, sources)
        else nullcontext()
    )
    measured: Measured | None = None
    try:
        with saving as each:
            then = "checking the answer" if protocol.validate else "runs"
            with run_progress(protocol.runs * max(1, len(sources)), then) as progress:
                measured = runner.measure(
                    primitive, graph, options, sources, backend, protocol, phases, progress, each
                )
            delivery.keep(measured.record, _beside(measured, primitive, values))
            if measured.failure is not None:
                raise measured.failure  # so that files of some answers never look like files of all
    except (Exception, KeyboardInterrupt) as problem:
        if measured is not None and measured.failure is not None:
            return measured, [measured.record]
        if measured is None or not isinstance(problem, GunrockError):
            raise
        delivery.fail(problem)  # from the files, at their end
    records = [measured.record]
    if peers:
        from gunrock_cli.peers.measure import run_peers

        if len(set(sources)) > 1:
            name = sources[-1] if graph.names is None else graph.names[sources[-1]]
            warning(
                f"warning: {', '.join(peers)}: measured from vertex {name} alone, the last of "
                f"{len(set(sources))} sources, beside a mean over all of them"
            )
        records += run_peers(
            peers,
            primitive,
            graph,
            measured.options,
            sources[-1] if sources else None,
            protocol.runs,
            like=measured.record,
            on_record=delivery.keep,
            proved=_proved(measured, protocol.check, len(sources)),
        )
    return measured, records


def _get_ready(values: dict[str, Any]) -> Callable[[], None]:
    """Called before the first question to the GPU, which may still be waking up."""
    check = _check(values)
    compares = check.get("validate", True) and check["check"] != "certificate"
    ready = meanwhile.get_ready(
        (
            *meanwhile.MEASURING,
            *(() if values["as_json"] else meanwhile.SHOWING),
            *(meanwhile.COMPARING if compares else ()),
        ),
        on_gpu=values["backend"] != "cpu",
    )
    step("imported what the run takes")
    return ready


def _proved(measured: Measured, check: str, sources: int) -> Outputs | None:
    """The answer, if it is one source's and --check certificate proved it."""
    verdict = measured.record.validation
    passed = verdict.get("verdict") == "pass" and verdict.get("method") == check == "certificate"
    return measured.outputs if passed and sources <= 1 else None


def load(primitive: Primitive, values: dict[str, Any], backend: Backend) -> tuple[Graph, float]:
    """The graph of ``graph_spec``, weighted if the primitive needs it, and the milliseconds taken."""
    from gunrock_cli.bench.inputs import load_for

    with graph_progress() as progress:
        graph, load_ms = load_for(
            primitive,
            values["graph_spec"],
            backend,
            values["use_cache"],
            progress,
            limited=_limit(values) is not None,
        )
    say_changes(graph)
    return graph, load_ms


def _limit(values: dict[str, Any]) -> int | None:
    """--memory-limit in bytes."""
    gib = values.get("memory_limit")
    return None if gib is None else int(min(gib * 2**30, 2.0**63))  # a large float becomes infinity


def _protocol(values: dict[str, Any]) -> Protocol:
    from gunrock_cli.bench.runner import Protocol
    from gunrock_cli.primitives.run_options import of_every_run

    return Protocol(
        runs=values["runs"],
        warmup=values["warmup"],
        **_check(values),
        max_steps=values["max_steps"],
        trace=bool(values["trace"] or values["trace_csv"]),
        count=values["count"],
        command=invoked_command(),
        **of_every_run(values),
    )


def _check(values: dict[str, Any]) -> dict[str, Any]:
    """``--check``, and the older words for two of its values."""
    check, validate = values["check"], values["validate"]
    if validate is False and check not in ("certificate", "none"):
        raise UsageError(f"--no-validate contradicts --check {check}; give one of them")
    if validate is False or (check == "none" and not validate):
        return {"validate": False}
    if check == "none":
        raise UsageError("--validate contradicts --check none; give one of them")
    return {"check": check}


def _failed_record(
    primitive: Primitive, options: Options, values: dict[str, Any], problem: GunrockError
) -> Record:
    from gunrock_cli.bench.record import Record
    from gunrock_cli.graph.load import graph_name
    from gunrock_cli.primitives.external import recorded_name

    return Record.new(
        recorded_name(primitive),
        status=problem.status,
        error=str(problem),
        graph={"name": graph_name(values["graph_spec"])},
        options=options.recorded(),
        command=invoked_command(),
    )


@contextmanager
def run_progress(total: int, then: str = "runs") -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr over the timed runs, and ``then``; none if stderr is not a terminal."""
    if not sys.stderr.isatty() or is_quiet():
        yield None
        return
    from rich.markup import escape
    from rich.progress import Progress

    from gunrock_cli.cli.console import console
    from gunrock_cli.toolchain.binaries import listening

    screen = console(stderr=True)

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("runs", total=total)

        def compiling(what: str) -> None:
            bar.update(task, description=escape(visible(f"compiling {what}" if what else "runs")))

        with listening(compiling):
            yield lambda done, of: bar.update(
                task, completed=done, description="runs" if done < of else then
            )
