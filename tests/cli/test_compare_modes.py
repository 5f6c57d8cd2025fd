"""``gunrock compare-modes`` as a user runs it, and Figure 8 from its records."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from records_helper import make_record
from terminal import on_terminal

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.records.statistics import Ratio
from gunrock_cli.bench.studies.ablation import Row, Variant
from gunrock_cli.cli.modes_table import warn
from gunrock_cli.primitives import primitive_names
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.figures import ppopp16_figure8
from gunrock_cli.resources import _PACKAGE

SMALL = ("rmat", "--scale", "7")
MESH = ("grid2d", "--width", "12", "--height", "9")
QUICK = ("--iterations", "2", "--warmup", "0", "--backend", "cpu", "--threads", "2")


def compare_modes(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gunrock_cli.cli.main", "compare-modes", *words, *QUICK]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("name", primitive_names())
def test_every_primitive(name: str) -> None:
    done = compare_modes(name, *SMALL, "--json")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    schema = Draft202012Validator(
        json.loads((_PACKAGE / "bench" / "records" / "record.schema.json").read_text())
    )
    for record in records:
        schema.validate(record)
        assert record["validation"]["verdict"] == "pass"
        assert len(record["runs_ms"]) == 2
        mean = record["time_ms"]["mean"] / records[0]["time_ms"]["mean"]
        assert record["metrics"]["over_default"] == pytest.approx(mean)
    distinct = {json.dumps(record["options"], sort_keys=True) for record in records}
    assert len(distinct) == len(records) > 1
    assert {record["options"]["loop"] for record in records} == {"device", "host"}


def test_a_primitive_of_the_users_own(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "writing-a-primitive.md"
    for name, text in re.findall(r"`(k_hop\.\w+)`:\n```\w+\n(.*?)```", page.read_text(), re.DOTALL):
        (tmp_path / name).write_text(text)
    done = compare_modes(str(tmp_path / "k_hop.py"), *SMALL, "--set", "hops=1", "--json")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(records) == 9  # eight modes, and the host's loop
    assert {record["options"]["hops"] for record in records} == {1}


def test_table_of_bfs() -> None:
    done = compare_modes("bfs", *SMALL, "--src", "largest-degree")
    assert done.returncode == 0, done.stderr
    for text in (
        "Workload mapping",
        "advance_mode=LB_NODES",
        "Idempotent operations",
        "loop=device (default)",
        "loop=host",
        "MTEPS",
        "time / default",
        "95% interval",
        "difference",
        "stddev",
    ):
        assert text in done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("graph", [SMALL, MESH], ids=["hubs", "mesh"])
def test_figure_8_is_made_from_its_records(graph: tuple[str, ...], tmp_path: Path) -> None:
    from matplotlib.figure import Figure as Canvas

    file = tmp_path / "modes.jsonl"
    done = compare_modes("bfs", *graph, "--output", str(file))
    assert done.returncode == 0, done.stderr
    found = read_file(file)
    assert not found.problems
    figure = ppopp16_figure8.build(ReportData(found.records))
    assert figure.draw is not None
    shown = {(row[1], column[1]) for row, column, cell in figure.points.each() if cell.value}
    assert {(title, column) for title, column in shown if "mode" in column} == {
        ("Workload mapping", f"advance_mode={mode}")
        for mode in ("TM", "TWC", "LB", "LB_NODES", "AUTO", "WARP", "SCAN", "HYBRID")
    }
    for value in ("true", "false"):
        assert ("Idempotent operations", f"idempotence={value}") in shown
    for value in ("push", "pull", "optimized"):
        assert ("Forward or direction-optimized", f"direction={value}") in shown
    figure.draw(Canvas())


def test_pagerank_compares_its_forms_and_the_modes_of_push() -> None:
    done = compare_modes("pagerank", *SMALL, "--json")
    options = [json.loads(line)["options"] for line in done.stdout.splitlines()]
    assert options[0]["push"] is False
    forms = {(chosen["push"], chosen["filter_converged"]) for chosen in options}
    assert forms == {(False, False), (True, False), (True, True)}
    modes = {chosen["advance_mode"] for chosen in options if chosen["push"]}
    assert modes == {"TM", "TWC", "LB", "LB_NODES", "AUTO", "WARP", "SCAN", "HYBRID"}
    assert {chosen["advance_mode"] for chosen in options if not chosen["push"]} == {None}


def test_set_holds_in_every_row() -> None:
    done = compare_modes("pagerank", *SMALL, "--set", "precision=float64", "--json")
    assert done.returncode == 0, done.stderr
    precisions = {json.loads(line)["options"]["precision"] for line in done.stdout.splitlines()}
    assert precisions == {"float64"}


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("nosuch", *SMALL), "nosuch is neither a primitive"),
        (("bfs",), "no graph"),
        (("bfs", *SMALL, "--set", "direction=up"), "--set direction=up"),
        (("bfs", *SMALL, "--src", "all"), "--src all"),
        (("bfs", *SMALL, "--src", "999"), "--src 999"),
        (("pagerank", *SMALL, "--src", "0"), "pagerank has no source"),
        (("sssp", *SMALL, "--weights", "none"), "needs weights"),
        (("bfs", *SMALL, "--set", "direction=pull", "--set", "direction_optimized=true"), "contradicts"),
    ],
)
def test_mistakes_get_one_line_and_exit_2(words: tuple[str, ...], what: str) -> None:
    done = compare_modes(*words)
    assert done.returncode == 2, done.stderr
    assert what in done.stderr
    told = [line for line in done.stderr.splitlines() if not line.startswith("note: ")]  # about the graph
    assert len(told) == 1
    assert told[0].startswith("gunrock: ")
    assert done.stdout == ""


def test_a_wrong_answer_exits_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from gunrock_cli.cli.main import main
    from gunrock_cli.primitives.base import Validation
    from gunrock_cli.primitives.bfs import Bfs
    from gunrock_cli.primitives.bfs.options import BfsChosen

    def validate(self: Bfs, graph: object, options: BfsChosen, *_: object) -> Validation:
        return Validation("fail" if options.direction == "pull" else "pass", "t", "vertex 1: 2")

    monkeypatch.setattr(Bfs, "validate", validate)
    with pytest.raises(SystemExit) as ended:
        main(["compare-modes", "bfs", *SMALL, *QUICK])
    assert ended.value.code == 1
    shown = capsys.readouterr()
    (line,) = [line for line in shown.out.splitlines() if "direction=pull" in line]
    assert "wrong" in line
    assert "vertex 1: 2" in shown.err


def test_a_failed_variant_is_recorded_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gunrock_cli.bench.protocol import runner
    from gunrock_cli.cli.main import main
    from gunrock_cli.errors import OutOfMemory

    in_turns = runner.in_turns

    def failing(*words: Any) -> runner.Turns[runner.Measured]:
        if words[5].advance_mode == "TWC":
            raise OutOfMemory("no memory")
        return (yield from in_turns(*words))

    monkeypatch.setattr(runner, "in_turns", failing)
    file = tmp_path / "modes.jsonl"
    with pytest.raises(SystemExit) as ended:
        main(["compare-modes", "bfs", *SMALL, *QUICK, "--output", str(file)])
    assert ended.value.code == 1
    statuses = {record.options["advance_mode"]: record.status for record in read_file(file).records}
    assert statuses.pop("TWC") == "OOM"
    assert set(statuses.values()) == {"ok"}


def test_a_terminal_gets_a_progress_bar() -> None:
    code, stdout, shown = on_terminal(
        [sys.executable, "-m", "gunrock_cli.cli.main", "compare-modes", "pagerank", *SMALL, *QUICK],
        env={**os.environ, "TERM": "xterm"},
    )
    assert code == 0
    assert re.search(rb"runs of \d+ configurations", shown)
    assert b"\x1b" not in stdout


def test_an_interval_around_the_default_is_no_difference() -> None:
    assert Ratio(1.1, 0.9, 1.3).difference == Ratio(0.9, 0.8, 1.0).difference == "no difference"
    assert Ratio(1.1, 1.05, 1.2).difference == "slower"
    assert Ratio(0.8, 0.7, 0.9).difference == "faster"


def test_help_has_examples() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "compare-modes", "--help-all"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "gunrock compare-modes bfs --market graph.mtx --src 0" in done.stdout
    assert "--edge-factor" in done.stdout


def test_directions_are_kept_where_the_primitive_is_about_them() -> None:
    for words, undirected in (((), False), (("--undirected",), True), (("--directed",), False)):
        done = compare_modes("hits", *SMALL, *words, "--json")
        assert done.returncode == 0, done.stderr
        records = [json.loads(line) for line in done.stdout.splitlines()]
        assert {record["graph"]["undirected"] for record in records} == {undirected}


@pytest.mark.parametrize(
    ("noisy", "named"), [(0, ""), (3, "alpha=0, alpha=1, alpha=2 ("), (5, "alpha=2 and 2 more (")]
)
def test_one_short_line_is_about_all_noise(
    noisy: int, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        Row("A", Variant("alpha", place, {}), make_record(warnings=["noisy"] if place < noisy else []))
        for place in range(6)
    ]
    warn([*rows, rows[0]])  # the default stands in every panel
    told = capsys.readouterr().err
    assert named in told
    assert told.count("\n") == (noisy > 0)
