"""Claims of the Gunrock papers that are not a table's cell, and the measurements for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import geometric_mean, harmonic_mean
from gunrock_cli.bench.records.table import graph_name
from gunrock_cli.primitives.micro import is_micro
from gunrock_cli.report.evidence.by_option import OneOption, by_option
from gunrock_cli.report.evidence.data import ReportData, System, primitive_label, system_of
from gunrock_cli.report.evidence.memory_fit import Fit, fit_memory
from gunrock_cli.report.evidence.merrill import by_graph, rate
from gunrock_cli.report.evidence.plain_runs import devices_of
from gunrock_cli.report.evidence.speedups import speedups
from gunrock_cli.report.forms.numbers import figure

SCALE_FREE, MESH_LIKE = "scale-free", "small-degree"
HUBS = 8
"""A graph is scale-free here if its longest list is more than this many times the mean."""
NEARLY = 0.9
"""A claimed factor holds if at least this share of it was measured."""
HOLDS, IN_PART, FAILS, UNKNOWN = "holds", "in part", "does not hold", "not measured"
UNCLEAR = "not of this form"
NO_VERDICT = "none: of a CPU"
"""The verdict on measurements without a GPU: the papers' claims are about GPUs."""


@dataclass(frozen=True)
class Outcome:
    """The measurement for a claim on one system, and the verdict."""

    claim: str
    published: str
    number: float | None
    system: System | None
    text: str
    value: float | None
    verdict: str
    records: tuple[Record, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Factor:
    """The claim that one setting of a primitive is that many times as fast as another on some graphs;
    without a number, that it is faster."""

    claim: str
    option: str
    fast: str
    slow: str
    times: float | None = None
    kind: str = ""  # SCALE_FREE or MESH_LIKE; empty: all graphs
    primitive: str = "bfs"

    @property
    def published(self) -> str:
        return "faster" if self.times is None else f"{self.times:g}x"

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        """One outcome for each device on which both settings ran."""
        pairs: dict[System, dict[str, OneOption]] = {}
        for found in by_option(data.of_each_build, self.primitive, self.option):
            if {self.fast, self.slow} <= found.by_value.keys() and self._is_about(found):
                pairs.setdefault(system_of(found.by_value[self.fast]), {})[found.graph] = found
        for system, graphs in pairs.items():
            ratios = {
                name: _ratio(found.by_value[self.slow], found.by_value[self.fast])
                for name, found in graphs.items()
            }
            mean = geometric_mean(list(ratios.values()))
            records = [
                found.by_value[name] for found in graphs.values() for name in (self.fast, self.slow)
            ]
            yield Outcome(
                self.claim,
                self.published,
                self.times,
                system,
                f"{figure(mean)}x",
                mean,
                verdict(mean, self.times),
                tuple(records),
                spread(ratios),
            )

    def _is_about(self, found: OneOption) -> bool:
        return self.kind in ("", kind_of(found.by_value[self.fast]))


@dataclass(frozen=True)
class AtomicsFactor:
    """The claim that one way to touch words, or to find places, is faster than another: ``gunrock
    microbench atomics`` over the same frontiers. By the paper's mean: one harmonic mean of rates over the
    other."""

    claim: str
    fast: str
    slow: str
    published: str = "faster"

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        """One outcome for each device on which both ran."""
        pairs: dict[System, dict[str, tuple[Record, Record]]] = {}
        for (graph, system), found in by_graph(data, "microbench-atomics", strategy_of).items():
            if {self.fast, self.slow} <= found.keys():
                both = found[self.fast].record, found[self.slow].record
                same = set(both[0].sources) == set(both[1].sources)
                if same and all(record.status == "ok" and rate(record) for record in both):
                    pairs.setdefault(system, {})[graph] = both
        for system, graphs in pairs.items():
            ratios = {graph: _ratio(slow, fast) for graph, (fast, slow) in graphs.items()}
            rates = [(rate(fast) or 0.0, rate(slow) or 0.0) for fast, slow in graphs.values()]
            high, low = (harmonic_mean(each) for each in zip(*rates, strict=True))
            mean = high / low
            records = tuple(record for both in graphs.values() for record in both)
            yield Outcome(
                self.claim,
                self.published,
                None,
                system,
                f"{figure(mean)}x",
                mean,
                verdict(mean, None),
                records,
                spread(ratios),
            )


def strategy_of(record: Record) -> str | None:
    """A microbenchmark's strategy."""
    name = record.options.get("strategy")
    return None if name is None else str(name)


def kind_of(record: Record) -> str:
    """The kind of a record's graph: with hubs or without."""
    mean = float(record.graph.get("mean_degree") or 0)
    longest = float(record.graph.get("max_degree") or 0)
    return SCALE_FREE if longest > HUBS * mean else MESH_LIKE


def verdict(measured: float, published: float | None) -> str:
    """The verdict on a claim to be that many times as fast."""
    if measured <= 1:
        return FAILS
    return HOLDS if published is None or measured >= NEARLY * published else IN_PART


def spread(ratios: dict[str, float]) -> str:
    """The graphs behind a mean: their number, and the two ends."""
    low, high = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
    if len(ratios) == 1:
        return f"1 graph, {low}"
    return f"{len(ratios)} graphs, {figure(ratios[low])}x on {low} to {figure(ratios[high])}x on {high}"


def _ratio(slow: Record, fast: Record) -> float:
    assert slow.time_ms is not None  # by_option takes no other records
    assert fast.time_ms is not None
    return slow.time_ms.mean / fast.time_ms.mean


FACTORS = (
    Factor(
        "Idempotent BFS is faster than BFS by atomics, on average (arXiv 2015, 4.4)",
        "idempotence",
        "true",
        "false",
        2.7,
    ),
    Factor(
        "Idempotence, here a vertex queued as often as found, speeds up SSSP (arXiv 2015, 4.4.3)",
        "redundancy",
        "none",
        "queue-id",
        primitive="sssp",
    ),
    Factor(
        "Switching directions speeds up BFS on two scale-free graphs (arXiv 2015, 4.4.2)",
        "direction",
        "optimized",
        "push",
        1.6,
        SCALE_FREE,
    ),
    Factor(
        "Switching directions speeds up BFS on scale-free graphs (PPoPP'16, 4.5)",
        "direction",
        "optimized",
        "push",
        1.52,
        SCALE_FREE,
    ),
    Factor(
        "Switching directions speeds up BFS on graphs of small degree (PPoPP'16, 4.5)",
        "direction",
        "optimized",
        "push",
        1.28,
        MESH_LIKE,
    ),
    Factor(
        "Equal chunks of edges (LB) beat TWC on scale-free graphs (PPoPP'16, Figure 8)",
        "advance_mode",
        "LB",
        "TWC",
        None,
        SCALE_FREE,
    ),
    Factor(
        "TWC beats equal chunks of edges (LB) on graphs of small degree (PPoPP'16, Figure 8)",
        "advance_mode",
        "TWC",
        "LB",
        None,
        MESH_LIKE,
    ),
)
ATOMICS = (
    AtomicsFactor(
        "Words are loaded faster than they are claimed by atomics (Merrill 2012, 1)", "load", "cas"
    ),
    AtomicsFactor(
        "Places in a queue are found faster by a block's prefix sum than by an atomic for each "
        "(Merrill 2012, 2.3)",
        "place-by-block",
        "place",
    ),
)
OVER_BGL = 6.0
MEMORY = "Memory is alpha |E| + beta |V| words, alpha at most 3, beta 2 to 8 (PPoPP'16, 6)"
MOST_ALPHA, MOST_BETA, MOST_ERROR = 3, 8, 0.25


def over_bgl(data: ReportData) -> Iterator[Outcome]:
    """The paper's speedups over BGL and PowerGraph, 6 to 337 times on average on all primitives; of
    these, BGL is available."""
    for pair in speedups(data, checked=True):
        if pair.slow.name == "bgl" and pair.primitive in ("bfs", "sssp", "bc", "pagerank", "cc"):
            claim = (
                f"{primitive_label(pair.primitive)} is on average 6 to 337 times as fast as BGL and "
                "PowerGraph (PPoPP'16, 6)"
            )
            yield Outcome(
                claim,
                "6x to 337x",
                OVER_BGL,
                pair.fast,
                f"{figure(pair.mean)}x",
                pair.mean,
                verdict(pair.mean, OVER_BGL),
                pair.records,
                spread(pair.ratios),
            )


def memory(data: ReportData) -> Iterator[Outcome]:
    """Recorded peaks of device memory, fitted by primitive. (Not for microbenchmarks, which hold the
    frontiers that they replay.)"""
    groups: dict[tuple[str, System], list[Record]] = {}
    for record in data.current:
        if is_micro(record.primitive) or devices_of(record) > 1:  # a part's memory
            continue
        if record.system == "gunrock" and record.status == "ok" and record.peak_device_bytes:
            groups.setdefault((record.primitive, system_of(record)), []).append(record)
    for (primitive, system), records in groups.items():
        chosen = smallest_of_each_graph(records)
        fit = fit_memory(chosen)
        if fit is not None:
            yield Outcome(
                f"{primitive_label(primitive)}: {MEMORY}",
                "alpha 1 to 3, beta 2 to 8",
                None,
                system,
                f"alpha {figure(fit.alpha, 3)}, beta {figure(fit.beta, 3)}",
                fit.alpha,
                fits(fit),
                tuple(chosen),
                f"{len(chosen)} graphs, off by at most {fit.error:.0%}",
            )


def fits(fit: Fit) -> str:
    """The verdict on a fit, which should stay below the paper's coefficients, rounded as theirs are. A
    fit that is far off for some graph says nothing."""
    if fit.error > MOST_ERROR:
        return UNCLEAR
    within = (round(fit.alpha) <= MOST_ALPHA, round(fit.beta) <= MOST_BETA)
    return HOLDS if all(within) else IN_PART if any(within) else FAILS


def smallest_of_each_graph(records: Sequence[Record]) -> list[Record]:
    """The record with the lowest peak for each graph, as a peak also includes the process's other
    memory."""
    found: dict[str, Record] = {}
    for record in sorted(records, key=lambda each: -(each.peak_device_bytes or 0)):
        found[graph_name(record)] = record
    return list(found.values())


SOURCES: tuple[Callable[[ReportData], Iterator[Outcome]], ...] = (
    *(factor.outcomes for factor in (*FACTORS, *ATOMICS)),
    over_bgl,
    memory,
)
UNMEASURED = (
    *((factor.claim, factor.published) for factor in (*FACTORS, *ATOMICS)),
    ("Gunrock is on average 6 to 337 times as fast as BGL and PowerGraph (PPoPP'16, 6)", "6x to 337x"),
    (MEMORY, "alpha 1 to 3, beta 2 to 8"),
)
"""The text of a claim for which nothing was measured, in the order of SOURCES."""


def outcomes(data: ReportData) -> Iterator[Outcome]:
    """All claims, each at least once."""
    for source, (claim, published) in zip(SOURCES, UNMEASURED, strict=True):
        found = list(source(data))
        yield from map(on_gpus, found or [Outcome(claim, published, None, None, "", None, UNKNOWN)])


def on_gpus(outcome: Outcome) -> Outcome:
    """Drop the verdict if a run of ours behind the outcome was not on a GPU."""
    ours = [record for record in outcome.records if record.system == "gunrock"]
    return replace(outcome, verdict=NO_VERDICT) if any(map(without_gpu, ours)) else outcome


def without_gpu(record: Record) -> bool:
    """True if the record ran on a CPU."""
    return record.backend == "cpu"
