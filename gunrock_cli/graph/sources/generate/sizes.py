"""Refuse recipes with too many edges to hold, before any is made."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.memory import require_host_memory
from gunrock_cli.graph.sources.generate.catalog import GENERATORS

MAX_DEVICE_EDGES = 2**31 - 1
"""CuPy sorts and searches with 32-bit counts."""


def expected_edges(name: str, params: Mapping[str, Any]) -> int:
    """Edges before cleaning: the number, or about that number if it is left to chance."""
    return GENERATORS[name].edges(params)


def check_size(name: str, params: Mapping[str, Any], xp: ModuleType) -> None:
    """Raise UsageError or OutOfMemory if there are more edges than ``xp`` can make."""
    generator, edges = GENERATORS[name], expected_edges(name, params)
    if xp is np:
        require_host_memory(
            edges * generator.edge_bytes + generator.vertices(params) * generator.vertex_bytes,
            f"{name} of {edges} edges",
        )
    elif edges > MAX_DEVICE_EDGES:
        raise UsageError(
            f"{name} of this size makes {edges} edges before cleaning, and a GPU at most "
            f"{MAX_DEVICE_EDGES}: ask for a smaller graph, or for --backend cpu"
        )
