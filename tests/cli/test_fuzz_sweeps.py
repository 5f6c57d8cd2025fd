"""Mutated sweep files, command lines and environments: never a traceback, exit codes 0 and 2 only."""

from __future__ import annotations

import random
from pathlib import Path

import click
import pytest
from fuzzing import cases

from gunrock_cli.cli.main import cli, main
from gunrock_cli.cli.old_spellings import OLD, PrimitiveCommand

PLAN = """name = "small"
timeout = 7
options = {iterations = 3, backend = "cpu"}
[graphs]
small = "rmat --scale 4"
file = "--market g.mtx --directed"
[[run]]
primitives = ["bfs", "sssp"]
graphs = ["small", "g.mtx"]
options = {weights = "random:1:64", src = 0}
axes = {advance-mode = ["LB", "TM"], warmup = [0]}
timeout = 1.5
[[run]]
primitives = ["pagerank"]
graphs = ["grid2d --width 3"]
axes = {push = [true, false], damping = [0.5, 0.85]}
"""
PIECES = [
    "",
    '"',
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    " ",
    "#",
    "0",
    "-",
    ".",
    "nan",
    "inf",
    "1e999",
    "9" * 30,
    "true",
    "[[run]]",
    "[graphs]",
    '""',
    "[]",
    "{}",
    "\\",
    "\\u0000",
    "\x00",
    "\x1b",
    "\u00b2",
    "\u202e",
    "--help",
    "--market -",
    "/",
    "..",
    "=x",
    "[/red]",
    '"a", 3',
    "[[1]]",
    "0x" + "f" * 40,
]
VALUES = [
    "",
    "0",
    "1",
    "-1",
    "nan",
    "inf",
    "1e999",
    str(2**31),
    str(2**63),
    str(2**64),
    "9" * 400,
    "\u00b2",
    "x",
    "auto",
    "-",
    "--",
    "1.5",
    "1e-400",
    "0x10",
    "/",
    "/dev/null",
    "[/red]",
    "a=b",
    "a=1",
    "random:nan:1",
    "largest-degree",
    "none",
    "\x1b[2J",
    "a\nb",
    "\udcff",
    "LB",
    "true",
    "%",
    "5%",
]


def ends_well(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A traceback would come through as an exception other than SystemExit."""
    code = 0
    try:
        main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    shown = capsys.readouterr()
    assert code in (0, 2), words
    if code == 2:
        told = shown.err.splitlines()  # about the chosen backend, then about the error
        assert told, words
        named = all(line.startswith("gunrock: ") for line in told)
        assert named or told[0].startswith("Usage: "), (words, told)


@pytest.mark.fuzz
def test_mutated_sweep_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("g.mtx").touch()
    chance = random.Random(41)
    for _ in range(cases(150)):
        text = PLAN
        for _ in range(chance.choice((1, 1, 2, 3))):
            place, length = chance.randrange(len(text)), chance.choice((0, 1, 1, 3, 9, 40))
            text = text[:place] + chance.choice(PIECES) + text[place + length :]
        data = text.encode()
        if chance.random() < 0.05:
            data = data.replace(chance.choice((b"a", b"=", b"3")), b"\xff")
        Path("p.toml").write_bytes(data)
        ends_well(["sweep", "p.toml", "--dry-run"], capsys)


@pytest.mark.fuzz
def test_random_command_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Give any options with any values: sound ones fail only because their graph is missing."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(42)
    context = cli.make_context("gunrock", ["info"], resilient_parsing=True)
    names = (
        "bfs",
        "sssp",
        "bc",
        "cc",
        "pagerank",
        "compare-modes",
        "stats",
        "sweep",
        "compare",
        "report",
        "profile",
    )
    for _ in range(cases(150)):
        name = chance.choice(names)
        command = cli.get_command(context, name)
        assert command is not None
        options = [param for param in command.params if isinstance(param, click.Option)]
        flags = [flag for option in options if not option.hidden for flag in option.opts]
        flags += [old for old in OLD if isinstance(command, PrimitiveCommand)]
        words = [name]
        if name == "compare-modes":
            words.append(chance.choice(("bfs", "pagerank")))
        for _ in range(chance.randint(0, 4)):
            words += [chance.choice(flags), chance.choice(VALUES)][: chance.choice((1, 2, 2, 2))]
        if name == "profile":
            words += ["--ncu", "none", "bfs"]
        else:  # commands that take a graph get none that could be run or written
            words += ["--market", "none.mtx"] if "--market" in flags else ["none"]
        ends_well(words, capsys)


@pytest.mark.parametrize(
    "name",
    [
        "OMP_NUM_THREADS",
        "GUNROCK_CACHE_DIR",
        "GUNROCK_DATASETS",
        "COLUMNS",
        "NO_COLOR",
        "GUNROCK_BFS_SRC",
        "GUNROCK_THREADS",
        "CXX",
    ],
)
def test_random_environments(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for text in VALUES:
        monkeypatch.setenv(name, text)
        ends_well(["bfs", "--market", "none.mtx", "--backend", "cpu"], capsys)
        ends_well(["datasets", "list"], capsys)
