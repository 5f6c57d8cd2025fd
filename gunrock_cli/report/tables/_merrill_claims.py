"""Claims in the text of Merrill et al. (PPoPP 2012) about its figures, and the measurements for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import harmonic_mean
from gunrock_cli.report.evidence.claims import (
    FAILS,
    HOLDS,
    IN_PART,
    UNKNOWN,
    Outcome,
    on_gpus,
    spread,
    verdict,
)
from gunrock_cli.report.evidence.data import ReportData, System
from gunrock_cli.report.evidence.merrill import ByGraph, by_graph, rate
from gunrock_cli.report.figures import merrill12_figure5, merrill12_figure6, merrill12_figure8
from gunrock_cli.report.figures.merrill12_figure7 import UNCULLED, unculled
from gunrock_cli.report.figures.merrill12_figure9 import IN_ONE, apart_and_in_one
from gunrock_cli.report.figures.merrill12_figure10 import BASE, strategy
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.tables.merrill12_table2 import SEQUENTIAL, Way

FEW_LEVELS, MANY_LEVELS = 20, 100
"""Search depths that divide the paper's graphs: its right third, with many edges per level, and its left,
with meshes and roads."""
NEARLY_NONE = 1.05
"""The redundant expansion factor that the paper calls negligible."""
Pair = tuple[Record, Record]
Pairs = dict[System, dict[str, Pair]]
Ratio = Callable[[Record, Record], float | None]
Mean = Callable[[Sequence[Pair]], float]
"""The factor by which the first is better, from the better and the other record of each graph."""


@dataclass(frozen=True)
class Claim:
    """The paper's words, the number that it gives (in words), and how that is measured."""

    text: str
    published: str
    measure: Callable[[ReportData, Claim], Iterator[Outcome]]
    number: float | None = None

    def outcomes(self, data: ReportData) -> Iterator[Outcome]:
        """One outcome for each system on which it was measured; if there is none, an outcome that says
        so."""
        found = list(self.measure(data, self))
        nothing = Outcome(self.text, self.published, None, None, "", None, UNKNOWN)
        yield from map(on_gpus, found or [nothing])

    def outcome(
        self,
        system: System,
        text: str,
        value: float,
        judged: str,
        behind: Mapping[str, Sequence[Record]],
        note: str,
    ) -> Outcome:
        """The outcome on a system, with the records ``behind`` it for each graph."""
        records = {record.id: record for of_graph in behind.values() for record in of_graph}
        return Outcome(
            self.text,
            self.published,
            self.number,
            system,
            text,
            value,
            judged,
            tuple(records.values()),
            note,
        )


def depth(record: Record) -> float:
    """The mean depth of its searches."""
    return record.metric("mean_depth") or record.depth or record.metric("levels") or 0.0


def deep(record: Record) -> bool:
    """True for graphs like the paper's with many small frontiers."""
    return depth(record) >= MANY_LEVELS


def shallow(record: Record) -> bool:
    """True for graphs like the paper's with few large frontiers."""
    return 0 < depth(record) <= FEW_LEVELS


def between(record: Record) -> bool:
    """True for graphs like those in the middle of the paper's figures."""
    return FEW_LEVELS < depth(record) < MANY_LEVELS


def anywhere(record: Record) -> bool:
    """True for all graphs."""
    return True


def pairs_of(
    found: ByGraph, first: str, second: str, where: Callable[[Record], bool] = anywhere
) -> Pairs:
    """The valid records of two variants from the same sources, by system and graph."""
    pairs: Pairs = {}
    for (graph, system), variants in found.items():
        if not {first, second} <= variants.keys():
            continue
        pair = variants[first].record, variants[second].record
        alike = set(pair[0].sources) == set(pair[1].sources)
        if alike and where(pair[0]) and all(record.status == "ok" for record in pair):
            pairs.setdefault(system, {})[graph] = pair
    return pairs


def slower(fast: Record, slow: Record) -> float | None:
    """The ratio of the times."""
    if not (fast.time_ms and slow.time_ms and fast.time_ms.mean > 0):
        return None
    return slow.time_ms.mean / fast.time_ms.mean


