"""Search a long path by the command line with a second kernel that never ends; report when that begins.
See test_relay.py."""

from __future__ import annotations

import sys
from typing import Any

from gunrock_cli.cli.main import main
from gunrock_cli.engine.program import Program


def go_on_at(program: Program, left: Any) -> None:
    own(program, left)
    print("running", flush=True)


own = Program.go_on_at
Program.go_on_at = go_on_at  # type: ignore[method-assign]
main(["bfs", "path", "--nodes", "20000000", "--check", "none", *sys.argv[1:]])
