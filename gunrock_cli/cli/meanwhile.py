"""Preparations for a run while the GPU wakes up: the driver takes some tenths of a second for that, and
needs no interpreter."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress

from gunrock_cli.bench.records.environment import driver_version, installed_versions
from gunrock_cli.bench.records.provenance import identify
from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.unit import headers_digest

MEASURING = (
    "gunrock_cli.bench.inputs.graphs",
    "gunrock_cli.bench.protocol.runner",
    "gunrock_cli.bench.inputs.sharing",
    "gunrock_cli.cli.compiling",
)
SHOWING = ("rich.console", "rich.table", "gunrock_cli.cli.show")
COMPARING = ("scipy.sparse.csgraph",)
"""Modules to import: for measuring, for showing a table, for checking the answer."""


def get_ready(modules: Iterable[str], on_gpu: bool) -> Callable[[], None]:
    """Import modules, and begin to ask git, the installed libraries and, if ``on_gpu``, NVML for the
    facts of a record, and to read the kernels, which identify compiled code. Return a function that waits
    for the answers: no other work may run during the measured runs."""
    asking = threading.Thread(target=_ask, args=(on_gpu,), name="ask")
    asking.start()
    for name in modules:
        with suppress(ImportError):  # the code that needs it reports it
            importlib.import_module(name)
    return asking.join


def _ask(on_gpu: bool) -> None:
    """Ask for facts whose answers are cached."""
    with suppress(OSError):  # the record asks again, and fails
        identify()
        headers_digest(kernels_dir())
        installed_versions()
    if on_gpu:
        driver_version()
