"""Constants that a measurement chose cite a decision: the decisions that code cites are in
docs/decisions, once, and no decision outlives the code that followed it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.name: page.read_text() for page in (ROOT / "docs" / "decisions").glob("*.md")}
ID = r"D-[a-z]+-[0-9]+"
DECIDED = [name for page in PAGES.values() for name in re.findall(rf"^### ({ID}): ", page, re.MULTILINE)]


def test_what_the_code_cites_is_decided_and_nothing_else() -> None:
    cited = {
        name: str(file.relative_to(ROOT))
        for folder in ("kernels", "gunrock_cli")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".py", ".cuh", ".cu", ".hpp", ".cpp")
        for name in re.findall(ID, file.read_text())
    }
    undecided = {name: file for name, file in cited.items() if name not in DECIDED}
    assert undecided == {}
    assert set(DECIDED) - set(cited) == set()


def test_an_id_names_one_decision() -> None:
    assert [name for name, times in Counter(DECIDED).items() if times > 1] == []


def test_pages_refer_to_what_is_decided() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    named = {name: page.name for page in pages for name in re.findall(ID, page.read_text())}
    assert {name: page for name, page in named.items() if name not in DECIDED} == {}


def test_the_index_names_every_area() -> None:
    assert set(re.findall(r"^- \[([a-z]+\.md)\]\(\1\)", PAGES["README.md"], re.MULTILINE)) == set(
        PAGES
    ) - {"README.md"}
