"""Devices without an engine, for graphs in parts."""

from __future__ import annotations

from contextlib import nullcontext
from types import ModuleType
from typing import Any

import numpy as np

from gunrock_cli.graph.model.graph import Array


class Teams:
    """Teams of the host; ``xp`` may be a stand-in for CuPy."""

    def __init__(self, count: int, xp: ModuleType = np) -> None:
        self._count, self.xp = count, xp

    def __len__(self) -> int:
        return self._count

    def at(self, _: int) -> Any:
        return nullcontext()

    def copied(self, array: Array | None, _: int) -> Array | None:
        return array

    def gathered(self, pieces: list[Array]) -> Array:
        return np.concatenate(pieces)
