"""The command as a whole: one line and exit code 2 for any mistake in typing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gunrock_cli.cli.main import main


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(list(words))
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nonsense"], "No such command 'nonsense' (gunrock --help lists"),
        (["bfs", "--nope"], "No such option '--nope'"),
        (["bfs", "rmat", "--scale", "x"], "'x' is not a valid integer (gunrock bfs --help-all lists"),
        (["pagerank", "rmat", "--damping", "2"], "2.0 is not in the range"),
        (["bfs"], "no graph given"),
        (["bfs", "--market", "none.mtx", "--backend", "cpu"], "none.mtx: no such file"),
        (["sweep", "none.toml"], "none.toml: No such file"),
        (["compare", "one.jsonl"], "Missing argument"),
    ],
)
def test_what_is_typed_wrong_is_told_in_one_line(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = fails(capsys, *words)
    assert text.startswith("gunrock: ")
    assert text.count("\n") == 1
    assert message in text


def test_no_words_show_three_examples(capsys: pytest.CaptureFixture[str]) -> None:
    lines = fails(capsys).splitlines()
    assert len([line for line in lines if line.startswith("  gunrock ")]) == 3
    assert lines[-1].startswith("gunrock --help")
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize(
    ("typed", "meant"), [("bsf", "bfs"), ("pagerang", "pagerank"), ("reprot", "report")]
)
def test_an_unknown_command_gets_a_suggestion(
    typed: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert f"No such command '{typed}'. Did you mean {meant}" in fails(capsys, typed)


def test_debug_shows_the_traceback() -> None:
    from gunrock_cli.errors import InputError

    with pytest.raises(InputError, match="no such file"):
        main(["bfs", "--market", "none.mtx", "--debug"])


def test_control_characters_of_a_message_are_shown_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    assert r"none\x1b[2J\n.mtx: no such file" in fails(
        capsys, "bfs", "--market", "none\x1b[2J\n.mtx", "--backend", "cpu"
    )
    assert r"\x07" in fails(capsys, "bfs", "--no\x07pe")


GUNROCK = [sys.executable, "-m", "gunrock_cli.cli.main"]


@pytest.mark.parametrize(
    "words",
    [
        ["--help"],
        ["bfs", "--help"],
        ["report", "--list"],
        ["datasets", "list"],
        ["run", "mine.py", "--help"],
    ],
    ids=" ".join,
)
def test_a_reader_that_went_away_is_not_a_wrong_answer(words: list[str], tmp_path: Path) -> None:
    """``set -o pipefail`` sees 128 + SIGPIPE for ``gunrock ... | head``, which prints no error."""
    (tmp_path / "mine.py").write_text(
        "from gunrock_cli.primitives.base import Primitive\nclass Mine(Primitive):\n"
        "    name, summary = 'mine', 'Mine.'\n    def plan(self, graph, asked): ...\n"
        "PRIMITIVE = Mine()\n"
    )
    (tmp_path / "mine.cuh").touch()
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = subprocess.run(
            [*GUNROCK, *words],
            stdout=writer,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=tmp_path,
        )
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("words", [["--help"], ["datasets", "list"]], ids=" ".join)
def test_a_full_disk_behind_stdout_is_told(words: list[str]) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*GUNROCK, *words], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (2, "gunrock: No space left on device\n")


def test_interrupted_before_a_command_runs_is_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gunrock_cli.cli.main.Everywhere.taken_from", interrupt)
    with pytest.raises(SystemExit) as left:
        main(["info"])
    assert left.value.code == 130
    assert capsys.readouterr().err == "gunrock: interrupted\n"


def test_interrupted_is_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gunrock_cli.cli.commands.info.collect", interrupt)
    with pytest.raises(SystemExit) as ended:
        main(["info"])
    assert ended.value.code == 130
    assert capsys.readouterr().err.strip() == "gunrock: interrupted"


def test_text_that_cannot_be_encoded_is_shown_escaped() -> None:
    done = subprocess.run(
        [*GUNROCK, "report", "--only", "ppopp16-table3"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 0, done.stderr
    assert rb"\u2020" in done.stdout


@pytest.mark.parametrize(
    "name", ["GUNROCK_BFS_SRC", "GUNROCK_DEBUG", "GUNROCK_BFS_ITERATIONS", "GUNROCK_DATASETS_LIST_NAMES"]
)
def test_the_environment_sets_no_options(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, "1")
    assert "no graph given" in fails(capsys, "bfs")
    main(["datasets", "list"])
    assert "vertices" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["GUNROCK_CACHE_DIR", "GUNROCK_DATASETS"])
def test_folders_of_the_environment_are_checked(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    for text in (str(tmp_path / "file"), "/dev/null", "x" * 5000):
        monkeypatch.setenv(name, text)
        assert f"{name}=" in fails(capsys, "datasets", "list")
    for text in ("", str(tmp_path), str(tmp_path / "later")):
        monkeypatch.setenv(name, text)
        main(["datasets", "list", "--names"])
        assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", ["foo", "bash", "bash_foo", "_", "\u00b2"])
def test_completion_for_no_shell_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_GUNROCK_COMPLETE", text)
    assert fails(capsys).startswith(f"gunrock: _GUNROCK_COMPLETE={text}: give bash_source")


def test_completion_stays() -> None:
    done = subprocess.run(
        GUNROCK,
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "_GUNROCK_COMPLETE": "bash_complete",
            "COMP_WORDS": "gunrock b",
            "COMP_CWORD": "1",
        },
    )
    assert done.stdout.split() == ["plain,bc", "plain,bfs", "plain,biconnected"]


def test_help_waits_for_no_library() -> None:
    """Importing NumPy took longer than all the rest."""
    script = (
        "import sys; from gunrock_cli.cli.main import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        "print([name for name in ('numpy', 'scipy', 'pandas', 'rich') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
