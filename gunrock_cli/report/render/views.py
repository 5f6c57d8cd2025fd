"""Tables for the page's template: parts, headings in up to two rows, rows of cells."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from gunrock_cli.report.forms.cells import Cell, Column, Row, Table
from gunrock_cli.report.render.facets import KINDS, Known

LONG = 60
"""A table that no paper printed is folded as a whole if it has more rows than this."""
SOURCES = {"ppopp16": "PPoPP'16", "arxiv15": "arXiv 2015", "merrill12": "Merrill 2012"}
BEYOND = "Beyond the papers"


def source_of(name: str) -> str:
    """The heading of a report in the contents."""
    return SOURCES.get(name.partition("-")[0], BEYOND)


def table_view(table: Table, known: Known) -> dict[str, Any]:
    """A table in its parts: rows that the paper has, and other measurements, to be folded; for a table
    without rows, only its text."""
    papers, others = split(table)
    folded = len(others) if papers or len(others) > LONG else 0
    return {
        "name": table.name,
        "title": table.title,
        "source": source_of(table.name),
        "caption": table.caption,
        "notes": table.all_notes,
        "main": part(table, papers or others, f"{table.name}-table", known)
        if papers or (others and not folded)
        else None,
        "more": part(table, others, f"{table.name}-{'more' if papers else 'table'}", known)
        if folded
        else None,
        "folded": f"{folded} further rows, not in the paper" if papers else f"All {folded} rows",
    }


def split(table: Table) -> tuple[list[Row], list[Row]]:
    """The rows that a paper printed, with other systems' rows on the same subject; and all others."""

    def subject(row: Row) -> Row:
        return tuple(
            text
            for label, text in zip(table.row_labels, row, strict=True)
            if label not in KINDS["system"]
        )

    printed = {subject(row) for row, _, cell in table.each() if cell.origin == "published"}
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row in table.rows:
        parts[subject(row) not in printed].append(row)
    return parts


def part(table: Table, rows: list[Row], name: str, known: Known) -> dict[str, Any]:
    """Some of a table's rows, with the columns that say anything about them."""
    columns = [
        column for column in table.columns if any((row, column) in table.cells for row in rows)
    ] or list(table.columns)
    groups = [(group, len(list(members))) for group, members in groupby(c[0] for c in columns)]
    return {
        "id": name,
        "row_labels": table.row_labels,
        "groups": groups if any(group for group, _ in groups) else [],
        "heads": [
            {
                "label": table.heading(column)[1],
                "group": column[0],
                "origin": table.column_origin(column),
                "facets": known.of_column(column),
            }
            for column in columns
        ],
        "rows": [
            {
                "labels": row,
                "facets": known.of_row(table, row),
                "cells": [cell_view(table, row, column) for column in columns],
            }
            for row in rows
        ],
    }


def cell_view(table: Table, row: Row, column: Column) -> dict[str, Any]:
    """A cell's view; a cell that was never put is empty, not a dash."""
    cell: Cell = table.cell(row, column)
    return {
        "text": table.text(row, column) if (row, column) in table.cells else "",
        "value": "" if cell.value is None else f"{cell.value:.7g}",
        "origin": cell.origin,
        "records": cell.records,
        "note": cell.note,
    }
