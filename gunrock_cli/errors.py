"""The errors that a user can cause, each shown as one line: the fault, its place, the remedy.

Exit codes, for scripts: 0 success, 1 a wrong answer or a regression, 2 bad input or usage, 130 and 141 as
in other tools for Ctrl-C and for a reader of their output that went away. Anything else that escapes is a
defect of gunrock, and shows its traceback.
"""

from __future__ import annotations

import re

EXIT_WRONG = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130  # 128 + SIGINT
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE

# C0, C1, line and paragraph separators, marks that change the text direction, lone surrogates.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """Text from outside as one line: control characters are shown as ``\\x1b``, not obeyed."""
    return _CONTROL.sub(lambda found: ascii(found.group())[1:-1], text)


class GunrockError(Exception):
    """A failure to report in one line on stderr. ``status`` goes into records."""

    exit_code = EXIT_USAGE
    status = "error"


class InputError(GunrockError):
    """Bad input: names the file, the line if known (counting from 1), and the remedy."""

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None) -> None:
        self.path = path
        self.line = line
        place = ":".join(str(part) for part in (path, line) if part is not None)
        super().__init__(f"{place}: {message}" if place else message)


class UsageError(GunrockError):
    """Flags that contradict each other, or a value out of its range."""


class WrongAnswer(GunrockError):
    """The answer did not pass its check."""

    exit_code = EXIT_WRONG
    status = "wrong"


class BackendError(GunrockError):
    """No usable GPU or compiler, or the toolchain refused our code."""


class OutOfMemory(GunrockError):
    """The device or the host does not have enough memory for the graph and the primitive's arrays."""

    status = "OOM"
