"""Sweeps: plans from files and axes, and the records of each kind of failure."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from ended_helper import gone
from records_helper import make_record, write_records

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.sweeps.plan import (
    GraphChoice,
    Plan,
    SweepCell,
    graph_choice,
    option_words,
    plan_from_axes,
    read_plan,
)
from gunrock_cli.bench.sweeps.run import Ended, recorded_cells, run_cell, run_plan
from gunrock_cli.bench.sweeps.texts import append_text
from gunrock_cli.errors import InputError, UsageError

FAKE = [sys.executable, str(Path(__file__).parents[1] / "fake_gunrock.py")]


def plan_of(*graphs: str, timeout: float = 30) -> Plan:
    return plan_from_axes("test", ["bfs"], graphs, [], timeout)


def test_options_become_words() -> None:
    assert option_words("advance_mode", "LB") == ["--advance-mode", "LB"]
    assert option_words("idempotence", True) == option_words("idempotence", "true")
    assert option_words("mark_pred", "false") == ["--no-mark-pred"]


def test_axes_are_crossed() -> None:
    plan = plan_from_axes(
        "s", ["bfs,sssp"], ["rmat --scale 8", "road=a b.mtx"], ["advance_mode=TM,LB", "src=0"], 9
    )
    assert len(plan.cells) == 8
    assert plan.cells[1].arguments == [
        "bfs",
        "rmat",
        "--scale",
        "8",
        "--advance-mode",
        "LB",
        "--src",
        "0",
    ]
    assert plan.cells[2].graph.name == "road"
    assert plan.process == "cell"
    assert plan.cells[2].timeout == 9


def test_one_graph_under_two_names_is_two_cells() -> None:
    words = ("rmat", "--scale", "4")
    cells = [SweepCell("bfs", GraphChoice(words, name)) for name in ("", "a", "b")]
    assert len({cell.key for cell in cells}) == 3


def test_equal_cells_run_once_and_keys_tell_others_apart() -> None:
    plan = plan_from_axes("s", ["bfs"], ["g", "g", "h"], ["src=0,0,1"], 9)
    assert len(plan.cells) == 4
    assert len({cell.key for cell in plan.cells}) == 4
    again = plan_from_axes("other", ["bfs"], ["g", "h"], ["src=0,1"], 99)
    assert {cell.key for cell in again.cells} == {cell.key for cell in plan.cells}


@pytest.mark.parametrize("text", ["src", "=1", "src="])
def test_bad_axes_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="OPTION=VALUE"):
        plan_from_axes("s", ["bfs"], ["g"], [text], 9)


def test_plan_file(tmp_path: Path) -> None:
    (tmp_path / "g.mtx").touch()
    path = tmp_path / "p.toml"
    path.write_text("""
        timeout = 7
        process = "graph"
        options = {iterations = 3}
        [graphs]
        small = "rmat --scale 4"
        [[run]]
        primitives = ["bfs"]
        graphs = ["small", "g.mtx"]
        options = {src = 0, iterations = 5}
        axes = {idempotence = [true, false]}
        [[run]]
        primitives = ["cc"]
        graphs = ["small"]
        timeout = 1
    """)
    plan = read_plan(path)
    assert (plan.name, plan.process) == ("p", "graph")
    assert [cell.arguments for cell in plan.cells][1:3] == [
        ["bfs", "rmat", "--scale", "4", "--iterations", "5", "--src", "0", "--no-idempotence"],
        ["bfs", str(tmp_path / "g.mtx"), "--iterations", "5", "--src", "0", "--idempotence"],
    ]
    assert [cell.timeout for cell in plan.cells] == [7, 7, 7, 7, 1]
    assert [cell.timeout for cell in read_plan(path, 2).cells] == [2] * 5
    other = read_plan(path, settings=["iterations=9", "idempotence=true"])
    assert [cell.arguments[-5:] for cell in other.cells][:1] == [
        ["--iterations", "9", "--src", "0", "--idempotence"]
    ]
    assert len(other.cells) == 3


@pytest.mark.parametrize(("text", "complaint"), [
    ("runs = 1", "unknown keys: runs"),
    ("[[run]]\nprimitives = ['bfs']", "needs primitives and graphs"),
    ("[[run]]\nprimitive = 'bfs'", "number 1 has unknown keys: primitive"),
    ("name = ", "no TOML"),
    ("name = 'x'", "holds no"),
    ("name = 3", "name: must be text"),
    ("name = '../x'", "name: must be good for a file's name"),
    ("timeout = nan", "timeout: must be a number of seconds up to 1e[+]07"),
    ("timeout = 1e300", "timeout: must be a number of seconds"),
    ("timeout = true", "timeout: must be a number of seconds"),
    ("timeout = '7'", "timeout: must be a number of seconds"),
    ("process = 3", "process: must be text"),
    ("process = 'thread'", "process: must be cell or graph"),
    ("run = 'bfs'", r"run: must be tables: write \[\[run\]\]"),
    ("run = [1]", "run: must be tables"),
    ("graphs = ['a']", "graphs: must be a table"),
    ("[graphs]\na = 3", "graphs.a: must be text"),
    ("[graphs]\na = \"rmat 'x\"", "graphs.a: .*No closing quotation"),
    ("options = 3", "options: must be a table"),
    ("options = {a = [1]}", "options.a: must hold text, numbers, true or false"),
    ("options = {a = 1979-05-27}", "options.a: must hold"),
    ("options = {a = inf}", "options.a: inf is not a finite number"),
    ("options = {a = 0x" + "f" * 9000 + "}", "options.a: a number has more than 64 bits"),
    ("options = {a = " + "9" * 9000 + "}", "too many digits"),
    ("options = {a = " + "[" * 9000 + "}", "nested too deeply"),
    ("options = {a = \"b\\u0000\"}", "options.a: .*holds control characters"),
    ("options = {'a b' = 1}", "options: 'a b' is not the name of an option"),
    ("[[run]]\nprimitives = 'bfs'\ngraphs = ['rmat']", "number 1: primitives: must be a list"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = 'rmat'", "number 1: graphs: must be a list"),
    ("[[run]]\nprimitives = [1]\ngraphs = ['rmat']", "number 1: primitives: must be text"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = ['x=']", "number 1: 'x=' names no graph"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = ['rmat']\naxes = {src = 'abc'}",
     "number 1: axes.src: must be a list"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = ['rmat']\naxes = {src = []}", "axes.src: must be a list"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = ['rmat']\naxes = {src = [[1]]}", "axes.src: must hold"),
    ("[[run]]\nprimitives = ['bfs']\ngraphs = ['rmat']\ntimeout = -1", "number 1: timeout: must be"),
])  # fmt: skip
def test_bad_plan_files_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "p.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_plan(path)


def test_a_sweep_that_would_never_end_is_refused() -> None:
    axis = ",".join(map(str, range(400)))
    with pytest.raises(UsageError, match="160000 cells"):
        plan_from_axes("s", ["bfs"], ["g"], [f"src={axis}", f"seed={axis}"], 9)


@pytest.fixture
def three_files(tmp_path: Path) -> Path:
    for name in ("b.mtx", "a.mtx", "c.el"):
        (tmp_path / name).touch()
    (tmp_path / "d.mtx").mkdir()
    return tmp_path


def test_a_pattern_is_every_file_that_it_matches(three_files: Path) -> None:
    plan = plan_of(f"{three_files}/*.mtx --directed", "rmat")
    assert [cell.graph.words for cell in plan.cells] == [
        (f"{three_files}/a.mtx", "--directed"),
        (f"{three_files}/b.mtx", "--directed"),
        ("rmat",),
    ]
    plan = plan_of(f"one={three_files}/*.el")
    assert [(cell.graph.name, cell.graph.words[0]) for cell in plan.cells] == [
        ("one", f"{three_files}/c.el")
    ]


def test_patterns_of_a_plan_are_looked_for_beside_it(three_files: Path) -> None:
    plan = three_files / "plan.toml"
    plan.write_text(
        '[graphs]\nlist = "*.el"\n[[run]]\nprimitives = ["bfs"]\ngraphs = ["*.mtx", "list"]\n'
    )
    found = [(cell.graph.name, Path(cell.graph.words[0]).name) for cell in read_plan(plan).cells]
    assert found == [("", "a.mtx"), ("", "b.mtx"), ("list", "c.el")]
    plan.write_text('[graphs]\nmany = "*.mtx"\n[[run]]\nprimitives = ["bfs"]\ngraphs = ["many"]\n')
    with pytest.raises(InputError, match=r"graphs.many: a name for one graph, and 2 files match"):
        read_plan(plan)


@pytest.mark.parametrize(
    ("graph", "message"),
    [("*.nothing", "no file has such a name"), ("x=*.mtx", "a name for one graph, and 2 files match")],
)
def test_patterns_that_name_no_graph_or_too_many(
    graph: str, message: str, three_files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(three_files)
    with pytest.raises(UsageError, match=message):
        plan_of(graph)


def test_a_graph_without_words_is_refused() -> None:
    with pytest.raises(UsageError, match="names no graph"):
        graph_choice("name=")


@pytest.mark.parametrize(("graph", "status", "error"), [
    ("fine", "ok", None),
    ("wrong", "wrong", "3 labels differ"),
    ("oom", "OOM", "not enough memory for the graph"),
    ("crash", "error", "ended by SIGABRT"),
    ("usage", "error", "no such option"),
    ("silent", "error", "exit code 0, and no record on stdout"),
])  # fmt: skip
def test_every_end_of_a_cell_is_one_record(graph: str, status: str, error: str | None) -> None:
    outcome = run_cell(plan_of(graph).cells[0], FAKE, "test")
    record = outcome.records[0]
    assert (record.status, record.error) == (status, error)
    assert record.sweep["cell"] == outcome.cell.key
    assert record.command == ["gunrock", "bfs", graph, "--json"] or status == "wrong"


def test_a_note_is_no_cause() -> None:
    ended = Ended(-11, "", "note: g: made undirected (4 -> 8 edges)\n", timed_out=False)
    outcome = run_cell(plan_of("fine").cells[0], FAKE, "test", run=lambda *_: ended)
    assert outcome.records[0].error == "ended by SIGSEGV"


def test_a_hang_is_ended_with_all_its_children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"
    monkeypatch.setenv("CHILD_PID_FILE", str(pid_file))
    begin = time.monotonic()
    outcome = run_cell(plan_of("hang", timeout=6).cells[0], FAKE, "test")
    assert time.monotonic() - begin < 60
    assert outcome.records[0].status == "timeout"
    assert outcome.records[0].error == "took longer than 6 s"
    assert gone(int(pid_file.read_text()))


def test_what_was_printed_before_a_hang_is_kept() -> None:
    """A peer may hang, for example: gunrock's own record is complete by then."""
    outcome = run_cell(plan_of("peer-hangs", timeout=6).cells[0], FAKE, "test")
    assert [record.status for record in outcome.records] == ["timeout", "ok"]
    assert outcome.records[1].runs_ms


