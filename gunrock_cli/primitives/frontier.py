"""What kernels do with a frontier, which decides whether options of every run have an effect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Frontier:
    """The use that a primitive's kernels make of a frontier. Options of every run that would have no
    effect are refused."""

    queued: bool = True
    """True if there are queues, which begin with room for ``Variant.queues`` and grow when too small."""
    advance_under: Mapping[str, Any] | None = field(default_factory=dict)
    """Options, by key, under which advance does the work, so that its modes can be compared; None if the
    primitive calls no advance."""
    to_advance: Mapping[str, Any] = field(default_factory=dict)
    """Values of options, by key, that replace ``auto`` if an option of advance is given and ``auto``
    would call none, for example because blocks run ahead."""


NO_FRONTIER = Frontier(queued=False, advance_under=None)
