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
from gunrock_cli.cli.asked import Asked
from gunrock_cli.cli.changes import say_changes
from gunrock_cli.cli.delivery import Delivery
from gunrock_cli.cli.graph_progress import graph_progress
from gunrock_cli.cli.invocation import invoked_command, is_given
from gunrock_cli.cli.messages import error, is_quiet, notice, step, warning
from gunrock_cli.cli.save import Labels, answers_each, check_paths, save, saving_each
from gunrock_cli.errors import EXIT_WRONG, GunrockError, OutOfMemory, UsageError
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.shown import Listed, Outputs
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from gunrock_cli.bench.protocol.resuming import Finished
    from gunrock_cli.bench.protocol.runner import Measured, Protocol
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.model.graph import Graph
    from gunrock_cli.graph.spec import GraphSpec


def run_primitive(primitive: Primitive, values: dict[str, Any]) -> None:
    """Run one command line; exits 1 on a wrong answer.

    Records are appended as they come, before anything else can fail.
    """
    asked = Asked.of(primitive, values)
    _check(asked)
    peers = _peers(asked.against, primitive)
    ready = _get_ready(asked)
    backend = chosen_backend(asked.backend, asked.threads)
    delivery = Delivery(asked.files.records, asked.as_json)
    try:
        measured, found = _measure(asked, backend, peers, delivery, ready)
    except OutOfMemory as problem:
        delivery.keep(_failed_record(asked, problem))
        raise
    trace = asked.files.trace
    if measured.failure is None and trace is not None:
        delivery.attempt(lambda: _write_trace(trace, measured.record))
    if measured.failure is None and not answers_each(primitive, measured.record.sources):
        delivery.attempt(lambda: save(measured, asked.files.answers, primitive))
    if not asked.as_json:
        delivery.show(lambda: _show(asked, found, measured))
    state = asked.files.state
    if state is not None and measured.record.status == "wrong" and _remove(state):
        notice(f"gunrock: removed {state}, which leads to a wrong answer; the same command starts again")
    _finish(measured, delivery)
    if state is not None:
        _remove(state)


def _remove(state: Path) -> bool:
    """Remove the file; return False if it does not exist, or cannot be removed, of which a warning says
    why."""
    try:
        state.unlink()
    except FileNotFoundError:
        return False
    except OSError as problem:
        warning(f"warning: {state} cannot be removed ({problem.strerror}); remove it")
        return False
    return True


def _check(asked: Asked) -> None:
    """Refuse what does not go together before anything is loaded."""
    for key, flag in (("src", "--src"), ("num_sources", "--num-sources")):
        if is_given(key) and asked.primitive.source is not None:
            asked.primitive.source.refuse(asked.options, flag)
    check_paths(asked.files, asked.options)
    if asked.against and asked.measuring["cold"]:
        raise UsageError(
            f"--against {asked.against}: no other system's caches are flushed (--cold); "
            "leave one of them out"
        )
    for option in asked.primitive.options if asked.against else ():
        if option.own and asked.options.values()[option.key] != option.default:
            raise UsageError(
                f"--against {asked.against}: no other system is asked with --{option.name}; "
                "leave one of them out"
            )
    if asked.top and asked.primitive.shows.row_columns(asked.options):
        raise UsageError(
            f"--top: {asked.primitive.name} finds a list, not a value of each vertex; --save writes it"
        )


def _keep_finished(asked: Asked, measured: Measured, finished: Finished) -> None:
    """Save the rows of an interrupted run that are finished, and say what is kept."""
    files, kept = asked.files, []
    if files.answers and finished.outputs is not None:
        names = measured.column_names[: finished.done]
        measured = replace(measured, outputs=finished.outputs, column_names=names)
        save(measured, files.answers, asked.primitive)
        kept.append(f"{', '.join(map(str, files.answers.values()))} has their rows")
    if files.state is not None:
        kept.append(f"the same command goes on from {files.state}")
    done = f"gunrock: {finished.done} of {finished.of} sources are done"
    notice(f"{done}: {'; '.join(kept)}" if kept else f"{done}; --resume FILE would have kept them")


