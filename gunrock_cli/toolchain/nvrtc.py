"""Compile CUDA C++ to a cubin with NVRTC. Needs the NVRTC library, no GPU and no toolkit headers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gunrock_cli.errors import BackendError
from gunrock_cli.installation import install_extra
from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.carried import archive_for
from gunrock_cli.toolchain.code import Code
from gunrock_cli.toolchain.unit import Unit

_OPTIONS = (
    b"--std=c++17",
    b"--device-int128",
    b"--extra-device-vectorization",
    b'--define-macro=GR_BACKEND="backend/cuda.cuh"',  # see kernels/backend/backend.cuh
)


def nvrtc() -> Any:
    """The NVRTC bindings; BackendError with the remedy if they are not installed."""
    try:
        from cuda.bindings import nvrtc as bindings

        bindings.nvrtcVersion()
    except (ImportError, RuntimeError, OSError) as error:
        raise BackendError(
            f"NVRTC cannot be used ({error}): {install_extra('cuda13')} (for CUDA 12 the extra cuda12)"
        ) from None
    return bindings


def nvrtc_version() -> str:
    """NVRTC's version, such as "13.0"."""
    _, major, minor = nvrtc().nvrtcVersion()
    return f"{major}.{minor}"


def gpu_code(what: str, key: Callable[..., str], text: str, name: str, arch: int) -> Code:
    """The machine code of a text for compute capability ``arch``."""

    def build(target: Path) -> None:
        target.write_bytes(compile_text(text, name, arch)[0])

    archive = archive_for(gpu_target(arch))
    return Code(
        f"{what} for this GPU",
        ".cubin",
        key,
        lambda: _words(arch, nvrtc_version()),
        build,
        archive,
        _words(arch, archive.compiler) if archive else (),
    )


def _words(arch: int, version: str) -> tuple[str, ...]:
    """All but the text that decides the machine code."""
    return (str(arch), version, *(option.decode() for option in _OPTIONS))


def gpu_target(arch: int) -> str:
    """The name of an architecture, such as "sm_90"."""
    return f"sm_{arch}"


def compile_cubin(source: Unit, arch: int) -> bytes:
    """Machine code for compute capability ``arch`` (75, 80, 90, ...); BackendError with the compiler's
    log if it refuses."""
    return compile_text(source.text, str(source.path), arch)[0]


def compile_verbosely(source: Unit, arch: int, *more: bytes) -> tuple[bytes, str]:
    """Machine code for compute capability ``arch``, compiled with the options ``more``, and the
    assembler's log: registers, spills."""
    return compile_text(source.text, str(source.path), arch, b"--ptxas-options=-v", *more)


def compile_text(text: str, name: str, arch: int, *more: bytes) -> tuple[bytes, str]:
    """Machine code for a text, called ``name`` in errors, with the options ``more``; and the log."""
    rtc = nvrtc()
    error, program = rtc.nvrtcCreateProgram(text.encode(), b"unit.cu", 0, [], [])
    options = [
        f"--gpu-architecture={gpu_target(arch)}".encode(),
        *_OPTIONS,
        *more,
        f"--include-path={kernels_dir()}".encode(),
    ]
    (error,) = rtc.nvrtcCompileProgram(program, len(options), options)
    _, size = rtc.nvrtcGetProgramLogSize(program)
    log = b" " * (size + 1)  # written into; all of Python shares the one-blank bytes object
    rtc.nvrtcGetProgramLog(program, log)
    words = log.decode().partition("\0")[0].strip()
    if error != rtc.nvrtcResult.NVRTC_SUCCESS:
        raise BackendError(f"NVRTC refused {name} for sm_{arch}:\n{words}")
    _, size = rtc.nvrtcGetCUBINSize(program)
    cubin = b" " * size
    rtc.nvrtcGetCUBIN(program, cubin)
    rtc.nvrtcDestroyProgram(program)
    return cubin, words
