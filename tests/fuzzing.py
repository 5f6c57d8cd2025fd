"""How many cases a fuzz target tries: few where every change is tested, many by ``make fuzz``.

A target is marked ``@pytest.mark.fuzz`` and asks here for its number of cases. Its cases come from
seeds, or from Hypothesis, so that one that fails can be had again.
"""

from __future__ import annotations

import os

VARIABLE = "GUNROCK_FUZZ_CASES"


def cases(default: int) -> int:
    """``default`` cases, or as many as the environment asks for."""
    return int(os.environ.get(VARIABLE) or default)
