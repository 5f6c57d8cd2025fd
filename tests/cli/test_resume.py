"""Long runs that Ctrl-C interrupts: what is kept, and how they go on."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol import resuming
from gunrock_cli.cli import run
from gunrock_cli.cli.main import main
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, lengths, many_sources

GRAPH = ["rmat", "--scale", "9", "--backend", "cpu", "--threads", "2", "--batch", "128"]
ONCE = ["--iterations", "1", "--warmup", "0"]
WEIGHTS = ["--weights", "random:1:64"]
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


@pytest.mark.parametrize(
    "words",
    [
        ["--weighted", *WEIGHTS],
        ["--weighted", *WEIGHTS, "--per", "pair"],
        ["--nearest", 3],
        ["--counts", 2, "--batch", 128],
    ],
    ids=["weighted", "pairs", "nearest", "counts"],
)
def test_every_kind_of_distances_goes_on(
    words: list[object], interrupting: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    state, answer, whole = tmp_path / "state", tmp_path / "answer.npz", tmp_path / "whole.npz"
    words = ["distances", *GRAPH[:-2], "--sample", 500, *words]
    with pytest.MonkeyPatch.context() as small:
        small.setattr(lengths, "USUAL", 128)
        assert code(*words, "--resume", state) == 130
    interrupting.undo()
    assert code(*words, "--resume", state, "--save", answer, "--check", "both") == 0
    assert code(*words, *ONCE, "--save", whole) == 0
    with np.load(answer) as found, np.load(whole) as expected:
        assert set(found) == set(expected)
        for name in expected:
            np.testing.assert_allclose(found[name], expected[name], rtol=1e-12)


def test_an_interrupted_start_leaves_the_state(
    interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C once the arrays are reset, and before they hold what the file has."""
    state, answer, whole = tmp_path / "state", tmp_path / "answer.npy", tmp_path / "whole.npy"
    words = ["distances", *GRAPH, "--per", "pair", "--sample", 500]
    assert code(*words, "--resume", state) == 130
    before = state.read_bytes()
    interrupting.undo()

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    interrupting.setattr(many_sources.Together, "start", pressed)
    capsys.readouterr()
    assert code(*words, "--resume", state, "--save", answer) == 130
    said = capsys.readouterr().err
    assert f"gunrock: 384 of 500 sources are done: the same command goes on from {state}" in said
    assert state.read_bytes() == before
    assert not answer.exists()
    interrupting.undo()
    assert code(*words, "--resume", state, "--save", answer) == 0
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
        (["closeness", *GRAPH[:-2], "--searches", "apart"], "the state of another run"),
        (["closeness", *GRAPH, "--iterations", "3"], "leave --iterations out"),
        (["bfs", *GRAPH[:-2]], "has no portions"),
    ):
        capsys.readouterr()
        assert code(*words, "--resume", state) == 2
        assert why in capsys.readouterr().err.splitlines()[-1]
    with atomic_write(state) as file:
        file.write(b"torn")
    refused(state, capsys)
    assert state.read_bytes() == b"torn"


def refused(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert code("closeness", *GRAPH, "--resume", state) == 2
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1].startswith(f"gunrock: {state}: not a state that --resume has written")
    assert not any("Traceback" in line for line in lines)


def test_a_state_that_was_changed_is_one_line(
    interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state"
    assert code("closeness", *GRAPH, "--resume", state) == 130
    with np.load(state) as file:
        whole = dict(file)
    about = json.loads(str(whole["about"]))

    def saved(**changes: Any) -> None:
        arrays = {**whole, **changes}
        with atomic_write(state) as file:
            np.savez(file, **{name: array for name, array in arrays.items() if array is not None})

    for one in (5, "x", None, [], {}, {**about, "done": -7}, {**about, "done": about["tasks"] + 1}):
        saved(about=np.array(json.dumps(one)))
        refused(state, capsys)
    for key, value in (
        ("done", "a"),
        ("done", True),
        ("done", 0),
        ("ms", math.nan),
        ("ms", "1"),
        ("steps", -1),
    ):
        saved(about=np.array(json.dumps({**about, key: value})))
        refused(state, capsys)
    for changes in (
        {"about": None},
        {"sums": None},
        {"sums": whole["sums"][:-1]},
        {"sums": whole["sums"].astype(np.float64)},
        {"sums": np.array([None])},
        {"left": np.zeros((1, 1), np.uint32)},
        {"starts": np.full(512, -7, np.int32)},
        {"portion": np.array([-7, 512])},
    ):
        saved(**changes)
        refused(state, capsys)
    with atomic_write(state) as file:
        np.savez_compressed(file, **whole, more=np.zeros(1 << 20))
    refused(state, capsys)
    saved()
    interrupting.undo()
    assert code("closeness", *GRAPH, "--resume", state) == 0


def test_a_state_that_leads_to_a_wrong_answer_goes(
    interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, words = tmp_path / "state", ["closeness", *GRAPH, "--check", "both", "--resume"]
    assert code(*words, state) == 130
    with np.load(state) as file:
        arrays = {**file, "sums": file["sums"] + 1}
    with atomic_write(state) as file:
        np.savez(file, **arrays)
    interrupting.undo()
    capsys.readouterr()
    assert code(*words, state) == 1
    said = capsys.readouterr().err
    assert f"gunrock: removed {state}" in said
    assert "wrong answer" in said.splitlines()[-1]
    assert not state.exists()
    assert code(*words, state) == 0


@pytest.mark.parametrize("searches", ["together", "apart"])
def test_a_state_is_for_its_kernel(
    searches: str, interrupting: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``auto`` begins with that of ``together``."""
    state, words = tmp_path / "state", ["distances", *GRAPH[:-2], "--sample", 500, "--searches"]
    interrupting.setattr(many_sources, "USUAL", 128)
    assert code(*words, searches, "--resume", state) == 130
    interrupting.undo()
    interrupting.setattr(many_sources, "USUAL", 128)
    assert code(*words, "auto", "--resume", state) == (2 if searches == "apart" else 0)
    if searches == "apart":
        assert "the state of another run" in capsys.readouterr().err
        assert code(*words, searches, "--resume", state) == 0


def test_a_state_that_cannot_be_read(tmp_path: Path) -> None:
    closeness, graph = get_primitive("closeness"), load_graph(GraphSpec("rmat", params={"scale": 4}), np)
    variant: Any = closeness.plan(graph, closeness.asked({}))
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        resuming.State(tmp_path, closeness, graph, variant).course()


def test_a_state_is_written_from_time_to_time(interrupting: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that is killed has not said goodbye."""
    interrupting.setattr(resuming, "EVERY_S", 0.0)
    interrupting.setattr(resuming.State, "write", lambda self, course: written.append(course.done))
    written: list[int] = []
    assert code("closeness", *GRAPH, "--resume", tmp_path / "state") == 130
    assert written == [128, 384]
