"""-q, -v and --log-file: messages besides results, anywhere on any command's line."""

from __future__ import annotations

import logging
import os
import re
from pathlib import Path

import pytest

from gunrock_cli.cli.main import main
from gunrock_cli.cli.messages import Everywhere, messages

BFS = ("bfs", "path", "--nodes", "20", "--backend", "cpu", "--iterations", "2")
AUTO = ("bfs", "path", "--nodes", "20", "--iterations", "2")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """The exit code, stdout, stderr."""
    code = 0
    try:
        main(list(words))
    except SystemExit as ended:
        code = int(ended.code or 0)
    return code, *capsys.readouterr()


def test_quiet_leaves_results_and_errors(capsys: pytest.CaptureFixture[str]) -> None:
    for line in (("-q", *AUTO), (*AUTO, "--quiet")):
        code, out, err = said(capsys, *line)
        assert (code, err) == (0, "")
        assert "runtime, mean" in out
    code, _, err = said(capsys, "bfs", "nowhere.mtx", "-q")
    assert (code, err) == (2, "gunrock: nowhere.mtx: no such file\n")


def test_without_either_notices_are_shown_once(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, err = said(capsys, *AUTO)
    assert len(re.findall(r"^gunrock: (?:CPU|GPU), ", err, re.MULTILINE)) == 1
    assert "gunrock: load" not in err


def test_verbose_tells_the_steps(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, err = said(capsys, *BFS, "-v")
    assert "gunrock: generating path-20" in err or "gunrock: building rows" in err
    assert re.search(r"gunrock: load [0-9.]+ ms, .*certify [0-9.]+ ms", err)
    assert "building rows" not in out


def test_a_log_has_all_with_times(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    log = tmp_path / "logs" / "all.log"
    said(capsys, f"--log-file={log}", "-q", *AUTO)
    code, _, err = said(capsys, "bfs", "nowhere.mtx", "--log-file", str(log))
    assert (code, err) == (2, "gunrock: nowhere.mtx: no such file\n")
    lines = log.read_text().splitlines()
    time = r"[0-9-]{10}T[0-9:]{8}\.[0-9]{3} "
    assert all(re.match(time, line) for line in lines)
    for kind, text in (
        ("DEBUG", "gunrock bfs path --nodes 20 --iterations 2"),
        ("INFO", "gunrock: CPU, "),
        ("DEBUG", "gunrock: building rows"),
        ("ERROR", "gunrock: nowhere.mtx: no such file"),
    ):
        assert any(re.match(rf"{time}{kind} .*{re.escape(text)}", line) for line in lines), text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-q", "-v"], "--quiet contradicts --verbose"),
        (["--log-file"], "--log-file: name a file"),
        (["--log-file="], "--log-file: name a file"),
        (["--log-file", "/"], "/: cannot be written"),
    ],
)
def test_what_cannot_be_is_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, *BFS, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        ({}, ["broken"]),
        ({"quiet": True}, []),
        ({"verbose": True}, ["gunrock: gunrock", "detail", "broken"]),
    ],
)
def test_modules_below_are_heard(
    how: dict[str, bool], shown: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger("gunrock")
    before = list(log.handlers), log.level
    with messages(Everywhere(**how)):
        log.debug("detail")
        log.warning("broken")
    assert capsys.readouterr().err.splitlines() == shown
    assert (list(log.handlers), log.level) == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_log_on_a_full_disk_costs_no_run(capsys: pytest.CaptureFixture[str]) -> None:
    with messages(Everywhere()) as _:
        pass
    from gunrock_cli.cli.messages import _LogFile

    handler = _LogFile("/dev/full")
    handler.handle(logging.makeLogRecord({"msg": "x"}))
    assert capsys.readouterr().err == ""
    handler.stream = None  # its buffer is discarded


def test_names_from_outside_are_one_line_each(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    odd = tmp_path / "a\x1b[31m\n2026-01-01T00:00:00.000 ERROR forged.mtx"
    odd.write_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n")
    code, _, err = said(
        capsys,
        "bfs",
        str(odd),
        "--backend",
        "cpu",
        "--no-cache",
        "-v",
        "--log-file",
        str(tmp_path / "log"),
    )
    kept = (tmp_path / "log").read_text()
    assert code == 0
    for text in (err, kept):
        assert "reading " in text
        assert "\x1b" not in text
        assert not any(line.startswith("2026-01-01T00:00:00.000") for line in text.split("\n"))
