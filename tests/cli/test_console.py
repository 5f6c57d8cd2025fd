"""Tables on terminals of any width, and in pipes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rich.table import Table
from terminal import stdout_on_terminal

from gunrock_cli.cli import console

HEADINGS = ("graph", "also", "vertices", "time (ms)", "verdict")


def table() -> Table:
    found = Table("graph", "also", title="a title that is longer than the table " + "and goes on " * 4)
    for heading in HEADINGS[2:]:
        found.add_column(heading, justify="right")
    found.add_row("road", "with a word " * 4, "1,000,000", "12.5", "pass")
    found.add_section()
    found.add_row("rmat", "", "7", "0.01", "pass", end_section=True)
    return found


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    own = console.console

    def show(width: int, **how: object) -> list[str]:
        def narrow(*, stderr: bool = False):
            found = own(stderr=stderr)
            found._force_terminal, found.width = True, width
            return found

        monkeypatch.setattr(console, "console", narrow if width else own)
        console.print_table(table(), **how)
        return capsys.readouterr().out.splitlines()

    yield show
    console._choice["everything"] = False


def test_a_wide_terminal_shows_all(printed) -> None:
    lines = printed(200)
    assert lines[0].strip() == table().title.strip()
    assert all(heading in lines[2] for heading in HEADINGS)
    assert not any("left out" in line for line in lines)


def test_texts_are_wrapped_before_columns_are_left_out(printed) -> None:
    lines = printed(80)
    assert all(heading in "".join(lines) for heading in HEADINGS)
    assert max(map(len, lines)) <= 80
    assert not any("left out" in line for line in lines)


def test_no_word_is_cut(printed, monkeypatch: pytest.MonkeyPatch) -> None:
    command = "pip_install_" + "long" * 12
    found = table()
    found.columns[1]._cells[0] = command
    monkeypatch.setitem(globals(), "table", lambda: found)
    lines = printed(70, least=("verdict", "time (ms)"))
    assert "…" not in "".join(lines)
    assert "".join(line.split("│")[2].strip() for line in lines if line.startswith("│")) == command


@pytest.mark.parametrize("width", [66, 60, 50, 40])
def test_columns_are_left_out_and_named(width: int, printed) -> None:
    lines = printed(width)
    assert max(map(len, lines)) <= width
    place = next(number for number, line in enumerate(lines) if "left out" in line)
    said = " ".join(" ".join(lines[place:]).split()).partition("left out: ")[2]
    gone = said.partition(" (--wide shows all)")[0].split(", ")
    assert gone == list(HEADINGS[-len(gone) :])  # from the right
    shown = {word for line in lines[:place] for word in line.split()}
    assert not shown & {heading.split()[0] for heading in gone}
    assert "--wide shows all" in " ".join(" ".join(lines).split())


@pytest.mark.parametrize("width", [66, 50, 40])
def test_what_tells_rows_apart_stays(width: int, printed) -> None:
    lines = printed(width, keys=("graph", "vertices", "verdict"))
    text = "\n".join(lines)
    assert max(map(len, lines)) <= width
    assert all(word in text for word in ("road", "rmat", "1,000,000"))
    assert "in every row: verdict pass" in " ".join(lines)
    assert "verdict" not in text.partition("left out")[2]


def test_a_row_alone_keeps_its_columns(printed, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Table("graph", "system", "time")
    alone.add_row("a long name of a graph", "gunrock", "12 ms")
    monkeypatch.setitem(globals(), "table", lambda: alone)
    assert not any("in every row" in line for line in printed(30, keys=("graph", "system")))


def test_those_that_matter_least_go_first(printed) -> None:
    text = "\n".join(printed(60, least=("also",)))
    assert "left out: also (--wide shows all)" in text
    assert "1,000,000" in text


def test_two_columns_stay_however_narrow(printed) -> None:
    lines = printed(30)
    assert "graph" in "".join(lines)
    assert "also" in "".join(lines)
    assert max(map(len, lines)) <= 30


def test_wide_and_pipes_show_all(printed) -> None:
    pipe = printed(0)
    assert pipe[0].startswith("a title")
    assert pipe[0].rstrip().endswith("goes on")  # in one line
    assert all(heading in pipe[2] for heading in HEADINGS)
    assert sum(line.startswith(("├", "╞", "┡")) for line in pipe) == 2  # sections are kept
    console.show_everything()
    assert all(heading in printed(150)[2] for heading in HEADINGS)
    assert not any("left out" in line for line in printed(30))


@pytest.mark.parametrize(("words", "there"), [(("--wide",), True), ((), False)])
def test_on_a_real_terminal(words: tuple[str, ...], there: bool, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "gunrock_cli.cli.main",
        "bfs",
        "grid2d",
        "--width",
        "9",
        "--height",
        "9",
        "--backend",
        "cpu",
        "--threads",
        "1",
        "--iterations",
        "1",
        "--trace",
        *words,
    ]
    code, shown = stdout_on_terminal(command, columns=60, cwd=tmp_path)
    text = shown.decode()
    assert code == 0
    assert ("left out: " in text) is not there
    assert "bfs from vertex 0 on " in text
