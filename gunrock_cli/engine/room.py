"""Arrays to be allocated for a kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gunrock_cli.graph.model.graph import Array, fill_minus_one

if TYPE_CHECKING:
    from numpy.typing import DTypeLike


@dataclass(frozen=True)
class Room:
    """An array to be allocated for a kernel. If ``filled`` is given, every run starts with that value in
    each element."""

    shape: int | tuple[int, ...]
    dtype: DTypeLike
    filled: float | np.uint64 | None = None

    @property
    def nbytes(self) -> int:
        """The size of the array in bytes."""
        sides = (self.shape,) if isinstance(self.shape, int) else self.shape
        return math.prod(sides) * np.dtype(self.dtype).itemsize

    def fill(self, array: Array) -> None:
        """Write the starting value, if any, into the array."""
        if self.filled == -1 and np.dtype(self.dtype).kind == "i":
            fill_minus_one(array)
        elif self.filled is not None:
            array.fill(self.filled)
