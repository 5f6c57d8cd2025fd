"""The outputs of a primitive, and how they were measured."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.shapes import TraceRow
from gunrock_cli.face.near import nearest
from gunrock_cli.face.tables import Layout, frame_of
from gunrock_cli.graph.changing import Version
from gunrock_cli.graph.model.graph import Array

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 10
"""The number of rows that a notebook shows."""


@dataclass(frozen=True, repr=False, eq=False)
class Outputs:
    """Outputs by name, also as attributes (``labels``, ``distances``, ``predecessors``, ``scores``,
    ``components``, ``ranks``, ...). Most have shape (n,); docs/python.md lists the others, such as the
    edges of ``mst``, and dtypes. They are NumPy's or CuPy's, like A."""

    outputs: Mapping[str, Array]
    layout: Layout
    others: ClassVar[tuple[str, ...]] = ()

    @property
    def names(self) -> pd.Index[Any] | None:
        """The vertices' names, in the order of the outputs, or None if the names are their numbers."""
        return self.layout.names

    def to_frame(self) -> pd.DataFrame:
        """Return a frame on the host with one row per vertex, under its name if it has one, and a column
        for each output with a value per vertex. Outputs that are vertices are given by name, or missing
        if negative. If the answer is a list, its rows."""
        return frame_of(self.outputs, self.layout)

    def __getattr__(self, name: str) -> Array:
        outputs = self.__dict__.get("outputs", {})  # missing while a copy is being made
        if name in outputs:
            return outputs[name]
        raise AttributeError(f"no {name!r} in this result: {nearest(name, (*outputs, *self.others))}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.outputs]

    def _repr_html_(self) -> str:
        """Describe the result and show its first rows, for notebooks."""
        rows = frame_of(self.outputs, self.layout, SHOWN).to_html()  # which escapes names
        return f"<p>{html.escape(repr(self))}</p>{rows}"


@dataclass(frozen=True, repr=False, eq=False)
class Result(Outputs):
    """The outputs of a measurement, and the record of its runs."""

    record: Record
    version: Version | None = None
    """The state of a changing graph that this is the answer for."""
    others = ("record", "trace", "limited_by", "changes")

    @property
    def trace(self) -> list[TraceRow]:
        """The work and the time in ms of each step, a dictionary per step; empty unless
        ``trace=True``."""
        return self.record.trace

    @property
    def changes(self) -> Mapping[str, int | bool] | None:
        """Changes to the given edges, such as dropped self loops, by name (docs/records.md), or None if
        not known."""
        return self.record.graph.get("changes")

    @property
    def limited_by(self) -> tuple[str, ...]:
        """The options whose limit (such as ``max_iterations``) ended the run, or a part of it, early."""
        return tuple(self.record.limited_by or ())

    def __repr__(self) -> str:
        graph, time = self.record.graph, self.record.time_ms
        took = "" if time is None else f", {time.mean:.4g} ms on {self.record.backend}"
        return (
            f"<{self.record.primitive} on {graph['vertices']:,} vertices, {graph['edges']:,} edges: "
            f"{', '.join(self.outputs)}{took}{_ended(self.limited_by)}>"
        )


@dataclass(frozen=True, repr=False, eq=False)
class Answer(Outputs):
    """The outputs of one run of a prepared primitive; ``ms`` is the enactor's time in milliseconds,
    ``steps`` the number of its steps, and ``limited_by`` names the options whose limit ended it."""

    primitive: str
    ms: float
    steps: int
    limited_by: tuple[str, ...] = ()
    others = ("ms", "steps", "limited_by")

    def __repr__(self) -> str:
        return (
            f"<{self.primitive} on {self.layout.n:,} vertices: {', '.join(self.outputs)}, "
            f"{self.ms:.4g} ms{_ended(self.limited_by)}>"
        )


def _ended(limits: tuple[str, ...]) -> str:
    return f", ended by its limit {' and '.join(limits)}" if limits else ""
