"""The resources of GPUs of each compute capability, for code that is compiled without a GPU."""

from __future__ import annotations

from dataclasses import dataclass

from gunrock_cli.errors import UsageError


@dataclass(frozen=True)
class Architecture:
    """A compute capability's limits (CUDA C++ Programming Guide, "Technical Specifications per Compute
    Capability")."""

    shared: int  # bytes of shared memory that a block may ask for
    threads: int  # per multiprocessor


ARCHITECTURES = {
    75: Architecture(64 << 10, 1024),
    80: Architecture(163 << 10, 2048),
    86: Architecture(99 << 10, 1536),
    87: Architecture(163 << 10, 1536),
    89: Architecture(99 << 10, 1536),
    90: Architecture(227 << 10, 2048),
    100: Architecture(227 << 10, 2048),
    120: Architecture(99 << 10, 1536),
}


def architecture(number: int) -> Architecture:
    """The limits of compute capability ``number``; UsageError if it is not known."""
    if number not in ARCHITECTURES:
        raise UsageError(f"--arch {number}: give one of {', '.join(map(str, ARCHITECTURES))} or host")
    return ARCHITECTURES[number]
