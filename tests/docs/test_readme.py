"""The README as a visitor meets it: a first screen that says it all, and nothing in it that is not so."""

from __future__ import annotations

import json
import math
import re
import shlex
from pathlib import Path

import click
import pytest

from gunrock_cli.bench.record import Record
from gunrock_cli.cli.main import cli
from gunrock_cli.report.marks import modified
from gunrock_cli.report.plain_runs import is_plain
from gunrock_cli.report.tables.beside import RECORDED

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
FIRST = README.partition("\n## ")[0]
REPORT = ROOT / "results" / "shown"
MARKS = "‡≠§¶?※≈‖°◊⇅"
"""What a record is not: docs/tables.md."""
COMMANDS = [
    line.strip()
    for block in re.findall(r"```\n(.*?)```", README, re.DOTALL)
    for line in block.splitlines()
    if re.match(r"(\.venv/bin/)?gunrock ", line)
]


def test_the_first_screen() -> None:
    assert "make demo" in FIRST
    assert "make test" in FIRST
    assert re.search(r"^\.venv/bin/gunrock bfs ", FIRST, re.MULTILINE)
    assert len(re.findall(r"!\[.*\]\(", FIRST)) == 1
    assert "|---" not in FIRST
    assert len(FIRST.splitlines()) <= 40


def test_the_claim_is_recorded() -> None:
    """Its BFS time is that of the record, to the digits given."""
    claimed = re.search(r"takes ([0-9.]+) ms", FIRST)
    assert claimed is not None
    lines = (ROOT / "results" / "h200" / "generated.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    (time,) = (
        record["time_ms"]["mean"]
        for record in records
        if (record["primitive"], record["system"]) == ("bfs", "gunrock")
        and is_plain(Record.from_dict(record))
        and 181e6 <= record["graph"]["edges"] < 182e6
    )
    assert claimed[1] == f"{time:.3f}"


NAMES = {
    "cugraph, H200": "cuGraph 26.10",
    "Gunrock 1.2 (C++), H200": "Gunrock 1.2 (C++)",
    "gswitch, H200": "GSWITCH",
    "blest, H200": "BLEST",
    "adds, H200": "ADDS",
    "ecl-cc, H200": "ECL-CC",
    "the fastest of them": "the fastest of all",
}
"""How README calls the report's systems: all on the same GPU, and whoever is the fastest."""
PRIMITIVES = ("BFS", "SSSP", "BC", "PageRank", "CC")


def reported() -> dict[tuple[str, str], list[str]]:
    """By primitive and system, cells of the table ``beside`` that README quotes, marks and all."""
    return {
        (line[0], NAMES[line[2]]): line[3:]
        for line in rows_of((REPORT / "beside.md").read_text())
        if len(line) == 10 and line[0] in PRIMITIVES and line[2] in NAMES
    }


def marks(cell: str) -> str:
    return cell[len(cell.rstrip(MARKS)) :]


def test_the_speedups_are_those_of_the_report() -> None:
    """Every system on the same GPU stands there, with the marks of its mean; where none is ahead, README
    says so in words."""
    found = reported()
    told = {
        (line[0], line[1].rstrip(MARKS).strip()): line[1:]
        for line in rows_of(README)
        if len(line) == 8 and line[0] in PRIMITIVES
    }
    assert told.keys() == found.keys()
    for what, (name, *figures) in told.items():
        cells = found[what]
        assert figures == [cell.rstrip(MARKS).replace("—", "-") for cell in cells[:6]], what
        assert marks(name) == marks(cells[1]), what
        assert cells[6] == "on none"
    assert "as it is on every graph of the table" in README
    page = (REPORT / "beside.md").read_text()
    lost = [
        line[-1]
        for line in rows_of(page)
        if len(line) == 10 and line[-1] != "on none" and line[2] not in ("Over", "the fastest of them")
    ]
    assert not lost
    assert (
        "and of those of the other\nprimitives: these are the recorded graphs, and say nothing of others"
    ) in README


