"""Tables as LaTeX (booktabs, multirow)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.visible import visible

SIGNS = {"†": r"\textdagger{}", "‡": r"\textdaggerdbl{}", "§": r"\textsection{}", "—": "---",
         "·": r"\textperiodcentered{}", "¶": r"\textparagraph{}", "‖": r"\textbardbl{}",
         "≥": r"\ensuremath{\geq}",
         "°": r"\textdegree{}", "※": r"\textreferencemark{}", "≈": r"\ensuremath{\approx}",
         "≠": r"\ensuremath{\neq}", "⊣": r"\ensuremath{\dashv}", "◊": r"\ensuremath{\diamond}",
         "⇅": r"\ensuremath{\updownarrow}", "❄": r"\ensuremath{\ast}", "…": r"\ldots{}"}  # fmt: skip
"""Marks, and other signs of tables, that LaTeX's fonts do not have under their own code."""
MOST_CAPTION = 400
SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
}  # after the end of a row these would be its arguments


def escape(text: str) -> str:
    """Plain text for LaTeX, on one line."""
    return "".join(SPECIAL.get(sign) or SIGNS.get(sign, sign) for sign in visible(text))


def latex(table: Table) -> str:
    """A table environment with its notes below; the records behind each cell follow as comments."""
    frame = table.frame().map(escape)
    frame.index.names = [escape(str(name)) for name in frame.index.names]
    styler = frame.style
    for axis in (0, 1):
        styler = styler.format_index(lambda label: escape(str(label)), axis=axis)
    caption, rest = captioned(f"{table.title}. {table.caption}".strip())
    body = styler.to_latex(
        column_format=alignment(table),
        hrules=True,
        caption=caption,
        label=f"tab:{table.name}",
        multicol_align="c",
        position="tbp",
    )
    notes = [escape(note) for note in (rest, *table.all_notes) if note]
    comments = [
        "% " + visible(f"{' / '.join([*row, *filter(None, column)])}: {' '.join(cell.records)}")
        for row, column, cell in table.each()
        if cell.records
    ]
    end = "\\end{table}"
    head = "% needs \\usepackage{booktabs,multirow,textcomp}\n"
    text = str(body).replace(end, below(notes) + end)
    return head + text + "".join(line + "\n" for line in comments)


def alignment(table: Table) -> str:
    """Labels and words at the left, numbers at the right."""
    numbers = {column for _, column, cell in table.each() if cell.value is not None}
    return "l" * len(table.row_labels) + "".join(
        "r" if column in numbers else "l" for column in table.columns
    )


def captioned(text: str) -> tuple[str, str]:
    """The sentences that fit into a caption, escaped, at least one; and the rest, for the notes."""
    sentences = re.split(r"(?<=[.]) (?=[A-Z])", text)
    kept = 1
    while kept < len(sentences) and len(escape(" ".join(sentences[: kept + 1]))) < MOST_CAPTION:
        kept += 1
    return escape(" ".join(sentences[:kept])), " ".join(sentences[kept:])


def below(notes: Sequence[str]) -> str:
    """The notes, below the table, as wide as the page's text."""
    if not notes:
        return ""
    return "\n".join(
        (
            r"\par\smallskip",
            r"\begin{minipage}{\linewidth}\footnotesize",
            "\\\\\n".join(notes),
            r"\end{minipage}",
            "",
        )
    )
