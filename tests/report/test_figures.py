"""The look of figures: numbers on axes, colors, names that do not cover each other, tooltips."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET

import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Annotation
from records_helper import make_record
from sample_records import GPU, TRAFFIC, sample_records

from gunrock_cli.bench.records.record import Record
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.figures import ppopp16_figure7, ppopp16_figure8
from gunrock_cli.report.forms.plot import COLOURS, Figure, page_svg, render
from gunrock_cli.report.registry import build

SVG = "{http://www.w3.org/2000/svg}"
PAPERS = ("#ffffff", "#14181c")
SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red cones": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "no green cones": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
"""Machado, Oliveira and Fernandes 2009, at full severity, on linear RGB."""


@pytest.fixture(scope="module")
def figures() -> dict[str, Figure]:
    return {figure.name: figure for figure in build(ReportData(sample_records())).figures}


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def tips(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]


def test_ticks_are_numbers_not_formulas(figures: dict[str, Figure]) -> None:
    for figure in figures.values():
        found = texts(render(figure, "svg").decode())
        assert not [text for text in found if "mathdefault" in text], figure.name
        assert sum(bool(re.fullmatch(r"[\d.]+|10[⁻⁰¹²³⁴-⁹]+", text)) for text in found) >= 4, figure.name


def test_points_say_what_they_are(figures: dict[str, Figure]) -> None:
    seven = tips(page_svg(figures["ppopp16-figure7"]))
    assert "BFS on soc-orkut, over SciPy, Test: 100 times" in seven
    assert "BFS on soc, over Hardwired GPU: 0.9619† times" in seven
    assert any(
        "one thread per vertex (TM): 1.2 ms" in tip for tip in tips(page_svg(figures["ppopp16-figure8"]))
    )
    assert "BFS on soc-orkut, gunrock, Test GPU: 2.1 ms, 4.2 times its floor" in tips(
        page_svg(figures["roofline"])
    )
    for figure in figures.values():
        assert tips(page_svg(figure)), figure.name


def test_a_hostile_name_is_text_in_its_tip() -> None:
    name = "\"><script>alert(1)</script>'\n]]>"
    records = [make_record("bfs", name), make_record("bfs", name, "scipy")]
    figure = build(ReportData(records), ["ppopp16-figure7"]).figures[0]
    svg = page_svg(figure)
    assert "<script" not in svg
    assert any(name.replace("\n", "\\n") in tip for tip in tips(svg))


def test_figure_7_names_each_system_once_and_has_a_legend(figures: dict[str, Figure]) -> None:
    found = texts(render(figures["ppopp16-figure7"], "svg").decode())
    for system in ("CuSha", "MapGraph", "Hardwired GPU", "Ligra", "SciPy, Test"):
        assert found.count(system) == 1
    for said in ("the paper's †", "measured here", "filled: Gunrock is faster", "hollow: slower"):
        assert found.count(said) == 1


def test_figure_7_draws_checked_answers_alone() -> None:
    records = [
        make_record("bfs", "g"),
        make_record("bfs", "g", "scipy"),
        make_record("bfs", "g", "igraph", validation={"verdict": "skipped"}),
    ]
    figure = ppopp16_figure7.build(ReportData(records))
    assert figure.points.text(("BFS", "igraph, Test / gunrock, Test"), ("", "g")) == "1¶?"
    drawn = [tip for tip in tips(page_svg(figure)) if "BFS on g," in tip]
    assert drawn == ["BFS on g, over SciPy, Test: 1¶ times"]


def test_figure_7_tells_gunrocks_of_several_devices_apart() -> None:
    records = [
        make_record("bfs", "g", runs=(4.0,), system="scipy"),
        make_record("bfs", "g"),
        make_record("bfs", "g", device=GPU, backend="cuda"),
    ]
    found = texts(render(ppopp16_figure7.build(ReportData(records)), "svg").decode())
    assert {"SciPy, Test / gunrock, Test", "SciPy, Test / gunrock, Test GPU"} <= set(found)


def test_figure_8_speaks_in_words(figures: dict[str, Figure]) -> None:
    found = texts(render(figures["ppopp16-figure8"], "svg").decode())
    assert found.count("roadNet-CA, Test GPU") == 1
    assert {"one thread per vertex (TM)", "atomic", "idempotent", "mean runtime (ms)"} <= set(found)
    assert not {"true", "false", "TM"} & set(found)
    assert ppopp16_figure8.words("direction", "of its own") == "of its own"


def crowd() -> list[Record]:
    """Points so close to each other that not all of their names have room, and some that are alone."""
    places = [(1 + 0.01 * number, 9 + 0.02 * number) for number in range(20)] + [(100, 200), (1, 3000)]
    return [
        make_record(
            "bfs",
            f"graph-number-{number}",
            runs=(time,),
            floor_ms=floor,
            traffic=TRAFFIC,
            over_floor=time / floor,
        )
        for number, (floor, time) in enumerate(places)
    ]


@pytest.mark.parametrize("dpi", [72, 160])
def test_roofline_names_cover_no_name(dpi: int) -> None:
    figure = build(ReportData(crowd()), ["roofline"]).figures[0]
    assert figure.draw is not None
    canvas = Canvas(figsize=figure.size, layout="constrained", dpi=dpi)
    figure.draw(canvas)
    canvas.draw_without_rendering()
    named = [child for child in canvas.axes[0].get_children() if isinstance(child, Annotation)]
    shown = {text.get_text() for text in named}
    assert {"graph-number-20", "graph-number-21"} <= shown
    assert len(shown) < 25  # not all in the crowd have room
    boxes = [text.get_window_extent() for text in named]
    assert not [pair for pair in itertools.combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def linear(colour: str) -> list[float]:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def seen(colour: str, sight: str) -> tuple[float, float, float]:
    """The CIELAB values of a color as those eyes see it."""
    rgb = [
        sum(weight * part for weight, part in zip(row, linear(colour), strict=True))
        for row in SIGHT[sight]
    ]
    red, green, blue = (min(1.0, max(0.0, part)) for part in rgb)
    xyz = (
        (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_are_told_apart(sight: str) -> None:
    for one, other in itertools.combinations(COLOURS, 2):
        apart = zip(seen(one, sight), seen(other, sight), strict=True)
        assert sum((a - b) ** 2 for a, b in apart) ** 0.5 > 15, (one, other)


@pytest.mark.parametrize("paper", PAPERS)
def test_colours_stand_out_on_the_page(paper: str) -> None:
    weights = (0.2126, 0.7152, 0.0722)
    for colour in COLOURS:
        low, high = sorted(
            sum(w * part for w, part in zip(weights, linear(each), strict=True))
            for each in (colour, paper)
        )
        assert (high + 0.05) / (low + 0.05) >= 3, colour  # WCAG, graphics
