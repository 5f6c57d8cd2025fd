"""What is said of a command, an option or a peer that there is not."""

from __future__ import annotations

import pytest

from gunrock_cli.cli.hints import COMMANDS, MISSING, OPTIONS
from gunrock_cli.cli.main import cli, main
from gunrock_cli.cli.primitive_command import command_of
from gunrock_cli.nearest import bare, nearest
from gunrock_cli.peers import SENSES, known_names
from gunrock_cli.primitives import get_primitive, primitive_names


def said(capsys: pytest.CaptureFixture[str], line: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(line.split())
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("bfs rmat --source 0", "--src?"),
        ("bfs rmat --iteration 3", "--iterations?"),
        ("pagerank rmat --alpha 0.9", "--damping?"),
        ("bfs rmat --against gapbs", "did you mean gap? "),
        ("bfs rmat --against lagraph", "did you mean graphblas? "),
        ("dijkstra", "Did you mean sssp?"),
        ("lovain", "Did you mean louvain?"),
        ("bfs rmt --scale 6", "did you mean rmat?"),
    ],
)
def test_the_nearest_by_sense_is_proposed(
    line: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert meant in said(capsys, line)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("cc rmat --src 0", "cc starts from no source"),
        ("cc rmat --mark-pred", "an option of bfs, sssp"),
        ("stats rmat --src 0", "stats has no use for it; it is an option of primitives"),
        ("compare-modes bfs rmat --cold", "compare-modes has no use for it"),
        ("sweep --graph rmat --cold", "--set cold=VALUE"),
        ("compare-modes bfs rmat --direction push", "--set direction=VALUE"),
        ("bfs rmat --zzzz", "No such option '--zzzz' ("),
    ],
)
def test_nothing_is_proposed_that_is_of_no_use(
    line: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = said(capsys, line)
    assert why in told
    assert "mean" not in told


@pytest.mark.parametrize("name", ["astar", "dfs", "max_flow"])
def test_a_primitive_that_is_missing_is_said_to_be(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is missing here" in said(capsys, f"{name} rmat --scale 8")


def test_senses_lead_to_what_there_is() -> None:
    commands = cli.list_commands(None)  # type: ignore[arg-type]
    assert set(COMMANDS.values()) <= set(commands)
    assert set(SENSES.values()) <= set(known_names())
    flags = {
        name
        for each in primitive_names()
        for param in command_of(get_primitive(each)).params
        for name in (*param.opts, *param.secondary_opts)
    }
    assert set(OPTIONS.values()) <= flags
    assert all(word == bare(word) for word in (*COMMANDS, *MISSING, *SENSES, *OPTIONS))


def test_only_what_is_about_as_near_as_the_best_is_named() -> None:
    assert nearest("gapbs", ("gap", "graphblas")) == ["gap"]
    assert nearest("color", ("colors", "colour", "cc")) == ["colors", "colour"]
    assert nearest("src", ("trace", "c", "csr")) == ["csr"]
    assert nearest("x", ()) == []