def _write_trace(path: Path, record: Record) -> None:
    from gunrock_cli.cli import show
    from gunrock_cli.files import atomic_write

    with atomic_write(path) as file:
        show.trace_frame(record).to_csv(file, index=False, mode="wb")


def _show(asked: Asked, found: list[Record], measured: Measured) -> None:
    from gunrock_cli.cli import show

    show.print_records(found, asked.primitive)
    if asked.measuring["trace"]:
        show.print_trace(measured.record)
    show.print_listings(measured)
    if asked.top and measured.outputs:
        from gunrock_cli.cli.top import tops

        show.print_top(tops(measured, asked.primitive, asked.top))


def _beside(asked: Asked, measured: Measured) -> dict[str, Any]:
    """What --json shows along with the record, which does not hold it."""
    if measured.failure is not None:
        return {}
    beside: dict[str, Any] = {}
    if isinstance(asked.primitive.shows, Listed):
        beside["listings"] = [
            {"source": vertex, **listing.to_dict()} for vertex, listing in measured.listings
        ]
    if asked.top:
        from gunrock_cli.cli.top import tops

        beside["top"] = [top.to_dict() for top in tops(measured, asked.primitive, asked.top)]
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


def chosen_backend(name: str, threads: int | None = None) -> Backend:
    """The backend of --backend and --threads."""
    from gunrock_cli.engine.backend import choose_backend

    backend = choose_backend(name, threads)
    step(backend.why)
    return backend


def announce(backend: Backend, name: str) -> None:
    """Say on stderr which backend ``auto`` chose: once nothing in the command line can be wrong any
    more, so that an error stands alone."""
    if name == "auto":
        notice(f"gunrock: {backend.said}")


def _peers(names: str | None, primitive: Primitive) -> list[str]:
    if not names:
        return []
    from gunrock_cli.peers.measure import check_names

    return check_names(names.split(","), primitive)


def _measure(
    asked: Asked, backend: Backend, peers: list[str], delivery: Delivery, ready: Callable[[], None]
) -> tuple[Measured, list[Record]]:
    from gunrock_cli.bench.protocol import runner
    from gunrock_cli.graph.parts.parted import GraphInParts

    primitive, options = asked.primitive, asked.options
    graph, protocol, phases = _placed(asked, backend, ready)
    if peers and isinstance(graph, GraphInParts):
        raise UsageError(
            f"--against {asked.against}: other systems need the whole of {graph.name}, "
            "which lies in parts on several devices; leave it out"
        )
    sources = asked.sources.chosen(primitive, graph, options)
    announce(backend, asked.backend)
    saving = (
        saving_each(
            asked.files.answers, sources, graph.n, primitive.name, Labels.of(graph.names, primitive)
        )
        if answers_each(primitive, sources)
        else nullcontext()
    )
    measured: Measured | None = None
    try:
        with saving as each:
            then = "checking the answer" if protocol.check != "none" else "runs"
            with run_progress(protocol.runs * max(1, len(sources)), then) as progress:
                measured = runner.measure(
                    primitive,
                    graph,
                    options,
                    sources,
                    backend,
                    protocol,
                    phases,
                    progress,
                    each,
                    interrupted=lambda measured, finished: _keep_finished(asked, measured, finished),
                )
            delivery.keep(measured.record, _beside(asked, measured))
            if measured.failure is not None:
                raise measured.failure  # so that files of some answers never look like files of all
    except (Exception, KeyboardInterrupt) as problem:
        if measured is not None and measured.failure is not None:
            return measured, [measured.record]
        if measured is None or not isinstance(problem, GunrockError):
            raise
        delivery.fail(problem)  # from the files, at their end
    others = _measure_peers(asked, peers, graph, sources, measured, delivery) if peers else []
    return measured, [measured.record, *others]


