"""Statistics compared with values computed by hand, and properties that must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunrock_cli.bench.protocol.throttle import sample, slowing_reasons, throttle_warnings
from gunrock_cli.bench.records import statistics as stats


def test_timing_by_hand() -> None:
    found = stats.timing([1.0, 2.0, 6.0])
    assert (found.mean, found.median, found.min, found.max) == (3.0, 2.0, 1.0, 6.0)
    assert found.stddev == pytest.approx(7**0.5)


def test_one_run_has_no_spread() -> None:
    assert stats.timing([4.0]).stddev == 0


def test_no_runs_is_an_error() -> None:
    with pytest.raises(ValueError, match="no runs"):
        stats.timing([])


def test_means_by_hand() -> None:
    assert stats.geometric_mean([1, 10, 100]) == pytest.approx(10)
    assert stats.harmonic_mean([1, 3]) == pytest.approx(1.5)
    with pytest.raises(ValueError, match="positive"):
        stats.geometric_mean([1, 0])


@given(
    st.lists(st.floats(0.01, 1e4), min_size=1, max_size=12),
    st.lists(st.floats(0.01, 1e4), min_size=1, max_size=12),
)
def test_ratio_lies_in_reach_of_its_runs(old: list[float], new: list[float]) -> None:
    found = stats.ratio(old, new)
    assert found.value == pytest.approx(np.mean(new) / np.mean(old))
    assert found.low <= found.high
    assert min(new) / max(old) * 0.999 <= found.low
    assert found.high <= max(new) / min(old) * 1.001


def test_ratio_of_steady_runs_is_certain_and_of_noisy_runs_is_not() -> None:
    random = np.random.default_rng(1)
    steady, slower = 1 + 0.01 * random.random(10), 1.1 + 0.01 * random.random(10)
    assert stats.ratio(steady, slower).certain
    noisy, other = 1 + random.random(10), 1.02 + random.random(10)
    assert not stats.ratio(noisy, other).certain


def test_interval_covers_the_true_ratio_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(2)
    hits = 0
    for trial in range(60):
        old, new = random.normal(10, 1, 20), random.normal(12, 1, 20)
        found = stats.ratio(old, new, seed=trial)
        hits += found.low <= 1.2 <= found.high
    assert hits >= 51  # 57 expected at 95%


def test_two_processes_that_differ_by_what_any_two_do_are_not_told_apart() -> None:
    steady, one_percent, five_percent = [1.0] * 10, [1.01] * 10, [1.05] * 10
    assert stats.ratio(steady, one_percent).certain
    assert not stats.as_processes(stats.ratio(steady, one_percent), steady, one_percent).certain
    assert stats.as_processes(stats.ratio(steady, five_percent), steady, five_percent).certain


def test_ratio_uses_the_statistic_asked_for() -> None:
    old, new = [1.0, 1.0, 4.0], [2.0, 2.0, 2.0]
    assert stats.ratio(old, new).value == 1
    assert stats.ratio(old, new, use="median").value == 2


def test_quiet_runs_have_no_warnings() -> None:
    assert stats.noise_warnings([1.0, 1.01, 0.99, 1.0]) == []
    assert stats.noise_warnings([1.0]) == []


def test_noise_outliers_and_a_slow_first_run_are_named() -> None:
    assert "noisy" in stats.noise_warnings([1.0, 1.3, 0.8, 1.1])[0]
    (slow,) = stats.noise_warnings([5.0, 1.0, 1.01, 1.0, 0.99, 1.0])
    assert "first run 5.0 times" in slow
    assert "outlier" not in slow
    (outlier,) = stats.noise_warnings([1.0, 1.01, 1.0, 3.0, 0.99, 1.02])
    assert "1 of 6 outliers" in outlier


def test_throttle_reasons_are_decoded() -> None:
    assert slowing_reasons(0) == []
    assert slowing_reasons(0x1) == []  # idle is no throttling
    assert slowing_reasons(0x44) == ["software power cap", "hardware thermal slowdown"]
    assert throttle_warnings([0, 1, None]) == []
    assert throttle_warnings([0, 4, 4, None]) == [
        "clocks were throttled: software power cap in 2 of 3 samples"
    ]


def test_sampling_never_fails_where_there_is_no_gpu() -> None:
    found = sample(index=99)
    assert found is None
