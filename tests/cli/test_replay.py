"""``gunrock replay``: logs read, batches applied, both runs measured; malformed logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import InputError, UsageError, WrongAnswer
from gunrock_cli.graph.sources.files.readers.log import Batch, read_log
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.cc import CcCertificate

LOG = "# of three batches\n+ 0 1 2.5\n- 3 4\n\n\n+ 1 900\n+ 1 900\ncommit\n- 0 900\n"
MESH = ("grid2d", "--width", "30", "--height", "30", "--backend", "cpu", "--iterations", "1")


def run(folder: Path, text: str, *words: str) -> Any:
    log = folder / "changes.log"
    log.write_text(text)
    return CliRunner().invoke(cli, ["replay", str(log), *words], catch_exceptions=False)


def read(folder: Path, text: str, each: int | None = None) -> list[Batch]:
    (folder / "log").write_text(text)
    return read_log(str(folder / "log"), each)


def test_batches(tmp_path: Path) -> None:
    first, second, third = read(tmp_path, LOG)
    assert (first.src.tolist(), first.dst.tolist()) == ([0, 3], [1, 4])
    assert first.weights[0] == 2.5
    assert np.isnan(first.weights[1])
    assert first.inserts.tolist() == [True, False]
    assert (len(second.src), third.inserts.tolist()) == (2, [False])
    assert [len(batch.src) for batch in read(tmp_path, LOG, each=4)] == [4, 1]


def test_edges_with_times(tmp_path: Path) -> None:
    (batch,) = read(tmp_path, "% source target time\n5 6 1.5e3\n1 2 7\n\n3 4 7\n")
    assert batch.src.tolist() == [1, 3, 5]
    assert batch.inserts.all()
    assert len(read(tmp_path, "5 6 9\r\n1 2 7\r\n", each=1)) == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("+ 0 1\n* 2 3\n", r"log:2: '\* 2 3' is no change: write \+ u v"),
        ("+ 0\n", "log:1: "),
        ("+ 0 1 x\n", "log:1: "),
        ("- 0 1 2\n", "log:1: "),
        ("+ -1 2\n", "log:1: "),
        ("+ 0 2147483647\n", "log:1: vertex number 2147483647 is out of range"),
        ("0 1 5\n0 1\n", "log:2: '0 1' is no change: write u v time"),
        ("0 1 5\n+ 0 1\n", "log:2: "),
        ("# nothing\n\n", "log: no edge to insert or to delete"),
        ("+ 0 1\n\x1b[31m\n", r"log:2: '\\\\x1b\[31m' is no change"),
    ],
)
def test_malformed_logs(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=problem) as refused:
        read(tmp_path, text)
    assert "\n" not in str(refused.value)


def test_the_command(tmp_path: Path) -> None:
    done = run(tmp_path, LOG, *MESH)
    assert done.exit_code == 0
    assert "from scratch" in done.stdout
    records = tmp_path / "records.jsonl"
    done = run(tmp_path, LOG, *MESH, "--json", "--output", str(records))
    lines = [json.loads(line)["metrics"] for line in done.stdout.splitlines()]
    assert [(line["inserted"], line["deleted"], line["missing"]) for line in lines] == [
        (0, 1, 0),
        (1, 0, 0),
        (0, 0, 1),
    ]
    assert [line["went_on"] for line in lines] == [0, 1, 1]  # the first batch tears a mesh
    kept = read_file(records).records
    assert [record.floor_ms is None for record in kept] == [False, True, True]
    assert [record.metrics["batch"] for record in kept] == [1, 2, 3]
    assert all(record.validation["verdict"] == "pass" for record in kept)
    assert all(record.metrics["scratch_ms"] > 0 for record in kept)


def test_no_batch_follows_a_wrong_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = Validation("fail", "", "vertex 7 is wrong")
    monkeypatch.setattr(CcCertificate, "judge", lambda *given: wrong)
    with pytest.raises(WrongAnswer, match="before the first batch: vertex 7 is wrong"):
        run(tmp_path, LOG, *MESH)


def test_whole_weights_beyond_floats(tmp_path: Path) -> None:
    """The new edge is the only way to a new vertex, in a graph of whole weights."""
    words = (*MESH, "--primitive", "sssp", "--json")
    done = run(tmp_path, f"+ 0 900 {2**24 + 1}\n", *words)
    assert done.exit_code == 0
    assert json.loads(done.stdout)["metrics"]["farthest"] == 2**24 + 1


@pytest.mark.parametrize(
    ("text", "words", "problem"),
    [
        (LOG, (*MESH, "--primitive", "kcore"), "kcore cannot go on"),
        (LOG, (*MESH, "--set", "sampling=off"), "sampling off does not go with an earlier answer"),
        ("+ 0\n", MESH, "changes.log:1: '+ 0' is no change"),
        (LOG, ("--batch", "0", *MESH), "--batch"),
        (LOG, (*MESH, "--src", "3"), "src 3: cc has no source"),
        (LOG, (*MESH, "--primitive", "bfs", "--src", "all"), "src all: give one source"),
    ],
)
def test_refusals(text: str, words: tuple[str, ...], problem: str, tmp_path: Path) -> None:
    log = tmp_path / "changes.log"
    log.write_text(text)
    if problem.startswith("--"):
        done = run(tmp_path, text, *words)
        assert (done.exit_code, problem in done.stderr) == (2, True)
        return
    with pytest.raises((InputError, UsageError)) as refused:
        run(tmp_path, text, *words)
    assert problem in str(refused.value)
    assert refused.value.exit_code == 2