def _placed(
    asked: Asked, backend: Backend, ready: Callable[[], None]
) -> tuple[Graph, Protocol, dict[str, float]]:
    """The graph where its run wants it, the protocol with the devices that were chosen, and the
    milliseconds taken by phase."""
    from gunrock_cli.bench.inputs.sharing import share
    from gunrock_cli.cli.compiling import compiling_meanwhile
    from gunrock_cli.graph.drawn_parts import Undrawn

    primitive, options, protocol = asked.primitive, asked.options, asked.protocol
    with compiling_meanwhile(primitive, options.values(), protocol, backend, asked.spec) as settle:
        graph, load_ms = load(
            primitive, asked.spec, backend, asked.use_cache, limited=asked.memory_limit is not None
        )
        waited = {} if isinstance(graph, Undrawn) else settle(graph)
    ready()
    if backend.name == "cpu":
        from gunrock_cli.engine.cpu import tell_of_crashes

        tell_of_crashes()
    begun = time.perf_counter()
    with graph_progress() as report:
        shared = share(primitive, graph, options, backend, protocol.devices, asked.memory_limit, report)
    if isinstance(graph, Undrawn):
        load_ms += 1e3 * (time.perf_counter() - begun)
        say_changes(shared.graph)
    if shared.why:
        notice(f"gunrock: {shared.why}")
    return shared.graph, replace(protocol, devices=shared.devices), {"load": load_ms, **waited}


def _measure_peers(
    asked: Asked,
    peers: list[str],
    graph: Graph,
    sources: list[int],
    measured: Measured,
    delivery: Delivery,
) -> list[Record]:
    from gunrock_cli.peers.measure import run_peers

    if len(set(sources)) > 1:
        name = sources[-1] if graph.names is None else graph.names[sources[-1]]
        warning(
            f"warning: {', '.join(peers)}: measured from vertex {name} alone, the last of "
            f"{len(set(sources))} sources, beside a mean over all of them"
        )
    return run_peers(
        peers,
        asked.primitive,
        graph,
        measured.options,
        sources[-1] if sources else None,
        asked.protocol.runs,
        like=measured.record,
        on_record=delivery.keep,
        proved=_proved(measured, asked.protocol.check, len(sources)),
    )


def _get_ready(asked: Asked) -> Callable[[], None]:
    """Called before the first question to the GPU, which may still be waking up."""
    ready = meanwhile.get_ready(
        (
            *meanwhile.MEASURING,
            *(() if asked.as_json else meanwhile.SHOWING),
            *(meanwhile.COMPARING if asked.compares else ()),
        ),
        on_gpu=asked.backend != "cpu",
    )
    step("imported what the run takes")
    return ready


def _proved(measured: Measured, check: str, sources: int) -> Outputs | None:
    """The answer, if it is one source's and --check certificate proved it."""
    verdict = measured.record.validation
    passed = verdict.get("verdict") == "pass" and verdict.get("method") == check == "certificate"
    return measured.outputs if passed and sources <= 1 else None


def load(
    primitive: Primitive, spec: GraphSpec, backend: Backend, use_cache: bool = True, limited: bool = False
) -> tuple[Graph, float]:
    """The graph, weighted if the primitive needs it, and the milliseconds taken."""
    from gunrock_cli.bench.inputs.graphs import load_for

    with graph_progress() as progress:
        graph, load_ms = load_for(primitive, spec, backend, use_cache, progress, limited=limited)
    say_changes(graph)
    return graph, load_ms


def _failed_record(asked: Asked, problem: GunrockError) -> Record:
    from gunrock_cli.bench.records.record import Record
    from gunrock_cli.graph.load import graph_name
    from gunrock_cli.primitives.external import recorded_name

    return Record.new(
        recorded_name(asked.primitive),
        status=problem.status,
        error=str(problem),
        graph={"name": graph_name(asked.spec)},
        options=asked.options.recorded(),
        command=invoked_command(),
    )


@contextmanager
def run_progress(total: int, then: str = "runs") -> Iterator[Callable[[float, int], None] | None]:
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
