"""The answers of a measurement's runs, source by source: counted, kept and checked off the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array, Graph, to_numpy
from gunrock_cli.primitives.base import Primitive, SumsSources, Validation, Work
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.shown import Listed, Listing, Outputs

MOST_CHECKED = 8
"""The number of sources whose answers are checked, if there are several: references can take long."""
MOST_KEPT = 1 << 30
"""Bytes of outputs that may wait on the host for their check."""


class Answers:
    """The result of every source's last run: how much work it was, and its outputs, to be checked against
    a reference when all runs are done. The work is counted on ``graph``, wherever that is.
    ``prove(source, outputs)`` checks each source's outputs at once.

    If a primitive sums over its sources, the sum of the first output (in float64) replaces the last
    source's, and ``each`` is not called; otherwise it is, with the source and its outputs on the host."""

    def __init__(
        self,
        primitive: Primitive,
        graph: Graph,
        options: Options,
        sources: Sequence[int],
        kept: bool,
        outputs: Callable[[], dict[str, Array]],
        each: Callable[[int, Outputs], None] | None = None,
        prove: Callable[[int, dict[str, Array]], Validation | None] = lambda *_: None,
    ) -> None:
        self.works: list[Work] = []
        self.listings: list[tuple[int, Listing]] = []
        self._primitive, self._graph, self._options = primitive, graph, options
        self._sources = list(sources) if primitive.reads_source(options) else []
        self._summed = primitive if isinstance(primitive, SumsSources) and len(sources) > 1 else None
        self._keeps = kept and self._summed is None
        self._outputs = outputs
        self._prove = prove
        self._proofs: list[tuple[int, Validation | None]] = []
        self._each = None if self._summed or not self._sources else each
        self._last: dict[str, Array] = {}
        self._total: Array | None = None
        self._earlier: dict[int, dict[str, Array]] = {}

    def add(self, number: int) -> None:
        """Add the result of source ``number``, after its last run."""
        outputs = self._last = self._outputs()
        here = (
            {name: to_numpy(array) for name, array in outputs.items()}
            if self._graph.xp is np
            else outputs
        )
        self.works.append(self._primitive.work(self._graph, self._options, here))
        source = self._sources[number] if self._sources else 0
        self._proofs.append((source, self._prove(source, outputs)))
        if isinstance(shows := self._primitive.shows, Listed):
            self.listings += shows.listings(
                self._options, self._sources[number] if self._sources else None, _on_host(outputs)
            )
        if self._summed is not None:
            scores = next(iter(outputs.values())).astype(np.float64)
            self._total = scores if self._total is None else self._total + scores
        if self._each is not None:
            self._each(self._sources[number], _on_host(outputs))
        if self._keeps and number + 1 < len(self._sources) and self._room(outputs):
            self._earlier[self._sources[number]] = _on_host(outputs)

    def last(self, in_place: bool = False) -> dict[str, Array]:
        """The outputs that are shown and saved: copies on the host, or, if ``in_place``, arrays where the
        graph's are."""
        found = dict(self._last)
        if self._total is not None:
            found[next(iter(found))] = self._total
        return found if in_place else _on_host(found)

    def proved(self) -> Validation | None:
        """The verdict of the proofs, or None if some answer could not be proved either way."""
        several, verdict = len(self._proofs) > 1, None
        for source, verdict in self._proofs:
            if verdict is None:
                return None
            if verdict.verdict == "fail":
                return _from(source, verdict) if several else verdict
        return replace(verdict, sources=len(self._proofs)) if verdict and several else verdict

    def validate(self, graph: Graph, last: Mapping[str, Array]) -> Validation:
        """Check the sources whose outputs were kept, and the last; ``graph`` is on the host."""
        last = {name: to_numpy(array) for name, array in last.items()}
        primitive, options, sources = self._primitive, self._options, self._sources
        if self._summed is not None:
            return self._summed.validate_sum(graph, options, sources, last)
        if len(sources) < 2:
            return primitive.validate(graph, options, sources[0] if sources else None, last)
        found = {**self._earlier, sources[-1]: last}
        for source, outputs in found.items():
            verdict = primitive.validate(graph, options, source, outputs)
            if verdict.verdict == "fail":
                return _from(source, verdict)
        return replace(verdict, sources=len(found))

    def _room(self, outputs: dict[str, Array]) -> bool:
        kept = len(self._earlier) + 1
        size = sum(array.nbytes for array in outputs.values())
        return kept < MOST_CHECKED and kept * size <= MOST_KEPT


def _on_host(outputs: dict[str, Array]) -> dict[str, np.ndarray[Any, Any]]:
    return {name: to_numpy(array).copy() for name, array in outputs.items()}


def _from(source: int, verdict: Validation) -> Validation:
    return replace(verdict, message=f"from source {source}: {verdict.message}")
