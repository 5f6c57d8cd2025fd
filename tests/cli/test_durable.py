"""Files that a run leaves if something fails around it: always its record."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.cli.main import main
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.files import atomic_write
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.bfs import Bfs

RUN = ("bfs", "path", "--nodes", "9", "--backend", "cpu", "--threads", "2", "--iterations", "2")


def gunrock(*words: object, **further: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gunrock_cli.cli.main", *map(str, words)]
    return subprocess.run(
        command, stderr=subprocess.PIPE, text=True, check=False, **{"stdout": subprocess.PIPE, **further}
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    warnings, begin, rest = done.stderr.rpartition("gunrock: ")  # warnings about noise, perhaps
    assert not warnings or warnings.startswith("warning: "), done.stderr
    assert rest.count("\n") == 1, done.stderr
    return begin + rest


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """64 KiB, of which 8 are free."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = (
        shutil.which("mount")
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("no tmpfs can be mounted here")
    (folder / "ballast").write_bytes(bytes(56 << 10))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_record_that_the_disk_does_not_take_is_kept_aside(small_disk: Path, tmp_path: Path) -> None:
    records = small_disk / "r.jsonl"
    records.write_bytes(b"{}\n")
    long = (
        "bfs",
        "path",
        "--nodes",
        "400",
        *RUN[4:],
        "--direction",
        "push",
        "--run-ahead",
        "1",
        "--trace",
    )
    done = gunrock(*long, "--output", records, env={**os.environ, "TMPDIR": str(tmp_path)})
    line = one_line(done)
    assert done.returncode == 2
    assert "the disk is full; nothing was added" in line
    assert records.read_bytes() == b"{}\n"
    (aside,) = tmp_path.glob("gunrock-*.jsonl")
    assert str(aside) in line
    assert read_file(aside).records[0].validation["verdict"] == "pass"
    assert "runtime, mean" in done.stdout


def test_a_saved_answer_that_the_disk_does_not_take(small_disk: Path, tmp_path: Path) -> None:
    (small_disk / "a.npy").write_bytes(b"old")
    done = gunrock(
        "bfs",
        "path",
        "--nodes",
        "9999",
        *RUN[4:],
        "--save",
        small_disk / "a.npy",
        "--output",
        tmp_path / "r.jsonl",
    )
    assert (done.returncode, "a.npy: the disk is full" in one_line(done)) == (2, True)
    assert (small_disk / "a.npy").read_bytes() == b"old"
    assert len(read_file(tmp_path / "r.jsonl").records) == 1


