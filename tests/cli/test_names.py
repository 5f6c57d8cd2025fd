"""Answers under the vertices' own names: tables, files, records; sources by name."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from gunrock_cli.cli.main import main

CSV = 'from,to,km\nBerlin,"Paris, TX",3\nBerlin,Rome,1.5\nRome,"Paris, TX",1\nOslo,Bonn,2\n'
COLUMNS = ("--columns", "from,to,km")
NAMES = ["Berlin", "Rome", "Oslo", "Paris, TX", "Bonn"]


@pytest.fixture
def cities(tmp_path: Path) -> str:
    (tmp_path / "cities.csv").write_text(CSV)
    return str(tmp_path / "cities.csv")


Run = Callable[..., SimpleNamespace]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process."""

    def run(*words: str) -> SimpleNamespace:
        code = 0
        try:
            main(list(words))
        except SystemExit as ended:
            code = int(ended.code or 0)
        out, err = capsys.readouterr()
        return SimpleNamespace(returncode=code, stdout=out, stderr=err)

    return run


@pytest.fixture
def gunrock(command: Run) -> Run:
    """Run a primitive quickly in this process."""
    return lambda *words: command(*words, "--backend", "cpu", "--threads", "2", "--iterations", "1")


def rows(table: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("│").split("│")]
        for line in table.splitlines()
        if line.startswith("│")
    ]


