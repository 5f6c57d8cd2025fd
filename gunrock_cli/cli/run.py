"""What a primitive's command does: load, choose sources, measure, print, save, record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli.graph_progress import graph_progress
from gunrock_cli.cli.primitive_command import invoked_command
from gunrock_cli.cli.save import check_paths, save
from gunrock_cli.errors import EXIT_WRONG, GunrockError, OutOfMemory, UsageError
from gunrock_cli.primitives.base import Primitive

if TYPE_CHECKING:
    from gunrock_cli.bench.record import Record
    from gunrock_cli.bench.runner import Measured, Protocol
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.graph import Graph


def run_primitive(primitive: Primitive, values: dict[str, Any]) -> None:
    """Run one command line; exits 1 on a wrong answer."""
    from gunrock_cli.bench.record import append_record
    from gunrock_cli.cli import show

    options = {option.key: values.pop(option.key) for option in primitive.options}
    check_paths(values, options)
    peers = _peers(values["against"], primitive)
    backend = announced_backend(values)
    try:
        measured, found = _measure(primitive, options, values, backend, peers)
    except OutOfMemory as error:
        failed = _failed_record(primitive, options, values, error)
        _emit(failed, values)
        raise
    for record in found:
        if values["output"]:
            append_record(values["output"], record)
    if values["as_json"]:
        for record in found:
            click.echo(record.to_json())
    else:
        show.print_records(found, primitive)
        if values["trace"] or values["trace_csv"]:
            show.print_trace(measured.record)
        if values["top"]:
            show.print_top(measured, values["top"])
    if values["trace_csv"]:
        show.trace_frame(measured.record).to_csv(values["trace_csv"], index=False)
    save(measured, values)
    if measured.record.status == "wrong":
        click.echo(f"gunrock: wrong answer: {measured.record.error}", err=True)
        raise SystemExit(EXIT_WRONG)


def announced_backend(values: dict[str, Any]) -> Backend:
    """That of --backend and --threads; ``auto`` says on stderr what it took and why."""
    from gunrock_cli.engine.backend import choose_backend

    backend = choose_backend(values["backend"], values["threads"])
    if values["backend"] == "auto":
        click.echo(f"gunrock: {backend.why}", err=True)
    return backend


def _peers(names: str | None, primitive: Primitive) -> list[str]:
    if not names:
        return []
    from gunrock_cli.peers.measure import check_names

    return check_names(names.split(","), primitive.name)


def _measure(primitive: Primitive, options: dict[str, Any], values: dict[str, Any],
             backend: Backend, peers: list[str]) -> tuple[Measured, list[Record]]:
    from gunrock_cli.bench import runner
    from gunrock_cli.bench.sources import choose_sources

    spec = replace(values["graph_spec"], reverse=primitive.reads_reverse(options))
    graph, load_ms = load(primitive, {**values, "graph_spec": spec}, backend)
    sources: list[int] = []
    if primitive.needs_source:
        sources = choose_sources(graph, values["src"], values["num_sources"], values["seed"])
    protocol = _protocol(values, len(sources))
    with run_progress(protocol.runs * max(1, len(sources))) as progress:
        measured = runner.measure(primitive, graph, options, sources, backend, protocol,
                                  {"load": load_ms}, progress)
    found = [measured.record]
    if peers:
        from gunrock_cli.peers.measure import run_peers

        found += run_peers(peers, primitive, graph, measured.record.options,
                           sources[-1] if sources else None, protocol.runs, like=measured.record)
    return measured, found


def load(primitive: Primitive, values: dict[str, Any], backend: Backend) -> tuple[Graph, float]:
    """The graph of ``graph_spec``, weighted where the primitive needs it, and the milliseconds taken."""
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.weights import with_weights

    begin = time.perf_counter()
    with graph_progress() as progress:
        graph = load_graph(values["graph_spec"], backend.xp, values["use_cache"], progress)
    if primitive.needs_weights and not graph.weighted:
        spec = values["graph_spec"]
        if spec.weights == "none":
            raise UsageError(f"{primitive.name} needs weights: --weights none contradicts it")
        graph = with_weights(graph, "random:1:64", spec.weight_type, spec.weight_seed)
    return graph, 1e3 * (time.perf_counter() - begin)


def _protocol(values: dict[str, Any], sources: int) -> Protocol:
    from gunrock_cli.bench.runner import Protocol

    return Protocol(
        runs=values["runs"] or (1 if sources > 1 else 10), warmup=values["warmup"],
        validate=values["validate"], advance_mode=values["advance_mode"].upper(),
        loop=values["loop"], lb_threshold=values["lb_threshold"], max_steps=values["max_steps"],
        trace=bool(values["trace"] or values["trace_csv"]), count=values["count"],
        command=invoked_command(),
    )


def _failed_record(primitive: Primitive, options: dict[str, Any], values: dict[str, Any],
                   error: GunrockError) -> Record:
    import datetime
    import uuid

    from gunrock_cli.bench.environment import project_version
    from gunrock_cli.bench.record import Record
    from gunrock_cli.graph.load import graph_name

    return Record(
        primitive=primitive.name, system="gunrock", status=error.status, id=uuid.uuid4().hex,
        time=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"), error=str(error),
        gunrock=project_version(), graph={"name": graph_name(values["graph_spec"])},
        options=dict(options), command=invoked_command(),
    )


def _emit(record: Record, values: dict[str, Any]) -> None:
    from gunrock_cli.bench.record import append_record

    if values["output"]:
        append_record(values["output"], record)
    if values["as_json"]:
        click.echo(record.to_json())


@contextmanager
def run_progress(total: int) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on stderr over the timed runs; none where stderr is no terminal."""
    from gunrock_cli.cli.console import console

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=screen, transient=True) as bar:
        task = bar.add_task("runs", total=total)
        yield lambda done, _: bar.update(task, completed=done)
