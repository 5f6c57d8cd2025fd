"""Finds regular expressions in lines. ``printed`` runs this script, which uses only the standard library,
as a separate process: an expression may take longer than anyone waits, and only the end of its process
stops it.

Standard input is JSON: ``{"patterns": {NAME: TEXT}, "lines": [LINE, ...]}``; standard output is ``{NAME:
[match of the group, or of the whole, ...]}``."""

from __future__ import annotations

import json
import re
import sys

MOST_FOUND = 100_000
"""The most matches of one expression."""


def main() -> None:
    asked = json.load(sys.stdin)
    json.dump({name: find(text, asked["lines"]) for name, text in asked["patterns"].items()}, sys.stdout)


def find(text: str, lines: list[str]) -> list[str]:
    """The matches of an expression, line by line."""
    pattern = re.compile(text)
    found: list[str] = []
    for line in lines:
        for match in pattern.finditer(line):
            if len(found) == MOST_FOUND:
                return found
            found.append(match.group(pattern.groups) or "")
    return found


if __name__ == "__main__":
    main()
