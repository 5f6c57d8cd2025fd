"""A figure: how it is drawn, and the table of points behind it; to SVG, PNG and pages.

Drawn on matplotlib's Figure itself (no pyplot, no global state). What stands for ink is drawn in
``INK``, which a page replaces by its own text colour, so that a figure follows dark mode.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gunrock_cli.report.cells import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

INK = "#010203"
COLOURS = ("#3b7dd8", "#d9822b", "#2e9e5b", "#b04fc4", "#c23b3b", "#7f8a93", "#a38a12", "#12a3a3")


@dataclass
class Figure:
    """``points`` holds every drawn value with its origin and records; ``draw`` fills a canvas of
    ``size`` inches. Without anything to draw, ``draw`` is None and ``points.missing`` says why."""

    points: Table
    draw: Callable[[Canvas], None] | None
    size: tuple[float, float] = (8.0, 4.0)

    @property
    def name(self) -> str:
        return self.points.name

    @property
    def title(self) -> str:
        return self.points.title


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
        target = io.BytesIO()
        if form == "svg":
            canvas.savefig(target, format="svg", metadata={"Date": None})
        else:
            canvas.savefig(target, format=form, dpi=160)
    return target.getvalue()


def page_svg(figure: Figure) -> str:
    """The SVG element for an HTML page: no fixed size, no background, the page's ink."""
    text = render(figure, "svg").decode()
    text = text[text.index("<svg"):]
    text = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", text, count=1)
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.S)
    text = re.sub(r'<g id="patch_1">.*?</g>', "", text, count=1, flags=re.S)  # the white sheet
    # Ids are unique within a figure only.
    text = re.sub(r'\bid="', f'id="{figure.name}-', text)
    text = re.sub(r'(xlink:href="|href="|url\()#', rf"\1#{figure.name}-", text)
    text = text.replace(INK, "currentColor")
    label = figure.title.replace("&", "&amp;").replace('"', "&quot;")
    return text.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)


def bare(axes: Axes) -> None:
    """No sheet behind the axes, a light grid."""
    axes.patch.set_visible(False)
    axes.grid(True, axis="y", color="#80808050", linewidth=0.6)
    axes.set_axisbelow(True)
