"""Traversal rates as each paper counts edges, so that a table never sets two counts side by side."""

from __future__ import annotations

from gunrock_cli.bench.record import Record

PASSES = {"ppopp16": {"bc": 2}}
"""How often a paper counts each edge out of a reached vertex, if not once. The PPoPP'16 paper counts
BC's twice, as it goes over them forth and back (soc: 425.4 million edges in 721.2 ms), the arXiv paper
once (138.0 million, as for its BFS)."""

PAPERS = {"ppopp16": "the PPoPP'16 paper", "arxiv15": "the arXiv paper"}
SKIPPED = (
    "A direction-optimizing run is credited with the edges that it skipped; where they were "
    "counted, those that it inspected stand beside its rate."
)


def edges_once(record: Record) -> int | None:
    """Edges out of reached vertices, each counted once.

    BC's records from before ``edges_visited`` was single hold twice as many. They can be recognized:
    BC's ``mteps`` has always counted edges twice, so in those records the rate times the time is the
    recorded number, not double that.
    """
    edges, time = record.edges_visited, record.time_ms
    if edges is None or record.primitive != "bc":
        return edges
    if record.mteps is None or time is None:
        return None
    passes = record.mteps * time.mean * 1e3 / edges if edges else 0.0
    return edges if passes > 1.5 else edges // 2


def mteps(record: Record, source: str) -> float | None:
    """Million edges per second from the mean time, counted as the paper ``source`` does."""
    if record.primitive != "bc" or record.mteps is None:
        return record.mteps  # this counts each visited edge once
    passes, edges, time = PASSES.get(source, {}).get("bc", 1), edges_once(record), record.time_ms
    if edges is not None and time is not None and time.mean > 0:
        return passes * edges / time.mean / 1e3
    return passes * record.mteps / 2


def edges_inspected(record: Record) -> int | None:
    """How many edges a run looked at, if that was counted off the clock (``--count``)."""
    found = getattr(record, "edges_inspected", None)
    return found if isinstance(found, int) else None


def counting(source: str) -> str:
    """The sentence of a caption that says what MTEPS count."""
    bc = "twice" if PASSES.get(source, {}).get("bc") == 2 else "once"
    return (
        f"MTEPS: edges out of reached vertices over the mean time, those of BC {bc}, as "
        f"{PAPERS[source]} counts. {SKIPPED}"
    )
