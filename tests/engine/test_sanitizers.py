"""The CPU backend under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("sanitized.py")
# The library to load into Python first, and the setting that makes its findings fatal.
SANITIZERS = {
    "address,undefined": (
        "libasan.so",
        {"ASAN_OPTIONS": "detect_leaks=0:exitcode=66", "UBSAN_OPTIONS": "print_stacktrace=1"},
    ),
    "thread": ("libtsan.so", {"TSAN_OPTIONS": "exitcode=66:report_signal_unsafe=0"}),
}


def preloaded(kind: str) -> str:
    """The sanitizer's library, by the compiler that would be used; without one the test is skipped."""
    name, _ = SANITIZERS[kind]
    if shutil.which("g++") is not None:
        found = Path(
            subprocess.run(
                ["g++", f"-print-file-name={name}"], capture_output=True, text=True, check=True
            ).stdout.strip()
        )
        if found.is_absolute() and found.exists():
            return str(found)
    pytest.skip(f"g++ has no {name}")


def python_under(kind: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a Python that has loaded the sanitizer first."""
    return subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
        env={**os.environ, **SANITIZERS[kind][1], "LD_PRELOAD": preloaded(kind), **environment},
    )


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "group",
    [
        "searches",
        "papers",
        *(
            pytest.param(group, marks=pytest.mark.long)
            for group in ("papers' options", "devices", "classics", "ranking", "changes")
        ),
    ],
)
@pytest.mark.parametrize("kind", SANITIZERS)
def test_nothing_is_reported(kind: str, group: str, tmp_path: Path) -> None:
    """All runs to the last one, all right, and no report."""
    flags = f"-fsanitize={kind} -g1 -O1 -fno-omit-frame-pointer"  # -g1: reports name lines
    if "undefined" in kind:
        flags += " -fno-sanitize-recover=undefined"
    run = python_under(
        kind,
        str(SCRIPT),
        group,
        CXX="g++",
        GUNROCK_CXXFLAGS=flags,
        GUNROCK_CACHE_DIR=str(tmp_path),
        OPENBLAS_NUM_THREADS="1",
        PYTHONPATH=os.pathsep.join([str(SCRIPT.parents[1]), os.environ.get("PYTHONPATH", "")]),
    )
    reports = [
        line
        for line in run.stderr.splitlines()
        if "runtime error" in line
        or "WARNING: ThreadSanitizer" in line
        or "ERROR: AddressSanitizer" in line
    ]
    assert not reports, run.stderr[:5000]
    assert run.returncode == 0, run.stderr[-2000:]
    assert run.stdout.endswith(f"\nall of {group}\n")


RACE = """#include <thread>
volatile int x[1000];  // a race for one word is missed at times
extern "C" void slip(int) {
  std::thread other([] { for (int i = 0; i < 1000; ++i) x[i] = i; });
  for (int i = 0; i < 1000; ++i) x[i] = i;
  other.join();
}
"""
OUTSIDE = 'extern "C" int slip(int i) { int* p = new int[i]; int x = p[i]; delete[] p; return x; }'
OVERFLOW = 'extern "C" int slip(int i) { return i + 0x7fffffff; }'


@pytest.mark.parametrize(
    ("kind", "slip", "report"),
    [
        ("thread", RACE, "WARNING: ThreadSanitizer"),
        ("address,undefined", OUTSIDE, "ERROR: AddressSanitizer"),
        ("address,undefined", OVERFLOW, "runtime error"),
    ],
    ids=["race", "outside", "overflow"],
)
def test_a_slip_would_be_reported(kind: str, slip: str, report: str, tmp_path: Path) -> None:
    """The tests above would find such a report."""
    source, library = tmp_path / "slip.cpp", tmp_path / "slip.so"
    source.write_text(slip)
    preloaded(kind)  # skips if there is nothing to compile for
    subprocess.run(
        ["g++", f"-fsanitize={kind}", "-g", "-O1", "-shared", "-fPIC", str(source), "-o", str(library)],
        check=True,
    )
    run = python_under(kind, "-c", f"import ctypes; ctypes.CDLL({str(library)!r}).slip(1)")
    assert report in run.stderr
