"""Run an endless PageRank by the command line; report when its first run begins. See
test_interrupt.py."""

from __future__ import annotations

import sys
from typing import Any

from gunrock_cli.cli.main import main
from gunrock_cli.primitives.pagerank.in_parts import PullInParts
from gunrock_cli.primitives.pagerank.variants import Pull


def start(*arguments: Any) -> None:
    own(*arguments)
    print("running", flush=True)


def start_part(plan: PullInParts, *arguments: Any) -> None:
    own_part(plan, *arguments)
    if plan.part.first == 0:
        print("running", flush=True)


own, own_part = Pull.start, PullInParts.start
Pull.start = start  # type: ignore[method-assign]
PullInParts.start = start_part  # type: ignore[method-assign]
main(
    [
        "pagerank",
        "rmat",
        "--scale",
        "8",
        "--tolerance",
        "0",
        "--max-iterations",
        "2000000000",
        "--check",
        "none",
        *sys.argv[1:],
    ]
)
