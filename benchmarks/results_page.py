"""Make docs/results.md, and README's table of results, from the records in results/.

python benchmarks/results_page.py > docs/results.md
python benchmarks/results_page.py --summary  # README's table
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from gunrock_cli.bench.records.file import read_records
from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.records.statistics import geometric_mean
from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, iteration_ms, primitive_label
from gunrock_cli.report.evidence.marks import PAPER_RUNS, modified, more_work
from gunrock_cli.report.evidence.plain_runs import devices_of, is_plain, settings
from gunrock_cli.report.evidence.speedups import Speedup, speedups
from gunrock_cli.report.evidence.systems import system_title
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.registry import build
from gunrock_cli.report.render.markdown import escape

ROOT = Path(__file__).resolve().parents[1]
H200 = ROOT / "results" / "h200"
SINGLE = ("generated", "own", "real", "peers", "cugraph", "beside", "ranking", "classics")
"""Files of records on one GPU and its host."""
GRAPHS = {
    "rmat-s21-e48": "R-MAT 21, edge factor 48",
    "grid2d-1414x1414": "lattice 1414 x 1414",
    "USA-road-NE": "USA-road-NE",
    "rgg-n16777216": "rgg_n_2_24",
    "cnr-2000": "cnr-2000",
}
"""The five graphs whose times are shown: their names in records, and on the page."""

Runs = dict[tuple[str, str], Record]
"""Records by primitive and graph."""


def table(head: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> str:
    """Markdown, with the first columns at the left and all others at the right."""
    lines = [list(head), ["---"] * left + ["---:"] * (len(head) - left), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def heading(primitive: str) -> str:
    return primitive_label(primitive) + (", an iteration" if primitive == "pagerank" else "")


def read(names: Iterable[str]) -> list[Record]:
    return read_records([str(H200 / f"{name}.jsonl") for name in names]).records


def newest_plain(names: Iterable[str]) -> Runs:
    """This system's newest plain run, by primitive and graph."""
    found = [record for record in read(names) if record.system == "gunrock" and is_plain(record)]
    return {
        (each.primitive, str(each.graph["name"])): each
        for each in sorted(found, key=lambda each: each.time)
    }


def mean(record: Record) -> float:
    assert record.time_ms is not None
    return record.time_ms.mean


def shown_ms(record: Record) -> float:
    """A run's mean time; of PageRank that of an iteration."""
    single = iteration_ms(record) if record.primitive == "pagerank" else None
    return mean(record) if single is None else single


def by_primitive(pairs: Sequence[Speedup]) -> Iterator[tuple[str, list[Speedup]]]:
    """The speedups of the papers' five in their order, then of all other compared primitives."""
    for primitive in dict.fromkeys([*PRIMITIVES, *(pair.primitive for pair in pairs)]):
        yield primitive, [pair for pair in pairs if pair.primitive == primitive]


def nearest(pairs: Sequence[Speedup]) -> dict[str, Speedup]:
    """The pair of the fastest other system, by graph."""
    graphs = dict.fromkeys(graph for pair in pairs for graph in pair.ratios)
    return {
        graph: min((pair for pair in pairs if graph in pair.ratios), key=lambda pair: pair.ratios[graph])
        for graph in graphs
    }


def least(pairs: Sequence[Speedup]) -> tuple[str, Speedup]:
    """The graph on which another system comes closest, and the two systems."""
    found = nearest(pairs)
    graph = min(found, key=lambda name: found[name].ratios[name])
    return graph, found[graph]


def recorded() -> ReportData:
    """All records on one GPU and its host."""
    return ReportData(read(SINGLE))


def summary(data: ReportData) -> str:
    """README's table: five rows."""
    pairs, own = speedups(data, checked=True), newest_plain(("generated", "own"))
    graphs = ("rmat-s21-e48", "USA-road-NE")
    rows = []
    for primitive, found in by_primitive([pair for pair in pairs if pair.primitive in PRIMITIVES]):
        fastest = nearest(found)
        ratios = [pair.ratios[graph] for graph, pair in fastest.items()]
        graph, pair = least(found)
        rows.append(
            [
                heading(primitive),
                *(f"{shown_ms(own[primitive, name]):.3g}" for name in graphs),
                str(len(ratios)),
                figure(geometric_mean(ratios), 3),
                f"{figure(pair.ratios[graph], 3)} ({system_title(pair.slow.name)}, {escape(graph)})",
            ]
        )
    heads = [f"{GRAPHS[name].partition(',')[0]}, ms" for name in graphs]
    return table(["", *heads, "graphs compared", "mean speedup", "least speedup"], rows)


