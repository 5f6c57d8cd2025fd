"""Progress of long work, reported to a callback, so that no reader knows of a terminal."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, float | None], None]
"""Called with the current stage and the fraction done (0 to 1, or None when unknown)."""


def silent(stage: str, fraction: float | None) -> None:
    """Report nothing."""
