"""Constants that a measurement chose cite it: what code cites is decided in docs/performance.md, by one
paragraph each that gives its figures, and no decision outlives the code that followed it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "performance.md").read_text()
LOG = (ROOT / "docs" / "performance-log.md").read_text()
ID = r"D-[a-z]+-[0-9]+"
DECISIONS = dict(re.findall(rf"^### ({ID}): (.*?)(?=^#|\Z)", PAGE, re.MULTILINE | re.DOTALL))
CITED = {
    (str(file.relative_to(ROOT)), name)
    for folder in ("kernels", "gunrock_cli")
    for file in (ROOT / folder).rglob("*")
    if file.suffix in (".py", ".cuh", ".cu", ".hpp", ".cpp")
    for name in re.findall(ID, file.read_text())
}


@pytest.mark.parametrize(("file", "name"), sorted(CITED))
def test_what_code_cites_is_decided(file: str, name: str) -> None:
    assert name in DECISIONS, f"{file} cites {name}, which docs/performance.md lacks"


def test_what_is_decided_is_cited() -> None:
    assert set(DECISIONS) == {name for _, name in CITED}


def test_an_id_names_one_decision() -> None:
    headings = re.findall(rf"^### ({ID}):", PAGE, re.MULTILINE)
    assert [name for name, times in Counter(headings).items() if times > 1] == []


@pytest.mark.parametrize("name", sorted(DECISIONS))
def test_a_decision_gives_its_figures_and_what_lost(name: str) -> None:
    parts = re.findall(r"^\*\*(\w+):\*\* *(\S)?", DECISIONS[name], re.MULTILINE)
    assert [part for part, _ in parts] == ["Decided", "Figures", "Lost"]
    figures = DECISIONS[name].partition("**Figures:**")[2].partition("**Lost:**")[0]
    assert re.search(r"\d", figures)


def test_the_pages_refer_to_what_is_decided() -> None:
    assert set(re.findall(ID, PAGE + LOG)) <= set(DECISIONS)
