"""The processor of this machine."""

from __future__ import annotations

import platform
from functools import cache


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
