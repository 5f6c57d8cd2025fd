"""A log of changes replayed: for each batch the time to apply it, to go on from the last answer, and to
find the answer from scratch."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import Backend, out_of_memory_as_error
from gunrock_cli.errors import InputError, UsageError, WrongAnswer
from gunrock_cli.graph.changing import Applied, ChangingGraph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.readers.log import Batch
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.going_on import refuse_given
from gunrock_cli.primitives.options import Options


@dataclass(frozen=True)
class Replayed:
    """A batch (``number`` counts from 1): what it did, the milliseconds that applying it took, and the
    records of the run that goes on and of the run from scratch."""

    number: int
    applied: Applied
    apply_ms: float
    update: Record
    scratch: Record

    @property
    def went_on(self) -> bool:
        """True if the first run went on; False if it began from scratch as well."""
        return bool(self.update.metrics.get("went_on", 0))

    @property
    def ratio(self) -> float | None:
        """How many times faster the run is that goes on, by mean times."""
        times = self.scratch.time_ms, self.update.time_ms
        if times[0] is None or times[1] is None or times[1].mean <= 0:
            return None
        return times[0].mean / times[1].mean

    def record(self) -> Record:
        """The record of the run that goes on, with the other figures among its metrics."""
        applied, scratch = self.applied, self.scratch.time_ms
        self.update.metrics |= {
            "batch": self.number,
            "went_on": int(self.went_on),
            "inserted": applied.inserted,
            "reweighted": applied.reweighted,
            "deleted": applied.deleted,
            "missing": applied.missing,
            "apply_ms": self.apply_ms,
            **({} if scratch is None else {"scratch_ms": scratch.mean}),
            **({} if self.ratio is None else {"scratch_over_update": self.ratio}),
        }
        return self.update


def replay(
    primitive: Primitive,
    graph: Graph,
    options: Options | Mapping[str, Scalar],
    sources: Sequence[int],
    backend: Backend,
    protocol: Protocol,
    batches: Sequence[Batch],
) -> Iterator[Replayed]:
    """Apply the batches, and measure both runs after each. UsageError for a primitive that cannot go on
    from an answer; InputError for a batch that does not fit the graph; WrongAnswer if there is no right
    answer to go on from at first."""
    if not primitive.goes_on_from:
        raise UsageError(f"{primitive.name} cannot go on from an earlier answer: it always begins anew")
    refuse_given(primitive, primitive.asked(options) if isinstance(options, Mapping) else options)

    def run(on: Graph) -> Measured:
        found = measure(primitive, on, options, sources, backend, protocol, in_place=True)
        if found.failure is not None:
            raise found.failure
        return found

    with out_of_memory_as_error("replaying a log"):
        changing = ChangingGraph(graph)
    last = run(graph)
    if last.record.status != "ok":
        raise WrongAnswer(f"wrong answer before the first batch: {last.record.error}")
    for number, batch in enumerate(batches, 1):
        version, begin = changing.version, time.perf_counter()
        with out_of_memory_as_error("applying a batch"):
            applied = _apply(changing, batch, number)
            int(changing.graph.csr.row_offsets[-1])  # waits until the rows are there
        apply_ms = 1e3 * (time.perf_counter() - begin)
        before = last.outputs[primitive.goes_on_from]
        last = run(changing.after(version, {primitive.goes_on_from: before}))
        yield Replayed(number, applied, apply_ms, last.record, run(changing.graph).record)


def _apply(changing: ChangingGraph, batch: Batch, number: int) -> Applied:
    weights: Any = None
    if changing.graph.weighted and not np.isnan(batch.weights).all():
        weights = np.where(np.isnan(batch.weights), 1.0, batch.weights)
    try:
        return changing.apply(batch.src, batch.dst, weights, batch.inserts)
    except (InputError, UsageError) as error:
        error.args = (f"batch {number}: {error}",)
        raise
