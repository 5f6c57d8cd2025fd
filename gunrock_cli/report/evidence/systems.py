"""The names of systems in tables, captions and pictures: one for each."""

from __future__ import annotations

GUNROCKS = {"gunrock-1.2": "Gunrock 1.2 (C++)"}
"""The papers' own system, if a record has it as a peer, and its name in tables."""

SYSTEMS = {
    **GUNROCKS,
    "adds": "ADDS",
    "bgl": "Boost",
    "blest": "BLEST",
    "cugraph": "cuGraph",
    "ecl-cc": "ECL-CC",
    "ecl-gc": "ECL-GC",
    "ecl-mis": "ECL-MIS",
    "ecl-mst": "ECL-MST",
    "galois": "Galois",
    "gap": "GAP",
    "graphblas": "GraphBLAS",
    "gswitch": "GSWITCH",
    "ligra": "Ligra",
    "networkit": "NetworKit",
    "scipy": "SciPy",
}
"""Names by those in records."""


def system_title(name: str) -> str:
    """The name of a system in tables."""
    return SYSTEMS.get(name, name)
