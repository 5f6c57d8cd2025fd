"""The ceilings of the device: measured once (about a second), and kept in the cache directory until the
device, its clocks or its number of cores change."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.engine.backend import Backend
from gunrock_cli.errors import BackendError, InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.resources import cache_root

_log = logging.getLogger("gunrock")
METHOD = 2
"""The version of the measurement; when it changes, kept ceilings are measured again."""

LEAST_SHARE = 0.5
"""The smallest share of its memory's rated speed that an undisturbed device reaches."""


def ceilings(backend: Backend) -> Ceilings:
    """The ceilings of the backend's device, measured if they are not known; on a CPU those of all its
    cores, whatever number of threads a run uses. BackendError if they cannot be the device's, as runs
    would beat the floors that follow from them."""
    device = _device(backend)
    identity = {"method": METHOD, **device.identity()}
    name = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]
    file = cache_root() / "ceilings" / f"{name}.json"
    try:
        found: Ceilings = Ceilings.from_dict(json.loads(file.read_text()))
        _refuse_slow(found, device.memory_limit())
        return found
    except (OSError, ValueError, KeyError, TypeError, BackendError):
        found = device.measure()
    _refuse_slow(found, device.memory_limit())
    try:
        with atomic_write(file) as out:
            out.write(json.dumps({"device": identity, **found.to_dict()}).encode())
    except InputError as error:
        _log.debug("ceilings not kept: %s", error)
    return found


def _refuse_slow(found: Ceilings, limit: float | None) -> None:
    """Refuse rates far below the memory's rated speed: another program uses the device, or a tool such as
    compute-sanitizer slows it down."""
    if limit is not None and found.memory_read < LEAST_SHARE * limit:
        raise BackendError(
            f"the memory gave {found.memory_read / 1e9:.0f} GB/s of the {limit / 1e9:.0f} that its clock "
            "and width allow: something else used the device, or slowed it down; measure again on an "
            "idle one"
        )


def _device(backend: Backend) -> Any:
    """The module that measures this backend's device: ``identity()``, ``measure()`` and
    ``memory_limit()``."""
    if backend.name == "cpu":
        from gunrock_cli.bench.ceilings import bandwidth_host

        return bandwidth_host
    from gunrock_cli.bench.ceilings import bandwidth_device

    return bandwidth_device