def test_top_and_record(gunrock: Run, cities: str, tmp_path: Path) -> None:
    done = gunrock(
        "sssp",
        cities,
        *COLUMNS,
        "--src",
        "Paris, TX",
        "--top",
        "9",
        "--json",
        "--output",
        str(tmp_path / "r.jsonl"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["top"] == [
        {
            "order": "nearest",
            "output": "distances",
            "vertices": ["Paris, TX", "Rome", "Berlin"],
            "values": [0.0, 1.0, 2.5],
        }
    ]
    record = json.loads((tmp_path / "r.jsonl").read_text())
    assert (record["sources"], record["source_names"]) == ([3], ["Paris, TX"])
    assert record["graph"]["origin"]["columns"] == ["from", "to", "km"]


def test_top_of_vertices(gunrock: Run, cities: str) -> None:
    """The smallest vertex of a component is one that has a name."""
    done = gunrock("cc", cities, *COLUMNS, "--top", "9")
    shown = dict(rows(done.stdout.partition("highest components")[2]))
    assert shown == {
        "Berlin": "Berlin",
        "Rome": "Berlin",
        "Paris, TX": "Berlin",
        "Oslo": "Oslo",
        "Bonn": "Oslo",
    }


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_saved_answers(gunrock: Run, cities: str, suffix: str, tmp_path: Path) -> None:
    labels, predecessors = tmp_path / f"d{suffix}", tmp_path / f"p{suffix}"
    done = gunrock(
        "bfs",
        cities,
        *COLUMNS,
        "--src",
        "Berlin,Oslo",
        "--mark-pred",
        "--save",
        str(labels),
        "--save-predecessors",
        str(predecessors),
    )
    assert done.returncode == 0, done.stderr
    read = pd.read_csv if suffix == ".csv" else pd.read_parquet
    found = read(labels)
    assert found["source"].tolist() == ["Berlin"] * 5 + ["Oslo"] * 5
    assert found["vertex"].tolist() == NAMES * 2
    assert found["labels"].tolist() == [0, 1, -1, 1, -1, -1, -1, 0, -1, 1]
    before = read(predecessors).set_index(["source", "vertex"])["predecessor"]
    assert before["Berlin", "Rome"] == "Berlin"
    assert pd.isna(before["Berlin", "Oslo"])
    assert before["Oslo", "Bonn"] == "Oslo"


def test_npy_has_a_map_beside_it(gunrock: Run, cities: str, tmp_path: Path) -> None:
    done = gunrock("bfs", cities, *COLUMNS, "--src", "Berlin", "--save", str(tmp_path / "d.npy"))
    assert done.returncode == 0, done.stderr
    assert np.load(tmp_path / "d.npy").tolist() == [0, 1, -1, 1, -1]
    assert (tmp_path / "d.npy.names").read_text().splitlines() == NAMES


@pytest.mark.parametrize("sources", ["Berlin", "Berlin,Oslo"])
def test_numbers_are_not_there_without_their_map(
    gunrock: Run, cities: str, tmp_path: Path, sources: str
) -> None:
    (tmp_path / "d.npy.names").mkdir()
    done = gunrock("bfs", cities, *COLUMNS, "--src", sources, "--save", str(tmp_path / "d.npy"))
    assert done.returncode == 2
    assert "d.npy.names: cannot be written" in done.stderr
    assert not (tmp_path / "d.npy").exists()


def test_lists_name_their_vertices(gunrock: Run, cities: str, tmp_path: Path) -> None:
    done = gunrock("mst", cities, *COLUMNS, "--save", str(tmp_path / "t.csv"))
    assert done.returncode == 0, done.stderr
    found = pd.read_csv(tmp_path / "t.csv")
    assert {tuple(row) for row in found.itertuples(index=False)} == {
        ("Berlin", "Rome", 1.5),
        ("Rome", "Paris, TX", 1.0),
        ("Oslo", "Bonn", 2.0),
    }


def test_recommendations_name_whom(gunrock: Run, tmp_path: Path) -> None:
    (tmp_path / "f.el").write_text("ann bob\nbob cid\nann dan\ndan cid\ncid eve\n")
    done = gunrock("wtf", "--edge-list", str(tmp_path / "f.el"), "--named", "--src", "ann")
    assert done.returncode == 0, done.stderr
    _, _, table = done.stdout.rpartition("wtf from vertex ann")
    assert {row[1] for row in rows(table)} <= {"bob", "cid", "dan", "eve"}
    assert rows(table)


def test_converted_graphs_keep_a_map(command: Run, gunrock: Run, cities: str, tmp_path: Path) -> None:
    done = command("convert", cities, *COLUMNS, str(tmp_path / "g.mtx"))
    assert done.returncode == 0, done.stderr
    assert "g.mtx.names" in done.stdout
    again = gunrock(
        "sssp",
        str(tmp_path / "g.mtx"),
        "--vertex-names",
        str(tmp_path / "g.mtx.names"),
        "--src",
        "Oslo",
        "--top",
        "2",
    )
    assert rows(again.stdout.partition("nearest distances")[2]) == [["Oslo", "0"], ["Bonn", "2"]]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--columns", "from"], "name the source's and the target's"),
        ([], "--src 0: no vertex of cities has that name; its first is Berlin"),
        (["--columns", "from,there"], "has 0 columns 'there': there are 'from', 'to', 'km'"),
        (["--columns", "from,to", "--src", "Roma"], "--src Roma: no vertex of cities has that name"),
        (["--columns", "from,to"], "--src 0: no vertex of cities has that name; its first is Berlin"),
        (["--columns", "from,to", "--named"], "--named goes with a list of edges"),
    ],
)
def test_what_does_not_fit_is_one_line(gunrock: Run, cities: str, words: list[str], message: str) -> None:
    done = gunrock("bfs", cities, *words)
    assert done.returncode == 2
    assert message in done.stderr.splitlines()[-1]


def test_several_sources_on_the_command_line(gunrock: Run, tmp_path: Path) -> None:
    """Sources may also be given by number, in every spelling of the option."""
    for words in (["--src", "0,2"], ["--src=0,2"]):
        done = gunrock("bfs", "path", "--nodes", "3", *words, "--save", str(tmp_path / "x.npy"))
        assert done.returncode == 0, done.stderr
        assert np.load(tmp_path / "x.npy").tolist() == [[0, 1, 2], [2, 1, 0]]
