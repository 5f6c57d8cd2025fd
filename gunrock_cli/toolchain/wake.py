"""Create the first GPU's context while Python still imports the code that uses it: both take some tenths
of a second, and the driver's part needs no interpreter."""

from __future__ import annotations

import ctypes
from threading import Thread

DRIVER = "libcuda.so.1"
_waking: list[Thread] = []


def wake_gpu() -> Thread:
    """Begin to create the context that CUDA's runtime will use, in a thread that the process waits for
    at its end; nothing if there is no GPU."""
    thread = Thread(target=_make_context, name="wake")
    _waking.append(thread)
    thread.start()
    return thread


def wait_until_awake() -> None:
    """Wait until the context is there, if its creation has begun. The runtime's first call would wait as
    long, and let no other Python thread run meanwhile."""
    for thread in _waking:
        thread.join()


def _make_context() -> None:
    try:
        driver = ctypes.CDLL(DRIVER)
    except OSError:
        return
    device, context = ctypes.c_int(), ctypes.c_void_p()
    if driver.cuInit(0) == 0 and driver.cuDeviceGet(ctypes.byref(device), 0) == 0:
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)  # a later failure says why
