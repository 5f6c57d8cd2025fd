"""Tables that compare systems on terminals of any width."""

from __future__ import annotations

from typing import Any

import pytest
from records_helper import make_record

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
    for heading in show.COMPARED:
        assert heading in lines[2]
    assert "validation" in " ".join(lines).partition("left out: ")[2]
