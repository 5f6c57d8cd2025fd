"""Claims of the Gunrock papers about other systems and about size: what the papers' own tables give, and
the measurements for each, all on GPUs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import linear_regression

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import geometric_mean
from gunrock_cli.report.evidence.claims import (
    FAILS,
    HOLDS,
    NEARLY,
    UNKNOWN,
    Outcome,
    on_gpus,
    spread,
    verdict,
)
from gunrock_cli.report.evidence.data import ReportData, System, primitive_label
from gunrock_cli.report.evidence.merrill import MANY_SOURCES, by_graph
from gunrock_cli.report.evidence.speedups import Speedup, speedups
from gunrock_cli.report.figures.merrill12_figure10 import strategy
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.tables._merrill_claims import deep

BETTER = "better here"
"""The verdict on a shortfall that the papers admit, if it was not found."""
HARDWIRED, MAPGRAPH = "Hardwired GPU", "MapGraph"
LINEAR = 1.1
"""Time that grows with at most this power of the edges is called linear."""
PPOPP, ARXIV = ("ppopp16", "table3"), ("arxiv15", "table2")


@dataclass(frozen=True)
class OverSystem:
    """The claim that a primitive is, in the geometric mean, that many times as fast as another system;
    ``peers`` are systems of that kind which run on a GPU."""

    claim: str
    number: float
    primitive: str
    printed: tuple[str, str]
    system: str
    peers: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    """Data sets of the claim, if it is not about all."""

    @property
    def published(self) -> str:
        return "as fast" if self.number == 1 else f"{self.number:g}x"

    def in_tables(self, data: ReportData) -> str:
        """The mean of the ratios of the runtimes that the paper prints."""
        ratios = printed_ratios(data, self.printed, self.primitive, self.system, self.datasets)
        mean = geometric_mean(list(ratios.values()))
        return f"{figure(mean)}x, {len(ratios)} graphs"

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        """One outcome for each peer on the same GPU."""
        for pair in on_one_gpu(data, self.primitive, self.peers):
            yield Outcome(
                self.claim,
                self.published,
                self.number,
                pair.fast,
                f"{figure(pair.mean)}x",
                pair.mean,
                self.judge(pair.mean),
                pair.records,
                f"over {pair.slow.label}: {spread(pair.ratios)}",
            )

    def judge(self, mean: float) -> str:
        """The verdict on a speedup; one below 1 admits that it is slower."""
        if self.number > 1:
            return verdict(mean, self.number)
        if self.number == 1:
            return HOLDS if mean >= NEARLY else FAILS
        return shortfall(mean, self.number)


@dataclass(frozen=True)
class HalfOfMerrill:
    """The claim that BFS is half as fast as Merrill's on deep graphs: our own searches against his
    strategies here, from the same sources."""

    claim: str
    published: str = "0.5x"
    number: float = 0.5

    def in_tables(self, data: ReportData) -> str:
        ratios = printed_ratios(data, ARXIV, "bfs", HARDWIRED, ("bitc", "roadnet"))
        return f"{figure(geometric_mean(list(ratios.values())))}x, {len(ratios)} graphs"

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        ratios: dict[System, dict[str, float]] = {}
        behind: dict[System, list[Record]] = {}
        for (graph, system), variants in by_graph(data, "bfs", strategy).items():
            if {"fused", "hybrid"} <= variants.keys():
                pair = variants["fused"].record, variants["hybrid"].record
                ratio = over_common_sources(*pair) if all(map(deep, pair)) else None
                if ratio is not None:
                    ratios.setdefault(system, {})[graph] = ratio
                    behind.setdefault(system, []).extend(pair)
        for system, of_graphs in ratios.items():
            mean = geometric_mean(list(of_graphs.values()))
            yield Outcome(
                self.claim,
                self.published,
                self.number,
                system,
                f"{figure(mean)}x",
                mean,
                shortfall(mean, self.number),
                tuple(behind[system]),
                f"over hybrid as it is here: {spread(of_graphs)}",
            )


@dataclass(frozen=True)
class Grows:
    """The claim that time grows linearly with a Kronecker graph's edges, or (``linear`` false) faster."""

    primitive: str
    linear: bool

    @property
    def claim(self) -> str:
        how = "scales linearly" if self.linear else "scales worse than linearly"
        return f"{primitive_label(self.primitive)} {how} over Kronecker graphs (arXiv 2015, Table 3)"

    @property
    def published(self) -> str:
        return "linear" if self.linear else "beyond linear"

    def in_tables(self, data: ReportData) -> str:
        printed = data.papers.table(*KRONECKER)
        times, edges = {}, {}
        for (primitive, name, _, metric), cell in printed.items():
            if primitive == self.primitive and metric == "runtime":
                times[name] = cell.value
            if primitive == "bfs" and metric == "throughput":
                edges[name] = printed["bfs", name, "Gunrock", "runtime"].value * cell.value
        return power_text(exponent([(edges[name], times[name]) for name in times]))

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        names = list(dict.fromkeys(name for _, name, _, _ in data.papers.table(*KRONECKER)))
        for system in data.systems:
            found = [
                each[0]
                for name in names
                if (each := data.best_on_dataset(self.primitive, system, KRONECKER[0], name, names))
                and each[0].status == "ok"
            ]
            points = [(record.graph["edges"] or 0, mean_ms(record)) for record in found]
            if system.name == "gunrock" and len(points) == len(names):
                power = exponent(points)
                yield Outcome(
                    self.claim,
                    self.published,
                    None,
                    system,
                    power_text(power),
                    power,
                    self.judge(power),
                    tuple(found),
                    f"{len(found)} graphs, {names[0]} to {names[-1]}",
                )

    def judge(self, power: float) -> str:
        """The verdict on a power of the edges."""
        if self.linear:
            return HOLDS if power <= LINEAR else FAILS
        return HOLDS if power > LINEAR else BETTER


