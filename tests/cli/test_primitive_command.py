"""``gunrock bfs`` as a user meets it: real processes, exit codes, one line per mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jsonschema import Draft202012Validator

from gunrock_cli.resources import _PACKAGE

MTX = """%%MatrixMarket matrix coordinate pattern symmetric
5 5 4
2 1
3 2
4 3
1 4
"""


def gunrock(*words: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gunrock_cli.cli.main", *words]
    return subprocess.run(command, capture_output=True, text=True, input=stdin, check=False)


@pytest.fixture
def market(tmp_path: Path) -> str:
    file = tmp_path / "ring.mtx"
    file.write_text(MTX)
    return str(file)


CPU = ("--backend", "cpu", "--iterations", "2", "--threads", "2")


def test_table(market: str) -> None:
    for check, shown in ((), "certificate"), (("--check", "reference"), "scipy"):
        done = gunrock("bfs", "--market", market, "--src", "0", *check, *CPU)
        assert done.returncode == 0, done.stderr
        assert f"pass ({shown})" in done.stdout
    assert "MTEPS" in done.stdout


def test_json_is_one_valid_record(market: str, tmp_path: Path) -> None:
    records = tmp_path / "r.jsonl"
    for _ in range(2):
        done = gunrock("bfs", "--market", market, "--json", "--output", str(records), *CPU)
        assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    record = json.loads(line)
    schema = json.loads((_PACKAGE / "bench" / "records" / "record.schema.json").read_text())
    Draft202012Validator(schema).validate(record)
    assert record["vertices_visited"] == 4
    assert record["edges_visited"] == 8
    assert record["depth"] == 2
    assert len(records.read_text().splitlines()) == 2


def test_stdin_and_saved_files(tmp_path: Path) -> None:
    labels, tree, trace = (tmp_path / name for name in ("l.npy", "p.csv", "t.csv"))
    done = gunrock(
        "bfs",
        "--market",
        "-",
        "--mark-pred",
        "--save",
        str(labels),
        "--save-predecessors",
        str(tree),
        "--trace-csv",
        str(trace),
        *CPU,
        stdin=MTX,
    )
    assert done.returncode == 0, done.stderr
    assert np.load(labels).tolist() == [0, 1, 2, 1, -1]
    assert pd.read_csv(tree)["predecessor"].tolist()[4] == -1
    assert {"phase", "frontier_vertices", "ms"} <= set(pd.read_csv(trace).columns)


def test_parquet(market: str, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    file = tmp_path / "l.parquet"
    assert gunrock("bfs", "--market", market, "--save", str(file), *CPU).returncode == 0
    assert pd.read_parquet(file)["labels"].tolist() == [0, 1, 2, 1, -1]


def test_sources_and_peers(market: str) -> None:
    done = gunrock(
        "bfs",
        "--market",
        market,
        "--num-sources",
        "3",
        "--seed",
        "5",
        "--json",
        "--against",
        "scipy",
        "--backend",
        "cpu",
    )
    assert done.returncode == 0, done.stderr
    own, peer = map(json.loads, done.stdout.splitlines())
    assert len(set(own["sources"])) == 3
    assert [own["sources"].count(source) for source in set(own["sources"])] == [10, 10, 10]
    assert peer["system"] == "scipy"
    assert peer["validation"]["verdict"] == "pass"
    done = gunrock("bfs", "star", "--nodes", "50", "--src", "largest-degree", "--json", *CPU)
    assert json.loads(done.stdout)["sources"] == [0, 0]


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("--market", "nowhere.mtx"), "nowhere.mtx"),
        (("MARKET", "--src", "9"), "--src 9"),
        (("MARKET", "--src", "x"), "--src x"),
        (("MARKET", "--direction", "pull", "--direction-optimized"), "contradicts"),
        (("MARKET", "--save", "a.txt"), ".npy"),
        (("MARKET", "--save-predecessors", "p.npy"), "--mark-pred"),
        (("MARKET", "--num-sources", "99"), "--num-sources 99"),
        (("MARKET", "--src", "0", "--num-sources", "2"), "it does not go with --src 0"),
        (("MARKET", "--against", "nosuch"), "nosuch"),
        (("MARKET", "--max-steps", "1"), "--max-steps"),
        ((), "no graph"),
    ],
)
def test_mistakes_get_one_line_and_exit_2(words: tuple[str, ...], what: str, market: str) -> None:
    line = [part for word in words for part in (("--market", market) if word == "MARKET" else (word,))]
    done = gunrock("bfs", *line, "--backend", "cpu", "--threads", "2")
    assert done.returncode == 2, done.stderr
    assert what in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_answer_exits_1(
    market: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gunrock_cli.cli.main import main
    from gunrock_cli.primitives.base import Validation
    from gunrock_cli.primitives.bfs import Bfs

    monkeypatch.setattr(Bfs, "validate", lambda *_: Validation("fail", "test", "vertex 1: 2"))
    with pytest.raises(SystemExit) as ended:
        main(["bfs", "--market", market, "--check", "reference", "--json", *CPU])
    assert ended.value.code == 1
    shown = capsys.readouterr()
    assert json.loads(shown.out)["status"] == "wrong"
    assert "vertex 1: 2" in shown.err


@pytest.mark.parametrize("words", [("--market", "none.mtx"), ("path", "--nodes", "5", "--src", "9")])
def test_an_error_stands_alone_and_a_run_names_its_backend_once(words: tuple[str, ...]) -> None:
    failed = gunrock("bfs", *words)
    assert failed.returncode == 2
    assert len(failed.stderr.splitlines()) == 1
    done = gunrock("bfs", "path", "--nodes", "5")
    assert len([line for line in done.stderr.splitlines() if "PU, " in line]) == 1


def test_help_names_every_command_and_default() -> None:
    done = gunrock("--help")
    assert done.returncode == 0
    for name in ("bfs", "sweep", "report", "info", "datasets"):
        assert name in done.stdout
    assert "4096" in gunrock("bfs", "--help-all").stdout


def test_info() -> None:
    found = json.loads(gunrock("info", "--json").stdout)
    assert found["backend_cpu"] == "usable"
