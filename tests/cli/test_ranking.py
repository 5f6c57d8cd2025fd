"""Personalized PageRank and who to follow from the command line: printed, saved and refused."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

GRAPH = ("rmat", "--scale", "8", "--edge-factor", "6", "--directed")
CPU = ("--backend", "cpu", "--iterations", "1", "--threads", "2")


def gunrock(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gunrock_cli.cli.main", *words, *GRAPH, *CPU]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def rows_of(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("│ ").split("│")]
        for line in text.splitlines()
        if line.startswith("│")
    ]


@pytest.mark.parametrize("suffix", [".npy", ".csv", ".parquet"])
def test_a_batch_is_saved_a_column_for_each_seed(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"ranks{suffix}"
    done = gunrock("ppr", "--seeds", "3,5", "--batch", "2", "--save", str(file), "--top", "2")
    assert done.returncode == 0, done.stderr
    if suffix == ".npy":
        saved = np.load(file)
    else:
        frame = pd.read_csv(file) if suffix == ".csv" else pd.read_parquet(file)
        assert list(frame.columns) == ["vertex", "seed 3", "seed 5"]
        assert frame["vertex"].tolist() == list(range(256))
        saved = frame[["seed 3", "seed 5"]].to_numpy()
    assert saved.shape == (256, 2)
    np.testing.assert_allclose(saved.sum(axis=0), 1, atol=1e-5)
    assert saved.argmax(axis=0).tolist() == [3, 5]
    _, _, tables = done.stdout.partition("highest ranks")  # two rows for each seed
    found = [int(vertex) for vertex, _ in rows_of(tables)]
    assert found == np.argsort(-saved, axis=0, kind="stable")[:2].T.ravel().tolist()


def test_json_names_the_seeds_and_prints_nothing_else() -> None:
    done = gunrock("ppr", "--seeds", "5,3,5", "--top", "2", "--json")
    (line,) = done.stdout.splitlines()
    record = json.loads(line)
    assert record["options"]["seeds"] == "5,3,5"
    assert record["sources"] == []
    assert record["validation"]["verdict"] == "pass"


def test_recommendations_are_shown_for_every_user() -> None:
    done = gunrock("wtf", "--users", "3,5", "--recommendations", "4")
    assert done.returncode == 0, done.stderr
    for user in (3, 5):
        _, _, table = done.stdout.partition(f"wtf from vertex {user}\n")
        rows = rows_of(table)[:4]
        assert [row[0] for row in rows] == ["1", "2", "3", "4"]
        scores = [float(row[2]) for row in rows]
        assert scores == sorted(scores, reverse=True)
    assert "ppr ms" in done.stdout
    assert "recommend ms" in done.stdout


def test_a_batch_of_users_is_listed_and_saved(tmp_path: Path) -> None:
    file = tmp_path / "recommendations.csv"
    done = gunrock(
        "wtf",
        "--users",
        "3,5",
        "--batch",
        "2",
        "--recommendations",
        "4",
        "--against",
        "scipy",
        "--json",
        "--save",
        str(file),
    )
    assert done.returncode == 0, done.stderr
    record, scipy = map(json.loads, done.stdout.splitlines())
    assert (scipy["system"], scipy["validation"]["verdict"]) == ("scipy", "pass")
    assert (record["options"]["users"], record["metrics"]["users"]) == ("3,5", 2)
    frame = pd.read_csv(file)
    assert list(frame.columns) == ["user", "place", "vertex", "score"]
    assert [listing["source"] for listing in record["listings"]] == [3, 5]
    for listing in record["listings"]:
        rows = frame[frame["user"] == listing["source"]]
        for column in ("place", "vertex"):
            assert rows[column].tolist() == listing[column]
        np.testing.assert_allclose(rows["score"], listing["score"], rtol=1e-6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("wtf", "--batch", "2", "--top", "3"), "--top: wtf finds a list, not a value of each vertex"),
        (("wtf", "--batch", "2", "--src", "3"), "--batch says where to start, and so does --src"),
        (("ppr", "--seeds", "256"), "--seeds 256: rmat-s8-e6 has the vertices 0 to 255"),
        (("ppr", "--seeds", "1,2", "--batch", "3"), "--batch 3: --seeds has 2"),
        (
            ("ppr", "--seeds", "1,2", "--src", "0"),
            "--seeds says where to start, and so does --src: leave one of them out",
        ),
        (
            ("ppr", "--batch", "3", "--num-sources", "2"),
            "--batch says where to start, and so does --num-sources",
        ),
        (("wtf", "--user", "1", "--src", "2"), "--user says where to start, and so does --src"),
        (("wtf", "--user", "256"), "--user 256: rmat-s8-e6 has the vertices 0 to 255"),
        (("wtf", "--user", "1", "--users", "2"), "--user names one, --users several"),
    ],
    ids=str,
)
def test_bad_input_is_one_line(words: tuple[str, ...], message: str) -> None:
    done = gunrock(*words)
    assert (done.returncode, done.stdout) == (2, "")
    told = ("gunrock: CPU", "note: ")  # of the machine and of the graph
    last = [line for line in done.stderr.splitlines() if not line.startswith(told)]
    assert len(last) == 1
    assert last[0].startswith(f"gunrock: {message}")


@pytest.mark.parametrize("primitive", ["ppr", "wtf"])
def test_a_graph_without_vertices_has_no_source(primitive: str, tmp_path: Path) -> None:
    file = tmp_path / "empty.mtx"
    file.write_text("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
    command = [sys.executable, "-m", "gunrock_cli.cli.main", primitive, "--market", str(file), *CPU]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no vertices, so no source" in done.stderr


def test_compare_modes_takes_one_start() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "gunrock_cli.cli.main",
            "compare-modes",
            "ppr",
            *GRAPH,
            *CPU,
            "--src",
            "1",
            "--set",
            "seeds=2",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "gunrock: --seeds says where to start, and so does --src: leave one of them out"
    ]
