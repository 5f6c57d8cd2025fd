"""Ask a C++ compiler for facts about itself, once for each compiler, and keep them in the cache: asking
compiles a small program, which took 0.1 s of every run."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.toolchain.binaries import binaries_folder

_TEST = "#include <omp.h>\nint main() { return omp_get_max_threads() < 1; }\n"


@dataclass(frozen=True)
class Facts:
    """``version`` is the first line of ``--version``; ``openmp`` is true if it links with -fopenmp."""

    version: str
    openmp: bool


@cache
def facts(compiler: str) -> Facts:
    """The facts of the compiler at this path. They are kept only for a compiler itself, not for a wrapper
    (ccache, a script), which may later call another; and only with OpenMP, which may be installed
    later."""
    place = _place(compiler)
    found = None if place is None else _kept(place)
    if found is None:
        found = _ask(compiler)
        if place is not None and found.openmp:
            _keep(place, found)
    return found


def _ask(compiler: str) -> Facts:
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
    test = subprocess.run(
        [compiler, "-fopenmp", "-x", "c++", "-", "-o", os.devnull],
        input=_TEST,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = version.stdout.splitlines()
    return Facts(lines[0] if lines else compiler, test.returncode == 0)


def _place(compiler: str) -> Path | None:
    """The place of a compiler's facts in the cache: by the file itself, its size and its times (the
    change time cannot be set); None for a wrapper."""
    try:
        real = Path(compiler).resolve(strict=True)
        known = any(name in real.name for name in ("g++", "gcc", "clang"))
        with real.open("rb") as file:
            is_program = file.read(4) == b"\x7fELF"
        stat = real.stat()
    except OSError:
        return None
    if not (known and is_program):
        return None
    # Also by the question, and by the name, as a driver acts by its name.
    looks = (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns)
    words = (str(real), Path(compiler).name, looks, _TEST)
    return binaries_folder().path / f"cxx-{hashlib.sha256(json.dumps(words).encode()).hexdigest()}"


def _kept(place: Path) -> Facts | None:
    try:
        found = json.loads(place.read_bytes())
    except (OSError, ValueError):  # none yet, or damaged
        return None
    if not (
        isinstance(found, dict) and isinstance(found.get("version"), str) and found.get("openmp") is True
    ):
        return None
    return Facts(found["version"], True)


def _keep(place: Path, found: Facts) -> None:
    binaries_folder().mark()
    with suppress(InputError), atomic_write(place) as file:  # a cache that cannot be written, or is full
        file.write(json.dumps(asdict(found)).encode())
