"""The output of a program: the lines in which expressions are looked for, and the part that is kept."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from gunrock_cli.errors import BackendError
from gunrock_cli.visible import visible

LONGEST_LINE = 2000
"""Characters of a line that are searched; the rest is not read."""
MOST_SECONDS = 10.0
"""The time limit for all expressions together, over all lines of a program."""
KEPT = 2000
"""Characters kept from the end of each stream with a failure."""
_MATCHER = Path(__file__).with_name("matcher.py")


@dataclass(frozen=True)
class Printed:
    """Standard output and standard error, each a text."""

    stdout: str = ""
    stderr: str = ""

    @property
    def lines(self) -> list[str]:
        """The lines of standard output, then those of standard error, cut to LONGEST_LINE. (In one
        stream, a line of one could break into a line of the other, and split a number.)"""
        return [
            line[:LONGEST_LINE]
            for text in (self.stdout, self.stderr)
            for line in re.split(r"[\r\n]+", text)
            if line
        ]

    @property
    def last(self) -> str:
        """The last non-blank line, from standard error if it has one; escaped for display."""
        for text in (self.stderr, self.stdout):
            lines = [line for line in text[-10 * KEPT :].splitlines() if line.strip()]
            if lines:
                return visible(lines[-1].strip())[:200]
        return ""

    @property
    def kept(self) -> str:
        """The end of both streams, control characters made visible."""
        parts = [_tail(self.stdout)]
        if self.stderr.strip():
            parts += ["[standard error]", _tail(self.stderr)]
        return "\n".join(part for part in parts if part)

    def find(self, patterns: Mapping[str, re.Pattern[str]]) -> dict[str, list[str]]:
        """The matches of each expression, line by line, in order. They are found in a separate process,
        which is ended if it takes too long: BackendError."""
        asked = json.dumps(
            {"patterns": {name: each.pattern for name, each in patterns.items()}, "lines": self.lines}
        )
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", str(_MATCHER)],
                input=asked,
                text=True,
                capture_output=True,
                timeout=MOST_SECONDS,
                check=True,
            )
        except subprocess.TimeoutExpired:
            raise BackendError(
                "printed what the expressions for " + ", ".join(patterns) + " took longer "
                f"than {MOST_SECONDS:g} s on: write simpler ones"
            ) from None
        except subprocess.CalledProcessError as error:
            raise BackendError(
                "printed what the expressions for " + ", ".join(patterns) + " failed on: "
                f"{visible(error.stderr.strip())[-200:]}"
            ) from None
        found: dict[str, list[str]] = json.loads(done.stdout)
        return found


def decoded(stdout: bytes, stderr: bytes) -> Printed:
    """Decode both streams; bytes that are not UTF-8 become replacement characters."""
    return Printed(stdout.decode(errors="replace"), stderr.decode(errors="replace"))


def _tail(text: str) -> str:
    shown = "\n".join(visible(line) for line in text[-KEPT:].strip("\r\n").splitlines())
    cut = len(text) > KEPT or len(shown) > 2 * KEPT
    return ("... " if cut else "") + shown[-2 * KEPT :]
