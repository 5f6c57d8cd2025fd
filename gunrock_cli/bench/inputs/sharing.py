"""The number of devices that share a graph in order to hold it, not to be faster [D-several-2]; and what
each of them needs."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import Devices, count_devices, device_numbers
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.drawn_parts import Undrawn
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.memory import available_device_bytes, readable_size
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.resolve import planned_in_parts
from gunrock_cli.primitives.run_options import RunOptions

PER_VERTEX = 64
"""Rough bytes per vertex of the whole graph for frontiers and a primitive's own arrays."""
WHOLE_ANSWERS = 32
"""The part of these bytes that answers and their proofs take on each device, if the graph is in parts;
the rest is for a device's own vertices, as each device has only a share of the queues."""


@dataclass(frozen=True)
class Shared:
    """A graph where its run needs it: in the backend's memory for one device; for several in parts, or in
    the host's memory. ``devices`` is given as for --devices; ``why`` says what ``auto`` chose and why, if
    it chose several."""

    graph: Graph
    devices: str
    why: str = ""


def share(
    primitive: Primitive,
    graph: Graph,
    options: Options,
    backend: Backend,
    devices: str,
    limit: int | None = None,
    progress: Progress = silent,
) -> Shared:
    """Choose the devices that run on a graph that was loaded for a run on ``devices``. ``limit`` is the
    number of bytes that each device is assumed to have; by default the GPU's memory, for a graph that did
    not fit there. OutOfMemory if the requested devices, or all devices, cannot hold it; UsageError for
    several if the primitive runs on one."""
    if limit is None and graph.xp is backend.xp:
        return Shared(graph, devices)
    room = available_device_bytes() if limit is None else limit
    alone = bytes_needed(primitive, graph, options, 1)
    if devices.strip().lower() != "auto":
        count = len(device_numbers(devices, backend))
        if bytes_needed(primitive, graph, options, count) > room:
            raise _too_little(primitive, graph, options, backend, count, room, limit)
        return _for(graph, backend, devices, progress)
    if limit is not None and alone <= room:
        return _for(graph, backend, devices, progress)
    needed = _needed_by_count(primitive, graph, options, backend)
    for count, each in needed.items():
        if count > 1 and each <= room:
            why = (
                f"{count} devices: {graph.name} takes about {readable_size(alone)} on one, which has "
                f"{readable_size(room)}, and {readable_size(each)} on each of {count}"
            )
            return _for(graph, backend, str(count), progress, why)
    if min(needed.values()) > room:
        least = min(needed, key=lambda count: needed[count])
        raise _too_little(primitive, graph, options, backend, least, room, limit)
    return _for(graph, backend, devices, progress)


def _for(graph: Graph, backend: Backend, devices: str, progress: Progress, why: str = "") -> Shared:
    """Draw the graph now, if it is not drawn yet."""
    numbers = device_numbers(devices, backend)
    if len(numbers) == 1:
        graph = graph.to(backend.xp)
    elif isinstance(graph, Undrawn):
        graph = graph.in_parts(Devices(backend, numbers), progress)
    return Shared(graph, devices, why)


def bytes_needed(primitive: Primitive, graph: Graph, options: Options, devices: int) -> int:
    """Estimate the bytes that each of that many devices needs."""
    n, m = graph.n, graph.m
    rows: int = graph.csr.row_offsets.dtype.itemsize
    entry: int = 4 if graph.csr.values is None else 4 + graph.csr.values.dtype.itemsize
    own = PER_VERTEX * n
    if isinstance(graph, Undrawn) and devices > 1:
        own = (WHOLE_ANSWERS + PER_VERTEX // devices) * n
    if devices == 1:
        sides = 1 if graph.undirected or graph.reverse is None else 2
        return own + sides * (rows * (n + 1) + entry * m)
    parts = planned_in_parts(primitive, graph, options, RunOptions(devices=str(devices)))
    if parts.everything:
        return (
            own + rows * (n + 1) + entry * m + sum(room.nbytes for room in parts.heap(devices).values())
        )
    share_of_edges = -(-entry * m // devices)
    if parts.by_source:
        own += rows * (n + 1) + share_of_edges
    if parts.by_target:
        own += rows * (n // devices + 1) + share_of_edges
    return own + sum(room.nbytes for room in parts.heap(devices).values())


def _needed_by_count(
    primitive: Primitive, graph: Graph, options: Options, backend: Backend
) -> dict[int, int]:
    """Bytes on each device, by the number of devices that share the graph, up to all."""
    most = count_devices(backend) if isinstance(primitive, OnSeveralDevices) else 1
    return {count: bytes_needed(primitive, graph, options, count) for count in range(1, most + 1)}


def _too_little(
    primitive: Primitive,
    graph: Graph,
    options: Options,
    backend: Backend,
    devices: int,
    room: int,
    limit: int | None,
) -> OutOfMemory:
    """Say which memory that many devices are short of, and what to do about it."""
    needed = bytes_needed(primitive, graph, options, devices)
    where = "a device, which has" if devices == 1 else f"each of {devices} devices, which have"
    only = (
        "" if isinstance(primitive, OnSeveralDevices) else f"; {primitive.name} runs on one device only"
    )
    fitting = []
    with suppress(UsageError):  # several devices refuse these options
        by_count = _needed_by_count(primitive, graph, options, backend)
        fitting = [count for count, each in by_count.items() if each <= room]
    if fitting:
        advice = f"use --devices {fitting[0]}"
    elif limit is not None:
        enough = -(-needed * 10_000 // 2**30) / 10_000
        advice = f"raise --memory-limit to {enough:g} or use a smaller graph"
    else:
        advice = "use a smaller graph, or devices with more memory"
    return OutOfMemory(
        f"{graph.name}: {primitive.name} needs about {readable_size(needed)} on {where} "
        f"{readable_size(room)}{only}; {advice}"
    )
