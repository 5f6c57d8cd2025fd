"""``gunrock warm``, and the kernels that a first run compiles while it makes its graph."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from gunrock_cli.cli.compiling import compiling_meanwhile
from gunrock_cli.cli.main import main
from gunrock_cli.engine.backend import Backend
from gunrock_cli.graph.rows import native_library
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec, spec_from_name
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.warm import Job
from gunrock_cli.toolchain import binaries

SLEEP = "import time; time.sleep(60)"
CPU = Backend("cpu", "", 2)
FILE = GraphSpec("market", "path.mtx")
PATH = build_graph(3, np.array([0, 1]), np.array([1, 2]))


def stand_in(script: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", script], text=True, stderr=subprocess.PIPE, start_new_session=True
    )


@pytest.fixture(autouse=True)
def _nothing_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "is_done", lambda self: False)


def test_kernels_are_compiled_and_counted(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "start", lambda self: stand_in(""))
    main(["warm", "bfs", "--arch", "host"])
    lines = capsys.readouterr().err.splitlines()
    assert sorted(lines[:-1]) == [
        "compiled bfs (ahead) for this processor",
        *2 * ["compiled bfs (in_step) for this processor"],
    ]  # alone, or left
    assert lines[-1].startswith("3 kernels: 3 compiled in ")
    assert lines[-1].endswith(" s, 0 were there")


def test_what_is_there_is_not_compiled_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "is_done", lambda self: True)
    main(["warm", "bfs", "bfs", "--arch", "host"])
    assert capsys.readouterr().err == "3 kernels: 0 compiled in 0 s, 3 were there\n"


PLAN = """
[[run]]
primitives = ["bfs"]
graphs = ["rmat --scale 4", "grid2d"]
options = { backend = "cpu", strategy = "two-phase", count = true }
axes = { direction = ["push", "pull"] }
[[run]]
primitives = ["microbench-gather"]
graphs = ["rmat --scale 4", "none.mtx"]
options = { backend = "cpu", check = "none" }
"""


def test_a_plans_cells_are_compiled_with_what_counts_and_proves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    monkeypatch.setattr(Job, "start", lambda self: started.append(self) or stand_in(""))  # type: ignore[func-returns-value]
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    main(["warm", str(plan)])
    # Two-phase, and counting; the certificate of both; gather, and recording for it. Two-phase does not
    # pull, so no code is for that.
    assert sorted(job.unit.path.stem for job in started) == [
        "bfs",
        "gather",
        "record",
        "two_phase",
        "two_phase",
    ]
    assert {job.arch for job in started} == {HOST}
    assert capsys.readouterr().err.splitlines()[-1].startswith("5 kernels: 5 compiled in ")
    main(["warm", str(plan), "bfs", "--arch", "90"])
    assert {job.arch for job in started[5:]} == {90}
    assert {"bfs (ahead)", "bfs (two_phase)"} <= {job.unit.label for job in started[5:]}


def test_a_compilers_words_are_shown_and_the_rest_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Job,
        "start",
        lambda self: stand_in("import sys; sys.exit('g++ refused it')" if "ahead" in self.label else ""),
    )
    with pytest.raises(SystemExit) as ended:
        main(["warm", "bfs", "--arch", "host", "--jobs", "1"])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert "compiled bfs (in_step)" in shown
    assert "failed: bfs (ahead)" in shown
    assert shown.endswith("gunrock: g++ refused it\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--arch", "12"], "--arch 12: give one of"),
        (["nothing"], "nothing is neither a primitive"),
        (["none.py"], "none.py: no such file"),
        (["none.toml"], "none.toml: "),
        (["bfs", "--jobs", "0"], "0 is not in the range"),
    ],
)
def test_bad_usage_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["warm", *words])
    assert ended.value.code == 2
    shown = capsys.readouterr().err
    assert message in shown
    assert shown.count("\n") == 1


def test_kernels_that_cannot_be_kept_are_not_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    (tmp_path / "kernels").write_text("")
    monkeypatch.setattr(Job, "start", lambda self: pytest.fail("compiled for nothing"))
    with pytest.raises(SystemExit) as ended:
        main(["warm", "bfs", "--arch", "host"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"gunrock: {tmp_path / 'kernels'}: cannot be written: File exists\n"


def defaults() -> dict[str, object]:
    return {option.key: option.default for option in get_primitive("bfs").options}


def test_a_first_run_waits_for_its_own_kernel_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: dict[str, subprocess.Popen[str]] = {}
    done = tmp_path / "done"

    def start(job: Job) -> subprocess.Popen[str]:
        own = ("GR_RELAY", "1") in job.unit.defines and "in_step" in job.label  # the path's
        started[job.label] = stand_in(f"open({str(done)!r}, 'w')" if own else SLEEP)
        return started[job.label]

    monkeypatch.setattr(Job, "start", start)
    monkeypatch.setattr(native_library, "is_ready", lambda: False)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)))
    begun = time.monotonic()
    with compiling_meanwhile(get_primitive("bfs"), defaults(), RunOptions(), CPU, FILE) as settle:
        waited = settle(PATH)
        assert done.exists()
        assert [process.poll() is not None for process in started.values()] == [True, True]
    assert waited["compile"] > 0
    assert time.monotonic() - begun < 50


def test_later_runs_start_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "start", lambda self: pytest.fail("compiled once more"))
    monkeypatch.setattr(native_library, "is_ready", lambda: True)
    with compiling_meanwhile(get_primitive("bfs"), defaults(), RunOptions(), CPU, FILE) as settle:
        assert settle(PATH) == {}


def test_a_small_graph_is_made_without_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_library, "is_ready", lambda: pytest.fail("not asked for"))
    (tmp_path / "small.mtx").write_text("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n")
    file = GraphSpec("market", str(tmp_path / "small.mtx"))
    for small in (file, spec_from_name("rmat", {"scale": 10})):
        with compiling_meanwhile(get_primitive("bfs"), defaults(), RunOptions(), CPU, small) as settle:
            assert settle(PATH) == {}


def test_what_a_gpu_generates_itself_waits_for_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "start", lambda self: pytest.fail("compiled beside nothing"))
    monkeypatch.setattr(native_library, "is_ready", lambda: pytest.fail("not asked for"))
    spec, gpu = spec_from_name("rmat", {"scale": 10}), Backend("cuda", "cuda: one")
    with compiling_meanwhile(get_primitive("bfs"), defaults(), RunOptions(), gpu, spec) as settle:
        assert settle(PATH) == {}


def test_a_run_that_ends_early_leaves_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []

    def start(job: Job) -> subprocess.Popen[str]:
        started.append(stand_in(SLEEP))
        return started[-1]

    monkeypatch.setattr(Job, "start", start)
    monkeypatch.setattr(native_library, "is_ready", lambda: False)
    first_run = compiling_meanwhile(get_primitive("bfs"), defaults(), RunOptions(), CPU, FILE)
    with pytest.raises(KeyError), first_run:
        raise KeyError
    assert started
    assert all(process.poll() is not None for process in started)


def test_who_listens_is_told_what_is_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    told: list[str] = []
    with binaries.listening(told.append):
        for _ in range(2):  # the second finds it
            binaries.cached_binary("key", ".so", lambda target: target.write_text("code"), "the code")
    binaries.cached_binary("other", ".so", lambda target: target.write_text("code"), "more")
    assert told == ["the code", ""]
