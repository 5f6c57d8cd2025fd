"""Tables as LaTeX (booktabs, multirow)."""

from __future__ import annotations

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.visible import visible

SIGNS = {"†": r"\textdagger{}", "‡": r"\textdaggerdbl{}", "§": r"\textsection{}", "—": "---",
         "·": r"\textperiodcentered{}", "¶": r"\textparagraph{}", "‖": r"\textbardbl{}",
         "°": r"\textdegree{}", "※": r"\textreferencemark{}", "≈": r"\ensuremath{\approx}"}  # fmt: skip
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
    """A table environment; the records behind each cell follow as comments."""
    frame = table.frame().map(escape)
    frame.index.names = [escape(str(name)) for name in frame.index.names]
    styler = frame.style
    for axis in (0, 1):
        styler = styler.format_index(lambda label: escape(str(label)), axis=axis)
    caption = " ".join([f"{table.title}.", table.caption, *table.all_notes])
    body = styler.to_latex(
        hrules=True,
        caption=escape(caption),
        label=f"tab:{table.name}",
        multicol_align="c",
        position="tbp",
    )
    comments = [
        "% " + visible(f"{' / '.join([*row, *filter(None, column)])}: {' '.join(cell.records)}")
        for row, column, cell in table.each()
        if cell.records
    ]
    head = "% needs \\usepackage{booktabs,multirow,textcomp}\n"
    return head + str(body) + "".join(line + "\n" for line in comments)