def test_failures_do_not_stop_the_sweep_and_resume_skips_what_is_done(tmp_path: Path) -> None:
    output = tmp_path / "r.jsonl"
    plan = plan_of("fine", "crash", "peers")
    outcomes = list(run_plan(plan, output, FAKE, set()))
    assert [outcome.status for outcome in outcomes] == ["ok", "error", "ok"]
    records = read_file(output).records
    assert [record.system for record in records] == ["gunrock", "gunrock", "gunrock", "scipy"]
    done = recorded_cells(output)
    assert done == {cell.key for cell in plan.cells}
    assert recorded_cells(output, keep_failed=False) == {plan.cells[0].key, plan.cells[2].key}
    assert list(run_plan(plan, output, FAKE, done)) == []


def test_a_torn_file_is_resumed_without_losing_a_record(tmp_path: Path) -> None:
    output = write_records(tmp_path / "r.jsonl", [make_record(), make_record(graph="h")])
    output.write_bytes(output.read_bytes()[:-9])
    list(run_plan(plan_of("fine"), output, FAKE, recorded_cells(output)))
    assert [record.graph["name"] for record in read_file(output).records] == ["g", "fine"]


def test_text_outputs_are_laid_out_as_in_the_artifact(tmp_path: Path) -> None:
    for name in ("fine", "oom"):
        append_text(tmp_path, run_cell(plan_of(name).cells[0], FAKE, "test"))
    text = (tmp_path / "BFS" / "fine.txt").read_text()
    assert "elapsed: 1.0000 ms mean of 3 runs" in text
    assert "$ gunrock bfs fine --json" in text
    assert "OOM (not enough memory" in (tmp_path / "BFS" / "oom.txt").read_text()


