"""Every write of the tool, with a full disk and with ``kill -9`` at each of its steps in turn: data
reported as written is there, and nothing half-written passes for whole."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
SCENARIOS = (
    "append",
    "append to a new file",
    "append several",
    "merge",
    "sweep text",
    "save npy",
    "save csv",
    "save parquet",
    "save rows",
    "trace",
    "graph",
    "graph in several files",
    "report",
    "cached graph",
    "compiled code",
    "ceilings",
    "download",
)


@pytest.fixture(scope="module", params=["fail", "kill"])
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    from gunrock_cli.errors import BackendError
    from gunrock_cli.toolchain.host_compiler import find_compiler

    pytest.importorskip("pyarrow")
    try:
        compiler = find_compiler()
    except BackendError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp(request.param)
    shim = folder / "shim.so"
    subprocess.run(
        [compiler, "-shared", "-fPIC", "-o", str(shim), str(HERE / "fault_shim.cpp"), "-ldl"], check=True
    )
    environment = {
        **os.environ,
        "LD_PRELOAD": str(shim),
        "FAULT_SHIM": str(shim),
        "PYTHONPATH": os.pathsep.join([str(HERE.parent), str(HERE)]),
    }
    done = subprocess.run(
        [sys.executable, str(HERE / "fault_driver.py"), request.param, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_step_of_a_write_may_fail(name: str, results: dict[str, Any]) -> None:
    assert results[name]["problems"] == []
    assert results[name]["points"] >= 2  # otherwise the fault came nowhere near it


def test_every_scenario_is_named_here(results: dict[str, Any]) -> None:
    assert list(results) == list(SCENARIOS)
