"""The ceilings of the device: measured once (about a second), and kept in the cache directory until the
device, its clocks or the number of its cores change."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any

from gunrock_cli.bench.rates import Ceilings
from gunrock_cli.engine.backend import Backend
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.resources import cache_root

_log = logging.getLogger("gunrock")
METHOD = 2
"""How ceilings are measured; another number makes what was kept before be measured again."""


def ceilings(backend: Backend) -> Ceilings:
    """Those of the backend's device, measured where they are not known; on a CPU those of all its
    cores, however many threads a run takes."""
    identity = {"method": METHOD, **_device(backend).identity()}
    name = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]
    file = cache_root() / "ceilings" / f"{name}.json"
    try:
        return Ceilings.from_dict(json.loads(file.read_text()))
    except (OSError, ValueError, KeyError, TypeError):
        found = _device(backend).measure()
    try:
        with atomic_write(file) as out:
            out.write(json.dumps({"device": identity, **found.to_dict()}).encode())
    except InputError as error:
        _log.debug("ceilings not kept: %s", error)
    return found


def _device(backend: Backend) -> Any:
    """The module that measures this backend's device: ``identity()`` and ``measure()``."""
    if backend.name == "cpu":
        from gunrock_cli.bench import bandwidth_host

        return bandwidth_host
    from gunrock_cli.bench import bandwidth_device

    return bandwidth_device