def faster(fast: Record, slow: Record) -> float | None:
    """The ratio of the rates."""
    high, low = rate(fast), rate(slow)
    return high / low if high and low else None


def missed_more(fast: Record, slow: Record) -> float | None:
    """The ratio of the shares of false negatives."""
    few, many = merrill12_figure8.share(fast), merrill12_figure8.share(slow)
    return many / few if few and many else None


def of_rates(pairs: Sequence[Pair]) -> float:
    """One harmonic mean of rates over the other, as the paper normalizes Figures 5 and 10."""
    fast, slow = (
        harmonic_mean([rate(record) or 0.0 for record in side]) for side in zip(*pairs, strict=True)
    )
    return fast / slow


def of_shares(pairs: Sequence[Pair]) -> float:
    """One average of the shares of false negatives over the other; the paper gives averages."""
    few, many = (
        sum(merrill12_figure8.share(record) or 0.0 for record in side)
        for side in zip(*pairs, strict=True)
    )
    return many / few


def of_slowdowns(pairs: Sequence[Pair]) -> float:
    """The harmonic mean of how many times as long the other takes."""
    return harmonic_mean([slower(*pair) or 0.0 for pair in pairs])


def mean_factor(
    of: Callable[[ReportData], ByGraph],
    fast: str,
    slow: str,
    *,
    where: Callable[[Record], bool] = anywhere,
    ratio: Ratio = faster,
    mean: Mean = of_rates,
) -> Callable[[ReportData, Claim], Iterator[Outcome]]:
    """Check that a variant is that many times better than another, in the paper's mean over some
    graphs."""

    def measure(data: ReportData, claim: Claim) -> Iterator[Outcome]:
        for system, pairs in pairs_of(of(data), fast, slow, where).items():
            ratios = {graph: found for graph, pair in pairs.items() if (found := ratio(*pair))}
            if ratios:
                value = mean([pairs[graph] for graph in ratios])
                yield claim.outcome(
                    system,
                    f"{figure(value)}x",
                    value,
                    verdict(value, claim.number),
                    {graph: pairs[graph] for graph in ratios},
                    spread(ratios),
                )

    return measure


def worst_factor(
    of: Callable[[ReportData], ByGraph], fast: str, slow: str
) -> Callable[[ReportData, Claim], Iterator[Outcome]]:
    """Check that a variant is that many times as fast as another (or takes no longer) on every graph."""

    def measure(data: ReportData, claim: Claim) -> Iterator[Outcome]:
        for system, pairs in pairs_of(of(data), fast, slow).items():
            ratios = {graph: found for graph, pair in pairs.items() if (found := slower(*pair))}
            if ratios:
                value, wanted = min(ratios.values()), claim.number or 1.0
                most = max(ratios.values())
                judged = HOLDS if value >= wanted else IN_PART if most >= wanted else FAILS
                yield claim.outcome(
                    system, f"{figure(value)}x at least", value, judged, pairs, spread(ratios)
                )

    return measure


def strategies(data: ReportData) -> ByGraph:
    """Whole traversals by strategy (Figure 10)."""
    return by_graph(data, "bfs", strategy)


def gathering(data: ReportData) -> ByGraph:
    """Isolated gathering (Figure 5)."""
    return by_graph(data, merrill12_figure5.PRIMITIVE, merrill12_figure5.gathering)


def looking_up(data: ReportData) -> ByGraph:
    """Isolated lookups (Figure 8)."""
    return by_graph(data, merrill12_figure6.LOOKUPS, merrill12_figure8.strategy)


def predecessors(data: ReportData) -> ByGraph:
    """Hybrid with predecessors, and without (Table 2)."""
    ways = {"distances": Way("hybrid", False), "predecessors": Way("hybrid", True)}
    return by_graph(
        data,
        "bfs",
        lambda record: next((name for name, way in ways.items() if way.variant(record)), None),
    )


