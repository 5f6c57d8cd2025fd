"""Long runs that Ctrl-C interrupts: what is kept, and how they go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from gunrock_cli.bench.protocol import resuming
from gunrock_cli.cli import run
from gunrock_cli.cli.main import main
from gunrock_cli.files import atomic_write

GRAPH = ["rmat", "--scale", "9", "--backend", "cpu", "--threads", "2", "--batch", "128"]
ONCE = ["--iterations", "1", "--warmup", "0"]
LEFT = ["grid2d", "--width", "60", "--height", "9", *GRAPH[3:]]
"""A graph whose searches are left to blocks."""


@pytest.fixture
def interrupting(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Press Ctrl-C once a run is half done, until this is undone."""

    @contextmanager
    def pressing(*_: object) -> Iterator[Callable[[float, int], None]]:
        def note(done: float, of: int) -> None:
            if done > 0.5:
                raise KeyboardInterrupt

        yield note

    monkeypatch.setattr(run, "run_progress", pressing)
    return monkeypatch


def code(*words: object) -> int:
    try:
        main(list(map(str, words)))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize("per", ["source", "pair"])
def test_finished_rows_are_saved(
    per: str, interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    part, whole = tmp_path / "part.npy", tmp_path / "whole.npy"
    words = ["distances", *GRAPH, *ONCE, "--sample", 500, "--per", per]
    assert code(*words, "--save", part) == 130
    said = capsys.readouterr().err.splitlines()
    assert f"gunrock: 384 of 500 sources are done: {part} has their rows" in said
    assert said[-1] == "gunrock: interrupted"
    interrupting.undo()
    assert code(*words, "--save", whole) == 0
    np.testing.assert_array_equal(np.load(part), np.load(whole)[..., :384])


@pytest.mark.parametrize("graph", [GRAPH, LEFT], ids=["together", "left to blocks"])
@pytest.mark.parametrize("name", ["closeness", "eccentricity", "distances"])
def test_a_run_goes_on(
    name: str,
    graph: list[str],
    interrupting: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    state, answer, whole = tmp_path / "state", tmp_path / "answer.npy", tmp_path / "whole.npy"
    words = [name, *graph, *(["--per", "pair", "--sample", 500] if name == "distances" else [])]
    assert code(*words, "--resume", state) == 130
    assert f"the same command goes on from {state}" in capsys.readouterr().err
    with np.load(state) as file:
        assert '"done": 384' in str(file["about"])
    interrupting.undo()
    assert code(*words, "--resume", state, "--save", answer, "--check", "both") == 0
    assert "384 of 5" in capsys.readouterr().err
    assert not state.exists()
    assert code(*words, *ONCE, "--save", whole) == 0
    np.testing.assert_array_equal(np.load(answer), np.load(whole))


def test_what_cannot_go_on_is_one_line(
    interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    assert code("closeness", *GRAPH, "--resume", state) == 130
    for words, why in (
        (["closeness", *GRAPH, "--harmonic"], "the state of another run"),
        (["closeness", *GRAPH, "--scale", "8"], "the state of another run"),
        (["eccentricity", *GRAPH], "the state of another run"),
        (["closeness", *GRAPH, "--iterations", "3"], "leave --iterations out"),
        (["bfs", *GRAPH[:-2]], "has no portions"),
    ):
        capsys.readouterr()
        assert code(*words, "--resume", state) == 2
        assert why in capsys.readouterr().err.splitlines()[-1]
    with atomic_write(state) as file:
        file.write(b"torn")
    assert code("closeness", *GRAPH, "--resume", state) == 2
    assert "not a state that --resume has written" in capsys.readouterr().err
    assert state.read_bytes() == b"torn"


def test_a_state_is_written_from_time_to_time(interrupting: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that is killed has not said goodbye."""
    interrupting.setattr(resuming, "EVERY_S", 0.0)
    interrupting.setattr(resuming.State, "write", lambda self, course: written.append(course.done))
    written: list[int] = []
    assert code("closeness", *GRAPH, "--resume", tmp_path / "state") == 130
    assert written == [128, 384]
