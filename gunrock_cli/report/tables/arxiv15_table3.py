"""arXiv 2015, Table 3: scalability over Kronecker graphs of five sizes."""

from __future__ import annotations

from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, measured_cell, runtime_cell
from gunrock_cli.report.evidence.identity import KRON_SCALES
from gunrock_cli.report.evidence.marks import PAPER_RUNS
from gunrock_cli.report.evidence.rates import counting, edges_inspected, mteps
from gunrock_cli.report.forms.cells import Table

NAME, ORDER = "arxiv15-table3", 60
GROUPS = {"runtime": "Runtime (ms)", "throughput": "MTEPS"}
INSPECTED = "Edges inspected"
KRONECKER = [f"kron_g500-logn{scale}" for scale in KRON_SCALES]
"""Kronecker graphs of any size, such as those of a quick run."""


def build(data: ReportData) -> Table:
    table = Table(
        NAME,
        "arXiv 2015 Table 3: scalability",
        ("Dataset", "System"),
        caption="Kronecker graphs of similar structure, the paper's five sizes first; PageRank "
        "is the whole run. " + counting("arxiv15"),
    )
    printed = data.papers.table("arxiv15", "table3")
    datasets = list(dict.fromkeys([*(dataset for _, dataset, _, _ in printed), *KRONECKER]))
    for metric, group in GROUPS.items():
        with_metric = {primitive for primitive, _, _, found in printed if found == metric}
        table.declare(
            columns=[(group, label) for name, label in PRIMITIVES.items() if name in with_metric]
        )
    systems = [system for system in data.systems if system.name == "gunrock"]
    shown = set()
    for dataset in datasets:
        for (primitive, name, system, metric), value in printed.items():
            if name == dataset:
                table.put(
                    (dataset, f"{system}, paper"), (GROUPS[metric], PRIMITIVES[primitive]), value.cell()
                )
        for ours in systems:
            for primitive, label in PRIMITIVES.items():
                found = data.best_on_dataset(primitive, ours, "arxiv15", dataset, datasets)
                if found is None:
                    continue
                record, identity = found
                shown.add(ours)
                row = (dataset, ours.label)
                table.put(
                    row, (GROUPS["runtime"], label), runtime_cell(record, identity, runs=PAPER_RUNS)
                )
                for group, figure in (
                    (GROUPS["throughput"], mteps(record, "arxiv15")),
                    (INSPECTED, edges_inspected(record)),
                ):
                    if figure is not None and record.status == "ok":
                        table.put(
                            row, (group, label), measured_cell(record, figure, identity, runs=PAPER_RUNS)
                        )
    table.caption += " " + data.papers.hardware("arxiv15", ["Gunrock"])
    if shown:
        table.caption += " " + data.hardware(list(shown))
    else:
        table.missing = "Not measured yet: scripts/arxiv15-scaling.sh."
    return table