def fusion(data: ReportData, claim: Claim) -> Iterator[Outcome]:
    """Count the graphs on which the isolated kernels, one after the other, are faster than the fused
    one."""
    behind: dict[System, dict[str, list[Record]]] = {}
    for key, variants in apart_and_in_one(data).items():
        names = merrill12_figure6.GATHER, merrill12_figure6.LOOKUP, IN_ONE
        found = [variants.get(name) for name in names]
        records = [each.record for each in found if each and each.record.status == "ok"]
        if len(records) == 3 and len({tuple(record.sources) for record in records}) == 1:
            behind.setdefault(key[1], {})[key[0]] = records
    for system, graphs in behind.items():
        ratios = {}
        for graph, records in graphs.items():
            gather, lookup, one = (record.time_ms.mean if record.time_ms else 0.0 for record in records)
            ratios[graph] = one / (gather + lookup)
        faster = sum(ratio > 1 for ratio in ratios.values())
        judged = HOLDS if 2 * faster > len(ratios) else IN_PART if faster else FAILS
        yield claim.outcome(
            system, f"on {faster} of {len(ratios)}", faster / len(ratios), judged, graphs, spread(ratios)
        )


def unculled_on(graph: str) -> Callable[[ReportData, Claim], Iterator[Outcome]]:
    """Find a graph's redundant expansion factor if only labels cull."""

    def measure(data: ReportData, claim: Claim) -> Iterator[Outcome]:
        for (name, system), variants in by_graph(data, "bfs", unculled).items():
            record = variants[UNCULLED].record
            factor = record.counts.get("redundant_expansion")
            if name == graph and record.status == "OOM":
                yield claim.outcome(system, "OOM", float("inf"), HOLDS, {graph: [record]}, "")
            elif name == graph and factor:
                least = 0.9 * claim.number if claim.number else float("inf")
                judged = HOLDS if factor >= least else IN_PART if factor > NEARLY_NONE else FAILS
                yield claim.outcome(
                    system,
                    f"{figure(factor)}x",
                    factor,
                    judged,
                    {graph: [record]},
                    "edges inspected over edges out of reached vertices",
                )

    return measure


def culled(data: ReportData, claim: Claim) -> Iterator[Outcome]:
    """Find the most redundant expansion that both heuristics leave."""
    counted: dict[System, dict[str, list[Record]]] = {}
    for (graph, system), variants in by_graph(data, "bfs", both_heuristics).items():
        record = variants[BASE].record
        if record.counts.get("redundant_expansion"):
            counted.setdefault(system, {})[graph] = [record]
    for system, behind in counted.items():
        factors = {graph: record.counts["redundant_expansion"] for graph, (record,) in behind.items()}
        value = max(factors.values())
        yield claim.outcome(
            system,
            f"{figure(value)}x at most",
            value,
            HOLDS if value < NEARLY_NONE else FAILS,
            behind,
            spread(factors),
        )


def both_heuristics(record: Record) -> str | None:
    """A counted run that culls as the paper does."""
    culls = str(record.options.get("cull") or "").split(",")
    return BASE if strategy(record) == BASE and {"warp-hash", "history"} <= set(culls) else None


def over_sequential(data: ReportData, claim: Claim) -> Iterator[Outcome]:
    """Find the smallest speedup of hybrid over a sequential search, for each graph."""
    base: dict[str, Record] = {}
    for peer in SEQUENTIAL:
        for (graph, _), variants in by_graph(data, "bfs", lambda _: "", of=peer).items():
            base.setdefault(graph, variants[""].record)
    ratios: dict[System, dict[str, float]] = {}
    pairs: Pairs = {}
    for (graph, system), variants in by_graph(data, "bfs", Way("hybrid", False).variant).items():
        mine, theirs = variants["hybrid"].record, base.get(graph)
        if theirs and mine.mteps and theirs.mteps and mine.status == theirs.status == "ok":
            ratios.setdefault(system, {})[graph] = mine.mteps / theirs.mteps
            pairs.setdefault(system, {})[graph] = (mine, theirs)
    for system, of_graphs in ratios.items():
        value = min(of_graphs.values())
        judged = HOLDS if value >= (claim.number or 0) else FAILS
        yield claim.outcome(
            system, f"{figure(value)}x at least", value, judged, pairs[system], spread(of_graphs)
        )


