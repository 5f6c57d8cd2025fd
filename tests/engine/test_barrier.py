"""The cpu backend's barrier: when its counter of arrivals wraps around, and while a thread waits."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.host_compiler import find_compiler


def _output(name: str, folder: Path) -> str:
    source, program = Path(__file__).with_name(name), folder / "program"
    subprocess.run(
        [
            find_compiler(),
            "-std=c++17",
            "-O1",
            "-pthread",
            f"-I{kernels_dir()}",
            '-DGR_BACKEND="backend/cpu.cuh"',
            str(source),
            "-o",
            str(program),
        ],
        check=True,
    )
    return subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=60).stdout


def test_no_block_goes_on_alone_when_the_counter_goes_round(tmp_path: Path) -> None:
    assert _output("barrier.cpp", tmp_path) == "ok\n"


def test_a_thread_that_waits_leaves_its_core_to_others(tmp_path: Path) -> None:
    taken_ms = [float(line) for line in _output("asleep.cpp", tmp_path).split()]
    assert len(taken_ms) == 3
    assert max(taken_ms) < 100  # of the 200 for which it waits; the core's time, so others do not count
