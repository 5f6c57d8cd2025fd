"""What a user waits for, by the clock on the wall: help, a run on a small graph with everything compiled,
a first run with nothing compiled.

    python benchmarks/startup.py --backend cpu
    python benchmarks/startup.py --backend cuda --first --imports

Each command is started several times, with modules compiled as an installation has them (whatever
PYTHONDONTWRITEBYTECODE says here); printed are the least and the median of wall time, and the least
of the cores' time (user and system, with child processes), on which other programs have less influence.
Goals on a GPU machine: help in 0.3 s, a run in 0.8 s, a first run in 6 s.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from statistics import median

GUNROCK = ["-m", "gunrock_cli.cli.main"]


def seconds(
    words: list[str], times: int, environment: Mapping[str, str] | None = None
) -> list[tuple[float, float]]:
    """Wall time and cores' time of that many starts of a command."""
    found = []
    for _ in range(times):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, *GUNROCK, *words],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=_environment(environment or {}),
        )
        wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append((wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
    return found


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    found = {**os.environ, **more}
    found.pop("PYTHONDONTWRITEBYTECODE", None)
    return found


def tell(name: str, found: list[tuple[float, float]]) -> None:
    walls, cores = zip(*found, strict=True)
    print(f"{name:28} {min(walls):7.2f} {median(walls):7.2f} {min(cores):7.2f}", flush=True)


def slowest_imports(words: list[str], count: int) -> list[str]:
    """The imports that took longest, including their own imports: milliseconds and names."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *GUNROCK, *words],
        check=True,
        capture_output=True,
        text=True,
        env=_environment({}),
    )
    found = []
    for line in done.stderr.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if line.startswith("import time:") and parts[1].strip().isdigit():
            found.append((int(parts[1]), parts[2].strip()))
    slowest = sorted(found, reverse=True)[:count]
    return [f"{microseconds / 1e3:9.1f} ms {name}" for microseconds, name in slowest]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("--first", action="store_true", help="first runs too: minutes")
    parser.add_argument(
        "--imports",
        type=int,
        nargs="?",
        const=20,
        default=0,
        metavar="COUNT",
        help="also show the slowest imports of a run",
    )
    how = parser.parse_args()
    small = ["bfs", "rmat", "--scale", "10", "--backend", how.backend]
    seconds(small, 1)  # compiles
    print(f"{'seconds':28} {'least':>7} {'median':>7} {'cores':>7}")
    tell("--help", seconds(["--help"], how.times))
    tell("bfs --help", seconds(["bfs", "--help"], how.times))
    tell("bfs", seconds(small, how.times))
    tell("bfs --check certificate", seconds([*small, "--check", "certificate"], how.times))
    tell("bfs --check none --json", seconds([*small, "--check", "none", "--json"], how.times))
    with tempfile.TemporaryDirectory() as folder:
        file = f"{folder}/grid.mtx"
        seconds(["generate", "grid2d", "--width", "30", "--height", "30", "--output", file], 1)
        from_file = ["bfs", "--market", file, "--backend", how.backend]
        time.sleep(2)  # until the cache trusts the file's time
        seconds(from_file, 1)
        tell("bfs --market FILE", seconds(from_file, how.times))
    if how.first:
        large = ["bfs", "rmat", "--scale", "16", "--backend", how.backend, "--check", "none"]
        found = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:  # NVRTC caches what it compiles as well
                found += seconds(
                    large, 1, {"GUNROCK_CACHE_DIR": folder, "CUDA_CACHE_PATH": f"{folder}/nvidia"}
                )
        tell("bfs, the first run of all", found)
    if how.imports:
        print("\n".join(slowest_imports(small, how.imports)))


if __name__ == "__main__":
    main()
