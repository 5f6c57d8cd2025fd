"""Find out which backends can be used here, and the remedy if they cannot."""

from __future__ import annotations

from functools import cache

from gunrock_cli.errors import BackendError
from gunrock_cli.installation import install_extra
from gunrock_cli.toolchain.wake import wait_until_awake

_COOPERATIVE_LAUNCH = 95  # CUDA's number of the attribute


@cache
def why_no_cuda() -> str | None:
    """The reason why the cuda backend cannot be used, with the remedy; None if it can."""
    try:
        import cupy
    except ImportError:
        return f"CuPy is not installed ({install_extra('cuda13')}; for CUDA 12 the extra cuda12)"
    no_compiler = _why_no_nvrtc()  # imported while the GPU wakes up
    wait_until_awake()
    try:
        if cupy.cuda.runtime.getDeviceCount() == 0:
            return "no NVIDIA GPU"
        device = cupy.cuda.Device().id
        if not cupy.cuda.runtime.deviceGetAttribute(_COOPERATIVE_LAUNCH, device):
            return f"GPU {device} has no cooperative launches, which all kernels need; use --backend cpu"
    except Exception as error:
        return f"no usable NVIDIA GPU ({error})"
    return no_compiler


def _why_no_nvrtc() -> str | None:
    try:
        from gunrock_cli.toolchain.nvrtc import nvrtc

        nvrtc()
    except BackendError as error:
        return str(error)
    return None


@cache
def why_no_cpu() -> str | None:
    """The reason why the cpu backend cannot be used, with the remedy; None if it can, even if only with
    what the package carries."""
    from gunrock_cli.toolchain.carried import is_sound
    from gunrock_cli.toolchain.host_code import carried_here

    reason = why_no_compiler()
    carried = carried_here() if reason else None
    return None if carried and is_sound(carried) else reason


def why_no_compiler() -> str | None:
    """The reason why nothing can be compiled for the cpu backend, with the remedy; None if it can."""
    from gunrock_cli.toolchain.host_compiler import find_compiler

    try:
        find_compiler()
    except BackendError as error:
        return str(error)
    return None
