"""Gathering and status lookup in one kernel (Merrill 2012, section 4.3)."""

from __future__ import annotations

from gunrock_cli.operators.advance import Advance
from gunrock_cli.primitives.micro.status_lookup import Looking, StatusLookup
from gunrock_cli.resources import kernels_dir


class LookingAsGathered(Looking):
    kernel = kernels_dir() / "microbench" / "fused.cuh"
    recorded = ("items", "scan", "rows", "vertex_starts", "edge_starts")

    @property
    def advance(self) -> Advance:
        return Advance.BALANCED


class Fused(StatusLookup):
    name = "microbench-fused"
    summary = (
        "Gather the neighbours of a recorded traversal's frontiers (--advance-mode) and look each "
        "up at once (Merrill 2012, section 4.3)."
    )
    variant = LookingAsGathered


PRIMITIVE = Fused()
