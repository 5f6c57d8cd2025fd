"""What the device can do at most, and what floors follow from it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gunrock_cli.bench import ceilings
from gunrock_cli.bench.ceilings import Ceilings

KNOWN = Ceilings(copy=1e12, gathers={1 << 20: 8e9, 1 << 25: 4e9, 1 << 30: 1e9})


def test_a_floor_is_the_larger_of_two_times() -> None:
    assert KNOWN.floor_ms(2e9, 0, 1) == pytest.approx(2)
    assert KNOWN.floor_ms(0, 8e6, 1 << 20) == pytest.approx(1)
    assert KNOWN.floor_ms(2e9, 8e6, 1 << 20) == pytest.approx(2)


@pytest.mark.parametrize(("table", "rate"), [
    (1, 8e9), (1 << 20, 8e9), ((1 << 25) - 1, 8e9), (1 << 25, 4e9), (1 << 40, 1e9)])
def test_a_table_between_two_sizes_gets_the_faster_rate(table: int, rate: float) -> None:
    assert KNOWN.gather_rate(table) == rate


def test_measuring_gives_positive_rates() -> None:
    found = ceilings.measure(np, (1,))
    assert found.copy > 1e8
    assert found.gathers[1 << 20] > 1e6


def test_they_are_measured_once_a_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    calls: list[int] = []
    monkeypatch.setattr(ceilings, "measure", lambda xp, sizes: calls.append(1) or KNOWN)
    assert ceilings.ceilings("one", np) == ceilings.ceilings("one", np) == KNOWN
    assert len(calls) == 1
    ceilings.ceilings("other", np)
    assert len(calls) == 2
    (file, _) = sorted((tmp_path / "ceilings").glob("*.json"))
    for rubbish in ("", "[]", "{}", json.dumps({"copy": 1})):
        file.write_text(rubbish)
        assert KNOWN in (ceilings.ceilings("one", np), ceilings.ceilings("other", np))


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(ceilings, "measure", lambda xp, sizes: KNOWN)
    assert ceilings.ceilings("one", np) == KNOWN
