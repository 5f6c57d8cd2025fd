"""``gunrock doctor`` on machines with missing software."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from gunrock_cli.cli.commands.doctor import findings
from gunrock_cli.cli.main import main
from gunrock_cli.installation import install_extra
from gunrock_cli.toolchain import available


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    try:
        main(["doctor", *words])
    except SystemExit as left:
        return int(str(left.code)), capsys.readouterr().out
    return 0, capsys.readouterr().out


def test_a_machine_that_can_run_is_healthy(capsys: pytest.CaptureFixture[str]) -> None:
    code, text = run(capsys, "--json")
    found: dict[str, Any] = json.loads(text)
    assert code == 0
    assert found["healthy"]
    assert {each["name"] for each in found["findings"]} > {
        "a backend",
        "backend cuda",
        "backend cpu",
        "cache",
    }


def test_nothing_to_run_on_is_an_error_with_both_remedies(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(available, "why_no_cuda", lambda: "no NVIDIA GPU")
    monkeypatch.setattr(available, "why_no_cpu", lambda: "no C++ compiler: apt install g++")
    code, text = run(capsys)
    assert code == 2
    lines = text.splitlines()
    assert lines[0].split()[:3] == ["missing", "a", "backend"]
    assert any("apt install g++" in line for line in lines)
    assert any("no NVIDIA GPU" in line for line in lines)


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "file" / "cache"))
    cache = next(each for each in findings() if each.name == "cache")
    assert not cache.there
    assert "GUNROCK_CACHE_DIR" in cache.what


def test_each_missing_thing_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    for each in findings():
        assert each.purpose.startswith("to ")
        assert each.there or each.what
    assert all(line.startswith(("ok ", "missing ")) for line in run(capsys)[1].splitlines())


def test_what_an_extra_brings_is_missing_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    before = {each.name: each for each in findings()}
    assert before["tables"].what == f"pyarrow {metadata.version('pyarrow')}"
    there = metadata.version

    def without(name: str) -> str:
        if name in ("pyarrow", "distributed"):
            raise metadata.PackageNotFoundError(name)
        return there(name)

    monkeypatch.setattr(metadata, "version", without)
    found = {each.name: each for each in findings()}
    for name, extra in (("tables", "parquet"), ("cluster", "cluster")):
        assert not found[name].there
        assert found[name].what.endswith(install_extra(extra))
