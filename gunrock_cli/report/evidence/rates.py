"""Traversal rates as each paper counts edges, so that no table compares two counts."""

from __future__ import annotations

from gunrock_cli.bench.records.record import Record

PASSES = {"ppopp16": {"bc": 2}}
"""The number of times that a paper counts each edge out of a reached vertex, if not once. The PPoPP'16
paper counts BC's twice, for the way out and back (soc: 425.4 million edges in 721.2 ms), the arXiv paper
once (138.0 million, as for its BFS)."""

PAPERS = {"ppopp16": "the PPoPP'16 paper", "arxiv15": "the arXiv paper"}
SKIPPED = (
    "A direction-optimizing run is credited with the edges that it skipped; where they were "
    "counted, those that it inspected stand beside its rate."
)


def mteps(record: Record, source: str) -> float | None:
    """Million edges per second from the mean time, counted as in the paper ``source``."""
    if record.primitive != "bc" or record.mteps is None:
        return record.mteps  # this counts each visited edge once
    return PASSES.get(source, {}).get("bc", 1) * record.mteps / 2  # a record counts BC's twice


def edges_inspected(record: Record) -> int | None:
    """The number of edges that a run looked at, if counted off the clock (``--count``)."""
    found = getattr(record, "edges_inspected", None)
    return found if isinstance(found, int) else None


def counting(source: str) -> str:
    """The sentence of a caption that says what MTEPS count."""
    bc = "twice" if PASSES.get(source, {}).get("bc") == 2 else "once"
    return (
        f"MTEPS: edges out of reached vertices over the mean time, those of BC {bc}, as "
        f"{PAPERS[source]} counts. {SKIPPED}"
    )