KRONECKER = ("arxiv15", "table3")


@dataclass(frozen=True)
class Printed:
    """A claim whose other system cannot be run here, and which is in no table."""

    claim: str
    published: str
    rates: tuple[float, float]

    def in_tables(self, data: ReportData) -> str:
        return f"{figure(self.rates[0] / self.rates[1])}x, {self.rates[0]:g} over {self.rates[1]:g} MTEPS"

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        return iter(())


def shortfall(mean: float, admitted: float) -> str:
    """The verdict on a speedup below 1 that a paper admits."""
    return FAILS if mean < NEARLY * admitted else BETTER if mean * NEARLY > admitted else HOLDS


def over_common_sources(fast: Record, slow: Record) -> float | None:
    """The slow record's time over the fast one's, summed over the sources that both have, once each; None
    if these are too few, or a run failed."""
    if fast.status != "ok" or slow.status != "ok":
        return None
    times = [dict(zip(each.sources, each.runs_ms, strict=False)) for each in (fast, slow)]
    common = times[0].keys() & times[1].keys()
    if len(common) < MANY_SOURCES:
        return None
    ours, theirs = (sum(each[source] for source in common) for each in times)
    return theirs / ours


Claim = OverSystem | HalfOfMerrill | Grows | Printed


def printed_ratios(
    data: ReportData, table: tuple[str, str], primitive: str, system: str, datasets: Sequence[str] = ()
) -> dict[str, float]:
    """Another system's printed runtime over Gunrock's, for each data set for which both are printed."""
    printed, ratios = data.papers.table(*table), {}
    for (name, dataset, other, metric), theirs in printed.items():
        if (name, other, metric) != (primitive, system, "runtime") or (
            datasets and dataset not in datasets
        ):
            continue
        ours = printed[primitive, dataset, "Gunrock", "runtime"]
        if not math.isnan(theirs.value) and not math.isnan(ours.value):
            ratios[dataset] = theirs.value / ours.value
    return ratios


def on_one_gpu(data: ReportData, primitive: str, peers: Sequence[str]) -> Iterator[Speedup]:
    """Compare with these peers, whose answers were checked, where both sides ran on the same kind of
    GPU."""
    if not peers:
        return
    for pair in speedups(data, checked=True):
        if pair.primitive == primitive and pair.slow.name in peers and _same_gpu(pair):
            yield pair


def _same_gpu(pair: Speedup) -> bool:
    return pair.fast.device == pair.slow.device and all(each.backend == "cuda" for each in pair.records)


def exponent(points: Sequence[tuple[float, float]]) -> float:
    """The power of the first number with which the second grows, by least squares of the logarithms."""
    edges, times = zip(*points, strict=True)
    return linear_regression(list(map(math.log, edges)), list(map(math.log, times))).slope


def power_text(power: float) -> str:
    return f"edges^{power:.2f}"


def mean_ms(record: Record) -> float:
    """The mean time of a valid record."""
    assert record.time_ms is not None
    return record.time_ms.mean


CLAIMS: tuple[Claim, ...] = (
    OverSystem(
        "CC is 5 times slower than hardwired code (PPoPP'16, 6)",
        1 / 5,
        "cc",
        PPOPP,
        HARDWIRED,
        ("ecl-cc",),
    ),
    OverSystem(
        "CC is 1.5 to 2 times slower than hardwired code (arXiv 2015, 6)",
        1 / 2,
        "cc",
        ARXIV,
        HARDWIRED,
        ("ecl-cc",),
    ),
    OverSystem("BFS is as fast as hardwired code (PPoPP'16, 6)", 1, "bfs", PPOPP, HARDWIRED, ("blest",)),
    OverSystem("SSSP is as fast as hardwired code (PPoPP'16, 6)", 1, "sssp", PPOPP, HARDWIRED, ("adds",)),
    OverSystem("BC is as fast as hardwired code (PPoPP'16, 6)", 1, "bc", PPOPP, HARDWIRED),
    HalfOfMerrill("BFS has half of Merrill's rate on graphs of large diameter (arXiv 2015, 5.1.1)"),
    *(
        OverSystem(
            f"{primitive_label(name)} beats {MAPGRAPH} (PPoPP'16, 6)", number, name, PPOPP, MAPGRAPH
        )
        for name, number in (("bfs", 4.3), ("sssp", 3.7), ("pagerank", 2.1))
    ),
    *(
        OverSystem(
            f"{primitive_label(name)} beats {MAPGRAPH} (arXiv 2015, 6)", number, name, ARXIV, MAPGRAPH
        )
        for name, number in (("bfs", 2.1), ("pagerank", 2.6), ("sssp", 1.1), ("cc", 12.8))
    ),
    Printed("BFS has 1.83 times Totem's rate on soc-LiveJournal (PPoPP'16, 6)", "1.83x", (4731, 2590)),
    *(Grows(name, linear=True) for name in ("bfs", "bc", "sssp")),
    *(Grows(name, linear=False) for name in ("pagerank", "cc")),
)


def outcomes(data: ReportData) -> Iterator[tuple[Outcome, str]]:
    """All claims, each at least once, with what the papers' tables give."""
    for claim in CLAIMS:
        nothing = Outcome(claim.claim, claim.published, None, None, "", None, UNKNOWN)
        for outcome in list(claim.outcomes(data)) or [nothing]:
            yield on_gpus(outcome), claim.in_tables(data)
