"""The worker's side of ``graphworker``: it runs one command line after the other in one process."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable
from typing import NamedTuple, TypedDict


class Ask(TypedDict):
    """A command line, and the files that take its output."""

    words: list[str]
    stdout: str
    stderr: str


class Reply(TypedDict):
    """How a command line ended: a ``Served`` as JSON."""

    code: int
    spoilt: bool


class Served(NamedTuple):
    """The end of a command line: ``code`` is the exit code that its own process would have. ``spoilt``
    means that state shared with the following lines has changed, so its output does not count."""

    code: int
    spoilt: bool = False


def serve(run: Callable[[list[str]], Served]) -> None:
    """Run every command line that arrives on standard input, until that ends. Each is a line of JSON: its
    ``words``, and the files that take its ``stdout`` and ``stderr``. A line of JSON reports how it ended,
    on the original standard output."""
    asked = os.fdopen(os.dup(0))  # processes that the lines start do not inherit these copies
    replies = os.fdopen(os.dup(1), "w")
    _replace(0, os.devnull, os.O_RDONLY)
    for line in asked:
        ask: Ask = json.loads(line)
        _replace(1, ask["stdout"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        _replace(2, ask["stderr"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        served = run(ask["words"])
        replies.write(json.dumps(served._asdict()) + "\n")
        replies.flush()


def exit_code(run: Callable[[], None]) -> int:
    """The exit code of a process that only does this. Exceptions are printed, as Python does at the end
    of a process."""
    code: object = 0
    try:
        run()
    except SystemExit as ended:
        code = 0 if ended.code is None else ended.code
        if not isinstance(code, int):
            print(code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code if isinstance(code, int) else 1


def _replace(number: int, path: str, flags: int) -> None:
    """Open a file under that number, which processes started from here inherit."""
    file = os.open(path, flags, 0o600)
    os.dup2(file, number)
    os.close(file)
