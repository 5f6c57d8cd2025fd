"""Names from outside have no meaning to the terminal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from records_helper import make_record, write_records

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.studies.ablation import Panel, Row, Variant
from gunrock_cli.cli import modes_table, show
from gunrock_cli.cli.main import cli
from gunrock_cli.primitives import get_primitive

NAME, SHOWN = "[/red]a\x1b[2J\n[b]", "[/red]a\\x1b[2J\\n[b]"


def nasty() -> Record:
    return make_record(
        "bfs",
        NAME,
        system=NAME,
        device={"name": NAME},
        error=NAME,
        warnings=[NAME],
        metrics={NAME: NAME},
        options={"x": NAME},
        id=NAME,
        trace=[{"iteration": 0, NAME: NAME}],
        validation={"verdict": NAME, "reference": NAME},
    )


def nasty_in_a_file() -> Record:
    """A record with as many such names as the schema allows."""
    return replace(nasty(), error=None, validation={"verdict": "pass", "reference": NAME})


def check(text: str, times: int) -> None:
    assert "\x1b[2J" not in text
    assert text.count(SHOWN) >= times


def test_a_run(capfd: pytest.CaptureFixture[str]) -> None:
    show.print_records([nasty()], get_primitive("bfs"))
    show.print_trace(nasty())
    printed = capfd.readouterr()
    check(printed.out, 9)
    check(printed.err, 2)


def test_compared_modes(capfd: pytest.CaptureFixture[str]) -> None:
    variant = Variant(NAME, NAME, {})

    class Compared:
        def __init__(self) -> None:
            self.panels = [Panel(NAME, [variant])]

        def is_default(self, variant: Variant) -> bool:
            return False

        def also_changed(self, variant: Variant) -> list[str]:
            return [NAME]

    rows = [Row(NAME, variant, nasty()), Row(NAME, variant, None, NAME)]
    modes_table.show(Compared(), nasty(), rows)  # type: ignore[arg-type]
    printed = capfd.readouterr()
    check(printed.out, 8)
    check(printed.err, 1)


@pytest.mark.parametrize(
    ("command", "times"),
    [(("results", "list"), 3), (("compare",), 3), (("report", "--only", "measured", "--ids"), 4)],
)
def test_commands_on_records(tmp_path: Path, command: tuple[str, ...], times: int) -> None:
    path = str(write_records(tmp_path / "r.jsonl", [nasty_in_a_file()]))
    files = (path, path) if command == ("compare",) else (path,)
    result = CliRunner().invoke(cli, [*command, *files])
    assert result.exit_code == 0, result.output
    check(result.stdout, times)


def test_what_to_install_is_shown_whole() -> None:
    """Brackets, as in ``pip install 'x[y]'``, were once read as markup, and left out."""
    from gunrock_cli.cli.console import console, plain

    screen = console()
    with screen.capture() as capture:
        screen.print(plain("pip install 'gunrock-cli[peers]'"))
    assert capture.get().strip() == "pip install 'gunrock-cli[peers]'"
