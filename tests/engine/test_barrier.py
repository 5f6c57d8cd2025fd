"""The grid's barrier after so many others that what counts the arrivals has gone round."""

from __future__ import annotations

import subprocess
from pathlib import Path

from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.host_compiler import find_compiler


def test_no_block_goes_on_alone_when_the_counter_goes_round(tmp_path: Path) -> None:
    source, program = Path(__file__).with_name("barrier.cpp"), tmp_path / "barrier"
    subprocess.run([find_compiler(), "-std=c++17", "-O1", "-pthread", f"-I{kernels_dir()}", str(source),
                    "-o", str(program)], check=True)
    found = subprocess.run([str(program)], capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout == "ok\n"
