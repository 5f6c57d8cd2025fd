"""The processor of this machine."""

from __future__ import annotations

import platform
from functools import cache

LEVELS = {
    "x86-64-v3": (
        *("cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"),
        *("abm", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe", "xsave"),
    ),
    "armv8-a": (),
}
"""The levels of processors that code is carried for, by the names that compilers give them, and what a
processor of a level must say in /proc/cpuinfo."""
_LEVEL_OF = {"x86_64": "x86-64-v3", "aarch64": "armv8-a"}
"""The level for each machine [D-carried-1]."""


@cache
def processor_name() -> str:
    """The processor's name, such as "AMD EPYC 9654 96-Core Processor"."""
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def level() -> str | None:
    """The level of this processor, or None if it has less than is needed for any."""
    found = _LEVEL_OF.get(platform.machine())
    return found if found and {*LEVELS[found]} <= {*processor_words().split()} else None


@cache
def processor_words() -> str:
    """The line of /proc/cpuinfo that lists what this processor can do."""
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith(("flags", "Features")):
                    return line
    except OSError:
        pass
    return platform.machine()
