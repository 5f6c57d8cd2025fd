"""No prose has the patterns that CONTRIBUTING.md, "Words", lists and a machine can be sure of."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READ = (
    "CONTRIBUTING.md",
    "README.md",
    "CHANGELOG.md",
    "docs",
    "gunrock_cli",
    "kernels",
    "benchmarks",
    "tests",
)
"""Files and folders whose words are checked. A folder stands for every file of a suffix in READERS."""

PATTERNS = {
    r"what lacks": "name what is missing",
    r"what came of": '"the result of", "what happened to"',
    r"anew": '"again"',
    r"by (?:hundred|thousand|million)": '"hundreds of", "thousands of"',
    r"where there is none": '"or None", "if there is none"',
    r"as far as": '"if", "where", or the limit itself',
    r"(?-i:Those of any)": "repeat the noun",
    r"(?-i:The same for all)": "repeat the noun",
    r"not so(?=[.,;:)]|$)": "say what is the case",
}
"""Patterns that are not written, in any case of letters, and what to write instead."""
OPENINGS = {r"Whether": '"True if", "Return whether"'}
"""Patterns that do not open a docstring, and what to write instead."""

Line = tuple[int, str]


def of_markdown(text: str) -> Iterator[Line]:
    """The lines outside fenced blocks, without code spans."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.lstrip().startswith("```")
        if not fenced:
            yield number, re.sub(r"`[^`]*`", "``", line)


def of_python(text: str) -> Iterator[Line]:
    """Comments, then docstrings and other strings that are statements, such as those below a constant."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")
    for number, docstring in docstrings(text):
        yield from enumerate(docstring.splitlines(), number)


def docstrings(text: str) -> Iterator[Line]:
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                yield node.lineno, docstring


def of_cpp(text: str) -> Iterator[Line]:
    """The text after two slashes: kernels have no other comments."""
    for number, line in enumerate(text.splitlines(), 1):
        _, slashes, comment = line.partition("//")
        if slashes:
            yield number, comment.strip()


READERS = {".md": of_markdown, ".py": of_python, **dict.fromkeys((".cuh", ".cu", ".hpp", ".cpp"), of_cpp)}


def passages(lines: Iterable[Line]) -> Iterator[Line]:
    """Consecutive lines as one, so that a phrase is found across a line's end."""
    first, held = 0, list[str]()
    for number, line in lines:
        if held and number != first + len(held):
            yield first, "\n".join(held)
            held = []
        if not held:
            first = number
        held.append(line)
    yield first, "\n".join(held)


def findings(suffix: str, text: str) -> Iterator[tuple[int, str, str]]:
    """The line, the words, and what to write instead."""
    for first, passage in passages(READERS[suffix](text)):
        for pattern, instead in PATTERNS.items():
            words = pattern.replace(" ", r"\s+")
            for found in re.finditer(rf"(?im)\b{words}(?!\w)", passage):
                line = first + passage.count("\n", 0, found.start())
                yield line, " ".join(found[0].split()), instead
    for number, docstring in docstrings(text) if suffix == ".py" else ():
        for pattern, instead in OPENINGS.items():
            if found := re.match(rf"{pattern}\b", docstring.strip()):
                yield number, found[0], instead


def files() -> Iterator[Path]:
    for name in READ:
        path = ROOT / name
        inside = path.rglob("*") if path.is_dir() else [path]
        yield from (file for file in sorted(inside) if file.suffix in READERS)


def test_the_words_are_plain() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: '{words}': {instead}"
        for file in files()
        for number, words, instead in findings(file.suffix, file.read_text())
    ]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("suffix", "text", "lines"),
    [
        (".md", "Fine.\nRuns begin anew.\n`anew`\n```\nanew\n```\nWhat lacks?\n", [2, 7]),
        (".py", '"""Whether it is."""\nx = "anew"  # what came of it\n', [1, 2]),
        (".py", 'def f():\n    """Fine.\n\n    Where there is none, 0."""\n', [4]),
        (".py", "# zero where there\n# is none, which is not so.\n", [1, 2]),
        (".cuh", '#include "anew.cuh"\nint x;  // or done\n        // anew\n', [3]),
    ],
)
def test_what_is_found(suffix: str, text: str, lines: list[int]) -> None:
    assert sorted(number for number, *_ in findings(suffix, text)) == lines
