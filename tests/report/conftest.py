"""The sample records, as data and as a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from records_helper import write_records
from sample_records import sample_records

from gunrock_cli.report.evidence.data import ReportData


@pytest.fixture
def data() -> ReportData:
    return ReportData(sample_records())


@pytest.fixture
def record_file(tmp_path: Path) -> Path:
    return write_records(tmp_path / "records.jsonl", sample_records())