def costs_at_most(data: ReportData, claim: Claim) -> Iterator[Outcome]:
    """Find the cost of predecessors, on the graph where they cost most."""
    for system, pairs in pairs_of(predecessors(data), "distances", "predecessors").items():
        costs = {graph: found for graph, pair in pairs.items() if (found := slower(*pair))}
        if costs:
            value = 100 * (max(costs.values()) - 1)
            judged = HOLDS if value <= (claim.number or 0) else FAILS
            yield claim.outcome(
                system, f"{figure(value, 3)}% at most", value, judged, pairs, spread(costs)
            )


LABEL, WARP = "bitmask+label", "bitmask+label+warp-hash"
CLAIMS = (
    Claim(
        "Gathering by scan+warp+CTA is faster than by single threads (4.1)",
        "faster",
        mean_factor(gathering, "TWC", merrill12_figure5.SERIAL),
    ),
    Claim(
        "Status lookup takes longer than gathering (4.2)",
        "longer",
        mean_factor(merrill12_figure6.both, merrill12_figure6.GATHER, merrill12_figure6.LOOKUP),
    ),
    Claim(
        "Without culling, queues of grid5pt.5000 hold 4.2 times its edges (4.2)",
        "4.2x",
        unculled_on("grid5pt.5000"),
        4.2,
    ),
    Claim(
        "Without culling, queues of grid7pt.300 hold 2.6 times its edges (4.2)",
        "2.6x",
        unculled_on("grid7pt.300"),
        2.6,
    ),
    Claim(
        "Without culling, kron_g500-logn20 exhausts the memory (4.2)",
        "out of memory",
        unculled_on("kron_g500-logn20"),
    ),
    Claim(
        "Labels take false negatives of the bitmask from 6.4% to 4.0% (4.2)",
        "1.6x",
        mean_factor(looking_up, LABEL, "bitmask", ratio=missed_more, mean=of_shares),
        1.6,
    ),
    Claim(
        "Culling by warps leaves a tenth of them on graphs of many levels (4.2)",
        "10x",
        mean_factor(looking_up, WARP, LABEL, ratio=missed_more, mean=of_shares, where=deep),
        10.0,
    ),
    Claim(
        "History leaves a fifth of the rest on the graphs in the middle (4.2)",
        "5x",
        mean_factor(
            looking_up, f"{WARP}+history", WARP, ratio=missed_more, mean=of_shares, where=between
        ),
        5.0,
    ),
    Claim(
        "With both, redundant expansion is below 1.05 on every graph (4.2)",
        "1.05x at most",
        culled,
        NEARLY_NONE,
    ),
    Claim("Gathering and lookup apart are faster than fused on most graphs (4.3)", "on most", fusion),
    Claim(
        "Contract-expand is faster than two-phase on graphs of many levels (5.5)",
        "faster",
        mean_factor(strategies, "contract-expand", "two-phase", where=deep),
    ),
    Claim(
        "Two-phase is faster than contract-expand on graphs of few levels (5.5)",
        "faster",
        mean_factor(strategies, "two-phase", "contract-expand", where=shallow),
    ),
    Claim(
        "Hybrid is as fast as expand-contract, or faster, on every graph (5.5)",
        "1x at least",
        worst_factor(strategies, "hybrid", BASE),
        1.0,
    ),
    Claim(
        "Quadratic BFS is slower than hybrid, in the harmonic mean (5.6)",
        "4.2x",
        mean_factor(strategies, "hybrid", "quadratic", ratio=slower, mean=of_slowdowns),
        4.2,
    ),
    Claim("Predecessors cost hybrid at most 19% (5.6)", "19% at most", costs_at_most, 19.0),
    Claim(
        "Hybrid is at least 4 times as fast as a sequential search, on every graph (5.6)",
        "4x at least",
        over_sequential,
        4.0,
    ),
)
