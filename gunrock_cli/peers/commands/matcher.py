"""Finds regular expressions in lines: a script that uses only the standard library, which ``printed``
runs as its own process, since an expression may take longer than anyone waits, and nothing else ends it.

Standard input is JSON: ``{"patterns": {NAME: TEXT}, "lines": [LINE, ...]}``; standard output is
``{NAME: [what the group, or the whole, matched, ...]}``.
"""

from __future__ import annotations

import json
import re
import sys

MOST_FOUND = 100_000
"""The limit for one expression."""


def main() -> None:
    asked = json.load(sys.stdin)
    json.dump({name: find(text, asked["lines"]) for name, text in asked["patterns"].items()}, sys.stdout)


def find(text: str, lines: list[str]) -> list[str]:
    """What an expression matches, line by line."""
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
