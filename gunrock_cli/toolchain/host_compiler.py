"""Compile the kernels for this machine's processor with the installed C++ compiler."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from gunrock_cli.errors import BackendError
from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.compiler_facts import facts as _facts
from gunrock_cli.toolchain.processor import processor_words

FLAGS = (
    "-std=c++17",
    "-O3",
    "-march=native",
    "-fopenmp-simd",
    "-fPIC",
    "-shared",
    "-pthread",
    "-x",
    "c++",
    '-DGR_BACKEND="backend/cpu.cuh"',
)
"""With the header by which kernels (kernels/backend/backend.cuh) know the machine."""
WITH_OPENMP = "-openmp"


@cache
def find_compiler() -> str:
    """$CXX, g++ or clang++; BackendError with the remedy if there is none."""
    for name in filter(None, (os.environ.get("CXX"), "g++", "clang++", "c++")):
        if found := shutil.which(name):
            return found
    raise BackendError(
        "no C++ compiler (g++ or clang++) for the cpu backend; install one (Debian: apt install "
        "g++) or set CXX"
    )


@cache
def compiler_version(compiler: str) -> str:
    """The first line of ``--version``."""
    return _facts(compiler).version


@cache
def openmp_flags(compiler: str) -> tuple[str, ...]:
    """``-fopenmp`` if the compiler can link it; otherwise the team is made of POSIX threads."""
    return ("-fopenmp",) if _facts(compiler).openmp else ()


def host_flags(compiler: str, more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """All flags: ours, OpenMP's, the user's (GUNROCK_CXXFLAGS; e.g. sanitizers), and ``more``, which has
    the last word."""
    extra = tuple(os.environ.get("GUNROCK_CXXFLAGS", "").split())
    # ThreadSanitizer does not see into OpenMP's runtime, so its team is made of POSIX threads.
    openmp = () if any("thread" in flag for flag in extra) else openmp_flags(compiler)
    return (*FLAGS, *openmp, *extra, *more)


def toolchain(more: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Words for the key of a compiled library: everything but the text that decides its code."""
    compiler = find_compiler()
    return (processor_words(), compiler_version(compiler), *host_flags(compiler, more))


def portable_toolchain(target: str) -> tuple[str, ...]:
    """The same words for a library that other machines can run."""
    return (compiler_version(find_compiler()), *portable_flags(target))


def portable_flags(target: str) -> tuple[str, ...]:
    """The flags for any processor of a level, such as x86-64-v3; if ``WITH_OPENMP`` ends it, for machines
    with OpenMP's runtime, which starts threads sooner than POSIX threads."""
    level = target.removesuffix(WITH_OPENMP)
    flags = tuple(f"-march={level}" if flag == "-march=native" else flag for flag in FLAGS)
    return flags if level == target else (*flags, "-fopenmp")


def compile_shared(text: str, path: Path, target: Path, *more: str) -> None:
    """Build a shared library at ``target`` from the text of a unit with the main file ``path``;
    BackendError with the compiler's words on failure."""
    _compile(text, path, target, host_flags(find_compiler(), more))


def compile_portably(text: str, path: Path, target: Path, machines: str) -> None:
    """Build a shared library, as ``compile_shared`` does, for other machines (``portable_flags``)."""
    _compile(text, path, target, portable_flags(machines))


def _compile(text: str, path: Path, target: Path, flags: tuple[str, ...]) -> None:
    compiler = find_compiler()
    command = [compiler, *flags, f"-I{kernels_dir()}", "-", "-o", str(target)]
    built = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        raise BackendError(f"{compiler} refused {path}:\n{built.stderr.strip()}")
