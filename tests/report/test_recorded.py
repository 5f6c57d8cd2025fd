"""The kept report agrees with its records."""

from __future__ import annotations

from pathlib import Path

from gunrock_cli.bench.recordfile import read_records
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.registry import build
from gunrock_cli.report.render.markdown import markdown

H200 = Path(__file__).resolve().parents[2] / "results" / "h200"
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
    "../h200x4/multi-gpu",
)


def test_the_table_beside_other_systems_is_made_of_its_records() -> None:
    records = read_records([str(H200 / f"{name}.jsonl") for name in RECORDS]).records
    table = build(ReportData(records), ["beside"]).tables[0]
    assert (H200 / "report" / "beside.md").read_text() == markdown(table)