def times(own: Runs) -> tuple[str, list[Record]]:
    """The table of five graphs, and its records."""
    rows, shown = [], []
    for name, label in GRAPHS.items():
        records = [own[primitive, name] for primitive in PRIMITIVES]
        graph = records[0].graph
        shown += records
        sizes = [f"{graph['vertices']:,}", f"{graph['edges']:,}"]
        rows.append([label, *sizes, *(f"{shown_ms(record):.3g}" for record in records)])
    return table(["graph", "vertices", "directed edges", *map(heading, PRIMITIVES)], rows), shown


def beside(pairs: Sequence[Speedup]) -> str:
    """A row for each primitive and system."""
    rows = []
    for primitive, found in by_primitive(pairs):
        for pair in sorted(found, key=lambda each: each.mean):
            low, high = (choose(pair.ratios, key=pair.ratios.__getitem__) for choose in (min, max))
            calls = list(pair.calls.values())
            theirs = pair.records[1::2]
            rows.append(
                [
                    primitive_label(primitive),
                    system_title(pair.slow.name) + ("" if "H200" in pair.slow.device else " (CPU)"),
                    str(len(pair.ratios)),
                    figure(pair.mean, 3),
                    f"{figure(pair.ratios[low], 3)} ({escape(low)})",
                    f"{figure(pair.ratios[high], 3)} ({escape(high)})",
                    figure(geometric_mean(calls), 3) if calls else "",
                    figure(min(calls), 3) if calls else "",
                    _range([len(record.runs_ms) for record in theirs]),
                    "; ".join(remarks(pair)),
                ]
            )
    ratios = ["graphs", "mean", "least", "most", "calls: mean", "calls: least"]
    return table(["", "over", *ratios, "their runs", "remarks"], rows, 2)


def _range(counts: Sequence[int]) -> str:
    return str(min(counts)) if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def remarks(pair: Speedup) -> Iterator[str]:
    """The conditions that keep a comparison from being plain, in words."""
    ours, theirs = pair.records[0::2], pair.records[1::2]
    if more := {more_work(record) for record in theirs} - {""}:
        yield f"their time includes {', '.join(sorted(more))}"
    if any(record.validation.get("extent") == "number" for record in theirs):
        yield "only a number of their answer was compared"
    if laid_out := sum(bool(record.metrics.get("renumber_ms")) for record in ours):
        yield f"ours leaves out numbering by degree, on {laid_out} graphs"
    if variants := [record for record in ours if not is_plain(record)]:
        sets = {" ".join(settings(record).values()) for record in variants}
        yield f"ours with {each_once(sets)} on {len(variants)} graphs"
    if few := {len(record.runs_ms) for record in ours if len(record.runs_ms) < PAPER_RUNS}:
        yield f"some of ours of {each_once(few)} runs"


def from_modified_trees(pairs: Sequence[Speedup]) -> str:
    """The systems with records from a tree with local changes, and how many of theirs are."""
    found: dict[str, list[bool]] = {}
    for pair in pairs:
        found.setdefault(system_title(pair.slow.name), []).extend(map(modified, pair.records[1::2]))
    return ", ".join(f"{name} ({sum(each)} of {len(each)})" for name, each in found.items() if any(each))


def by_graph(pairs: Sequence[Speedup]) -> str:
    """The factor by which the fastest other system is slower, and its name, by graph."""
    found = {primitive: nearest(of_one) for primitive, of_one in by_primitive(pairs)}
    graphs = dict.fromkeys(graph for each in found.values() for graph in each)
    rows = [
        [
            escape(graph),
            *(
                f"{figure(each[graph].ratios[graph], 3)} ({system_title(each[graph].slow.name)})"
                if graph in each
                else ""
                for each in found.values()
            ),
        ]
        for graph in graphs
    ]
    return table(["graph", *map(primitive_label, found)], rows)


def lost(pairs: Sequence[Speedup]) -> list[str]:
    """The graphs on which another system is faster."""
    return [
        f"{primitive_label(pair.primitive)} on {escape(graph)}, "
        f"{system_title(pair.slow.name)}: {ratio:.3g}"
        for pair in pairs
        for graph, ratio in pair.ratios.items()
        if ratio < 1
    ]


