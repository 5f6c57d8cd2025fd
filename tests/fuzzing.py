"""The number of cases of a fuzz target: few in the tests of every change, many in ``make fuzz``.

A target is marked ``@pytest.mark.fuzz`` and gets its number of cases here. Its cases come from seeds, or
from Hypothesis, so that a failing one can be repeated.
"""

from __future__ import annotations

import os

VARIABLE = "GUNROCK_FUZZ_CASES"


def cases(default: int) -> int:
    """``default`` cases, or the number that the environment asks for."""
    return int(os.environ.get(VARIABLE) or default)
