"""The floor and the model of a measurement, with the bytes and the ceilings behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from statistics import fmean
from typing import TypeVar

from gunrock_cli.bench.ceilings.measured import ceilings
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import Backend, out_of_memory_as_error
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives.base import Accesses, Primitive, Traffic, Work
from gunrock_cli.primitives.options import Options

_Counts = TypeVar("_Counts", Traffic, Accesses)
LEAST_MS = 1e-3
"""A barrier over a GPU takes about a microsecond, one over the cores of a CPU no less, and the clock of a
GPU counts by half of one: where the bytes alone would take less, they say nothing about a run's time."""


def note_floor(
    record: Record,
    primitive: Primitive,
    graph: Graph,
    options: Options,
    works: Sequence[Work],
    backend: Backend,
    devices: Sequence[int] = (),
) -> None:
    """Fill in a record's floor and model. ``works`` are all sources' work, whose mean traffic is used. If
    a device cannot be measured, the record only loses its floor. Several GPUs (``devices``) have none:
    the ceilings are a single GPU's, which they may beat together. (Teams of the cpu backend share the
    memory of one host.)"""
    if devices and backend.name == "cuda":
        return
    traffic = _mean([primitive.traffic(graph, options, work) for work in works])
    accesses = _mean([primitive.accesses(graph, options, work) for work in works])
    if traffic is None and accesses is None:
        return
    try:
        with out_of_memory_as_error("measuring what the device can do"):
            limits = ceilings(backend)
    except Exception as error:  # the runs are measured: their record is not lost over this
        record.warnings.append(f"no floor: {str(error) or type(error).__name__}")
        return
    record.ceilings = limits.to_dict()
    if traffic is not None:
        record.traffic = asdict(traffic)
        record.floor_ms = limits.floor_ms(traffic)
        if record.floor_ms and record.time_ms is not None:
            record.over_floor = record.time_ms.mean / record.floor_ms
    if accesses is not None:
        record.accesses = asdict(accesses)
        record.model_ms = limits.model_ms(accesses)


def _mean(counts: Sequence[_Counts | None]) -> _Counts | None:
    """Each count's mean, rounded down; None if one is not known. (The floor of a mean is at most the mean
    of floors, as bytes beyond the cache cost more each.)"""
    known = [each for each in counts if each is not None]
    if len(known) < len(counts) or not known:
        return None
    kind = type(known[0])
    return kind(
        **{field.name: int(fmean(getattr(each, field.name) for each in known)) for field in fields(kind)}
    )
