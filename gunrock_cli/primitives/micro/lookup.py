"""Isolated status lookup over recorded edge frontiers (Merrill 2012, section 4.2)."""

from __future__ import annotations

from gunrock_cli.primitives.frontier import NO_FRONTIER
from gunrock_cli.primitives.micro.status_lookup import StatusLookup


class Lookup(StatusLookup):
    name = "microbench-lookup"
    summary = (
        "Decide which vertices of a recorded traversal's edge frontiers are new, and nothing else "
        "(Merrill 2012, section 4.2)."
    )
    frontier = NO_FRONTIER


PRIMITIVE = Lookup()
