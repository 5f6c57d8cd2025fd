"""Running a sweep: one process per cell; whatever happens to it becomes one record, and the rest goes
on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.bench.records.file import Problem, parse_record, read_file
from gunrock_cli.bench.records.record import Record, keep_records
from gunrock_cli.bench.sweeps.plan import Plan, SweepCell

_OURS, _TRACEBACK = "gunrock: ", "Traceback (most recent call last):"
_MEMORY = re.compile(r"MemoryError|out of memory|not enough memory", re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """The result of one cell: its records (a failure is one too) and its stderr."""

    cell: SweepCell
    records: list[Record]
    stderr: str

    @property
    def status(self) -> str:
        """The status of gunrock's own record, which comes first."""
        return self.records[0].status


@dataclass(frozen=True)
class Ended:
    """The end of a cell's process: ``code`` is negative if a signal ended it."""

    code: int
    stdout: str
    stderr: str
    timed_out: bool


Run = Callable[[Sequence[str], float], Ended]
"""Runs a command for at most this many seconds."""


def recorded_cells(
    path: Path,
    *,
    keep_failed: bool = True,
    on_problems: Callable[[Sequence[Problem]], None] = lambda _: None,
) -> set[str]:
    """Keys of the cells that a record file already holds, without the failed ones if not ``keep_failed``.
    ``on_problems`` is called with the lines that could not be read: their cells run again."""
    if not path.exists():
        return set()
    found = read_file(path)
    on_problems(found.problems)
    return {
        str(record.sweep["cell"])
        for record in found.records
        if record.sweep.get("cell") and (keep_failed or record.status == "ok")
    }


def run_plan(
    plan: Plan,
    output: Path,
    command: Sequence[str],
    skip: set[str],
    begin: Callable[[SweepCell], None] | None = None,
) -> Iterator[Outcome]:
    """Run the cells that are not in ``skip``, in order, appending their records to ``output``."""
    for cell in plan.cells:
        if cell.key in skip:
            continue
        if begin is not None:
            begin(cell)
        outcome = run_cell(cell, command, plan.name)
        keep_records(output, outcome.records)
        yield outcome


def run_cell(cell: SweepCell, command: Sequence[str], sweep: str, run: Run | None = None) -> Outcome:
    """Run one cell in its own process, which ends with all its children when its time is over."""
    done = (run or run_process)([*command, *cell.arguments, "--json"], cell.timeout)
    records = _parse(done.stdout)  # a process that ended early also printed whole lines
    ended_early = done.timed_out or done.code not in (0, 1)
    if not any(record.system == "gunrock" for record in records) or (
        ended_early and all(record.status == "ok" for record in records)
    ):
        records = [_failure(cell, done), *records]
    return outcome_of(cell, records, sweep, done.stderr)


def outcome_of(cell: SweepCell, records: list[Record], sweep: str, stderr: str = "") -> Outcome:
    """The records of a cell, each marked as the cell's."""
    for record in records:
        record.sweep = {"name": sweep, "cell": cell.key, "graph": cell.graph.name}
        record.command = record.command or ["gunrock", *cell.arguments, "--json"]
    return Outcome(cell, records, stderr)


def failed_cell(cell: SweepCell, status: str, message: str) -> Record:
    """The record of a cell that wrote none itself: why, in one line."""
    return Record.new(
        cell.name,
        status=status,
        error=message,
        graph={"name": cell.graph.label},
        options=dict(cell.options),
    )


def run_process(
    arguments: Sequence[str],
    timeout: float,
    *,
    stdin: int = subprocess.DEVNULL,
    pass_fds: Sequence[int] = (),
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Ended:
    """Run a process in its own group, which is killed when its time is over or this raises."""
    process = subprocess.Popen(
        arguments,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        pass_fds=pass_fds,
        cwd=folder,
        env=environment,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        return Ended(process.returncode, stdout, stderr, False)
    except subprocess.TimeoutExpired:
        _end(process)
        stdout, stderr = process.communicate()
        return Ended(process.returncode, stdout, stderr, True)
    except BaseException:  # Ctrl-C included: none of our processes stays behind
        _end(process)
        process.wait()
        raise


def _end(process: subprocess.Popen[str]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _parse(stdout: str) -> list[Record]:
    records = []
    for line in stdout.splitlines():
        with suppress(ValueError):
            records.append(parse_record(line))
    return records


def _failure(cell: SweepCell, done: Ended) -> Record:
    """Say why a process printed no record: by our last line, which before a traceback or a signal only
    says where it ran."""
    lines = [
        line.strip()
        for line in done.stderr.splitlines()
        if line.strip() and not line.startswith("note: ")
    ]
    ours = [line for line in lines if line.startswith(_OURS)]
    others = [line for line in lines if not line.startswith(_OURS)]
    escaped = done.code < 0 or _TRACEBACK in lines
    told = others if escaped else ours or others
    last = told[-1].removeprefix(_OURS) if told else ""
    status = "error"
    if done.timed_out:
        status, message = "timeout", f"took longer than {cell.timeout:g} s"
    elif done.code < 0:
        name = signal.Signals(-done.code).name
        killed = ", as the kernel does when memory runs out" if name == "SIGKILL" else ""
        message = f"ended by {name}{killed}" + (f": {last}" if last else "")
    else:
        message = last or f"exit code {done.code}, and no record on stdout"
        if _MEMORY.search(message):
            status = "OOM"
    return failed_cell(cell, status, message)
