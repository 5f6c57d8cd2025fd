"""The primitive, graph and system of rows and columns: the filters of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.report.forms.cells import Column, Row, Table
from gunrock_cli.visible import visible

KINDS = {
    "primitive": ("Alg.", "Algorithm", "Primitive"),
    "graph": ("Dataset", "Graph"),
    "system": ("System", "Framework", "Gunrock", "Over"),
}
"""The kinds of filter, and the names that tables give to the row labels of each."""

Facets = dict[str, list[str]]
"""The names of each kind that a row or a column holds; without a kind, it is about all of them."""


class Known:
    """The names that were measured or published."""

    def __init__(self, data: ReportData) -> None:
        self._data = data
        self._found: dict[tuple[str, str], list[str]] = {}

    @cached_property
    def names(self) -> Facets:
        """The names of each kind, measured ones first."""
        papers = self._data.papers.measurements
        primitives = [*PRIMITIVES.values(), *map(primitive_label, self._data.primitives)]
        systems = [system.label for system in self._data.systems]
        return {
            "primitive": list(dict.fromkeys(primitives)),
            "graph": list(dict.fromkeys([*self._data.graphs(), *map(str, papers["dataset"])])),
            "system": list(dict.fromkeys([*systems, *map(str, papers["system"])])),
        }

    def choices(self, shown: Sequence[Facets]) -> Facets:
        """The available choices: the names that rows and columns hold, in order."""
        used = {kind: {name for facets in shown for name in facets.get(kind, [])} for kind in KINDS}
        return {kind: [name for name in self.names[kind] if name in used[kind]] for kind in KINDS}

    def of_row(self, table: Table, row: Row) -> Facets:
        found: dict[str, list[str]] = {}
        for label, text in zip(table.row_labels, row, strict=True):
            for kind, labels in KINDS.items():
                if label in labels:
                    found.setdefault(kind, []).extend(self._named(kind, text))
        return {kind: names for kind, names in found.items() if names}

    def of_column(self, column: Column) -> Facets:
        found = {kind: self._named(kind, column[1]) for kind in KINDS}
        return {kind: names for kind, names in found.items() if names}

    def _named(self, kind: str, text: str) -> list[str]:
        """The known names that occur whole in a text: ``A over B``, ``A / B``, ``A, distances``."""
        if (kind, text) not in self._found:
            shown = visible(text)
            self._found[kind, text] = [
                name
                for name in self.names[kind]
                if name in shown
                and re.search(rf"(?:^| over | / ){re.escape(name)}(?=$| over | / |, )", shown)
            ]
        return self._found[kind, text]
