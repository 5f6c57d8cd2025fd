"""Tables as GitHub-flavoured Markdown."""

from __future__ import annotations

import re

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.visible import visible

_SPECIAL = re.compile(
    r"""
    [\\`*\[\]<>|~&$\#]      # wherever they stand
  | (?<![^\W_])_ | _(?![^\W_])  # not within a word: a graph's name has them
  | (?<=[a-z]):(?=//)       # bare addresses become links
  | (?<=www)\. | (?<=\w)@(?=\w)
""",
    re.VERBOSE | re.IGNORECASE,
)


def escape(text: str) -> str:
    """Plain text for Markdown, inside or outside a table, without markup or links."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def code(text: str) -> str:
    """A code span, fenced by more backticks than the text has in a row."""
    shown = visible(text)
    fence = "`" * (1 + max(map(len, re.findall("`+", shown)), default=0))
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def line(texts: list[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(escape, texts))} |"


def markdown(table: Table) -> str:
    """Heading, table, caption, notes, and the records behind it folded away."""
    columns = list(table.columns)
    heads = [": ".join(filter(None, table.heading(column))) for column in columns]
    lines = [
        f"### {escape(table.title)}",
        "",
        line([*table.row_labels, *heads]),
        "|" + "---|" * len(table.row_labels) + "--:|" * len(columns),
    ]
    lines += [line([*row, *(table.text(row, column) for column in columns)]) for row in table.rows]
    lines += ["", escape(table.caption), ""]
    lines += [text for note in table.all_notes for text in (escape(note), "")]
    traced = [(row, column, cell) for row, column, cell in table.each() if cell.records]
    if traced:
        lines += ["<details><summary>Records behind the cells</summary>", ""]
        lines += [
            f"- {escape(' / '.join([*row, *filter(None, column)]))}: " + " ".join(map(code, cell.records))
            for row, column, cell in traced
        ]
        lines += ["", "</details>", ""]
    return "\n".join(lines)
