"""The host's half of ``kernels/operators/culling.cuh``: the heuristics that drop duplicates."""

from __future__ import annotations

import re

from gunrock_cli.errors import UsageError

HEURISTICS = {
    "bitmask": "GR_CULL_BITMASK",
    "warp": "GR_CULL_WARP",
    "warp-hash": "GR_CULL_WARP_HASH",
    "history": "GR_CULL_HISTORY",
    "grid": "GR_CULL_GRID",
}
"""The kernels' macros by heuristic, in the order in which heuristics are tried."""
NONE, AUTO, BY_GRID = "none", "auto", "grid"
GUNROCKS = "bitmask,warp,history"
"""The heuristics in Gunrock's papers."""
COMPARED = (NONE, *HEURISTICS, GUNROCKS)


def heuristics_of(text: str) -> str:
    """A list of heuristics in one spelling: in the order in which they are tried. ``+`` stands for a
    comma, which separates values in ``gunrock sweep --set``."""
    names = {name.strip().lower() for name in re.split(r"[,+]", text)}
    wrong = sorted(names - {*HEURISTICS, NONE})
    if wrong or (NONE in names and len(names) > 1):
        raise UsageError(f"--cull {text}: give {NONE}, or some of {', '.join(HEURISTICS)}; or {AUTO}")
    return ",".join(name for name in HEURISTICS if name in names) or NONE


def chosen_heuristics(text: str) -> str:
    """The resolved ``--cull``: auto depends on the grid [D-cull-2]."""
    return BY_GRID if text.strip().lower() == AUTO else heuristics_of(text)


def culling_macros(text: str) -> dict[str, int]:
    names = text.split(",")
    return {macro: int(name in names) for name, macro in HEURISTICS.items()}
