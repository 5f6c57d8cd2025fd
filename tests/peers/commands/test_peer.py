"""A program behind a description, run, checked and recorded as a peer: right, and with every kind of
error."""

from __future__ import annotations

import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from command_peers import FAKE, fake_description
from planned import planned, run_peers

from gunrock_cli.bench.records.record import Record
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.peers import get_peer
from gunrock_cli.peers.commands import process
from gunrock_cli.peers.measure import check_names
from gunrock_cli.primitives import get_primitive

N = 60
SOURCE = 3


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("FAKE_PID", str(tmp_path / "pid"))


def ring(undirected: bool = True) -> Graph:
    """A ring with a chord: every vertex is reached."""
    matrix = np.zeros((N, N), bool)
    for u in range(N):
        matrix[u, (u + 1) % N] = True
    matrix[0, N // 2] = True
    if undirected:
        matrix |= matrix.T
    offsets = np.concatenate([[0], matrix.sum(axis=1).cumsum()]).astype(np.int32)
    csr = Csr(offsets, np.nonzero(matrix)[1].astype(np.int32))
    return Graph("ring", csr, csr if undirected else None, undirected, hash="0")


def measure(path: Path, runs: int = 3, graph: Graph | None = None) -> Record:
    bfs = get_primitive("bfs")
    graph = graph or ring()
    record = run_peers([str(path)], bfs, graph, planned(bfs, graph).options, SOURCE, runs)[0]
    jsonschema.validate(json.loads(record.to_json()), SCHEMA)
    return record


SCHEMA = json.loads((resources.files("gunrock_cli.bench.records") / "record.schema.json").read_text())


def test_a_right_answer(tmp_path: Path) -> None:
    record = measure(fake_description(tmp_path, n=N))
    assert (record.system, record.status, record.error) == ("fake", "ok", None)
    assert record.runs_ms == pytest.approx([0.02, 0.03, 0.04])  # the first of four is dropped
    assert record.validation["verdict"] == "pass"
    assert record.validation.get("extent") is None
    assert (record.clock, record.call_ms, record.libraries) == ("kernel", [], {"fake": "1.0"})
    assert record.metrics["times"] == "the search, no reading"
    assert record.phases_ms["process"] > 0.1
    assert record.sources == [SOURCE] * 3
    assert record.mteps == pytest.approx((2 * N + 2) / 0.03 / 1e3)
    program = record.metrics["program"]
    assert program["command"][3:6] == [str(FAKE), "right", "{graph}"]
    assert len(program["sha256"]) == len(program["description_sha256"]) == 64
    assert "printed" not in record.metrics


@pytest.mark.parametrize(
    ("mode", "status", "says"),
    [
        ("wrong", "wrong", "1 labels differ: vertex 2: 7, expected 1"),
        ("crash", "error", "fake ended by SIGSEGV: before \\x1b[31mred\\x1b[0m"),
        ("exit", "error", "fake ended with exit code 1: cannot read the graph"),
        ("memory", "OOM", "fake ended with exit code 1: terminate called after throwing"),
        ("silent", "error", "fake printed 0 times where 4 were asked for"),
        ("few", "error", "fake printed 1 times where 4 were asked for"),
        ("negative", "error", "fake printed '-0.5' where a time should be"),
        ("nan", "error", "fake printed 'nan' where a time should be"),
        ("inf", "error", "fake printed 'inf' where a time should be"),
        ("words", "error", "fake printed '..' where a time should be"),
        ("zero", "error", "fake printed a time of 0.00000 s: finer than it shows"),
        ("short", "error", "fake wrote an answer of 20 bytes, and 60 vertices of int32 take 240"),
    ],
)
def test_what_goes_wrong_costs_the_cell_and_is_kept(
    tmp_path: Path, mode: str, status: str, says: str
) -> None:
    record = measure(fake_description(tmp_path, mode, n=N))
    assert record.status == status
    assert record.error is not None
    assert record.error.startswith(says)
    assert "\x1b" not in record.metrics["printed"]
    if status != "wrong":
        assert (record.runs_ms, record.time_ms, record.mteps) == ([], None, None)


def test_a_program_that_hangs_is_a_timeout(tmp_path: Path) -> None:
    record = measure(fake_description(tmp_path, "hang", n=N, timeout=1))
    assert record.status == "timeout"
    assert record.error is not None
    assert record.error.startswith("fake took longer than 1 s")


def test_a_program_that_prints_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 1 << 20)
    record = measure(fake_description(tmp_path, "noisy", n=N))
    assert record.status == "error"
    assert record.error is not None
    assert record.error.startswith("fake printed more than ")
    assert len(record.metrics["printed"]) < 5000


