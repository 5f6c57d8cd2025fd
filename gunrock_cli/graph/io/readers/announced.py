"""How many vertices the comments at the head of a list of edges announce: SNAP's ``# Nodes: 4 Edges: 3``,
and KONECT's second line, ``% EDGES VERTICES VERTICES``."""

from __future__ import annotations

import re

from gunrock_cli.graph.io.readers import text

_MOST_LINES = 64
_NAMED = re.compile(rb"[#%].*?\b(?:nodes|vertices)\s*[:=]\s*([0-9]{1,10})\b", re.IGNORECASE)
_KONECT = re.compile(rb"%\s*[0-9]+\s+([0-9]{1,10})\s+\1\s*")


def announced_vertices(path: str) -> int | None:
    """None where the comments do not say."""
    with text.open_binary(path) as stream:
        for _ in range(_MOST_LINES):
            line = text.short_line(stream)
            if line.strip() and not line.startswith((b"#", b"%")):
                return None
            if found := _NAMED.match(line) or _KONECT.fullmatch(line):
                return int(found[1])
    return None
