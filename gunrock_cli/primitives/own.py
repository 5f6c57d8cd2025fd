"""Everything that a primitive of your own imports (docs/writing-a-primitive.md)."""

from __future__ import annotations

from gunrock_cli.engine.room import Room
from gunrock_cli.engine.tuning import Tuning
from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.base import Accesses, Primitive, SumsSources, Traffic, Validation, Work
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.parts.base import InParts, OnSeveralDevices
from gunrock_cli.primitives.question import Needs, Source
from gunrock_cli.primitives.shown import Listed, Listing, Shown
from gunrock_cli.primitives.variant import Queues, Variant

__all__ = [
    "Accesses",
    "Advance",
    "Frontier",
    "InParts",
    "Listed",
    "Listing",
    "Needs",
    "OnSeveralDevices",
    "Options",
    "Primitive",
    "Queues",
    "Room",
    "Shown",
    "Source",
    "SumsSources",
    "Traffic",
    "Tuning",
    "Validation",
    "Variant",
    "Work",
    "option",
]