def test_times_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """Seconds taken for milliseconds would be believed otherwise."""
    path = fake_description(tmp_path, "hours", n=N, drop=0)
    record = measure(path, runs=1)
    assert record.error == (
        "fake printed times of 3.6e+06 ms together, and ran for "
        f"{wall(record.error):.6g} ms in all: is s the unit?"
    )


def wall(error: str | None) -> float:
    assert error is not None
    return float(error.split("ran for ")[1].split()[0])


def test_a_program_that_is_not_told_how_often_is_started_again(tmp_path: Path) -> None:
    path = fake_description(tmp_path, n=N)
    path.write_text(path.read_text().replace('"{runs}"', '"3"'))
    record = measure(path, runs=5)  # two of each start count, and three starts give enough
    assert record.runs_ms == pytest.approx([0.02, 0.03, 0.02, 0.03, 0.02])
    path.write_text(path.read_text().replace("drop = 1", "drop = 3"))
    assert measure(path).error == "fake printed 3 times, and the first 3 do not count"


def test_the_answer_of_an_earlier_start_is_not_taken(tmp_path: Path) -> None:
    """The second of two starts leaves no answer."""
    code = (
        "import os, sys; first = not os.path.exists('once'); open('once', 'w'); "
        "first and open(sys.argv[3], 'wb').write(bytes(4 * 60)); print('Trial Time: 0.00001')"
    )
    path = fake_description(tmp_path, n=N, drop=0)
    command = json.dumps([sys.executable, "-c", code, "{graph}", "{source}", "{answer}"])
    lines = [
        f"command = {command}" if line.startswith("command") else line
        for line in path.read_text().splitlines()
    ]
    path.write_text("\n".join(lines))
    assert measure(path, runs=2).error == "fake wrote no answer"
    assert measure(path, runs=1).status == "wrong"


def test_without_an_answer_it_is_not_checked(tmp_path: Path) -> None:
    record = measure(fake_description(tmp_path, "wrong", n=N, answer=""))
    assert (record.status, record.validation["verdict"], record.mteps) == ("ok", "skipped", None)
    assert record.validation["message"] == "it gives no answer"
    assert record.time_ms is not None


@pytest.mark.parametrize("mode", ["right", "wrong"])
def test_a_number_that_it_prints(tmp_path: Path, mode: str) -> None:
    """All are reached in both modes, and the number says no more."""
    answer = 'answer = { pattern = "reached: ([0-9]+)", is = "reached" }'
    record = measure(fake_description(tmp_path, mode, n=N, answer=answer))
    assert (record.status, record.validation["verdict"], record.validation["extent"]) == (
        "ok",
        "pass",
        "number",
    )


def test_a_wrong_number(tmp_path: Path) -> None:
    answer = 'answer = { pattern = "reached: ([0-9])", is = "reached" }'
    record = measure(fake_description(tmp_path, n=N, answer=answer))
    assert (record.status, record.error) == ("wrong", "reached: 6, expected 60")


OWN = 'pass = "Verification: PASS", fail = "Verification: FAIL"'


@pytest.mark.parametrize(
    ("mode", "status", "verdict"), [("right", "ok", "skipped"), ("wrong", "wrong", "fail")]
)
def test_its_own_check(tmp_path: Path, mode: str, status: str, verdict: str) -> None:
    record = measure(fake_description(tmp_path, mode, n=N, answer="", more=f"check = {{ {OWN} }}"))
    assert (record.status, record.validation["verdict"], record.validation["extent"]) == (
        status,
        verdict,
        "self",
    )
    assert record.validation["reference"] == "fake's own check"
    assert (record.error is None) == (status == "ok")


