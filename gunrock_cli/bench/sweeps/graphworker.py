"""Running a sweep graph by graph: one process loads a graph and runs all of its cells.

Whatever ends that process (a crash, a cell's time limit, a lack of memory) costs only the current cell,
as if each cell had its own process; the next cell gets a new one. A failed cell ends the process too, as
nobody can tell what it has left behind."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from gunrock_cli.bench.records.record import keep_records
from gunrock_cli.bench.sweeps.plan import Plan, SweepCell
from gunrock_cli.bench.sweeps.run import Ended, Outcome, run_cell
from gunrock_cli.bench.sweeps.serving import Ask, Reply

SPOILT = "gunrock: the run wrote over its graph, so its record is not kept"
_TURN = 0.5  # seconds between checks that the process is alive
_PATIENCE = 10.0  # seconds for a silent process to end on its own


def by_graph(cells: Sequence[SweepCell], skip: set[str]) -> list[list[SweepCell]]:
    """The cells that are not in ``skip``, grouped by graph: graphs, and the cells of each, in the order
    of the plan."""
    groups: dict[tuple[str, ...], list[SweepCell]] = {}
    for cell in cells:
        if cell.key not in skip:
            groups.setdefault(cell.graph.words, []).append(cell)
    return [*groups.values()]


def run_plan(
    plan: Plan,
    output: Path,
    command: Sequence[str],
    skip: set[str],
    begin: Callable[[SweepCell], None] | None = None,
) -> Iterator[Outcome]:
    """Run the plan as ``sweeprun.run_plan`` does, but with a process per graph; ``command`` is one that
    ``serves``."""
    for cells in by_graph(plan.cells, skip):
        with GraphWorker(command) as worker:
            for cell in cells:
                if begin is not None:
                    begin(cell)
                outcome = run_cell(cell, (), plan.name, worker.run)
                for record in outcome.records:
                    record.sweep["process"] = "graph"
                keep_records(output, outcome.records)
                yield outcome


class GraphWorker:
    """The process, started when there is something to run. It leads its own process group, which ends
    with it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> GraphWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def run(self, arguments: Sequence[str], timeout: float) -> Ended:
        """Run a command line, for at most ``timeout`` seconds, including the start of the process."""
        with tempfile.TemporaryDirectory(prefix="gunrock-cell-") as name:
            stdout, stderr = Path(name, "stdout"), Path(name, "stderr")
            ask: Ask = {"words": list(arguments), "stdout": str(stdout), "stderr": str(stderr)}
            try:
                found, timed_out = self._answer(ask, time.monotonic() + timeout)
                code = found["code"] if found else self._exit_code(timed_out)
            except BaseException:  # Ctrl-C included: none of our processes stays behind
                self.end()
                raise
            spoilt = found is not None and bool(found["spoilt"])
            if code != 0 or spoilt:
                self.end()
            if spoilt:
                return Ended(2, "", SPOILT, False)
            return Ended(code, _text(stdout), _text(stderr), timed_out)

    def end(self) -> None:
        """End the process, if there is one, and everything that it has started."""
        if self._process is None:
            return
        process, self._process = self._process, None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # the unread command line is still buffered
                pipe.close()  # type: ignore[union-attr]

    def _answer(self, ask: Ask, deadline: float) -> tuple[Reply | None, bool]:
        """The process's answer to a command line, or None if it ended or timed out; and True if it timed
        out."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(BrokenPipeError):  # it has ended, as is seen below
            process.stdin.write(json.dumps(ask).encode() + b"\n")
            process.stdin.flush()
        while True:
            ended = process.poll() is not None  # checked before looking: output until then is complete
            left = deadline - time.monotonic()
            pause = 0.0 if ended else max(0.0, min(left, _TURN))
            if select.select([process.stdout], [], [], pause)[0]:
                line = process.stdout.readline()
                return (json.loads(line) if line.endswith(b"\n") else None), False
            if ended or left <= 0:
                return None, not ended

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        return self._process

    def _exit_code(self, timed_out: bool) -> int:
        """The exit code of a process that no longer answers."""
        process = self._process
        assert process is not None
        with suppress(subprocess.TimeoutExpired):
            process.wait(0 if timed_out else _PATIENCE)
        self.end()
        return process.returncode or -signal.SIGKILL


def _text(path: Path) -> str:
    return path.read_text(errors="replace") if path.exists() else ""
