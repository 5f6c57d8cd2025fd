"""Gather the pages of the site: README, what its links lead to, and a reference made from docstrings.

python benchmarks/site_pages.py build/pages   # then: mkdocs build
"""

from __future__ import annotations

import argparse
import inspect
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

import gunrock_cli as gunrock

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
"""A link or picture of Markdown: its text, and where it leads."""
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
START = ("README.md", "docs/index.md", "CONTRIBUTING.md", "CHANGELOG.md")
API = "docs/api.md"


def links_of(page: Path) -> Iterator[tuple[str, str]]:
    """A page's links to files: the path as written, and the anchor."""
    for _, _, target in LINK.findall(FENCE.sub("", page.read_text())):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor


def reached(root: Path = ROOT) -> list[Path]:
    """The files that the first pages' links lead to, from page to page."""
    found, waiting = [], [root / name for name in START]
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.append(file)
        if file.suffix == ".md":
            named = ((file.parent / path).resolve() for path, _ in links_of(file) if path)
            waiting += [each for each in named if each.is_file() and root in each.parents]
    return sorted(found)


def staged(page: Path) -> str:
    """A page's text, with links to folders as plain text: a site has no such pages."""

    def rewritten(link: re.Match[str]) -> str:
        path = link[3].partition("#")[0]
        leads_nowhere = path and not re.match(r"[a-z]+:", path) and not (page.parent / path).is_file()
        return link[2] if leads_nowhere else link[0]

    return LINK.sub(rewritten, page.read_text())


def reference() -> str:
    """A page of everything that ``import gunrock_cli`` offers: signatures and docstrings."""
    parts = [
        "# Python reference\n\nWhat `import gunrock_cli as gunrock` offers, from its docstrings; "
        "[python.md](python.md) explains it with examples."
    ]
    for name in sorted(each for each in dir(gunrock) if not each.startswith("_")):
        thing = getattr(gunrock, name)
        parts.append(f"## {name}\n\n```python\n{name}{signature_of(thing)}\n```\n")
        parts.append(f"```text\n{inspect.getdoc(thing) or ''}\n```")
    return "\n\n".join(parts) + "\n"


def signature_of(thing: object) -> str:
    """The parameters, in lines of a page's width; exceptions have none of their own."""
    if isinstance(thing, type) and issubclass(thing, Exception):
        return ""
    assert callable(thing)
    return fill(str(inspect.signature(thing)), 90, subsequent_indent="    ", break_long_words=False)


def write_pages(folder: Path) -> list[Path]:
    """Write all pages and the files that they link to; returns their places in the site."""
    shutil.rmtree(folder, ignore_errors=True)
    files = reached()
    for file in files:
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            target.write_text(staged(file))
        else:
            shutil.copyfile(file, target)
    (folder / API).write_text(reference())
    return [file.relative_to(ROOT) for file in files] + [Path(API)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    print(f"{len(write_pages(parser.parse_args().folder))} files")


if __name__ == "__main__":
    main()
