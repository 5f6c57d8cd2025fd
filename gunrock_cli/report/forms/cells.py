"""Cells that know where they come from, and tables of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gunrock_cli.visible import visible

if TYPE_CHECKING:
    import pandas as pd

Origin = Literal["published", "measured", ""]
Column = tuple[str, str]  # group ("" for none), label
Row = tuple[str, ...]

MARKS: dict[Origin, str] = {"published": "†", "measured": "", "": ""}
LEGEND = "† published in the paper, not measured here."
MISSING = "—"


@dataclass(frozen=True)
class Mark:
    """A sign after a figure, and the line below the table that explains it."""

    sign: str
    note: str


@dataclass(frozen=True)
class Cell:
    """One figure: its text, its number, where it comes from, and the records behind it.

    ``note`` is for this cell; each of ``marks`` is explained below the table."""

    text: str
    value: float | None = None
    origin: Origin = ""
    records: tuple[str, ...] = ()
    note: str = ""
    marks: tuple[Mark, ...] = ()

    @property
    def flag(self) -> str:
        """The signs of its marks."""
        return "".join(dict.fromkeys(mark.sign for mark in self.marks))

    @property
    def marked(self) -> str:
        """The text with the marks that a reader needs if the column does not say it."""
        return f"{self.text}{self.flag}{MARKS[self.origin]}"

    def __str__(self) -> str:
        return self.marked


EMPTY = Cell(MISSING)


@dataclass
class Table:
    """Cells by row and column, in the order in which they were first put."""

    name: str
    title: str
    row_labels: tuple[str, ...]
    caption: str = ""
    notes: list[str] = field(default_factory=list)
    missing: str = ""
    """Why the table has no measurements, and what to run."""
    cells: dict[tuple[Row, Column], Cell] = field(default_factory=dict)
    rows: dict[Row, None] = field(default_factory=dict)
    columns: dict[Column, None] = field(default_factory=dict)
    _origins: dict[Column, Origin] = field(default_factory=dict, repr=False)
    """What ``column_origin`` found, until the next cell is put: each cell of a column asks for it."""

    def put(self, row: Row, column: Column, cell: Cell) -> None:
        """Set a cell; add its row and column if they are new."""
        if len(row) != len(self.row_labels):
            raise ValueError(f"row {row} does not fit the labels {self.row_labels}")
        self.rows.setdefault(row)
        self.columns.setdefault(column)
        self.cells[row, column] = cell
        self._origins.pop(column, None)

    def declare(self, rows: Iterable[Row] = (), columns: Iterable[Column] = ()) -> None:
        """Fix the order of rows and columns before cells are put."""
        for row in rows:
            self.rows.setdefault(row)
        for column in columns:
            self.columns.setdefault(column)

    def cell(self, row: Row, column: Column) -> Cell:
        return self.cells.get((row, column), EMPTY)

    def drop_empty_columns(self) -> None:
        """Drop columns that were declared and never filled."""
        filled = {column for _, column in self.cells}
        self.columns = {column: None for column in self.columns if column in filled}

    def lead(self, labels: Iterable[str]) -> None:
        """Move the columns of these systems to the beginning of their groups."""
        names = tuple(labels)

        def own(column: Column) -> bool:
            return any(
                column[1] == name or column[1].startswith((f"{name}, ", f"{name} ")) for name in names
            )

        groups = dict.fromkeys(group for group, _ in self.columns)
        self.columns = {
            column: None
            for group in groups
            for column in sorted(
                (each for each in self.columns if each[0] == group), key=lambda each: not own(each)
            )
        }

    def each(self) -> Iterator[tuple[Row, Column, Cell]]:
        """The cells that were put, row by row."""
        for row in self.rows:
            for column in self.columns:
                if (row, column) in self.cells:
                    yield row, column, self.cells[row, column]

    def column_origin(self, column: Column) -> Origin:
        """The origin shared by all of a column's figures, or "" if they are mixed."""
        if column not in self._origins:
            found = {origin for row in self.rows if (origin := self.cell(row, column).origin)}
            self._origins[column] = found.pop() if len(found) == 1 else ""
        return self._origins[column]

    def text(self, row: Row, column: Column) -> str:
        """A cell's text; marked as published if the column's heading does not say so."""
        cell = self.cell(row, column)
        return cell.text + cell.flag if self.column_origin(column) else cell.marked

    def heading(self, column: Column) -> Column:
        """The column's heading with the mark of its origin."""
        return column[0], column[1] + MARKS[self.column_origin(column)]

    @property
    def record_ids(self) -> list[str]:
        """Ids of all records in it, in order, each once."""
        return list(dict.fromkeys(i for _, _, cell in self.each() for i in cell.records))

    @property
    def has_records(self) -> bool:
        """True if records stand behind a cell: something was measured."""
        return any(cell.records for _, _, cell in self.each())

    @property
    def has_published(self) -> bool:
        return any(cell.origin == "published" for _, _, cell in self.each())

    @property
    def all_notes(self) -> list[str]:
        """The legend of the marks, then the table's own notes, then what is missing."""
        legend = [LEGEND] if self.has_published else []
        marks = dict.fromkeys(mark for _, _, cell in self.each() for mark in cell.marks)
        legend += [f"{mark.sign} {mark.note}" for mark in marks]
        return legend + self.notes + ([self.missing] if self.missing else [])

    def frame(self) -> pd.DataFrame:
        """The table as pandas: texts with their marks, rows and columns as labelled, escaped for
        display."""
        import pandas as pd

        columns = list(self.columns)
        texts = [[visible(self.text(row, column)) for column in columns] for row in self.rows]
        rows = [tuple(map(visible, row)) for row in self.rows]
        index = pd.MultiIndex.from_tuples(rows, names=list(map(visible, self.row_labels)))
        heads = [tuple(map(visible, self.heading(column))) for column in columns]
        if any(group for group, _ in heads):
            head: pd.Index = pd.MultiIndex.from_tuples(heads)
        else:
            head = pd.Index([label for _, label in heads])
        return pd.DataFrame(texts, index=index, columns=head)

    def long_frame(self) -> pd.DataFrame:
        """One line per cell, with its number, origin, note and record ids: for other programs."""
        import pandas as pd

        lines = [
            {
                "table": self.name,
                **dict(zip(self.row_labels, row, strict=True)),
                "group": column[0],
                "column": column[1],
                "value": cell.value,
                "text": cell.text,
                "marks": "; ".join(mark.note for mark in cell.marks),
                "origin": cell.origin,
                "records": " ".join(cell.records),
                "note": cell.note,
            }
            for row, column, cell in self.each()
        ]
        names = ["table", *self.row_labels, "group", "column", "value", "text", "marks", "origin",
                 "records", "note"]  # fmt: skip
        shown = [
            [
                visible(value) if isinstance(value, str) else value
                for value in (line[name] for name in names)
            ]
            for line in lines
        ]
        return pd.DataFrame(shown, columns=list(map(visible, names)))
