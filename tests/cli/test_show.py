"""Tables that compare systems on terminals of any width."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import make_record

from gunrock_cli.bench.records.statistics import noise_warnings
from gunrock_cli.cli import console, show
from gunrock_cli.primitives import get_primitive

SYSTEMS = ("gunrock", "scipy", "networkit", "igraph", "graphblas", "bgl")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    own = console.console

    def on(width: int) -> list[str]:
        def terminal(*, stderr: bool = False) -> Any:
            found = own(stderr=stderr)
            found._force_terminal, found.width = True, width
            return found

        monkeypatch.setattr(console, "console", terminal)
        records = [
            make_record(
                "bfs",
                "road",
                system=each,
                mteps=1.5,
                device={"name": "a processor"},
                validation={"verdict": "pass", "reference": "what proves it at length"},
            )
            for each in SYSTEMS
        ]
        show.print_records(records, get_primitive("bfs"))
        lines: list[str] = capsys.readouterr().out.splitlines()
        return lines

    return on


def test_a_wide_terminal_has_a_column_for_each(shown: Any) -> None:
    lines = shown(250)
    assert all(system in lines[2] for system in SYSTEMS)
    assert any("validation" in line and line.count("at length") == len(SYSTEMS) for line in lines)


def test_a_narrow_one_has_a_row_for_each_and_no_system_is_left_out(shown: Any) -> None:
    lines = shown(80)
    assert max(map(len, lines)) <= 80
    assert [line.split()[1] for line in lines if line.startswith("│")] == list(SYSTEMS)
    head = {cell.strip() for line in lines[2:6] for cell in line.strip("┃").split("┃")}
    assert {word for heading in show.COMPARED for word in heading.split()} <= {
        word for cell in head for word in cell.split()
    }
    text = " ".join(lines)
    assert "validation pass" in text.partition("in every row: ")[2]


def test_beside_others_a_difference_is_told_or_denied(lines_of: Any) -> None:
    def told(*runs: float) -> list[str]:
        own = make_record("bfs", "road", runs=(1.0, 1.1, 0.9, 1.0))
        out, _ = lines_of(own, make_record("bfs", "road", system="scipy", runs=runs))
        return [
            line.split("│")[-2].strip()
            for line in out.splitlines()
            if show.OVER in line or show.DIFFERENCE in line
        ]

    assert told(2.0, 2.1, 1.9, 2.0) == ["2", "slower"]
    assert told(1.0, 1.1, 0.9, 1.0) == ["1", "no difference"]
    assert show.DIFFERENCE not in lines_of(make_record("bfs", "road"))[0]


@pytest.fixture
def lines_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """What a table of one record, or of several, says in a pipe, and what stderr says."""

    def of(*records: Any) -> tuple[str, str]:
        show.print_records(records, get_primitive("bfs"))
        done = capsys.readouterr()
        return done.out, done.err

    return of


def test_the_title_names_the_source(lines_of: Any) -> None:
    assert "from vertex 7 on" in lines_of(make_record("bfs", "road", sources=[7, 7]))[0]
    assert "from 3 vertices on" in lines_of(make_record("bfs", "road", sources=[7, 8, 9, 9]))[0]
    named = make_record("bfs", "road", sources=[7], source_names=["ann"])
    assert "from vertex ann on" in lines_of(named)[0]
    assert " from " not in lines_of(make_record("cc", "road"))[0].splitlines()[0]


@pytest.mark.parametrize("floor", [1e-7, 0.00099, 0.001, 2.5])
def test_a_floor_is_shown_if_a_barrier_takes_less(lines_of: Any, floor: float) -> None:
    out, _ = lines_of(make_record("bfs", "road", floor_ms=floor, over_floor=3.0, call_ms=[1.0]))
    assert ("time over floor" in out) == ("floor: " in out) == (floor >= 0.001)
    assert "call: " in out
    assert "model: " not in out


def test_quiet_tables_have_no_footnote(lines_of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(show.messages, "is_quiet", lambda: True)
    out, err = lines_of(make_record("bfs", "road", call_ms=[1.0], runs_ms=[1.0, 9.0, 1.0]))
    assert "call, mean" in out
    assert "call: " not in out
    assert err == ""


def test_noise_of_all_systems_is_one_line(lines_of: Any) -> None:
    runs = [1.0, 9.0, 1.0, 1.0]
    records = [
        make_record("bfs", "road", system=each, runs_ms=runs, warnings=[*noise_warnings(runs), "hot"])
        for each in SYSTEMS[:2]
    ]
    _, err = lines_of(*records)
    noisy, *others = err.splitlines()
    assert all(system in noisy for system in SYSTEMS[:2])
    assert others == [f"warning: {system}: hot" for system in SYSTEMS[:2]]


def test_a_trace_has_a_legend(capsys: pytest.CaptureFixture[str]) -> None:
    steps = [{"phase": "push", "mode": "LB", "frontier_vertices": 3, "ms": 0.5}]
    show.print_trace(make_record("bfs", "road", trace=steps))
    out = capsys.readouterr().out
    assert "phase: " in out
    assert "mode: " in out
    assert "one block" not in out
