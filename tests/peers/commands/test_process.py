"""Programs start in their own group, and none of their processes is left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ended_helper import gone

from gunrock_cli.peers.commands import process
from gunrock_cli.peers.commands.process import Ended, start


def run(folder: Path, code: str, timeout: float = 30, env: dict[str, str] | None = None) -> Ended:
    return start([sys.executable, "-I", "-S", "-c", code], env or {}, folder, timeout)


def wait_for(path: Path) -> str:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        if path.exists() and path.read_text().endswith("\n"):
            return path.read_text()
        time.sleep(0.02)
    raise AssertionError(f"{path} was not written")


def run_past_its_time(folder: Path, code: str) -> tuple[Ended, int]:
    """A run that is ended after it has reported its process, on a machine however busy."""
    for timeout in (1.0, 5.0, 25.0):
        ended = run(folder, code, timeout)
        if (folder / "pid").exists():
            break
    return ended, int(wait_for(folder / "pid"))


def test_both_streams_the_folder_and_the_variables(tmp_path: Path) -> None:
    code = (
        "import os, sys; print(os.getcwd()); print(os.environ['GREETING'], file=sys.stderr); "
        "print(repr(sys.stdin.read())); sys.exit(3)"
    )
    ended = run(tmp_path, code, env={"GREETING": "hello"})
    assert (ended.code, ended.stopped, ended.error) == (3, "", "")
    assert ended.stdout.decode().splitlines() == [os.path.realpath(tmp_path), "''"]
    assert ended.stderr == b"hello\n"
    assert ended.wall_ms > 0


def test_signals_that_kill_it_are_its_code(tmp_path: Path) -> None:
    assert run(tmp_path, "import os; os.abort()").code == -signal.SIGABRT


def test_a_program_that_kills_its_whole_group(tmp_path: Path) -> None:
    ended = run(tmp_path, "import os; os.killpg(0, 9)")
    assert (ended.code, ended.stopped) == (-signal.SIGKILL, "")


def test_signals_are_as_a_program_expects_them(tmp_path: Path) -> None:
    """Signals that the guard handles are not ignored in its program."""
    code = (
        "import signal; print([signal.getsignal(n) == signal.SIG_DFL for n in "
        "(signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD)], signal.pthread_sigmask(0, []))"
    )
    assert run(tmp_path, code).stdout == b"[True, True, True] set()\n"


def test_what_cannot_be_started(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("not a program")
    text.chmod(0o755)
    assert start([str(text)], {}, tmp_path, 30).error == "Exec format error"
    assert start([str(tmp_path / "none")], {}, tmp_path, 30).error == "No such file or directory"


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(600)",
        "import signal, time; [signal.signal(n, signal.SIG_IGN) for n in (1, 2, 3, 15)]; time.sleep(600)",
        "import os, time; os.kill(os.getpid(), 19); time.sleep(600)",
    ],
    ids=["sleeps", "ignores signals", "stopped"],
)
def test_time_is_limited(tmp_path: Path, code: str) -> None:
    own = f"import os; open('pid', 'w').write(f'{{os.getpid()}}\\n'); {code}"
    ended, pid = run_past_its_time(tmp_path, own)
    assert (ended.stopped, ended.code) == ("time", None)
    assert gone(pid)


def test_output_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MOST_OUTPUT", 100_000)
    ended = run(tmp_path, "while True: print('x' * 5000)")
    assert ended.stopped == "output"
    assert 100_000 < len(ended.stdout) <= 100_000 + (1 << 16)


FORKS = """
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open('pid', 'w').write(f'{os.getpid()}\\n')
        time.sleep(600)
    os._exit(0)
while not os.path.exists('pid'):
    time.sleep(0.01)
"""


def test_what_a_program_leaves_behind_ends_with_it(tmp_path: Path) -> None:
    """A child that has left its group, lost its parent, and holds its output open ends too."""
    ended = run(tmp_path, FORKS)
    assert (ended.code, ended.stopped) == (0, "")
    assert gone(int(wait_for(tmp_path / "pid")))


def test_what_a_hanging_program_forked_ends_with_it(tmp_path: Path) -> None:
    ended, pid = run_past_its_time(tmp_path, FORKS + "time.sleep(600)")
    assert ended.stopped == "time"
    assert gone(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_it_ends_with_the_process_that_asked_for_it(tmp_path: Path, number: signal.Signals) -> None:
    """It ends as when a sweep ends a cell, or as by Ctrl-C."""
    code = (
        "import sys; from pathlib import Path; from gunrock_cli.peers.commands.process import start; "
        f"start([sys.executable, '-c', {FORKS + 'time.sleep(600)'!r}], {{}}, "
        f"Path({str(tmp_path)!r}), 600)"
    )
    asking = subprocess.Popen(
        [sys.executable, "-c", code], start_new_session=True, stderr=subprocess.DEVNULL
    )
    try:
        pid = int(wait_for(tmp_path / "pid"))
        asking.send_signal(number)
        assert asking.wait(30) != 0
        assert gone(pid)
    finally:
        asking.kill()
        asking.wait()
