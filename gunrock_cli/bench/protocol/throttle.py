"""Checks that a GPU's clocks were not held down during a measurement (by nvidia-ml-py, if installed)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

# Bits of nvmlDeviceGetCurrentClocksEventReasons that slow a measurement; idle, application and
# display clock settings are not among them.
SLOWING = {
    0x0000000000000004: "software power cap",
    0x0000000000000008: "hardware slowdown",
    0x0000000000000020: "software thermal slowdown",
    0x0000000000000040: "hardware thermal slowdown",
    0x0000000000000080: "hardware power brake",
}


def slowing_reasons(mask: int) -> list[str]:
    """The names of the bits that slow a measurement."""
    return [name for bit, name in SLOWING.items() if mask & bit]


def throttle_warnings(masks: Iterable[int | None]) -> list[str]:
    """One warning for all samples of a measurement, or none; None is a sample that was not taken."""
    reasons: dict[str, int] = {}
    samples = [mask for mask in masks if mask is not None]
    for mask in samples:
        for reason in slowing_reasons(mask):
            reasons[reason] = reasons.get(reason, 0) + 1
    if not reasons:
        return []
    parts = ", ".join(f"{name} in {count}" for name, count in reasons.items())
    return [f"clocks were throttled: {parts} of {len(samples)} samples"]


def sample(pci_bus_id: str | None = None, index: int = 0) -> int | None:
    """The device's current reasons as a bit mask; None without NVML or on a device without them.

    Give the PCI bus id if it is known: NVML does not follow CUDA_VISIBLE_DEVICES.
    """
    try:
        import pynvml
    except ImportError:
        return None
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        return None
    try:
        if pci_bus_id is not None:
            device = pynvml.nvmlDeviceGetHandleByPciBusId(pci_bus_id.encode())
        else:
            device = pynvml.nvmlDeviceGetHandleByIndex(index)
        return int(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons(device))
    except pynvml.NVMLError:
        return None
    finally:
        with suppress(pynvml.NVMLError):
            pynvml.nvmlShutdown()