def test_a_primitive_of_a_file_is_run_from_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").touch()
    path = tmp_path / "p.toml"
    path.write_text('[[run]]\nprimitives = ["bfs", "mine.py"]\ngraphs = ["rmat --scale 4"]\n')
    ships, own = read_plan(path).cells
    assert ships.arguments[:2] == ["bfs", "rmat"]
    assert own.arguments[:3] == ["run", str(tmp_path / "mine.py"), "rmat"]
    assert (ships.name, own.name) == ("bfs", "mine")
    failed = run_cell(own, [sys.executable, "-c", "raise SystemExit('gunrock: no')"], "s").records
    assert (failed[0].primitive, failed[0].status) == ("mine", "error")


NOTICE = "import sys; print('gunrock: cpu: 2 threads (no driver)', file=sys.stderr); "


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("raise ValueError('boom')", "ValueError: boom"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV"),
        (
            "print('double free', file=sys.stderr); import os; sys.stderr.flush(); os.abort()",
            "ended by SIGABRT: double free",
        ),
        ("print('gunrock: k.cuh: no\\n  more about it', file=sys.stderr); sys.exit(2)", "k.cuh: no"),
        ("sys.exit('gunrock: cannot be started: no such file')", "cannot be started: no such file"),
    ],
)
def test_what_is_recorded_is_the_cause(code: str, error: str) -> None:
    cell = plan_of("rmat").cells[0]
    failed = run_cell(cell, [sys.executable, "-c", NOTICE + code], "s").records
    assert (failed[0].status, failed[0].error) == ("error", error)