@pytest.mark.parametrize(
    ("mode", "status", "says"),
    [
        ("right", "ok", "its own check passed (Verification: PASS)"),
        ("wrong", "wrong", "its own check failed: Verification: FAIL"),
        ("crash", "error", "fake ended by SIGSEGV"),
        ("silent", "ok", "fake's own check said nothing"),
    ],
)
def test_its_own_check_in_a_start_off_the_clock(
    tmp_path: Path, mode: str, status: str, says: str
) -> None:
    command = [
        sys.executable,
        "-I",
        "-S",
        str(FAKE),
        mode,
        "{graph}",
        "{source}",
        "{runs}",
        "/dev/null",
        str(N),
    ]
    check = f"check = {{ command = {json.dumps(command)}, {OWN} }}"
    record = measure(fake_description(tmp_path, n=N, answer="", more=check))
    assert record.status == status
    assert says in (record.error if status == "error" else record.validation["message"])
    assert len(record.runs_ms) == (0 if status == "error" else 3)


@pytest.mark.parametrize(
    ("mode", "number", "status", "says"),
    [
        (
            "right",
            "[0-9]+",
            "ok",
            "reached: 60; no more of the answer was compared; its own check passed",
        ),
        ("wrong", "[0-9]+", "wrong", "its own check failed: Verification: FAIL"),
        ("right", "[0-9]", "wrong", "reached: 6, expected 60"),
    ],
)
def test_a_number_and_its_own_check(
    tmp_path: Path, mode: str, number: str, status: str, says: str
) -> None:
    """Neither compensates for the other."""
    answer = f'answer = {{ pattern = "reached: ({number})", is = "reached" }}'
    record = measure(fake_description(tmp_path, mode, n=N, answer=answer, more=f"check = {{ {OWN} }}"))
    assert record.status == status
    assert record.validation["message"].startswith(says)
    assert record.validation["verdict"] == ("pass" if status == "ok" else "fail")


def test_a_check_that_takes_too_long_leaves_the_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stand_in(command: Any, *_: Any) -> process.Ended:
        if command[-1] == "check":
            return process.Ended(None, 1.0, b"", b"", "time")
        return process.Ended(0, 50.0, b"Trial Time: 0.001\n" * 4, b"")

    monkeypatch.setattr("gunrock_cli.peers.commands.session.start", stand_in)
    command = [sys.executable, "{graph}", "{source}", "check"]
    check = f"check = {{ command = {json.dumps(command)}, {OWN} }}"
    record = measure(fake_description(tmp_path, n=N, answer="", more=check))
    assert (record.status, record.runs_ms) == ("ok", [1.0, 1.0, 1.0])
    assert record.validation["message"] == "fake's own check took longer than 30 s"


def test_iterations_are_read_where_the_file_says_where(tmp_path: Path) -> None:
    path = fake_description(tmp_path, n=N, more='iterations = "reached: ([0-9]+)"')
    assert measure(path).iterations == N
    path = fake_description(tmp_path, n=N, more='iterations = "rounds: ([0-9]+)"')
    assert measure(path).error == "fake printed no number of iterations"


def test_what_it_is_given(tmp_path: Path) -> None:
    """The program gets placeholders, variables, doubled braces, and the graph under a name that says its
    format."""
    code = (
        "import json, os, sys; json.dump([sys.argv[1:], os.environ['T'], os.getcwd()], "
        "open(os.environ['OUT'], 'w')); print('0.001 ms')"
    )
    (tmp_path / "own.toml").write_text(f"""
name = "own"
primitive = "bfs"
command = [{json.dumps(sys.executable)}, "-c", {json.dumps(code.replace("{", "{{").replace("}", "}}"))},
           "{{graph}}", "-r{{source}}", "{{{{x}}}}", "{{folder}}", ""]
format = "sg"
time = {{ pattern = "([0-9.]+) ms", unit = "ms" }}
env = {{ T = "{{threads}}", OUT = "{tmp_path}/out" }}
""")
    record = measure(tmp_path / "own.toml", runs=1)
    assert record.error is None
    words, threads, folder = json.loads((tmp_path / "out").read_text())
    assert words == [f"{folder}/graph.sg", f"-r{SOURCE}", "{x}", str(tmp_path), ""]
    assert int(threads) >= 1
    assert not Path(folder).exists()


