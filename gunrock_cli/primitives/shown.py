"""How an answer is shown and saved, besides a value per vertex."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Outputs = Mapping[str, np.ndarray[Any, Any]]


@dataclass(frozen=True)
class Listing:
    """A short answer as a table."""

    headings: tuple[str, ...]
    rows: tuple[tuple[int | float, ...], ...]

    def to_dict(self) -> dict[str, list[int | float]]:
        """Return a list for each column."""
        return {heading: [row[place] for row in self.rows] for place, heading in enumerate(self.headings)}


@dataclass(frozen=True)
class Shown:
    """What the outputs are, for tables and files."""

    columns: tuple[str, ...] = ()
    """The outputs that together are one answer: ``--save`` writes them as columns of one file, ``--top``
    shows each. If empty, the first output is the answer."""
    further: tuple[str, ...] = ()
    """Outputs besides the answer that have a flag of their own, such as ``--save-predecessors``."""
    rows: Mapping[str, str] = field(default_factory=dict)
    """If the answer is a list rather than a value per vertex: the columns that ``--save`` writes, one row
    per entry, and the outputs that they hold."""
    nearest_first: bool = False
    """True if the first output holds distances, negative or infinite if unreached: ``--top`` then shows
    the smallest, otherwise the highest."""
    vertices: tuple[str, ...] = ()
    """Outputs whose values are vertices, or negative for none: tables show them by the user's names."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Outputs whose values are places in another output, which tables show instead."""

    def row_columns(self, options: Any) -> Mapping[str, str]:
        """``rows`` with these options, which need not be resolved."""
        return self.rows

    def column_names(self, options: Any) -> tuple[str, ...]:
        """A name for each column, if the first output has several values per vertex; ``options`` are
        resolved."""
        return ()


def entries(name: str, outputs: Mapping[str, Any], places: Mapping[str, str]) -> tuple[str, Any]:
    """An output's values in tables, and the output that they are of: itself, or by ``places`` another one
    that it refers to."""
    if name not in places:
        return name, outputs[name]
    return places[name], outputs[places[name]][outputs[name]]


@dataclass(frozen=True)
class Listed(Shown):
    """For answers that are so short that they are always shown."""

    def listings(self, options: Any, source: int | None, outputs: Outputs) -> list[tuple[int, Listing]]:
        """All tables of a run, each with its vertex; ``source`` is None if the run read none."""
        raise NotImplementedError
