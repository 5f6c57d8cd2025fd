"""How many cases a fuzz test tries: few in continuous integration, many by ``make fuzz``."""

from __future__ import annotations

import os


def cases(default: int) -> int:
    """``default``, or what the environment variable GUNROCK_FUZZ_CASES says."""
    return int(os.environ.get("GUNROCK_FUZZ_CASES", default))
