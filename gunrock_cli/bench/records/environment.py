"""The machine and the software of a measurement, as a record describes them."""

from __future__ import annotations

import platform
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata

from gunrock_cli.bench.records.provenance import identify
from gunrock_cli.bench.records.shapes import Code, Device
from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import Devices
from gunrock_cli.errors import BackendError
from gunrock_cli.toolchain.carried import Archive
from gunrock_cli.version import __version__

_LIBRARIES = ("numpy", "scipy", "pandas", "cupy-cuda13x", "cupy-cuda12x")


def project_version() -> Code:
    """Version, the commit if this runs from a checkout (``-dirty`` if its code is not the commit's), and
    the hash of the code itself."""
    return {"version": __version__, **identify()}


@cache
def installed_versions() -> dict[str, str]:
    """Versions of the libraries that are installed."""
    found = {}
    for name in _LIBRARIES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = _version_of(metadata.distribution(name))
    return found


def _version_of(library: metadata.Distribution) -> str:
    """``library.version``, without reading the whole description as that property does: 15 ms of a run
    for five libraries."""
    headers = (library.read_text("METADATA") or "").partition("\n\n")[0]
    found = re.search(r"^Version: *(\S+)", headers, re.MULTILINE)
    return library.version if found is None else found[1]


@cache
def library_versions(backend: str) -> dict[str, str]:
    """Versions of Python, the installed libraries, and the backend's compiler."""
    found = {"python": platform.python_version(), **installed_versions()}
    if backend == "cuda":
        import cupy

        from gunrock_cli.toolchain.nvrtc import nvrtc_version

        found["cuda_runtime"] = _cuda_version(cupy.cuda.runtime.runtimeGetVersion())
        found["cuda_driver"] = _cuda_version(cupy.cuda.runtime.driverGetVersion())
        found["nvrtc"] = nvrtc_version()
    else:
        from gunrock_cli.toolchain.host_compiler import compiler_version, find_compiler

        with suppress(BackendError):  # the package may carry all that is run
            found["compiler"] = compiler_version(find_compiler())
    return found


def compiler_of(archive: Archive | None, backend: str) -> dict[str, str]:
    """The compiler of code from an archive, in place of this machine's, if it came from one."""
    if archive is None:
        return {}
    name = "nvrtc" if backend == "cuda" else "compiler"
    return {name: f"{archive.compiler}, carried for {archive.target}"}


def _cuda_version(number: int) -> str:
    return f"{number // 1000}.{number % 1000 // 10}"


def device_info(backend: Backend, several: Sequence[int] = ()) -> Device:
    """Name, memory, driver and capability of the GPU, or name, cores and threads of the CPU; all of
    ``several`` that share a run are listed under ``devices``."""
    found = _one_device(backend)
    if several and backend.name == "cpu":  # at least one each, even if fewer were asked for
        found["threads"] = len(several) * Devices(backend, tuple(several)).backend_at().threads
    if several:
        found["devices"] = [{"number": number, "name": _name_of(backend, number)} for number in several]
    return found


def _name_of(backend: Backend, number: int) -> str:
    if backend.name == "cpu":
        from gunrock_cli.toolchain.processor import processor_name

        return f"{processor_name()}, team {number}"
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(number)["name"]
    return name.decode() if isinstance(name, bytes) else str(name)


def _one_device(backend: Backend) -> Device:
    if backend.name == "cpu":
        from gunrock_cli.toolchain.processor import processor_name
        from gunrock_cli.toolchain.threads import default_threads

        return {
            "name": processor_name(),
            "cores": default_threads(),
            "threads": backend.threads,
            "machine": platform.machine(),
        }
    from gunrock_cli.engine.cuda import compute_capability, device_properties

    properties = device_properties()
    name = properties["name"]
    return {
        "name": name.decode() if isinstance(name, bytes) else str(name),
        "memory_bytes": int(properties["totalGlobalMem"]),
        "compute_capability": compute_capability(),
        "multiprocessors": int(properties["multiProcessorCount"]),
        "driver": driver_version(),
    }


@cache
def driver_version() -> str | None:
    """The driver's version, such as "580.159.04", by NVML; None if that is not installed."""
    try:
        import pynvml

        pynvml.nvmlInit()
        version = pynvml.nvmlSystemGetDriverVersion()
    except Exception:  # no NVML: a record without the driver's version is still a record
        return None
    return version.decode() if isinstance(version, bytes) else str(version)
