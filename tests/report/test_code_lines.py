"""Lines that count as lines of code."""

from __future__ import annotations

from pathlib import Path

import pytest

from gunrock_cli.report.evidence.code_lines import code_lines

CPP = """// A comment.
#include "x.cuh"

/* one
   more */ int a;  // and code before it
const char* url = "http://x";  /* " */
  // nothing
int b; /* to
the end */
"""
PYTHON = '''"""A docstring
of two lines."""

x = """text that
is used"""  # two lines


class A:
    """One."""

    y = 1
    """What y is."""

    def f(self) -> str:
        # nothing
        return "x"
'''


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [("a.cuh", CPP, 4), ("a.py", PYTHON, 6), ("empty.cuh", "", 0), ("empty.py", "", 0)],
)
def test_blank_lines_comments_and_docstrings_do_not(
    name: str, text: str, lines: int, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    assert code_lines(tmp_path / name) == lines
