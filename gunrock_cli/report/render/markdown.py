"""Tables as GitHub-flavoured Markdown."""

from __future__ import annotations

from gunrock_cli.report.cells import Table


def _line(texts: list[str]) -> str:
    return "| " + " | ".join(text.replace("|", "\\|").replace("\n", " ") for text in texts) + " |"


def markdown(table: Table) -> str:
    """Heading, table, caption, notes, and the records behind it folded away."""
    columns = list(table.columns)
    heads = [": ".join(filter(None, table.heading(column))) for column in columns]
    lines = [f"### {table.title}", "", _line([*table.row_labels, *heads]),
             "|" + "---|" * len(table.row_labels) + "--:|" * len(columns)]
    lines += [_line([*row, *(table.text(row, column) for column in columns)])
              for row in table.rows]
    lines += ["", table.caption, ""]
    lines += [text for note in table.all_notes for text in (note, "")]
    traced = [(row, column, cell) for row, column, cell in table.each() if cell.records]
    if traced:
        lines += ["<details><summary>Records behind the cells</summary>", ""]
        lines += [f"- {' / '.join([*row, *filter(None, column)])}: "
                  + " ".join(f"`{record}`" for record in cell.records)
                  for row, column, cell in traced]
        lines += ["", "</details>", ""]
    return "\n".join(lines)
