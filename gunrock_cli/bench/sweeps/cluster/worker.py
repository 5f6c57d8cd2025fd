"""The code that runs on a worker: it describes itself, runs one cell at a time, and ends it when home
says so.

A cell's process is guarded: when the worker dies, the whole cell is killed before its devices are free
again."""

from __future__ import annotations

import json
import os
import secrets
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, TypedDict

from gunrock_cli.bench.sweeps.cluster import devices, machine
from gunrock_cli.bench.sweeps.plan import SweepCell
from gunrock_cli.bench.sweeps.run import Ended, run_cell, run_process
from gunrock_cli.errors import GunrockError
from gunrock_cli.guard import SCRIPT as guard_script

INSTANCE = secrets.token_hex(16)
"""A token that tells this worker from one started in its place, at the same address."""
_TURN = 0.1  # seconds between looks at a device that another cell holds


class Description(TypedDict):
    """What ``describe`` returns: plain data, as the receiver may be of another version."""

    instance: str
    machine: machine.Looks
    gpu_slots: float


@dataclass(frozen=True)
class Described:
    """A worker; ``gpu_slots`` is its amount of Dask's resource GPU."""

    instance: str
    machine: machine.Machine
    gpu_slots: float

    @classmethod
    def of(cls, found: Description) -> Described:
        """Convert what ``describe`` returns."""
        return cls(found["instance"], machine.Machine.of(found["machine"]), found["gpu_slots"])


@dataclass(frozen=True)
class Order:
    """One cell, and how to run it: in ``folder``, if the worker has it. ``files`` are those that the cell
    reads, with their sizes; ``settings`` are environment variables (None: not set). ``alone``: with
    nothing else on the host."""

    sweep: str
    token: str  # of this start of the sweep
    instance: str
    cell: SweepCell
    program: tuple[str, ...] | None
    folder: str
    files: tuple[tuple[str, int], ...]
    settings: tuple[tuple[str, str | None], ...]
    gpus: tuple[str, ...]
    alone: bool


@dataclass(frozen=True)
class Report:
    """The result of an order: ``records`` as lines of JSON; or ``missing``, why it was not run here; or
    ``replaced``, as this worker is not the one that the order was for."""

    records: tuple[str, ...] = ()
    stderr: str = ""
    missing: str = ""
    replaced: bool = False


ASK = f"__import__('importlib').import_module({__name__!r}).describe(folder, settings)"
"""A call of ``describe`` that works if this module is missing or different: a worker ends if it is sent a
function of a module that it does not have."""


def describe(folder: str, settings: Sequence[tuple[str, str | None]]) -> Description:
    """Describe this worker to cells in that folder and with these settings."""
    from distributed import get_worker

    declared = get_worker().state.total_resources
    return {
        "instance": INSTANCE,
        "machine": machine.ask(_here(folder), _environment(settings)),
        "gpu_slots": float(declared.get("GPU", 0)),
    }


def carry_out(order: Order) -> Report:
    """Run a cell, once its devices are free."""
    if order.instance != INSTANCE:
        return Report(replaced=True)
    folder = _here(order.folder)
    if missing := _missing(order.files, folder or Path()):
        return Report(missing=missing)
    with (
        _Lifeline(order.token) as lifeline,
        devices.held(order.gpus, order.alone, lifeline.wait) as locks,
    ):
        run = partial(_guarded, lifeline, locks, folder, _environment(order.settings))
        outcome = run_cell(order.cell, order.program or _gunrock(), order.sweep, run)
    return Report(tuple(record.to_json() for record in outcome.records), outcome.stderr)


def end_cells(token: str) -> None:
    """End the cells that run here for that start of a sweep."""
    _Lifeline.cut_all(token)


def _gunrock() -> list[str]:
    return [sys.executable, "-m", "gunrock_cli.cli.main"]


def _here(folder: str) -> Path | None:
    """Home's folder, if this host has it; otherwise the worker's own."""
    return Path(folder) if os.path.isdir(folder) else None


def _environment(settings: Sequence[tuple[str, str | None]]) -> dict[str, str]:
    chosen = {**os.environ, **dict(settings)}
    return {name: value for name, value in chosen.items() if value is not None}


def _missing(files: Sequence[tuple[str, int]], folder: Path) -> str:
    """Name a file that differs from home's; empty if none does."""
    for name, size in files:
        try:
            found = os.path.getsize(folder / name)
        except OSError:
            return f"has no {name}"
        if found != size:
            return f"has another {name}, of {found} bytes and not {size}"
    return ""


class _Lifeline:
    """A pipe whose other end a cell's guard reads: cutting it, or the end of this process, ends the
    cell."""

    _held: ClassVar[dict[str, set[_Lifeline]]] = {}
    _lock = threading.Lock()

    def __init__(self, token: str) -> None:
        self.end, self._own = os.pipe()
        self._token = token
        self._is_cut = threading.Event()

    def __enter__(self) -> _Lifeline:
        with self._lock:
            self._held.setdefault(self._token, set()).add(self)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._held.get(self._token, set()).discard(self)
        self.cut()
        os.close(self.end)

    @classmethod
    def cut_all(cls, token: str) -> None:
        """Cut the lifelines of that start of a sweep."""
        with cls._lock:
            held = cls._held.pop(token, set())
        for lifeline in held:
            lifeline.cut()

    def wait(self) -> None:
        """Wait for a moment; raises if it has been cut."""
        if self._is_cut.wait(_TURN):
            raise GunrockError("ended")

    def cut(self) -> None:
        with self._lock:
            if not self._is_cut.is_set():
                self._is_cut.set()
                os.close(self._own)


def _guarded(
    lifeline: _Lifeline,
    locks: Sequence[int],
    folder: Path | None,
    environment: dict[str, str],
    arguments: Sequence[str],
    timeout: float,
) -> Ended:
    """Run a process under ``gunrock_cli/guard.py``, which holds the locks while any part of it is
    left."""
    receiving, reporting = os.pipe()
    try:
        done = run_process(
            [sys.executable, "-I", "-S", str(guard_script), str(reporting), *arguments],
            timeout,
            stdin=lifeline.end,
            pass_fds=(reporting, *locks),
            folder=folder,
            environment=environment,
        )
    finally:
        os.close(reporting)
        with os.fdopen(receiving, "rb") as file:
            said = file.read()
    return _as_its_own(done, said)


def _as_its_own(done: Ended, said: bytes) -> Ended:
    """The end of the program itself, if its guard reported it."""
    if done.timed_out or not said:
        return done
    told = json.loads(said)
    if "error" in told:
        return Ended(127, done.stdout, f"gunrock: cannot be started: {told['error']}", False)
    return Ended(told["code"] if told["code"] is not None else done.code, done.stdout, done.stderr, False)
