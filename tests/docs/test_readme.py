"""README and docs/results.md agree with the records, and links of all pages lead somewhere."""

from __future__ import annotations

import html
import re
from pathlib import Path
from types import ModuleType

import pytest
from docs.commands import lines_of
from script_helper import load_benchmark

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.speedups import speedups

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return load_benchmark("results_page")


@pytest.fixture(scope="module")
def data(maker: ModuleType) -> ReportData:
    found = maker.recorded()
    assert isinstance(found, ReportData)
    return found


def test_the_page_of_results_is_made_of_the_records(maker: ModuleType, data: ReportData) -> None:
    assert (ROOT / "docs" / "results.md").read_text() == maker.page(data)


def test_the_readmes_table_is_made_of_the_records(maker: ModuleType, data: ReportData) -> None:
    assert maker.summary(data) in README


def test_the_readmes_claims_are_those_of_the_records(maker: ModuleType, data: ReportData) -> None:
    text = " ".join(README.split())
    assert ("No system is ahead on the graphs recorded here" in text) == (
        not maker.lost(speedups(data, checked=True))
    )
    layout = maker.newest_plain(("generated",))["pagerank", "rmat-s21-e48"].metrics["renumber_ms"]
    assert f"numbering the vertices by degree, {layout:.2g} ms, once" in text


def test_the_picture_is_of_a_line_of_the_readme() -> None:
    svg = (ROOT / "docs" / "bfs.svg").read_text()
    shown = html.unescape(re.sub("<.*?>", "", svg)).replace("\xa0", " ")
    assert any(f"$ {line}" in shown for line in lines_of("README.md"))


PAGES = ["README.md", *(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/**/*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    file = ROOT / page
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(), flags=re.DOTALL)
    for target, anchor in re.findall(r"\]\(([^)#]*)#?([^)]*)\)", prose):
        linked = file.parent / target if target else file
        assert target.startswith("http") or linked.exists(), target
        if anchor and linked.suffix == ".md" and not target.startswith("http"):
            assert anchor in anchors(linked), f"{target}#{anchor}"


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading).lower().replace(" ", "-") for heading in headings}
