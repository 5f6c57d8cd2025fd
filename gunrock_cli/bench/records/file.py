"""Reading record files: JSON lines, of which a killed writer may have torn the last."""

from __future__ import annotations

import glob
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gunrock_cli.bench.records import strictjson
from gunrock_cli.bench.records.record import SCHEMA, STATUSES, Record
from gunrock_cli.bench.records.schema import check_record
from gunrock_cli.errors import InputError, printable
from gunrock_cli.files import end_torn_line
from gunrock_cli.graph.sources.progress import Progress, silent

_CUT_OFF = (json.JSONDecodeError, UnicodeDecodeError)


@dataclass(frozen=True)
class Problem:
    """A line that is not a record: where it is and why it was left out."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass
class RecordSet:
    """Records in the order read, and lines that could not be read."""

    records: list[Record] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def find(self, prefix: str) -> Record:
        """The one record whose id starts with ``prefix``."""
        found = [record for record in self.records if record.id.startswith(prefix)]
        if len(found) != 1:
            count = "no record" if not found else f"{len(found)} records"
            raise InputError(f"{count} with an id that starts with {prefix!r}")
        return found[0]


def content_id(record: Record) -> str:
    """The id of a record that was written without one (docs/records.md)."""
    data = asdict(record)
    del data["id"]
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:12]


def parse_record(line: str) -> Record:
    """One line as a record; ``ValueError`` says what is wrong with it."""
    data = strictjson.loads(line)
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    # Checked before the whole schema: these two say most about a file of another kind or version.
    if data.get("schema") != SCHEMA:
        raise ValueError(f"schema is {_shown(data.get('schema'))}, this version reads {SCHEMA!r}")
    if data.get("status") not in STATUSES:
        raise ValueError(f"status is {_shown(data.get('status'))}, not one of {', '.join(STATUSES)}")
    if missing := [name for name in ("primitive", "system") if name not in data]:
        raise ValueError(f"{' and '.join(missing)} missing")
    check_record(data)
    record = Record.from_dict(data)
    record.id = record.id or content_id(record)
    return record


def _shown(value: Any) -> str:
    return printable(repr(value))[:60]


def read_file(path: Path) -> RecordSet:
    """All records of one file. Bad lines become problems; a torn last line is reported as such."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(error.strerror or str(error), path=str(path)) from error
    result = RecordSet()
    lines = data.split(b"\n")
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        try:
            result.records.append(parse_record(raw.decode()))
        except ValueError as error:
            torn = number == len(lines) and isinstance(error, _CUT_OFF)
            message = "torn last line (its writer was killed)" if torn else f"no record: {_why(error)}"
            result.problems.append(Problem(str(path), number, message))
    return result


def _why(error: ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"not UTF-8 (byte {error.start + 1})"
    return f"not JSON ({error})" if isinstance(error, json.JSONDecodeError) else str(error)


def expand_paths(names: Iterable[str]) -> list[Path]:
    """Expand names to files: a folder stands for its ``*.jsonl``, and patterns are expanded."""
    paths: list[Path] = []
    for name in names:
        path = Path(name)
        if path.is_dir():
            found = sorted(path.rglob("*.jsonl"))
        elif not path.exists() and any(sign in name for sign in "*?["):
            found = [Path(match) for match in sorted(glob.glob(name, recursive=True))]
        else:
            found = [path]
        if not found:
            raise InputError("no record files (*.jsonl) here", path=name)
        paths += [path for path in found if path not in paths]
    return paths


def read_records(names: Sequence[str], progress: Progress = silent) -> RecordSet:
    """The records of several files or folders; each id is kept once (merged files overlap).

    A named file without any record is an InputError.
    """
    result = RecordSet()
    seen: set[str] = set()
    named = {Path(name) for name in names}
    paths = list(expand_paths(names))
    for number, path in enumerate(paths):
        progress(f"reading {path.name}", number / len(paths))
        part = read_file(path)
        if part.problems and not part.records and path in named:
            first, count = part.problems[0], len(part.problems)
            raise InputError(
                f"holds no record; the first of {count} bad lines: {first.message}"
                if count > 1
                else first.message,
                path=first.path,
                line=first.line,
            )
        if path in named and not part.records:
            raise InputError("holds no record: it is empty", path=str(path))
        result.problems += part.problems
        for record in part.records:
            if record.id not in seen:
                seen.add(record.id)
                result.records.append(record)
    return result


def repair_tail(path: Path) -> bool:
    """End a torn last line with a line break, so that appended text does not run into it."""
    return end_torn_line(path)
