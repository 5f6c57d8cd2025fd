"""The site: its pages and reference, and, if MkDocs is installed, that it builds without a warning."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest
from script_helper import load_benchmark

import gunrock_cli as gunrock

ROOT = Path(__file__).resolve().parents[2]
MKDOCS = shutil.which("mkdocs")
NAV = re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    return load_benchmark("site_pages")


@pytest.fixture(scope="module")
def pages(maker: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    maker.write_pages(folder)
    return folder


def test_every_page_of_docs_is_in_the_contents_and_on_the_site(pages: Path) -> None:
    written = {f"docs/{page.name}" for page in (ROOT / "docs").glob("*.md")}
    assert written <= set(NAV)
    assert set(NAV) <= {str(page.relative_to(pages)) for page in pages.rglob("*.md")}


def test_all_links_of_the_site_lead_to_files_of_the_site(maker: ModuleType, pages: Path) -> None:
    found = 0
    for page in pages.rglob("*.md"):
        for path, _ in maker.links_of(page):
            found += 1
            assert not path or (page.parent / path).is_file(), f"{page}: {path}"
    assert found > 100


def test_the_reference_has_everything_that_python_offers(pages: Path) -> None:
    text = (pages / "docs" / "api.md").read_text()
    assert set(re.findall(r"^## (\w+)$", text, re.MULTILINE)) == {
        name for name in dir(gunrock) if not name.startswith("_")
    }
    assert "bfs(A: Any, source: int | str = 0" in text
    assert "Breadth-first search: depths and predecessors from a source." in text


@pytest.mark.skipif(MKDOCS is None, reason="mkdocs is missing: pip install -e '.[docs]'")
def test_the_site_builds_without_a_warning(pages: Path, tmp_path: Path) -> None:
    settings = (ROOT / "mkdocs.yml").read_text().replace("build/pages", str(pages))
    (tmp_path / "mkdocs.yml").write_text(settings.replace("build/site", str(tmp_path / "built")))
    done = subprocess.run(
        [str(MKDOCS), "build", "--strict"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "built" / "docs" / "api.html").is_file()
