"""How many edges a recipe makes, known in advance; and refusing what cannot be held."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.memory import require_host_memory

MAX_DEVICE_EDGES = 2**31 - 1
"""CuPy sorts and searches with 32-bit counts."""
_BYTES_PER_EDGE = 8
"""Both ends of an edge."""


def expected_edges(name: str, params: Mapping[str, Any]) -> int:
    """Edges before cleaning: the number, or about that many where it is left to chance."""
    if "edges" in params:
        return int(params["edges"])
    if name.startswith("grid"):
        sides = [params[side] for side in ("width", "height", "depth") if side in params]
        total = 1
        for side in sides:
            total *= side
        return sum(total - total // side for side in sides)
    nodes = int(params["nodes"])
    if name == "smallworld":
        return int(nodes * (params["neighbors"] // 2))
    return nodes


def check_size(name: str, params: Mapping[str, Any], xp: ModuleType) -> None:
    """UsageError or OutOfMemory where there are more edges than ``xp`` can make."""
    edges = expected_edges(name, params)
    if xp is np:
        require_host_memory(edges * _BYTES_PER_EDGE, f"{name} of {edges} edges")
    elif edges > MAX_DEVICE_EDGES:
        raise UsageError(
            f"{name} of this size makes {edges} edges before cleaning, and a GPU at most "
            f"{MAX_DEVICE_EDGES}: ask for a smaller graph, or for --backend cpu")
