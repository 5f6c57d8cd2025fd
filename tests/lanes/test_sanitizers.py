"""The lanes backend under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer, which sees a
thread in each fibre."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from engine.test_sanitizers import python_under

SCRIPT = Path(__file__).with_name("sanitized.py")


def run_under(kind: str, folder: Path, *words: str) -> tuple[str, str]:
    """The script's output, and the sanitizer's."""
    flags = f"-fsanitize={kind} -fno-omit-frame-pointer"
    if "undefined" in kind:
        flags += " -fno-sanitize-recover=undefined"
    path = os.pathsep.join([str(SCRIPT.parents[1]), os.environ.get("PYTHONPATH", "")])
    run = python_under(
        kind,
        str(SCRIPT),
        *words,
        CXX="g++",
        GUNROCK_CXXFLAGS=flags,
        GUNROCK_CACHE_DIR=str(folder),
        OPENBLAS_NUM_THREADS="1",
        PYTHONPATH=path,
    )
    return run.stdout, run.stderr


@pytest.mark.parametrize(
    ("kind", "half"),
    [
        ("thread", "first half"),
        ("address,undefined", "second half"),
        pytest.param("thread", "second half", marks=pytest.mark.long),
        pytest.param("address,undefined", "first half", marks=pytest.mark.long),
    ],
)
def test_nothing_is_reported(kind: str, half: str, tmp_path: Path) -> None:
    said, reports = run_under(kind, tmp_path, half)
    assert said.endswith("\nall\n"), reports[-3000:]
    assert "WARNING: ThreadSanitizer" not in reports, reports[:5000]
    assert "runtime error" not in reports
    assert "ERROR: AddressSanitizer" not in reports, reports[:5000]


@pytest.mark.parametrize(
    ("kind", "slip", "report"),
    [
        ("thread", "9", "WARNING: ThreadSanitizer: data race"),
        ("thread", "10", "WARNING: ThreadSanitizer: data race"),
        ("address,undefined", "11", "ERROR: AddressSanitizer"),
    ],
    ids=["two blocks write", "a shuffle orders no memory", "beyond shared memory"],
)
def test_a_slip_is_reported(kind: str, slip: str, report: str, tmp_path: Path) -> None:
    assert report in run_under(kind, tmp_path, slip)[1]


def test_what_a_warp_waits_for_is_no_race(tmp_path: Path) -> None:
    assert "WARNING: ThreadSanitizer" not in run_under("thread", tmp_path, "12")[1]