def test_questions_that_it_cannot_answer_cost_its_cell(tmp_path: Path) -> None:
    path = fake_description(tmp_path, n=N, more="undirected = true")
    assert measure(path, graph=ring(False)).error == (
        "fake is described for undirected graphs only, and this one is directed"
    )
    record = run_peers([str(path)], get_primitive("cc"), ring(), {}, None, 1)[0]
    assert record.error == "fake has no cc (it has bfs)"


def test_options_that_are_built_in_are_not_recorded_as_others(tmp_path: Path) -> None:
    path = fake_description(tmp_path, n=N)
    path.write_text(
        path.read_text().replace('"bfs"', '"pagerank"').replace('"{source}"', '"0"')
        + "fixed = { damping = 0.85, tolerance = 1e-6, max_iterations = 50 }\n"
    )
    options: dict[str, Any] = {"damping": 0.85, "tolerance": 1e-3, "max_iterations": 50}
    record = run_peers([str(path)], get_primitive("pagerank"), ring(), options, None, 1)[0]
    assert record.error == "fake has tolerance 1e-06 built in: it cannot follow --tolerance 0.001"


def test_programs_that_are_not_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_PEERS", str(tmp_path))
    why = (
        r"--against gap: GAP Benchmark Suite is not here: gapbs/bfs was looked for in GUNROCK_PEERS "
        r".* and PATH\. How it is built: .*make"
    )
    with pytest.raises(UsageError, match=why):
        check_names(["gap"], get_primitive("bfs"))
    (tmp_path / "gapbs").mkdir()
    (tmp_path / "gapbs" / "bfs").write_text("#!/bin/sh\n")
    assert get_peer("gap").where()["bfs"] is None  # type: ignore[attr-defined]
    (tmp_path / "gapbs" / "bfs").chmod(0o755)
    assert check_names(["gap"], get_primitive("bfs")) == ["gap"]
    assert "gap" in check_names(["all"], get_primitive("bfs"))
    assert "gap" not in check_names(["all"], get_primitive("cc"))
    with pytest.raises(UsageError, match="gapbs/cc was looked for"):
        check_names(["gap"], get_primitive("cc"))


def test_folders_of_peers_come_before_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gunrock_cli.peers.commands.programs import find_program

    for folder in ("first", "second", "beside", "beside/sub", "first/sub"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool").write_text("#!/bin/sh\n")
        (tmp_path / folder / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "second"))
    beside = tmp_path / "beside"
    assert find_program("tool", beside) == str(tmp_path / "second" / "tool")
    assert find_program("sub/tool", beside) == str(beside / "sub" / "tool")
    assert find_program("sub/tool", None) is None
    assert find_program("./tool", beside) == str(beside / "./tool")
    assert find_program("./none", beside) is None
    assert find_program(str(beside / "tool"), None) == str(beside / "tool")
    monkeypatch.setenv("GUNROCK_PEERS", f"{tmp_path}/none:{tmp_path}/first")
    assert find_program("tool", beside) == str(tmp_path / "first" / "tool")
    assert find_program("sub/tool", beside) == str(tmp_path / "first" / "sub" / "tool")


def test_two_of_one_name_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    paths = [str(fake_description(folder, n=N)) for folder in (tmp_path, tmp_path / "other")]
    with pytest.raises(UsageError, match="is called fake too"):
        check_names(paths, get_primitive("bfs"))
    assert check_names([paths[0], paths[0], "scipy"], get_primitive("bfs")) == [paths[0], "scipy"]


def test_a_name_of_a_peer_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="scipy is a peer of another kind"):
        get_peer(str(fake_description(tmp_path, n=N, name="scipy")))
