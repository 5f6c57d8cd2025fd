"""The command lines of README and docs."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ELSEWHERE = {
    "docs/writing-a-primitive.md": "its files are written and run by its own test",
    "docs/tutorials.md": "its blocks are run in their order by its own test",
    "docs/peers.md": "programs of others are described and run by tests/peers/commands",
}
"""Pages whose lines need files that other tests make."""


def lines_of(page: str) -> list[str]:
    """Lines that run gunrock, with continued lines joined, without ``.venv/bin/`` and prompts."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    blocks = [text for language, text in fenced if language in ("", "sh", "bash")]
    lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
    plain = [re.sub(r"^(?:\$ )?(?:\.venv/bin/)?", "", line.strip()) for line in lines]
    return [line for line in plain if re.match(r"(?:\S+ \S+ \| )?gunrock ", line)]


def spans_of(page: str, column: int) -> list[str]:
    """The code spans in a column of a page's tables."""
    rows = [
        line.strip().strip("|").split(" | ")
        for line in (ROOT / page).read_text().splitlines()
        if line.startswith("| ")
    ]
    return [span for row in rows for span in re.findall(r"`([^`]+)`", row[column])]


PAGES = {
    page: lines
    for page in ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
    if (lines := lines_of(page))
}
