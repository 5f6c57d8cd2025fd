"""Compile the kernels that a wheel carries for a target, into an archive and a note of it.

    python -m gunrock_cli.cli.carry TARGET FOLDER [PRIMITIVE...]

TARGET is a GPU's architecture (sm_90), or a level of processors for which $CXX compiles (x86-64-v3 or
armv8-a), with -openmp at its end for machines that have OpenMP's runtime. Carried are the kernels of all
primitives (or of those named) with their default options, for each kind of graph; those that prove their
answers; and what makes graphs and measures the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from gunrock_cli.bench.ceilings import bandwidth_device, bandwidth_host
from gunrock_cli.engine import cpu, cuda
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.rows import device_rows, native_library
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.warm import jobs_beside, jobs_of
from gunrock_cli.toolchain import host_compiler, nvrtc
from gunrock_cli.toolchain.architectures import ARCHITECTURES
from gunrock_cli.toolchain.carried import Archive, write_archive
from gunrock_cli.toolchain.code import Code
from gunrock_cli.toolchain.processor import LEVELS
from gunrock_cli.toolchain.unit import Unit


def carry(target: str, folder: Path, primitives: Sequence[str]) -> Archive:
    """Write the archive for a target."""
    compiler, codes = what_is_carried(target, primitives)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        binaries = pool.map(lambda code: code.prepare().read_bytes(), codes)
        names = (code.name + code.suffix for code in codes)
        return write_archive(folder, target, compiler, dict(zip(names, binaries, strict=True)))


def what_is_carried(target: str, primitives: Sequence[str]) -> tuple[str, list[Code]]:
    """The compiler for a target, and all code that is compiled for it."""
    gpus = {nvrtc.gpu_target(number): number for number in ARCHITECTURES}
    if target in gpus:
        arch = gpus[target]
        units = [cuda.code_of(unit, arch) for unit in default_units(arch, primitives)]
        return nvrtc.nvrtc_version(), [*units, device_rows.code(arch), bandwidth_device.code(arch)]
    cores = [level + openmp for level in LEVELS for openmp in ("", host_compiler.WITH_OPENMP)]
    if target not in cores:
        raise UsageError(f"{target}: give one of {', '.join((*gpus, *cores))}")
    sources = [cpu.host_source(unit) for unit in default_units(HOST, primitives)]
    sources += [native_library.host_source(), bandwidth_host.host_source()]
    compiler = host_compiler.compiler_version(host_compiler.find_compiler())
    return compiler, [source.portable_code(target) for source in sources]


def default_units(arch: int | str, primitives: Sequence[str]) -> list[Unit]:
    """The kernels of primitives with default options, and those that a run needs beside them. Those of
    primitives that ignore weights are also there for graphs whose weights are floats."""
    units: list[Unit] = []
    for primitive in map(get_primitive, primitives):
        jobs = jobs_of(primitive, arch) + jobs_beside(primitive, arch, certified=True, renumbers=True)
        own = [job.unit for job in jobs]
        units += own
        if not primitive.reads_weights(primitive.asked({})):
            units += [replace(unit, defines=_with_floats(unit.defines)) for unit in own]
    return [*dict.fromkeys(units)]


def _with_floats(defines: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((name, "1" if name == "GR_WEIGHT_FLOAT" else value) for name, value in defines)


def main() -> None:
    """Compile for the target of the command line."""
    if len(sys.argv) < 3:
        sys.exit((__doc__ or "").split("\n\n")[1].strip())
    target, folder, *primitives = sys.argv[1:]
    try:
        made = carry(target, Path(folder), primitives or primitive_names())
    except GunrockError as error:
        sys.exit(f"gunrock: {error}")
    size = made.path.stat().st_size / 1e6
    print(f"{made.path}: {made.kernels} kernels by {made.made_by}, {size:.2f} MB")


if __name__ == "__main__":
    main()
