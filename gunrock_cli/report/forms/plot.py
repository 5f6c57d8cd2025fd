"""A figure: how it is drawn, and the table of points behind it; for SVG, PNG and pages.

Drawn on matplotlib's Figure itself (no pyplot, no global state). Ink is drawn in ``INK``, which a page
replaces by its own text color, so that a figure follows dark mode."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.forms.numbers import figure as number
from gunrock_cli.visible import visible

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure as Canvas

INK = "#010203"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#c23b3b", "#3d85f0")
"""Colors that people with normal and with red-green color-blind vision can tell apart, on light and on
dark pages."""
MARKERS = "oDs^v"
NAME_LENGTH = 40
_TIP = "tip: "


@dataclass
class Figure:
    """``points`` holds every drawn value with its origin and records; ``draw`` fills a canvas of
    ``size`` inches. If there is nothing to draw, ``draw`` is None and ``points.missing`` says why."""

    points: Table
    draw: Callable[[Canvas], None] | None
    size: tuple[float, float] = (8.0, 4.0)

    @property
    def name(self) -> str:
        return self.points.name

    @property
    def title(self) -> str:
        return self.points.title

    @cached_property
    def svg(self) -> bytes:
        """The SVG for its file and for the page: drawn once."""
        return render(self, "svg")


def render(figure: Figure, form: str) -> bytes:
    """The figure as ``svg`` or ``png``."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    assert figure.draw is not None
    settings: dict[Any, Any] = {
        "svg.fonttype": "none", "svg.hashsalt": figure.name, "font.size": 9,
        "font.family": "sans-serif", "text.color": INK, "axes.edgecolor": INK,
        "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
        "axes.spines.top": False, "axes.spines.right": False,
        "legend.frameon": False, "text.parse_math": False,  # a name may hold dollars
    }  # fmt: skip
    with matplotlib.rc_context(settings):
        canvas = Canvas(figsize=figure.size, layout="constrained")
        figure.draw(canvas)
        for axes in canvas.axes:
            for axis in (axes.xaxis, axes.yaxis):
                _set_ticks(axis)
        target = io.BytesIO()
        if form == "svg":
            canvas.savefig(target, format="svg", metadata={"Date": None})
        else:
            canvas.savefig(target, format=form, dpi=160)
    found = target.getvalue()
    return (
        re.sub(rb'<g id="%s([^"]*)">' % _TIP.encode(), rb"<g><title>\1</title>", found)
        if form == "svg"
        else found
    )


def tip(artist: Artist, text: str) -> None:
    """The text that an SVG shows when the pointer rests on ``artist``; until then it travels as its
    group's id."""
    artist.set_gid(_TIP + visible(text))


def clipped(name: str, length: int = NAME_LENGTH) -> str:
    """A name shortened to the room in a picture; its table has the full name."""
    return name if len(name) <= length else name[: length - 1] + "…"


def colour(index: int) -> dict[str, Any]:
    """Edge and face of one of many marks: when the colors are used up, marks become hollow."""
    own = COLOURS[index % len(COLOURS)]
    return {"edgecolors": own, "facecolors": "none" if index // len(COLOURS) % 2 else own}


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
PLAIN = (1e-2, 1e3)
"""An axis whose ends are about within these has plain numbers; others have powers of ten."""
MOST_TICKS = {"x": 5, "y": 9}


def power(value: float) -> str:
    """A power of ten in plain characters: matplotlib would set a formula, which names must not be."""
    return "10" + str(round(math.log10(value))).translate(RAISED)


def _set_ticks(axis: Axis) -> None:
    """Set plain numbers (0.01, 1, 1000) or powers of ten on a logarithmic axis, each power once. If few
    are in sight, ticks between them are labelled too."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    if axis.get_scale() != "log":
        return
    low, high = sorted(axis.get_view_interval())
    plain = low >= PLAIN[0] / 2 and high <= PLAIN[1] * 2
    axis.set_major_locator(LogLocator(numticks=MOST_TICKS["x" if axis is axis.axes.xaxis else "y"]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value) if plain else power(value)))
    if high < 30 * low:
        named = "25" if high > 4 * low else "123456789"
        axis.set_minor_formatter(
            FuncFormatter(lambda value, _: number(value) if f"{value:e}"[0] in named else "")
        )
    else:
        axis.set_minor_formatter(NullFormatter())


def legend_of(canvas: Canvas, axes: Axes, *, free: bool = False) -> None:
    """A legend of the lines of one panel for all: in the free place at the lower right, else above."""
    handles, labels = axes.get_legend_handles_labels()
    if free:
        canvas.legend(handles, labels, fontsize=8, loc="lower right", bbox_to_anchor=(0.95, 0.15))
    else:
        canvas.legend(handles, labels, fontsize=8, loc="outside upper center", ncols=len(labels))


def page_svg(figure: Figure) -> str:
    """The SVG element for an HTML page: no fixed size, no background, the page's ink."""
    text = figure.svg.decode()
    text = text[text.index("<svg") :]
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="patch_1">.*?</g>', "", text, count=1, flags=re.S)  # the white sheet
    # ids are only unique within a figure
    text = re.sub(r'\bid="', f'id="{figure.name}-', text)
    text = re.sub(r'(xlink:href="|href="|url\()#', rf"\1#{figure.name}-", text)
    text = text.replace(INK, "currentColor")
    label = figure.title.replace("&", "&amp;").replace('"', "&quot;")
    return text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def bare(axes: Axes, grid: Literal["x", "y"] = "y") -> None:
    """Remove the background of the axes, and draw a light grid."""
    axes.patch.set_visible(False)
    axes.grid(True, axis=grid, color="#80808050", linewidth=0.6)
    axes.set_axisbelow(True)
