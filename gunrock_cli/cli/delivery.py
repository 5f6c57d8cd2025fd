"""Writing results to all requested places: every part is tried, even if another fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gunrock_cli.cli import messages
from gunrock_cli.errors import GunrockError

if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record


class Delivery:
    """The delivery for one command line. ``output`` takes the records, ``as_json`` prints them."""

    def __init__(self, output: Path | None, as_json: bool) -> None:
        self._output, self._as_json = output, as_json
        self._stdout_is_gone = False
        self._failures: list[Exception] = []

    def keep(self, record: Record, beside: Mapping[str, Any] | None = None) -> None:
        """Append and print a record at once, as the next step may end the process. ``beside`` is printed
        with it but not appended."""
        from gunrock_cli.bench.records.record import keep_records

        output = self._output
        if output is not None:
            self.attempt(lambda: keep_records(output, [record]))
        if self._as_json:
            self.show(lambda: click.echo(record.to_json(beside)))

    def show(self, step: Callable[[], None]) -> None:
        """Write to stdout, unless it was found closed or full."""
        from gunrock_cli.files import write_error

        if self._stdout_is_gone:
            return
        try:
            step()
        except OSError as error:
            self._stdout_is_gone = True
            closed = isinstance(error, BrokenPipeError)
            self._failures.append(error if closed else write_error(Path("stdout"), error))
            with suppress(OSError, ValueError):  # the rest of its buffer cannot be written either
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def attempt(self, step: Callable[[], None]) -> None:
        """Do one step; a failure is reported once all steps have been tried."""
        try:
            step()
        except GunrockError as error:
            self.fail(error)

    def fail(self, error: GunrockError) -> None:
        """Note a failed step."""
        self._failures.append(error)

    def report_failures(self) -> None:
        """Report on stderr which results were not delivered."""
        while self._failures:
            failure = self._failures.pop(0)
            if isinstance(failure, GunrockError):
                messages.error(f"gunrock: {failure}")

    def finish(self) -> None:
        """Report all failures except the last one, which is raised."""
        last = self._failures.pop() if self._failures else None
        self.report_failures()
        if last is not None:
            raise last
