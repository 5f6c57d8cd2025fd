"""Gathering and status lookup in one kernel (Merrill 2012, section 4.3)."""

from __future__ import annotations

from gunrock_cli.primitives.micro.status_lookup import StatusLookup


class Fused(StatusLookup):
    name = "microbench-fused"
    summary = (
        "Gather the neighbours of a recorded traversal's frontiers (--advance-mode) and look each "
        "up at once (Merrill 2012, section 4.3)."
    )
    members = ("items", "scan", "rows", "vertex_starts", "edge_starts")


PRIMITIVE = Fused()
