"""Descriptions of fake peers for tests."""

from __future__ import annotations

import json
import sys
from pathlib import Path

FAKE = Path(__file__).parent / "peers" / "fake_peer.py"


def fake_description(
    folder: Path,
    mode: str = "right",
    *,
    n: int,
    name: str = "fake",
    timeout: float = 30,
    drop: int = 1,
    more: str = "",
    answer: str = 'answer = { type = "int32", unreached = -1 }',
) -> Path:
    """A FILE.toml that runs ``fake_peer.py`` in a mode, for graphs of n vertices."""
    path = folder / f"{name}.toml"
    command = [
        sys.executable,
        "-I",
        "-S",
        str(FAKE),
        mode,
        "{graph}",
        "{source}",
        "{runs}",
        "{answer}" if answer.startswith("answer = { type") else "/dev/null",
        str(n),
    ]
    path.write_text(f"""name = "{name}"
primitive = "bfs"
command = {json.dumps(command)}
format = "el"
time = {{ pattern = "Trial Time: +(\\\\S+)", unit = "s", drop = {drop} }}
clock = "the search, no reading"
version = "1.0"
timeout = {timeout}
{answer}
{more}
""")
    return path
