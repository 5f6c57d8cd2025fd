"""A worker's code, GPUs and processor. A separate process looks for them, as looking for a GPU may
allocate memory on it, and as cells run in their own processes, too.

    python -m gunrock_cli.bench.sweeps.cluster.machine"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypedDict

from gunrock_cli.errors import BackendError
from gunrock_cli.version import __version__

_PATIENCE = 120.0  # seconds: a GPU may have to wake up first


class Looks(TypedDict):
    """A ``Machine`` as JSON."""

    host: str
    version: str
    code_hash: str
    commit: str | None
    gpus: list[str]
    gpu: str
    processor: str
    threads: int


@dataclass(frozen=True)
class Machine:
    """``gpus`` identify the GPUs that a cell could use here; ``gpu`` is the name of the first, or
    empty."""

    host: str
    version: str
    code_hash: str
    commit: str | None
    gpus: tuple[str, ...]
    gpu: str
    processor: str
    threads: int

    @classmethod
    def of(cls, found: Looks) -> Machine:
        """Convert what ``ask`` returns."""
        gpus = tuple(found["gpus"])
        return cls(
            found["host"],
            found["version"],
            found["code_hash"],
            found["commit"],
            gpus,
            found["gpu"],
            found["processor"],
            found["threads"],
        )

    @property
    def device(self) -> str:
        """The device on which cells run."""
        return self.gpu or f"{self.processor}, {self.threads} threads"


def look() -> Machine:
    """This machine, as this process sees it."""
    from gunrock_cli.bench.records.provenance import identify
    from gunrock_cli.toolchain.available import why_no_cuda
    from gunrock_cli.toolchain.processor import processor_name
    from gunrock_cli.toolchain.threads import default_threads

    code = identify()
    gpus, name = _gpus() if why_no_cuda() is None else ((), "")
    return Machine(
        platform.node(),
        __version__,
        str(code["code_hash"]),
        code["commit"],
        gpus,
        name,
        processor_name(),
        default_threads(),
    )


def ask(folder: Path | None, environment: dict[str, str]) -> Looks:
    """Describe this machine, as seen by a process in this folder and with this environment: as plain
    data, as the receiver may be of another version."""
    done = subprocess.run(
        [sys.executable, "-m", __name__],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        raise BackendError((done.stderr.strip().splitlines() or ["gunrock does not run"])[-1])
    found: Looks = json.loads(done.stdout)
    return found


def visible_gpus() -> list[str]:
    """Words for CUDA_VISIBLE_DEVICES, one for each GPU that this process may use; none if no driver
    reports any."""
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is not None:
        return [word.strip() for word in chosen.split(",") if word.strip()]
    if shutil.which("nvidia-smi") is None:
        return []
    done = subprocess.run(
        ["nvidia-smi", "--query-gpu=uuid", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split() if done.returncode == 0 else []


def _gpus() -> tuple[tuple[str, ...], str]:
    import cupy

    runtime = cupy.cuda.runtime
    properties = [runtime.getDeviceProperties(number) for number in range(runtime.getDeviceCount())]
    name = properties[0]["name"]
    return (
        tuple(bytes(one["uuid"]).hex() for one in properties),
        name.decode() if isinstance(name, bytes) else str(name),
    )


if __name__ == "__main__":
    print(json.dumps(asdict(look())))
