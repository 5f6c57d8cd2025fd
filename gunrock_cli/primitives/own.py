"""Everything that a primitive of your own imports (docs/writing-a-primitive.md)."""

from __future__ import annotations

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.base import Accesses, Listing, Primitive, Traffic, Validation, Work
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.variant import Queues, Variant

__all__ = [
    "Accesses",
    "Advance",
    "Listing",
    "Options",
    "Primitive",
    "Queues",
    "Room",
    "Traffic",
    "Tuning",
    "Validation",
    "Variant",
    "Work",
    "option",
]
