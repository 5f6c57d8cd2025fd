"""The marks that a reader needs to compare a measured figure: a sign in its cell, a line below the
table."""

from __future__ import annotations

from collections.abc import Iterable

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.plain_runs import is_cold, is_plain, settings
from gunrock_cli.report.evidence.systems import system_title
from gunrock_cli.report.forms.cells import Mark

PAPER_RUNS = 10
"""The number of runs per test in the Gunrock papers."""

GENERATED = Mark("‡", "generated here by the paper's recipe: a graph of the same kind, not its file.")
OTHER_EDGES = "≠"
"""The sign after a figure on a data set with other edges than the paper's; its note says how many."""
WHOLE_RUN = Mark("§", "the whole run: this system does not say how many iterations it took.")
UNCHECKED = Mark("?", "the answer of this run was not checked.")
SELF_CHECKED = Mark("※", "checked by the system itself alone: it says that its answer passed.")
PARTLY_CHECKED = Mark(
    "≈",
    "a number that the system prints (of components, say) was right; the rest of "
    "its answer was not compared.",
)
MODIFIED = Mark(
    "°", "measured from a modified tree: its record's commit does not name the code for certain."
)
FEW_RUNS = Mark("¶", f"mean of fewer than the paper's {PAPER_RUNS} runs.")
VARIANT = "◊"
"""The sign after a run that sets options; its note says which."""
LIMITED = Mark(
    "⊣",
    "ended by a limit on its iterations or levels before it had settled: limited_by of "
    "its record names the option.",
)
COLD = Mark("❄", "cold: the device's caches were flushed before each run.")
LAID_OUT = Mark(
    "⇅",
    "the graph was laid out anew by degree first, once, which is not in the time: "
    "renumber_ms of its record.",
)

_MORE_WORK = {("cugraph", "sssp"): "predecessors"}
"""Extra work of peers, for records written before peers reported it themselves."""


def modified(record: Record) -> bool:
    """True if the record was made from a tree with local changes, so that its commit does not identify
    the code."""
    return record.gunrock.get("modified") is True or str(record.gunrock.get("commit")).endswith("-dirty")


def unchecked(record: Record) -> bool:
    """True if it has a time without a validation behind it."""
    return (
        record.status == "ok"
        and record.time_ms is not None
        and record.validation.get("verdict") != "pass"
    )


def _check_mark(record: Record) -> Mark | None:
    """The mark of an answer that was not checked as a whole."""
    if record.status != "ok" or record.time_ms is None:
        return None
    extent = record.validation.get("extent")
    if extent == "number":
        return PARTLY_CHECKED
    return SELF_CHECKED if extent == "self" else UNCHECKED if unchecked(record) else None


def _is_variant(record: Record) -> bool:
    """True for a run of ours that replaces a missing plain run."""
    return record.system == "gunrock" and record.status == "ok" and not is_plain(record)


def more_work(record: Record) -> str:
    """The work in its time that ours does not include, in words; empty if there is none."""
    said = getattr(record, "more_work", None)
    return str(said) if said else _MORE_WORK.get((record.system, record.primitive), "")


def marks_of(record: Record, runs: int | None = None, *, by_option: bool = False) -> tuple[Mark, ...]:
    """All marks that apply to a record; ``runs`` is the number of times that the table's paper ran each
    test. Such a table is about plain runs, unless it compares options (``by_option``)."""
    found = []
    more = more_work(record)
    if more and record.time_ms is not None:
        found.append(
            Mark(
                "‖",
                f"timed with more work than ours: {system_title(record.system)}'s "
                f"{record.primitive} has {more} in its time, ours has not.",
            )
        )
    checked = _check_mark(record)
    if checked is not None:
        found.append(checked)
    if runs is not None and record.status == "ok" and 0 < len(record.runs_ms) < runs:
        found.append(FEW_RUNS)
    if runs is not None and not by_option and _is_variant(record):
        set_here = " ".join(settings(record).values()) or "options that its record names"
        found.append(Mark(VARIANT, f"not a plain run, of which there is none: it sets {set_here}."))
    if is_cold(record):
        found.append(COLD)
    if record.status == "ok" and record.limited_by:
        found.append(LIMITED)
    if record.status == "ok" and record.metrics.get("renumber_ms"):
        found.append(LAID_OUT)
    if modified(record):
        found.append(MODIFIED)
    return tuple(found)


def marks_of_all(records: Iterable[Record], runs: int | None = None) -> tuple[Mark, ...]:
    """The marks that apply to any of the records, each once: for a figure made from several."""
    return tuple(dict.fromkeys(mark for record in records for mark in marks_of(record, runs)))