def failures(data: ReportData) -> str:
    """Runs of other systems that are in no table, as their answer was wrong or they did not finish."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for record in data.current:
        if record.system != "gunrock" and record.status != "ok":
            place = (system_title(record.system), primitive_label(record.primitive), record.status)
            found.setdefault(place, []).append(escape(str(record.graph["name"])))
    rows = [(*place, ", ".join(graphs)) for place, graphs in sorted(found.items())]
    return table(["system", "primitive", "status", "graphs"], rows, 4)


def published(data: ReportData) -> str:
    """The two data sets of the PPoPP'16 paper's Table 3 that can be generated."""
    (found,) = build(data, ["ppopp16-table3"]).tables
    names = {
        "Hardwired GPU": "hardwired GPU†",
        "Gunrock": "Gunrock†",
        "Gunrock 1.2 (C++), H200": "Gunrock 1.2",
        "cuGraph, H200": "cuGraph",
        "gunrock, H200": "here",
    }
    columns = {
        name: next(c for c in found.columns if c[0].startswith("Runtime") and c[1] == name)
        for name in names
    }
    rows = []
    for row in found.rows:
        if row[1] in ("kron", "rgg"):
            cells = [found.cell(row, column) for column in columns.values()]
            rows.append(
                [", ".join(row), *(cell.text + " (whole run)" * ("§" in cell.flag) for cell in cells)]
            )
    return table(["", *names.values()], rows)


def large() -> dict[str, Any]:
    """The page's facts about the largest graph that one GPU holds, and the largest that it builds."""
    records = {each["graph"]["name"]: each for each in lines_of(H200 / "scaling.jsonl", "bfs")}
    record, built = records["rmat-s29-e16"], records["rmat-s28-e16"]
    return {
        "edges": f"{record['graph']['edges'] / 1e9:.1f}",
        "gib": f"{record['scaling']['graph_bytes'] / 2**30:.0f}",
        "large": {key: f"{value:.0f}" for key, value in record["time_ms"].items()},
        "sources": len(set(record["sources"])),
        "build_s": f"{built['scaling']['generate_s']:.1f}",
        "large_commit": each_once(str(each["gunrock"]["commit"])[:7] for each in (record, built)),
    }


def lines_of(path: Path, primitive: str) -> list[dict[str, Any]]:
    """A file's records of one primitive, with the keys that only a benchmark writes."""
    found = [json.loads(line) for line in path.read_text().splitlines()]
    return [each for each in found if each["primitive"] == primitive]


def several(host: str) -> str:
    """The times of each primitive on one device and on more of a host, with the commit of each row."""
    found: dict[tuple[str, str], dict[int, Record]] = {}
    for record in read([f"../{host}/multi-gpu"]):
        if "--mark-pred" in record.command or record.validation.get("verdict") != "pass":
            continue
        push = " by push" if "--direction" in record.command else ""
        place = (heading(record.primitive) + push, str(record.graph["name"]))
        found.setdefault(place, {})[devices_of(record)] = record
    counts = sorted({count for each in found.values() for count in each})
    rows = []
    for (what, graph), each in sorted(found.items(), key=lambda item: item[0][1]):
        ms = [f"{shown_ms(each[count]):.3g}" if count in each else "" for count in counts]
        both = {1, counts[-1]} <= each.keys()
        gain = f"{shown_ms(each[1]) / shown_ms(each[counts[-1]]):.2f}" if both else ""
        commit = each_once(str(record.gunrock["commit"])[:7] for record in each.values())
        rows.append([GRAPHS.get(graph, escape(graph)), what, *ms, gain, commit])
    return table(["graph", "", *map(str, counts), f"gain on {counts[-1]}", "commit"], rows, 2)


def each_once(texts: Iterable[Any]) -> str:
    return " and ".join(sorted({str(text) for text in texts}))


def page(data: ReportData) -> str:
    pairs, own = speedups(data, checked=True), newest_plain(("generated", "own"))
    five, shown = times(own)
    assert all(record.validation["verdict"] == "pass" and not modified(record) for record in shown)
    laid_out = [record for record in shown if record.metrics.get("renumber_ms")]
    referred = [record for record in shown if record.validation["method"] != "certificate"]
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True).from_string(
        Path(__file__).with_suffix(".md.j2").read_text()
    )
    return template.render(
        device=shown[0].device,
        runs=each_once(len(record.runs_ms) for record in shown),
        commits=each_once(str(record.gunrock["commit"])[:7] for record in shown),
        five=five,
        laid_out=each_once(GRAPHS[str(record.graph["name"])] for record in laid_out),
        layout_ms=each_once(f"{record.metrics['renumber_ms']:.2g}" for record in laid_out),
        referred=f"PageRank's answers on {each_once(GRAPHS[str(r.graph['name'])] for r in referred)}",
        lost=lost(pairs),
        compared=sum(len(pair.ratios) for pair in pairs),
        modified=from_modified_trees(pairs),
        beside=beside(pairs),
        by_graph=by_graph(pairs),
        failures=failures(data),
        kron_ms=f"{mean(own['pagerank', 'rmat-s21-e48']):.3g}",
        rgg_ms=f"{mean(own['pagerank', 'rgg-n16777216']):.3g}",
        published=published(data),
        two=several("h200x2"),
        four=several("h200x4"),
        **large(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--summary", action="store_true")
    args = parser.parse_args()
    data = recorded()
    print(summary(data) if args.summary else page(data), end="\n" if args.summary else "")


if __name__ == "__main__":
    main()
