"""The command line that is being run."""

from __future__ import annotations

import sys


def invoked_command() -> list[str]:
    """The command line as the user gave it, for the record."""
    return ["gunrock", *sys.argv[1:]]
