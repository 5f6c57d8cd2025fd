"""Warp execution efficiency through Nsight Compute: running ncu, and reading its output."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from gunrock_cli.bench.records.file import parse_record
from gunrock_cli.bench.records.record import Record
from gunrock_cli.errors import BackendError, GunrockError, InputError

THREADS = "smsp__thread_inst_executed_per_inst_executed.ratio"
INSTRUCTIONS = "smsp__inst_executed.sum"
DRAM = "dram__bytes.sum"
WARP = 32
KERNELS = "regex:^gr_(run|step)$"
"""Enactors, whose loops these run; not what draws a graph, nor CuPy's fills and copies between runs."""
MISSING = (
    "ncu is not on the PATH: it comes with Nsight Compute "
    "(https://developer.nvidia.com/nsight-compute, or apt-get install "
    "cuda-nsight-compute-13-0 from NVIDIA's repository); give --ncu PATH"
)


class KernelFigures(TypedDict):
    """A kernel in a record's metric ``kernels``."""

    launches: int
    warp_instructions: float
    warp_execution_efficiency: float


@dataclass(frozen=True)
class Kernel:
    """All launches of one kernel: warp instructions, and active threads over them."""

    name: str
    launches: int
    instructions: float
    threads: float  # thread instructions

    @property
    def efficiency(self) -> float:
        """The share of a warp's threads that are active, over its instructions (0 to 1)."""
        return self.threads / (WARP * self.instructions) if self.instructions else 0.0


def find_ncu(path: str | None) -> str:
    """The ncu to run; InputError for a path without one, or a BackendError that says how to get it."""
    found = shutil.which(path or "ncu")
    if found is not None:
        return found
    if path is None:
        raise BackendError(MISSING)
    raise InputError("not executable", path=path)


def command_line(ncu: str, log: Path, kernels: str, program: Sequence[str]) -> list[str]:
    """The command line of ncu. Clocks are left alone: otherwise ncu would lock them for all users of the
    GPU."""
    return [
        ncu,
        "--clock-control",
        "none",
        "--csv",
        "--page",
        "details",
        "--metrics",
        f"{THREADS},{INSTRUCTIONS},{DRAM}",
        "--print-units",
        "base",
        "--kernel-name",
        kernels,
        "--target-processes",
        "application-only",
        "--log-file",
        str(log),
        *program,
    ]


def profile(ncu: str, program: Sequence[str], kernels: str = KERNELS) -> Record:
    """Run ``program`` (a gunrock run with --json) under ncu; its record, with the efficiency in
    ``metrics`` and without times, which a profiler distorts."""
    with tempfile.TemporaryDirectory(prefix="gunrock-ncu-") as folder:
        log = Path(folder) / "ncu.csv"
        done = subprocess.run(
            command_line(ncu, log, kernels, program),
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        text = log.read_text() if log.exists() else ""
    record = _record(done.stdout)
    if record is None:
        raise GunrockError(_reason(text + "\n" + done.stderr, done.returncode))
    found = read_kernels(text)
    if not found:
        raise GunrockError(
            _reason(
                text, done.returncode, f"ncu saw no kernel that matches {kernels} (a CPU run has none)"
            )
        )
    total = Kernel(
        "all",
        sum(kernel.launches for kernel in found),
        sum(kernel.instructions for kernel in found),
        sum(kernel.threads for kernel in found),
    )
    record.metrics["warp_execution_efficiency"] = total.efficiency
    record.metrics["kernels"] = {
        kernel.name: {
            "launches": kernel.launches,
            "warp_instructions": kernel.instructions,
            "warp_execution_efficiency": kernel.efficiency,
        }
        for kernel in found
    }
    record.metrics |= _memory(record, read_launches(text))
    record.runs_ms, record.call_ms = [], []
    record.time_ms = record.mteps = record.over_floor = None
    record.warnings = []
    return record


def _memory(record: Record, launches: list[Launch]) -> dict[str, float]:
    """Bytes moved through the device's memory, if the whole measured run is the last launch (warm-ups and
    recordings come before): in all, per edge out of reached vertices, and the thread instructions per
    byte."""
    last = launches[-1][1]
    moved = last.get(DRAM)
    if moved is None or record.options.get("loop") != "device" or len(set(record.sources)) > 1:
        return {}
    found = {"dram_bytes": moved}
    if record.edges_visited:
        found["dram_bytes_per_edge"] = moved / record.edges_visited
    if moved:
        found["instructions_per_dram_byte"] = last.get(INSTRUCTIONS, 0.0) * last.get(THREADS, 0.0) / moved
    return found


Launch = tuple[str, dict[str, float]]
"""A kernel's name, and the metrics of one launch."""


def read_launches(text: str) -> list[Launch]:
    """The launches in ncu's CSV (one line per launch and metric), in their order."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    values: dict[tuple[str, str], dict[str, float]] = {}
    for row in csv.DictReader(io.StringIO("\n".join(lines))):
        if row.get("Metric Name") not in (THREADS, INSTRUCTIONS, DRAM):
            continue
        try:
            number = float(row["Metric Value"].replace(",", ""))
        except (ValueError, KeyError, AttributeError) as error:
            raise InputError(f"ncu wrote {row.get('Metric Value')!r} for {row['Metric Name']}") from error
        values.setdefault((row["ID"], row["Kernel Name"]), {})[row["Metric Name"]] = number
    return [(name, found) for (_, name), found in values.items()]


def read_kernels(text: str) -> list[Kernel]:
    """Kernels by name, all launches of each together, most instructions first."""
    kernels: dict[str, Kernel] = {}
    for name, found in read_launches(text):
        count = found.get(INSTRUCTIONS, 0.0)
        before = kernels.get(name, Kernel(name, 0, 0.0, 0.0))
        kernels[name] = Kernel(
            name,
            before.launches + 1,
            before.instructions + count,
            before.threads + count * found.get(THREADS, 0.0),
        )
    return sorted(kernels.values(), key=lambda kernel: -kernel.instructions)


def _record(stdout: str) -> Record | None:
    for line in reversed(stdout.splitlines()):
        try:
            return parse_record(line)
        except ValueError:
            continue
    return None


def _reason(text: str, code: int, otherwise: str = "") -> str:
    """Why a profile failed: ncu's own error (often: no permission) or gunrock's."""
    for line in text.splitlines():
        if "ERR_NVGPUCTRPERM" in line:
            return (
                "no permission to read the GPU's counters (ERR_NVGPUCTRPERM): run as root, or "
                "ask the administrator, https://developer.nvidia.com/ERR_NVGPUCTRPERM"
            )
        if line.startswith("==ERROR=="):
            return f"ncu: {line.removeprefix('==ERROR==').strip()}"
        if line.startswith("gunrock: "):
            return line.removeprefix("gunrock: ")
    return otherwise or f"no record came from the profiled run (exit code {code})"
