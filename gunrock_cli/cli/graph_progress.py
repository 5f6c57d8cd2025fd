"""Progress of loading or generating: a line on stderr after more than 2 seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gunrock_cli.cli.messages import is_quiet, step
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from gunrock_cli.graph.sources.progress import Progress

DELAY = 2.0  # seconds


@contextmanager
def graph_progress(enabled: bool | None = None) -> Iterator[Progress]:
    """Yield a callback for functions such as ``load_graph``. Nothing is shown in the first two seconds,
    nor if stderr is not a terminal (unless ``enabled``); the line disappears at the end."""
    steps = _Steps()
    if is_quiet() or not (sys.stderr.isatty() if enabled is None else enabled):
        yield steps.report
        return
    from gunrock_cli.toolchain.binaries import listening

    line = _Line()

    def report(stage: str, fraction: float | None) -> None:
        steps.report(stage, fraction)
        line.report(stage, fraction)

    try:
        with listening(line.compiling):
            yield report
    finally:
        line.close()


class _Steps:
    """Logs each stage once, for -v and the log."""

    def __init__(self) -> None:
        self._stage = ""

    def report(self, stage: str, fraction: float | None) -> None:
        if stage != self._stage:
            self._stage = stage
            step(stage)


class _Line:
    """A bar (or a spinner, while the fraction is unknown) that a timer shows."""

    def __init__(self) -> None:
        self._stage = ""
        self._fraction: float | None = None
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._thread.start()

    def report(self, stage: str, fraction: float | None) -> None:
        self._stage, self._fraction = stage, fraction

    def compiling(self, what: str) -> None:
        self._stage, self._fraction = f"compiling {what}" if what else "", None

    def close(self) -> None:
        self._closed.set()
        self._thread.join()

    def _show(self) -> None:
        begun = time.monotonic()
        if self._closed.wait(DELAY):
            return
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        from gunrock_cli.cli.console import console

        with Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=30),
            TextColumn("{task.fields[seconds]:.0f} s"),
            console=console(stderr=True),
            transient=True,
        ) as bar:
            task = bar.add_task("", total=None, seconds=0.0)
            while not self._closed.wait(0.2):
                fraction = self._fraction
                bar.update(
                    task,
                    description=visible(self._stage),
                    total=None if fraction is None else 1.0,
                    completed=fraction or 0.0,
                    seconds=time.monotonic() - begun,
                )
