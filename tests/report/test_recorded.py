"""The tables that are kept for README say what the records say."""

from __future__ import annotations

from pathlib import Path

import pytest

from gunrock_cli.bench.records.file import read_records
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.registry import build
from gunrock_cli.report.render.markdown import markdown

RESULTS = Path(__file__).resolve().parents[2] / "results"
RECORDS = (
    "generated",
    "own",
    "real",
    "peers",
    "cugraph",
    "beside",
    "ranking",
    "classics",
    "scaling",
    "merrill12",
    "profile",
    "../graphs",
)


@pytest.fixture(scope="module")
def recorded() -> ReportData:
    return ReportData(read_records([str(RESULTS / "h200" / f"{name}.jsonl") for name in RECORDS]).records)


@pytest.mark.parametrize("name", [file.stem for file in (RESULTS / "shown").glob("*.md")])
def test_the_tables_that_the_readme_quotes_are_made_of_the_records(
    name: str, recorded: ReportData
) -> None:
    (table,) = build(recorded, [name]).tables
    assert (RESULTS / "shown" / f"{name}.md").read_text() == markdown(table)
