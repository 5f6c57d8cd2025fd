"""The number of lines of code in a file, without blank lines, comments and docstrings."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

_QUOTED_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


def code_lines(path: Path) -> int:
    """Count the lines of C++ or Python, by the file's suffix."""
    text = path.read_text("utf-8")
    return len(python_lines(text) if path.suffix == ".py" else cpp_lines(text))


def cpp_lines(text: str) -> list[str]:
    """The lines of C++ that hold more than comments."""

    def blank(match: re.Match[str]) -> str:
        return match[0] if match[0][0] in "\"'" else "\n" * match[0].count("\n")

    return [line for line in _QUOTED_OR_COMMENT.sub(blank, text).splitlines() if line.strip()]


def python_lines(text: str) -> set[int]:
    """The numbers of the lines of Python that hold more than comments and docstrings."""
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _NO_CODE:
            found.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):  # also docstrings of attributes
            found.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found
