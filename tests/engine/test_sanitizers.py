"""The CPU backend under AddressSanitizer, UndefinedBehaviorSanitizer and ThreadSanitizer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("sanitized.py")
# The library to load into Python before all else, and what makes its findings fatal.
SANITIZERS = {
    "address,undefined": ("libasan.so", {"ASAN_OPTIONS": "detect_leaks=0:exitcode=66",
                                         "UBSAN_OPTIONS": "print_stacktrace=1"}),
    "thread": ("libtsan.so", {"TSAN_OPTIONS": "exitcode=66:report_signal_unsafe=0"}),
}


def runtime(name: str) -> str | None:
    """The sanitizer's library, by the compiler that would be used; None where it has none."""
    if shutil.which("g++") is None:
        return None
    found = subprocess.run(["g++", f"-print-file-name={name}"], capture_output=True, text=True,
                           check=True).stdout.strip()
    return found if Path(found).is_absolute() and Path(found).exists() else None


@pytest.mark.parametrize("group", [
    "papers", *(pytest.param(group, marks=pytest.mark.long)
                for group in ("papers' options", "devices", "classics", "ranking"))])
@pytest.mark.parametrize("kind", SANITIZERS)
def test_nothing_is_reported(kind: str, group: str, tmp_path: Path) -> None:
    """All runs to the last one, all right, and no report."""
    library, settings = SANITIZERS[kind]
    preload = runtime(library)
    if preload is None:
        pytest.skip(f"g++ has no {library}")
    flags = f"-fsanitize={kind} -g -O1 -fno-omit-frame-pointer"
    if "undefined" in kind:
        flags += " -fno-sanitize-recover=undefined"
    run = subprocess.run(
        [sys.executable, str(SCRIPT), group], capture_output=True, text=True, check=False, timeout=280,
        env={**os.environ, **settings, "LD_PRELOAD": preload, "CXX": "g++",
             "GUNROCK_CXXFLAGS": flags, "GUNROCK_CACHE_DIR": str(tmp_path),
             "OPENBLAS_NUM_THREADS": "1"},
    )
    reports = [line for line in run.stderr.splitlines()
               if "runtime error" in line or "WARNING: ThreadSanitizer" in line
               or "ERROR: AddressSanitizer" in line]
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


@pytest.mark.parametrize(("kind", "slip", "report"), [
    ("thread", RACE, "WARNING: ThreadSanitizer"),
    ("address,undefined", OUTSIDE, "ERROR: AddressSanitizer"),
    ("address,undefined", OVERFLOW, "runtime error")], ids=["race", "outside", "overflow"])
def test_a_slip_would_be_reported(kind: str, slip: str, report: str, tmp_path: Path) -> None:
    """The way the tests above look for reports does find one."""
    name, settings = SANITIZERS[kind]
    preload = runtime(name)
    if preload is None:
        pytest.skip(f"g++ has no {name}")
    source, library = tmp_path / "slip.cpp", tmp_path / "slip.so"
    source.write_text(slip)
    subprocess.run(["g++", f"-fsanitize={kind}", "-g", "-O1", "-shared", "-fPIC", str(source), "-o",
                    str(library)], check=True)
    run = subprocess.run(
        [sys.executable, "-c", f"import ctypes; ctypes.CDLL({str(library)!r}).slip(1)"],
        capture_output=True, text=True, check=False, timeout=200,
        env={**os.environ, **settings, "LD_PRELOAD": preload},
    )
    assert report in run.stderr