def test_a_torn_line_is_ended_before_the_next(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"schema": "gunrock-rec')
    assert gunrock(*RUN, "--output", file).returncode == 0
    found = read_file(file)
    assert (len(found.records), [problem.line for problem in found.problems]) == (1, [1])


@pytest.mark.parametrize(("words", "what"), [
    (["--output", "/dev/full"], "/dev/full: the disk is full"),
    (["--output", "FILE/r.jsonl"], "r.jsonl: cannot be written"),
    (["--output", "n" * 300], "File name too long"),
    (["--trace-csv", "nowhere/t.csv"], "no folder nowhere"),
    (["--trace-csv", "/dev/full"], "/dev/full: the disk is full"),
    (["--save", "FILE/a.npy"], "cannot be written"),
    (["--trace-csv", "a.npy", "--save", "a.npy"], "a.npy: --trace-csv and --save would write the same"),
    (["--save-predecessors", "a.npy", "--mark-pred", "--save", "./a.npy"], "would write the same"),
])  # fmt: skip
def test_paths_are_checked_before_the_run(words: list[str], what: str, tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("")
    done = gunrock(
        *RUN, *words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert what in one_line(done)
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]


@pytest.mark.parametrize(
    "words",
    [
        ("sweep", "--graph", "path", "--primitive", "bfs", "--output", "/dev/full"),
        (
            "sweep",
            "--graph",
            "path",
            "--primitive",
            "bfs",
            "--output",
            "FOLDER/r",
            "--text",
            "FILE/texts",
        ),
        ("compare-modes", "bfs", "path", "--output", "/dev/full"),
        ("generate", "path", "--output", "FILE/g.mtx"),
        ("stats", "path", "--plot", "FILE/d.png"),
        ("report", "--format", "html", "--output", "FILE/report"),
        ("results", "merge", "FOLDER", "--output", "FILE/r.jsonl"),
    ],
)
def test_so_are_those_of_the_other_commands(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("")
    places = {"FILE": str(tmp_path / "FILE"), "FOLDER": str(tmp_path)}
    done = gunrock(
        *(
            word.replace(key, places[key]) if (key := word.partition("/")[0]) in places else word
            for word in words
        )
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be written" in done.stderr or "disk is full" in done.stderr
    assert "Traceback" not in done.stderr


def fail_with(error: BaseException) -> Any:
    def fail(*_: object) -> Validation:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (MemoryError("no room"), "OOM", 2),
        (OutOfMemory("no room"), "OOM", 2),
        (ValueError("a reference's mistake"), "error", 2),
        (KeyboardInterrupt(), "error", 130),
    ],
)
@pytest.mark.parametrize("method", ["validate", "work"])
def test_what_fails_after_the_runs_leaves_their_record(
    method: str,
    error: BaseException,
    status: str,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Bfs, method, fail_with(error))
    with pytest.raises(SystemExit) as ended:
        main([*RUN, "--check", "reference", "--json", "--output", str(tmp_path / "r.jsonl")])
    assert ended.value.code == code
    printed = capsys.readouterr()
    (record,) = read_file(tmp_path / "r.jsonl").records
    assert json.loads(printed.out)["id"] == record.id
    assert (record.status, len(record.runs_ms)) == (status, 2)
    assert record.time_ms is not None
    assert record.validation["verdict"] == "skipped"
    assert len(printed.err.strip().splitlines()) == 1
    assert status == "OOM" or code == 130 or "a reference's mistake" in printed.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("a mistake"), 2),
        (OSError(5, "a mistake"), 2),
        (UsageError("a mistake"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_what_fails_after_the_runs_leaves_no_file_of_some_answers(
    error: BaseException,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(Bfs, "validate", fail_with(error))
    with pytest.raises(SystemExit) as ended:
        main(
            [
                *RUN,
                "--check",
                "reference",
                "--src",
                "all",
                "--save",
                str(tmp_path / "a.npy"),
                "--output",
                str(tmp_path / "r.jsonl"),
            ]
        )
    assert ended.value.code == code
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("gunrock: ")]
    assert len(told) == 1
    assert code == 130 or ("a mistake" in told[0] and "written" not in told[0])
    assert len(read_file(tmp_path / "r.jsonl").records) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["r.jsonl"]


def test_a_peer_that_crashes_costs_its_own_record_only(tmp_path: Path) -> None:
    text = (
        "import os, sys\nfrom gunrock_cli.cli.main import main\n"
        "from gunrock_cli.peers import measure\nmeasure.run_peer = lambda *a: os.abort()\n"
        "main(sys.argv[1:])"
    )
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            text,
            *RUN,
            "--against",
            "scipy",
            "--json",
            "--output",
            str(tmp_path / "r.jsonl"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode < 0
    (record,) = read_file(tmp_path / "r.jsonl").records
    assert json.loads(done.stdout)["id"] == record.id


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_stdout_that_is_full_or_closed_costs_nothing_else(form: tuple[str, ...], tmp_path: Path) -> None:
    words = (
        *RUN,
        *form,
        "--output",
        tmp_path / "r.jsonl",
        "--save",
        tmp_path / "a.npy",
        "--trace-csv",
        tmp_path / "t.csv",
    )
    with open("/dev/full", "w") as full:
        done = gunrock(*words, stdout=full)
    assert (done.returncode, "stdout" in one_line(done)) == (2, True)
    gone, pipe = os.pipe()
    os.close(gone)
    assert "Traceback" not in gunrock(*words, stdout=pipe).stderr
    os.close(pipe)
    assert len(read_file(tmp_path / "r.jsonl").records) == 2
    assert np.load(tmp_path / "a.npy").tolist() == list(range(9))
    assert len(pd.read_csv(tmp_path / "t.csv")) > 0


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    """Processes append, end torn lines and merge the file into itself."""
    file = tmp_path / "r.jsonl"
    append = (
        "import sys; from pathlib import Path; from records_helper import make_record\n"
        "from gunrock_cli.bench.records.record import append_record\n"
        "for number in range(60):\n"
        "    append_record(Path(sys.argv[1]), make_record(id=f'{sys.argv[2]}-{number}'))\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    team = [
        subprocess.Popen([sys.executable, "-c", append, str(file), str(name)], env=environment)
        for name in range(3)
    ]
    while any(process.poll() is None for process in team):
        if file.exists():
            assert gunrock("results", "merge", file, "--output", file).returncode == 0
    assert [process.returncode for process in team] == [0, 0, 0]
    found = read_file(file)
    assert (len(found.records), found.problems) == (180, [])


KILLED = """
import os, signal, sys
from pathlib import Path
from gunrock_cli.files import atomic_write, atomic_write_all
folder = Path(sys.argv[1])
with atomic_write(folder / "one") as one, atomic_write_all([folder / "two", folder / "three"]) as others:
    for file in (one, *others):
        file.write(bytes(int(sys.argv[2])))
        file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("size", [0, 100_000])
def test_a_killed_writer_leaves_no_part_of_a_file(size: int, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), str(size)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("refused", ["open", "link"])
def test_where_files_need_names_they_are_written_all_the_same(
    refused: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no(*_: object, **__: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "no")

    if refused == "open":
        monkeypatch.delattr(os, "O_TMPFILE")
    else:
        monkeypatch.setattr(os, "link", no)
    with atomic_write(tmp_path / "file", mode=0o640) as file:
        file.write(b"whole")
    assert (tmp_path / "file").read_bytes() == b"whole"
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640 & ~0o022
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
