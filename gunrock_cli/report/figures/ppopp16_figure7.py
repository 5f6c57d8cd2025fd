"""PPoPP'16, Figure 7: speedups of Gunrock over other systems, one dot per data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gunrock_cli.report.evidence.clocks import told_clocks
from gunrock_cli.report.evidence.data import PRIMITIVES, ReportData, primitive_label
from gunrock_cli.report.evidence.marks import PAPER_RUNS, SELF_CHECKED, UNCHECKED, marks_of_all
from gunrock_cli.report.evidence.speedups import Speedup, speedups
from gunrock_cli.report.forms.cells import Cell, Origin, Table
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.report.forms.plot import COLOURS, INK, Figure, bare, clipped, tip

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

NAME, ORDER = "ppopp16-figure7", 10
SYSTEMS = ("CuSha", "MapGraph", "Hardwired GPU", "Ligra")
NOT_DRAWN = {UNCHECKED, SELF_CHECKED}
PANELS_A_ROW = 5
STYLES: dict[Origin, tuple[str, str]] = {"published": (COLOURS[1], "o"), "measured": (COLOURS[0], "D")}
"""Color and shape by origin."""
CAPTION = (
    "Execution-time speedup of Gunrock, one dot per data set; filled: Gunrock is faster, "
    "hollow: slower. Circles are the paper's Table 3 (†), diamonds were measured here; "
    "a speedup never mixes the two, and only those of answers that were checked on both sides "
    "are drawn (the table marks the others). PageRank: the paper's are of one iteration, those "
    "measured of whole runs, however many iterations each system takes."
)


def build(data: ReportData) -> Figure:
    points = Table(NAME, "PPoPP'16 Figure 7: speedups", ("Alg.", "System"))
    printed = data.papers.table("ppopp16", "table3")
    for (primitive, dataset, system, metric), other in printed.items():
        if metric != "runtime" or system == "Gunrock":
            continue
        ours = printed[primitive, dataset, "Gunrock", "runtime"]
        speedup = other.value / ours.value
        if speedup == speedup:  # not NaN: neither ran out of memory
            cell = Cell(figure(speedup), speedup, "published")
            points.put((PRIMITIVES[primitive], system), ("", dataset), cell)
    measured = speedups(data)
    for pair in measured:
        row = (primitive_label(pair.primitive), f"{pair.slow.label} / {pair.fast.label}")
        for graph, value in pair.ratios.items():
            both = pair.behind(graph)
            cell = Cell(
                figure(value),
                value,
                "measured",
                tuple(record.id for record in both),
                marks=marks_of_all(both, PAPER_RUNS),
            )
            points.put(row, ("", graph), cell)
    shown = dict.fromkeys(system for pair in measured for system in (pair.fast, pair.slow))
    points.caption = f"{CAPTION} {data.papers.hardware('ppopp16', ['Gunrock', *SYSTEMS])}"
    if shown:
        points.caption += f" {data.hardware(list(shown))}{told_clocks(data, list(shown))}"
    else:
        points.missing = "No graph was measured with gunrock and a second system (--against)."
    labels = drawn_labels(points)
    names = row_names(measured)
    systems = drawn_systems(points, labels, names)
    lines = -(-len(labels) // PANELS_A_ROW)
    return Figure(
        points,
        lambda canvas: draw(canvas, points, labels, names),
        (10.0, lines * (0.7 + 0.2 * len(systems)) + 0.6),
    )


def drawn_labels(points: Table) -> list[str]:
    """The primitives that get a panel: the papers', or all if none of those was measured or printed."""
    found = list(dict.fromkeys(label for label, _ in points.rows))
    return [label for label in PRIMITIVES.values() if label in found] or found


def drawn_systems(points: Table, labels: list[str], names: dict[str, str]) -> list[str]:
    """The systems that get a line: those that have a dot."""
    return list(
        dict.fromkeys(
            names.get(row[1], row[1])
            for row, _, cell in points.each()
            if row[0] in labels and is_drawn(cell)
        )
    )


def is_drawn(cell: Cell) -> bool:
    return cell.value is not None and NOT_DRAWN.isdisjoint(cell.marks)


def row_names(measured: list[Speedup]) -> dict[str, str]:
    """The names of measured speedups in the picture: only the other system's, if gunrock ran on one
    device only."""
    if len({pair.fast for pair in measured}) != 1:
        return {}
    return {f"{pair.slow.label} / {pair.fast.label}": pair.slow.label for pair in measured}


def draw(canvas: Canvas, points: Table, labels: list[str], names: dict[str, str]) -> None:
    """Draw one panel per primitive; one line per system, named once at the left; one logarithmic axis."""
    systems = drawn_systems(points, labels, names)
    lines = -(-len(labels) // PANELS_A_ROW)
    panels = canvas.subplots(
        lines, min(len(labels), PANELS_A_ROW), sharex=True, sharey=True, squeeze=False
    ).flatten()
    for axes, label in zip(panels, labels, strict=False):
        bare(axes, "x")
        axes.set_xscale("log")
        axes.set_title(label, color=INK)
        axes.axvline(1, color=INK, linewidth=0.8, linestyle="--")
        axes.set_xlabel("speedup (dashed: 1)", fontsize=8)
    for (label, system), (_, graph), cell in points.each():
        if label not in labels or cell.value is None or not is_drawn(cell):
            continue
        name = names.get(system, system)
        colour, marker = STYLES[cell.origin]
        dot = panels[labels.index(label)].scatter(
            cell.value,
            systems.index(name),
            s=22,
            linewidths=0.9,
            marker=marker,
            edgecolors=colour,
            facecolors=colour if cell.value >= 1 else "none",
        )
        tip(dot, f"{label} on {graph}, over {name}: {cell.marked} times")
    for axes in panels[len(labels) :]:
        axes.set_visible(False)
    panels[0].set_ylim(len(systems) - 0.4, -0.6)
    panels[0].set_yticks(range(len(systems)), map(clipped, systems))
    legend(canvas)


def legend(canvas: Canvas) -> None:
    """Explain the colors, shapes and fillings."""
    from matplotlib.lines import Line2D

    def mark(text: str, colour: str, marker: str, face: str) -> Line2D:
        return Line2D(
            [],
            [],
            linestyle="none",
            color=colour,
            marker=marker,
            markersize=5,
            markerfacecolor=face,
            label=text,
        )

    canvas.legend(
        handles=[
            mark("the paper's †", *STYLES["published"], STYLES["published"][0]),
            mark("measured here", *STYLES["measured"], STYLES["measured"][0]),
            mark("filled: Gunrock is faster", INK, "s", INK),
            mark("hollow: slower", INK, "s", "none"),
        ],
        loc="outside lower center",
        ncols=4,
        fontsize=8,
    )