def test_claims_are_as_wide_as_their_records() -> None:
    """Of how many graphs no system is ahead, and how cuGraph was recorded, there and in the report."""
    text = " ".join(FIRST.split())
    graphs = [int(line[0]) for (_, name), line in reported().items() if name == "the fastest of all"]
    assert len(graphs) == len(PRIMITIVES)
    assert f"recorded here, {min(graphs)} to {max(graphs)} for each of these five, no measured" in text
    assert "of others nothing is known" in text
    records = [
        Record.from_dict(json.loads(line))
        for file in (ROOT / "results" / "h200").glob("*.jsonl")
        for line in file.read_text().splitlines()
        if '"cugraph"' in line
    ]
    theirs = [record for record in records if record.system == "cugraph"]
    assert {len(record.runs_ms) for record in theirs} == {5}
    assert all(map(modified, theirs))
    assert "(all its records are of 5 runs, from a modified tree)" in text
    page = (REPORT / "beside.md").read_text()
    assert RECORDED in page
    assert "All records of cugraph, H200 (59): of 5 runs, from a modified tree." in page


def test_the_first_screens_speedups_are_those_of_the_report() -> None:
    """Also that no call of cuGraph's was as fast as ours."""
    found = reported()
    text = " ".join(FIRST.split())
    told = re.search(r"takes ([0-9.]+) times as long, and ([0-9.]+) times in the mean over (\w+)", text)
    assert told is not None
    graphs, mean, worst, *_ = found["BFS", "Gunrock 1.2 (C++)"]
    assert (told[1], told[2], told[3]) == (f"{number(worst):.2g}", f"{number(mean):.2g}", "six")
    assert "kron_g500-logn21" in worst
    assert graphs == "6"
    cells = re.search(r"each of the ([0-9]+) recorded cells", text)
    assert cells is not None
    assert int(cells[1]) == sum(int(found[name, "cuGraph 26.10"][0]) for name in PRIMITIVES)
    cugraph = {name: found[name, "cuGraph 26.10"] for name in PRIMITIVES}
    assert all(number(row[column]) > 1 for row in cugraph.values() for column in (2, 5))
    calls = re.search(r"its mean is (.*?)\. On the graphs", text)
    assert calls is not None
    means = re.findall(r"([0-9.]+) (?:times ours )?for (\w+)", calls[1])
    assert {name: float(mean) for mean, name in means} == {
        name: float(f"{number(row[4]):.2g}") for name, row in cugraph.items()
    }


def test_the_papers_table_is_that_of_the_report() -> None:
    """Published figures as they are printed, measured ones to three digits."""
    page = (REPORT / "ppopp16-table3.md").read_text()
    head, *lines = [line for line in rows_of(page) if len(line) > 30]
    columns = [
        head.index(f"Runtime (ms): {name}")
        for name in (
            "Hardwired GPU†",
            "Gunrock†",
            "Gunrock 1.2 (C++), H200",
            "cugraph, H200",
            "gunrock, H200",
        )
    ]
    found = {(line[0], line[1]): [line[column] for column in columns] for line in lines}
    rows = 0
    for line in rows_of(README):
        if len(line) != 11 or line[0] not in PRIMITIVES:
            continue
        rows += 1
        for graph, told in (("kron", line[1:6]), ("rgg", line[6:])):
            cells = found[line[0], graph]
            if line[0] == "PageRank":  # cuGraph's is a whole run, which has a row of its own
                assert "§" in cells[3]
                cells[3] = "-"
            assert all(map(agree, told, cells)), (line[0], graph)
            assert all(
                ("¶" in cell) <= ("¶" in quoted)
                for cell, quoted in zip((cells[2], cells[4]), (told[2], told[4]), strict=True)
            )
    assert rows == len(PRIMITIVES)


def number(cell: str) -> float:
    return float(cell.partition(" ")[0].rstrip(MARKS))


def agree(told: str, cell: str) -> bool:
    """Whether a figure of README is the report's, whose fourth digit may be a five, to three digits; or
    the same stands in its place."""
    first, second = (each.rstrip(MARKS + "*\\").replace("—", "-") for each in (told, cell))
    if not re.fullmatch(r"[0-9.]+", second):
        return first == second
    unit = 10.0 ** (math.floor(math.log10(float(second))) - 2)
    return abs(float(first) - float(second)) <= unit / 2 * (1 + 1e-9)


def rows_of(page: str) -> list[list[str]]:
    """The cells of its tables' rows."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in page.splitlines()
        if line.startswith("| ")
    ]


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
