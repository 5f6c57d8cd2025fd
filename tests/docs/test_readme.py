"""The README as a visitor meets it: a first screen that says it all, and nothing in it that is not so."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from gunrock_cli.cli.main import cli

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
FIRST = README.partition("\n## ")[0]
COMMANDS = [line.strip() for block in re.findall(r"```\n(.*?)```", README, re.DOTALL)
            for line in block.splitlines() if re.match(r"(\.venv/bin/)?gunrock ", line)]


def test_the_first_screen() -> None:
    assert "make demo" in FIRST
    assert "make test" in FIRST
    assert re.search(r"^\.venv/bin/gunrock bfs ", FIRST, re.MULTILINE)
    assert len(re.findall(r"!\[.*\]\(", FIRST)) == 1
    assert "|---" not in FIRST
    assert len(FIRST.splitlines()) <= 40


def is_plain(record: dict[str, Any]) -> bool:
    return not {"--direction", "--run-ahead", "--advance-mode"} & set(record["command"])


def test_the_claim_is_recorded() -> None:
    """Its BFS time is that of the record, to the digits given."""
    claimed = re.search(r"takes ([0-9.]+) ms", FIRST)
    assert claimed is not None
    lines = (ROOT / "results" / "h200" / "generated.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    time, = (record["time_ms"]["mean"] for record in records
             if (record["primitive"], record["system"]) == ("bfs", "gunrock") and is_plain(record)
             and 181e6 <= record["graph"]["edges"] < 182e6)
    assert claimed[1] == f"{time:.3f}"


def test_the_speedups_are_those_of_the_report() -> None:
    """Figures and graphs of both sides, without the marks that the text above them tells."""
    told = {line[0]: line[1:] for line in rows_of(README) if len(line) == 10}
    found = {(line[0], line[2]): [re.sub(r"[^\w.) ]+$", "", cell) for cell in line[3:]]
             for line in rows_of((ROOT / "results" / "h200" / "report" / "beside.md").read_text())
             if len(line) == 8}
    assert {"BFS", "SSSP", "BC", "PageRank", "CC"} < told.keys()
    for name in ("BFS", "SSSP", "BC", "PageRank", "CC"):
        cugraph, fastest = found[name, "cugraph, H200"], found[name, "the fastest of them"]
        assert told[name] == [*cugraph[:4], *fastest]
    cells = re.search(r"each of the ([0-9]+) cells", FIRST)
    assert cells is not None
    assert int(cells[1]) == sum(int(found[name, "cugraph, H200"][0])
                                for name in ("BFS", "SSSP", "BC", "PageRank", "CC"))


def rows_of(page: str) -> list[list[str]]:
    """The cells of its tables' rows."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines()
            if line.startswith("| ")]


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_exist_with_their_options(line: str) -> None:
    words = iter(shlex.split(line, comments=True)[1:])
    command: click.Command | None = cli
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(cli), next(words))
    assert command is not None
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    assert {word for word in words if word.startswith("-")} <= known

PAGES = ["README.md", *(str(page.relative_to(ROOT)) for page in ROOT.glob("docs/*.md"))]


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    file = ROOT / page
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", file.read_text(), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert target.startswith("http") or (file.parent / target).exists(), target
