"""The table of the papers' items names what there is."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from gunrock_cli.cli.main import cli
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.run_options import RUN_OPTIONS
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.papers import Papers
from gunrock_cli.report.registry import build, report_names
from gunrock_cli.report.render.markdown import markdown

ROOT = Path(__file__).resolve().parents[2]
PLACES = [place for where in Papers().items["where"] for place in str(where).split("; ") if place]


@pytest.mark.parametrize("place", sorted(set(PLACES)))
def test_a_place_is_there(place: str) -> None:
    first, _, rest = place.partition(" ")
    if first == "report":
        assert rest in report_names()
    elif first == "gunrock":
        assert cli.get_command(click.Context(cli), rest) is not None
    elif first in primitive_names():
        flag, _, value = rest.partition(" ")
        assert is_option(first, flag.removeprefix("--"), value)
    else:
        assert (ROOT / place).is_file()


def is_option(primitive: str, name: str, value: str) -> bool:
    """True if a primitive has the option, and the option the value."""
    if name == "count":
        command = cli.get_command(click.Context(cli), primitive)
        return command is not None and any(parameter.name == name for parameter in command.params)
    options = {each.name: each for each in (*get_primitive(primitive).options, *RUN_OPTIONS)}
    return name in options and (not value or value in (options[name].choices or (value,)))


def test_every_table_and_figure_of_the_papers_is_an_item() -> None:
    ours = {"beside", "classics", "ranking", "measured", "ceilings", "growth", "roofline", "papers"}
    named = {place.removeprefix("report ") for place in PLACES if place.startswith("report ")}
    assert named | ours == set(report_names()) | {"classics", "ranking"}


def test_the_page_is_made_of_the_items() -> None:
    (table,) = build(ReportData([]), ["papers"]).tables
    assert (ROOT / "docs" / "papers.md").read_text() == markdown(table).removeprefix("##")
