"""The first GPU's context, made while Python still imports what will use it: both take some tenths of a
second, and the driver needs no interpreter for its part."""

from __future__ import annotations

import ctypes
from threading import Thread

DRIVER = "libcuda.so.1"
_waking: list[Thread] = []


def wake_gpu() -> Thread:
    """Begin to make the context that CUDA's runtime will take, in a thread, for which the process waits
    at its end; nothing where there is no GPU."""
    thread = Thread(target=_make_context, name="wake")
    _waking.append(thread)
    thread.start()
    return thread


def wait_until_awake() -> None:
    """Until that is done, if it has begun. The first call of the runtime would wait as long, and let no
    other thread of Python go on meanwhile."""
    for thread in _waking:
        thread.join()


def _make_context() -> None:
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return
    device, context = ctypes.c_int(), ctypes.c_void_p()
    if driver.cuInit(0) == 0 and driver.cuDeviceGet(ctypes.byref(device), 0) == 0:
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)  # who fails later says why
