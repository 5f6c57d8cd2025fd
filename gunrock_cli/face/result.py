"""What a primitive found, and how it was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gunrock_cli.bench.record import Record
from gunrock_cli.graph.model import Array


@dataclass(frozen=True, repr=False, eq=False)
class Result:
    """The outputs by name, also as attributes (``labels``, ``distances``, ``predecessors``, ``scores``,
    ``components``, ``ranks``: an array of n entries each; of ``mst`` a list's columns), and the record of
    the run."""

    record: Record
    outputs: Mapping[str, Array]

    @property
    def trace(self) -> list[dict[str, Any]]:
        """What each step did and took, a dictionary a step; empty unless ``trace=True``."""
        return self.record.trace

    def __getattr__(self, name: str) -> Array:
        outputs = self.__dict__.get("outputs", {})  # not there while a copy is being made
        if name in outputs:
            return outputs[name]
        raise AttributeError(f"no {name!r} in this result: it has {', '.join((*outputs, 'record'))}"
                             ", trace")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.outputs]

    def __repr__(self) -> str:
        graph, time = self.record.graph, self.record.time_ms
        took = "" if time is None else f", {time.mean:.4g} ms on {self.record.backend}"
        return (f"<{self.record.primitive} on {graph['vertices']} vertices, {graph['edges']} edges: "
                f"{', '.join(self.outputs)}{took}>")
