"""The number of cases that fuzz targets try."""

from fuzzing import VARIABLE, cases


def test_the_environment_asks_for_more(monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert cases(200) == 200
    monkeypatch.setenv(VARIABLE, "")
    assert cases(200) == 200
    monkeypatch.setenv(VARIABLE, "100000")
    assert cases(200) == 100_000
