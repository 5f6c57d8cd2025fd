"""Running peers: a record for each, with its answers checked by the primitive itself."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.bench.protocol import failed
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.shapes import Device
from gunrock_cli.bench.records.statistics import noise_warnings, timing
from gunrock_cli.errors import GunrockError, OutOfMemory, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.peers import get_peer, known_names
from gunrock_cli.peers.base import Peer, PeerFailure, shared_options
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.external import recorded_name
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.shown import Outputs
from gunrock_cli.toolchain.processor import processor_name

ALL = "all"


def check_names(names: Sequence[str], primitive: Primitive) -> list[str]:
    """The peers, without repetition, in order; UsageError for one that does not exist or cannot run here.
    ``all`` stands for those that are here and have the primitive, a FILE.toml for the peer that it
    describes."""
    found = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if found == [ALL]:
        peers = [get_peer(name) for name in known_names()]
        return [
            peer.name for peer in peers if peer.runs(primitive) and peer.available_for(primitive) is None
        ]
    systems: dict[str, str] = {}
    for name in found:
        peer = get_peer(name)
        if peer.name in systems:
            raise UsageError(
                f"--against {name}: {systems[peer.name]} is called {peer.name} too, so "
                "their records could not be told apart"
            )
        systems[peer.name] = name
        reason = _why_not(peer, name, primitive)
        if reason is not None:
            raise UsageError(f"--against {name}: {reason}")
    return found


def _why_not(peer: Peer, name: str, primitive: Primitive) -> str | None:
    try:
        return peer.available_for(primitive)
    except UsageError as error:
        return str(error)


def run_peers(
    names: Sequence[str],
    primitive: Primitive,
    graph: Graph,
    options: Options,
    source: int | None,
    runs: int,
    like: Record | None = None,
    on_record: Callable[[Record], None] = lambda record: None,
    proved: Outputs | None = None,
) -> list[Record]:
    """Measure each peer and return the records in order; an error is recorded for a peer that cannot
    answer. ``on_record`` is called with each record as it comes, since the next peer may end the process.

    ``options`` are the primitive's resolved ones. ``like`` is gunrock's own record of the same run, from
    which the description of the graph is copied. ``proved`` is our answer to the same question if a
    certificate proved it: peers' answers are then compared with it, and with the reference only if that
    comparison decides nothing."""
    host = graph.to(np)
    records = []
    for name in check_names(names, primitive):
        records.append(run_peer(get_peer(name), primitive, host, options, source, runs, like, proved))
        on_record(records[-1])
    return records


def run_peer(
    peer: Peer,
    primitive: Primitive,
    graph: Graph,
    options: Options,
    source: int | None,
    runs: int,
    like: Record | None = None,
    proved: Outputs | None = None,
) -> Record:
    """One peer's record; ``graph`` is on the host."""
    record = Record.new(
        recorded_name(primitive),
        peer.name,
        backend=peer.backend,
        device=device(peer),
        graph=dict(like.graph)
        if like
        else {
            "name": graph.name,
            "hash": graph.hash,
            "vertices": graph.n,
            "edges": graph.m,
            "undirected": graph.undirected,
            "origin": graph.origin,
        },
        options={"runs": runs, "warmup": 1, **shared_options(primitive, options)},
        command=list(like.command) if like else [],
        clock=peer.clock,
        more_work=None if options.values().get("mark_pred") else peer.more_work.get(primitive.name),
        metrics={"times": peer.covered(primitive)},
    )
    try:
        record.libraries = peer.versions()
        record.metrics |= peer.identity(primitive)
        result = peer.run(primitive, graph, options, source, runs)
    except (MemoryError, OutOfMemory) as error:
        record.status, record.error = "OOM", str(error) or "not enough memory"
        return record
    except PeerFailure as error:
        record.status, record.error = error.status, str(error)
        record.metrics["printed"] = error.printed
        return record
    except GunrockError as error:
        record.status, record.error = "error", str(error)
        return record
    except Exception as error:  # another system's failure costs its own column, not the run
        record.status, record.error = "error", f"{type(error).__name__}: {error}"
        return record
    record.runs_ms, record.time_ms = result.times_ms, timing(result.times_ms)
    record.call_ms = list(result.times_ms) if peer.clock == "call" else []
    if primitive.reads_source(options) and source is not None:
        record.sources = [source] * runs
    record.iterations = result.iterations
    record.warnings = noise_warnings(result.times_ms)
    record.phases_ms = dict(result.phases_ms)
    try:
        if result.outputs:
            _check(record, primitive, graph, options, source, result.outputs, proved)
        else:
            _take_verdict(record, result.verdict)
    except Exception as error:  # its times are known, even if its check fails
        failed.record_failure(record, error)
    if record.status != "ok" and result.printed:
        record.metrics["printed"] = result.printed
    return record


def _take_verdict(record: Record, verdict: Validation) -> None:
    record.validation = verdict.to_dict()
    if verdict.verdict == "fail":
        record.status, record.error = "wrong", verdict.message


def _check(
    record: Record,
    primitive: Primitive,
    graph: Graph,
    options: Options,
    source: int | None,
    outputs: dict[str, np.ndarray[Any, Any]],
    proved: Outputs | None,
) -> None:
    certificate = certificate_of(primitive) if proved is not None else None
    agreed = certificate.agrees(options, outputs, proved) if certificate and proved is not None else None
    _take_verdict(
        record,
        replace(agreed, method="certificate")
        if agreed
        else primitive.validate(graph, options, source, outputs),
    )
    work = primitive.work(graph, options, outputs)
    record.depth, record.vertices_visited = work.depth, work.vertices_visited
    record.edges_visited = work.edges_visited
    record.metrics.update(work.metrics)
    if work.edges_for_mteps is not None and record.time_ms and record.time_ms.mean > 0:
        record.mteps = work.edges_for_mteps / record.time_ms.mean / 1e3


def device(peer: Peer) -> Device:
    """The hardware that a peer runs on."""
    if peer.backend == "cuda":
        try:
            import cupy
        except ImportError:  # a program needs none, and itself reports a missing GPU
            return {}
        properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
        return {"name": properties["name"].decode(), "memory_bytes": int(properties["totalGlobalMem"])}
    return {"name": processor_name(), "threads": len(os.sched_getaffinity(0))}
