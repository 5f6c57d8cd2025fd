"""Constants that a measurement chose cite a decision: what the code cites is decided in docs/decisions,
once, and no decision outlives the code that followed it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.name: page.read_text() for page in (ROOT / "docs" / "decisions").glob("*.md")}
ID = r"D-[a-z]+-[0-9]+"
HEADINGS = {
    name: [
        re.sub(r"[^\w\- ]", "", line).lower().replace(" ", "-")
        for line in re.findall(r"^#+ (.*)$", page, re.M)
    ]
    for name, page in PAGES.items()
}
"""By page, the anchors that a browser finds its headings by."""
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


def test_links_to_decisions_lead_to_their_headings() -> None:
    links = [
        (page.name, name, anchor)
        for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        for name, anchor in re.findall(r"\(\S*?decisions/([\w.]+)#([^)]*)\)", page.read_text())
    ]
    assert links
    assert [link for link in links if link[2] not in HEADINGS.get(link[1], ())] == []
