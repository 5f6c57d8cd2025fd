"""The array module in which graphs are generated and built: the GPU's if there is one."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from gunrock_cli.errors import BackendError


def graph_array_module(backend: str = "auto") -> ModuleType:
    """numpy or cupy for a backend ("auto", "cuda", "cpu"); unlike the engine this needs no compiler on
    the CPU. BackendError if "cuda" is impossible."""
    if backend == "cpu":
        return np
    from gunrock_cli.toolchain.available import why_no_cuda

    reason = why_no_cuda()
    if reason is None:
        import cupy

        module: ModuleType = cupy
        return module
    if backend == "cuda":
        raise BackendError(reason)
    return np
