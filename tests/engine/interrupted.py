"""An endless PageRank, by the command line; says when its first run begins. See test_interrupt.py."""

from __future__ import annotations

import sys
from typing import Any

from gunrock_cli.cli.main import main
from gunrock_cli.primitives.pagerank import PRIMITIVE, PageRank
from gunrock_cli.primitives.parts.pagerank import PageRankInParts


def reset(*arguments: Any) -> None:
    own(PRIMITIVE, *arguments)
    print("running", flush=True)


def reset_part(*arguments: Any) -> None:
    own_part(PRIMITIVE.in_parts, *arguments)
    if arguments[1].first == 0:
        print("running", flush=True)


own, own_part = PageRank.reset, PageRankInParts.reset
PRIMITIVE.reset = reset  # type: ignore[method-assign]
PRIMITIVE.in_parts.reset = reset_part  # type: ignore[method-assign]
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
        "--no-validate",
        *sys.argv[1:],
    ]
)
