"""The command as a whole: one line and exit code 2 for whatever is typed wrong."""

from __future__ import annotations

import pytest

from gunrock_cli.cli.main import main


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(list(words))
    assert caught.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(("words", "message"), [
    (["nonsense"], "No such command 'nonsense' (gunrock --help lists"),
    (["bfs", "--nope"], "No such option '--nope'"),
    (["bfs", "rmat", "--scale", "x"], "'x' is not a valid integer (gunrock bfs --help lists"),
    (["pagerank", "rmat", "--damping", "2"], "2.0 is not in the range"),
    (["bfs"], "no graph given"),
    (["bfs", "--market", "none.mtx", "--backend", "cpu"], "none.mtx: no such file"),
    (["sweep", "none.toml"], "none.toml: No such file"),
    (["compare", "one.jsonl"], "Missing argument"),
])
def test_what_is_typed_wrong_is_told_in_one_line(
        words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = fails(capsys, *words)
    assert text.startswith("gunrock: ")
    assert text.count("\n") == 1
    assert message in text


def test_no_words_show_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Usage: gunrock" in fails(capsys)


def test_debug_shows_the_traceback() -> None:
    from gunrock_cli.errors import InputError

    with pytest.raises(InputError, match="no such file"):
        main(["bfs", "--market", "none.mtx", "--debug"])
