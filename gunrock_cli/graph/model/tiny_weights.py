"""Weights closer to 0 than any normal float32 number.

CuPy's code takes them for 0 while the kernels and a CPU do not, so both backends refuse them.
"""

from __future__ import annotations

import numpy as np

from gunrock_cli.graph.model.graph import Array

LEAST = float(np.finfo(np.float32).tiny)
MUST_BE_LARGER = (
    f"must be 0 or at least {LEAST:.2g} in magnitude, as a GPU may take less for 0: scale the weights up"
)


def too_small(values: Array) -> int | None:
    """The place of the first value closer to 0 than ``LEAST`` but not 0, or None."""
    if values.dtype.kind != "f" or not len(values) or bool(values.min() >= LEAST):
        return None
    if values.dtype == np.float32:  # by its bits without the sign, which no GPU changes
        magnitudes = values.view(np.uint32) << 1
        small = (magnitudes > 0) & (magnitudes < 1 << 24)
    else:
        small = (values != 0) & (abs(values) < LEAST)
    place = int(small.argmax())
    return place if bool(small[place]) else None
