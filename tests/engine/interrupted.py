"""Run an endless PageRank by the command line; report when its first run begins. See
test_interrupt.py."""

from __future__ import annotations

import sys
from typing import Any

from gunrock_cli.cli.main import main
from gunrock_cli.primitives.pagerank.in_parts import PageRankInParts
from gunrock_cli.primitives.pagerank.variants import Pull


def start(*arguments: Any) -> None:
    own(*arguments)
    print("running", flush=True)


def reset_part(*arguments: Any) -> None:
    own_part(*arguments)
    if arguments[2].first == 0:
        print("running", flush=True)


own, own_part = Pull.start, PageRankInParts.reset
Pull.start = start  # type: ignore[method-assign]
PageRankInParts.reset = reset_part  # type: ignore[method-assign]
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
