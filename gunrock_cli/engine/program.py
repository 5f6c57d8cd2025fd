"""A primitive compiled for one backend and one graph, ready to run: the part that both backends share."""

from __future__ import annotations

import atexit
import math
import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from gunrock_cli.engine.contract import PROBLEM, Contract, contract_of, pointer_of
from gunrock_cli.errors import BackendError, GunrockError
from gunrock_cli.graph.model.graph import Array, Csr, Graph
from gunrock_cli.jsontypes import QueueUse
from gunrock_cli.toolchain.carried import Archive
from gunrock_cli.toolchain.unit import Unit

TRACE_ROWS = 1 << 16
LOOPS = ("device", "host")
"""One persistent kernel, or one launch per step."""
GRACE_S = 0.4
"""The time that an interrupted run may take to end on its own."""
_running: list[Program] = []


def leave_running(program: Program) -> None:
    """Leave a program that does not end in time, without waiting for it, and keep the memory that it
    works on."""
    if not _running:
        atexit.register(_leave)
    _running.append(program)


def is_left_running() -> bool:
    """True if a program was left running; its device will run no other until it ends."""
    return bool(_running)


def _leave() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(130)


def await_all(started: Sequence[tuple[Program, Any]]) -> None:
    """Wait until all launches (of ``Program.start``) have ended. Ctrl-C gets through and ends the
    runs."""
    try:
        for program, launch in started:
            program.wait(launch, math.inf)
    except KeyboardInterrupt:
        for program, _ in started:
            program.ask_to_stop()
        for program, launch in started:
            if not program.wait(launch, GRACE_S):
                leave_running(program)
        raise


@dataclass(frozen=True)
class RunResult:
    """One run of the enactor. ``trace`` rows are raw (the kernels' TraceRow); ``end_ns`` closes the last.
    ``late``: the device did not wait until the host had queued the launch, so ``ms`` may include the
    host's time. ``devices``: each device's own result, if several ran."""

    ms: float
    steps: int
    trace: np.ndarray[Any, Any]
    end_ns: int
    late: bool = False
    inspected: int = 0  # edges that operators examined, if counted
    counted: Mapping[str, int] = field(default_factory=dict)  # the kernels' enum Counted, if counted
    devices: tuple[RunResult, ...] = ()
    limits: int = 0  # bits of the limits that ended it (``Option.limit``)
    phases: tuple[str, ...] = ()  # of the trace's rows, by name


@dataclass(frozen=True)
class QueueRoom:
    """The number of items that the two queues, which alternate as in and out, can hold at first: the
    numbers are equal unless the code is compiled with GR_QUEUES_DIFFER. ``lists``: they also hold the
    items' lists."""

    even: int
    odd: int
    lists: bool = True

    def shared_by(self, devices: int) -> QueueRoom:
        """The room of each of several devices that share a graph; a queue that is too small grows."""
        return replace(self, even=-(-self.even // devices), odd=-(-self.odd // devices))


@dataclass(frozen=True)
class RunSettings:
    """The settings of a launch, besides the problem. ``settles``: on a GPU the host waits for the reset,
    and the device some 50 us more until the whole launch has been fetched, so that the measured time
    includes nothing else; otherwise up to 12 us of it may be something else."""

    loop: str = "device"  # one of LOOPS, which decides the entry that is compiled
    lb_threshold: int = 4096
    max_steps: int = 1 << 40
    trace: bool = False
    count: bool = False  # edges inspected; such a run is not to be timed
    settles: bool = True

    @property
    def entry(self) -> str:
        """The compiled function that its loop calls (``kernels/core/entry.cuh``)."""
        return "gr_step" if self.loop == "host" else "gr_run"


class Left(NamedTuple):
    """The place where a program has left a run: the step before which it stopped, the frontier's level,
    and the rows of the trace so far."""

    step: int
    level: int
    rows: int


class Program(ABC):
    """A compiled program with its queues and control block; ``run`` may be called any number of times."""

    archive: Archive | None
    """Where the package carries its code; None if this machine compiled it."""

    def __init__(self, source: Unit, graph: Graph, room: QueueRoom, settings: RunSettings) -> None:
        self.kernel = source.path.name
        self.contract = contract_of(self.contract_bytes(), self.kernel)
        self.graph = graph
        self.settings = settings
        self.room = room
        self.growths = 0  # number of times that a queue was too small
        self.warnings: list[str] = []  # for the record: anything that did not go as it should
        self._given: dict[str, Any] = {}  # the last problem; a run that cannot be ended works on it
        self._late = False  # True if the last launch was late; see RunResult
        self._status = self.contract.enum("Status")
        self._arguments = np.zeros((), self.contract.dtype("Args"))
        self.contract.check_complete()
        self._check_edges()
        self._control_dtype = self.contract.dtype("Control")
        self._row_dtype = self.contract.dtype("TraceRow")
        self._control = self._zeros(1, self._control_dtype)
        self._trace = self._zeros(TRACE_ROWS if settings.trace else 1, self._row_dtype)
        self._queued_by = self._zeros(max(1, graph.n), np.dtype(np.uint64)) if settings.count else None
        self._last_found = self._empty(self.contract.constant("LAST_FOUND"), np.dtype(np.uint64))
        self._queues: list[Array] = []
        self._works_in: tuple[Program, int] | None = None
        self._allocate_queues()
        self._pack_graph()
        self._pack_workspace()
        self.join({"device": 0, "devices": 1, "begin": 0, "end": graph.n, "limit_ns": 0, "heaps": 0})

    # --- what a backend does ---------------------------------------------------------------------
    @abstractmethod
    def contract_bytes(self) -> bytes:
        """The contract of the binary, in bytes (``contract.SYMBOL``)."""

    @abstractmethod
    def _empty(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Uninitialized memory of the backend."""

    @abstractmethod
    def _zeros(self, count: int, dtype: np.dtype[Any]) -> Array:
        """Zeroed memory of the backend, possibly of a structured dtype."""

    @abstractmethod
    def _clear(self, array: Array) -> None:
        """Zero an array of ``_zeros``."""

    @abstractmethod
    def _read(self, array: Array, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """A host copy."""

    @abstractmethod
    def grid_threads(self) -> int:
        """The number of threads that run it, over all blocks."""

    @abstractmethod
    def start(self, step: int | None = None) -> Any:
        """Launch the whole enactor, or a step of the host loop, without waiting for it."""

    @abstractmethod
    def wait(self, launch: Any, limit_s: float) -> bool:
        """True if the launch has ended within the limit."""

    @abstractmethod
    def elapsed(self, launch: Any) -> float:
        """Milliseconds that an ended launch took."""

    @abstractmethod
    def ask_to_stop(self) -> None:
        """Set ``Control.stop`` while the enactor runs."""

    @abstractmethod
    def _launch(self) -> float:
        """Launch the whole enactor once, and return its milliseconds."""

    @abstractmethod
    def _launch_after(self, first: Program, ms: float) -> float:
        """Launch the enactor without waiting for the host, which has just seen a launch end, ``ms`` after
        ``first`` began; return the milliseconds since then."""

    @abstractmethod
    def _launch_steps(self, goes_on: Callable[[], bool]) -> float:
        """Launch one step after another until ``goes_on()`` is false, and return the milliseconds of all,
        the host's included."""

    # --- shared ----------------------------------------------------------------------------------
    def run(self, problem: dict[str, Any], reset: Callable[[], None]) -> RunResult:
        """Reset and run once; queues that are too small are grown and the run repeated."""
        while True:
            reset()
            self.prepare(problem)
            result = self.result(self.launch_whole())
            if result is not None:
                return result

    def launch_whole(self) -> float:
        """Run the prepared problem to its end; return its milliseconds."""
        stepwise = self.settings.loop == "host"
        return self._launch_steps(self.goes_on) if stepwise else self._launch()

    def launch_after(self, first: Program, ms: float) -> float:
        """Go on with a run that another program has left, ``ms`` after ``first`` began it; return the
        milliseconds since then."""
        if self.settings.loop == "host":
            return ms + self._launch_steps(self.goes_on)
        return self._launch_after(first, ms)

    def left_at(self) -> Left | None:
        """The place where another program must go on with the run that has just ended; None if it is
        over."""
        control = self._read(self._control, self._control_dtype)[0]
        if control["status"] != self._status["STATUS_LEFT"]:
            return None
        return Left(int(control["steps"]), int(control["level"]), int(control["trace_rows"]))

    def go_on_at(self, left: Left) -> None:
        """Let every launch go on at ``left``."""
        workspace = self._arguments["workspace"]
        workspace["resumes"] = True
        workspace["first_step"], workspace["first_level"] = left.step, left.level

    def work_in(self, other: Program) -> None:
        """Use another program's queues, counters and trace, as they are now, instead of its own."""
        if self._works_in == (other, other.growths):
            return
        self._works_in = (other, other.growths)
        self._control, self._trace, self._queued_by = other._control, other._trace, other._queued_by
        self._queues, self.room = list(other._queues), other.room
        self._pack_workspace()
        for name in ("even", "odd"):
            self._arguments["workspace"][name] = other._arguments["workspace"][name]

    def share_room(self, other: Program) -> None:
        """Take over the room that another program's queues have grown to."""
        self.room, self.growths = other.room, self.growths + 1
        self._allocate_queues()

    def prepare(self, problem: dict[str, Any]) -> None:
        """Set up everything that a launch reads, for these arrays."""
        self._clear(self._control)
        if self._queued_by is not None:
            self._clear(self._queued_by)
        self.prepare_to_go_on(problem)

    def prepare_to_go_on(self, problem: dict[str, Any]) -> None:
        """Set up everything that a launch reads, for a run that another program has begun."""
        before, self._given = self._given, {}  # after a refused problem nothing can be relied on
        self.contract.pack_again(PROBLEM, self._arguments["problem"], problem, before)
        self._given = dict(problem)

    def join(self, peers: Mapping[str, Any]) -> None:
        """Set which of the devices it is, and which part of the vertices is its own (the kernels'
        ``Peers``)."""
        self.device = int(peers["device"])
        for name, value in peers.items():
            self._arguments["peers"][name] = value

    def result(self, ms: float, begun: tuple[Contract, int] | None = None) -> RunResult | None:
        """The result of the ended run; None if it must be repeated with larger queues. ``begun``: the
        contract of another program that began it, and the number of that program's rows in the trace."""
        control = self._read(self._control, self._control_dtype)[0]
        status = int(control["status"])
        if status == self._status["STATUS_DONE"]:
            trace = self._traced(int(control["trace_rows"]))
            return RunResult(
                ms,
                int(control["steps"]),
                trace,
                int(control["end_ns"]),
                self._late,
                int(control["inspected"]),
                self._counted(control),
                limits=int(control["limits"]),
                phases=self._phases(trace, begun or (self.contract, 0)),
            )
        if status == self._status["STATUS_OVERFLOW"]:
            self._grow(int(control["needed"]), even=int(control["steps"]) % 2 == 0)
        elif status == self._status["STATUS_INTERRUPTED"]:
            raise KeyboardInterrupt
        elif status == self._status["STATUS_SINGLE_BLOCK_OVERFLOW"]:
            self._arguments["workspace"]["single_block_allowed"] = False
            self.warnings.append(
                f"a block working alone queued {int(control['needed'])} items, more than it can "
                "hold, so no block works alone: fits_block of "
                f"{self.kernel} promised too much (docs/writing-a-primitive.md)"
            )
        elif status == self._status["STATUS_TOO_MANY_EDGES"]:
            raise GunrockError(
                f"a frontier's edges, duplicates included, exceed {self._most_edges()}; use an "
                "exact run (bfs --no-idempotence, sssp --redundancy queue-id), or if queues hold edges "
                f"(no more than {self._most_items()}) one whose do not (--strategy fused, --fusion on)"
            )
        elif status == self._status["STATUS_STEP_LIMIT"]:
            raise GunrockError(f"stopped after {self.settings.max_steps} steps (--max-steps)")
        else:
            raise BackendError(f"the enactor ended with status {status}")
        return None

    def _phases(self, trace: np.ndarray[Any, Any], begun: tuple[Contract, int]) -> tuple[str, ...]:
        contract, rows = begun
        return tuple(
            (contract if place < rows else self.contract).phase(int(row["phase"]))
            for place, row in enumerate(trace)
        )

    def _counted(self, control: np.void) -> dict[str, int]:
        if not self.settings.count:
            return {}
        counts = control["counted"].tolist()
        return {name: counts[place] for name, place in self.contract.enum("Counted").items()}

    def _traced(self, rows: int) -> np.ndarray[Any, Any]:
        """Copy the trace's rows; as this takes as long as a short run, it is done only on request."""
        if not self.settings.trace:
            return np.empty(0, self._row_dtype)
        return self._read(self._trace, self._row_dtype)[: min(rows, TRACE_ROWS)]

    def status(self) -> tuple[str, int]:
        """The way the run ended (a name of the kernels' ``Status``), and the size that it needed or the
        device that it lost."""
        control = self._read(self._control, self._control_dtype)[0]
        names = {value: name for name, value in self._status.items()}
        return names[int(control["status"])], int(control["needed"])

    def goes_on(self) -> bool:
        """True if another step of the host loop follows."""
        return self.status()[0] == "STATUS_RUNNING"

    def _grow(self, needed: int, even: bool) -> None:
        """Make room for ``needed`` items in the queue of an even or an odd step."""
        self.growths += 1
        wanted = max(needed + needed // 4, 2 * (self.room.even if even else self.room.odd))
        if self.room.even == self.room.odd:
            self.room = replace(self.room, even=wanted, odd=wanted)
        else:
            self.room = replace(self.room, even=wanted) if even else replace(self.room, odd=wanted)
        self._allocate_queues()

    def _allocate_queues(self) -> None:
        self._queues.clear()
        for name in ("even", "odd"):
            capacity = getattr(self.room, name)
            arrays = {
                member.name: self._empty(capacity, self.contract.element("Queue", member.name))
                if self.room.lists or member.name == "items"
                else None
                for member in self.contract.members("Queue")
                if member.pointer
            }
            self.contract.pack(
                "Queue", self._arguments["workspace"][name], {**arrays, "capacity": capacity}
            )
            self._queues += [array for array in arrays.values() if array is not None]

    def queues(self) -> QueueUse:
        """The current capacity of the queues, for a record."""
        return {
            "items": [self.room.even, self.room.odd],
            "growths": self.growths,
            "bytes": sum(int(array.nbytes) for array in self._queues),
        }

    def _pack_workspace(self) -> None:
        """Pack all of the workspace but the queues: it is the same for every run."""
        workspace = self._arguments["workspace"]
        workspace["control"] = pointer_of(self._control)
        workspace["trace"] = pointer_of(self._trace)
        workspace["trace_capacity"] = len(self._trace)
        workspace["lb_threshold"] = self.settings.lb_threshold
        workspace["max_steps"] = self.settings.max_steps
        workspace["single_block_allowed"] = True
        workspace["queued_by"] = pointer_of(self._queued_by)
        workspace["last_found"] = pointer_of(self._last_found)

    def _pack_graph(self) -> None:
        graph = self._arguments["graph"]
        graph["n"], graph["m"] = self.graph.n, self.graph.m
        self._pack_csr(graph["csr"], self.graph.csr)
        if self.graph.undirected:
            graph["reverse"] = graph["csr"]
        elif self.graph.reverse is not None:
            self._pack_csr(graph["reverse"], self.graph.reverse)
        weights = self.graph.vertex_weights
        graph["vertex_weights"] = pointer_of(weights)
        graph["weights_each"] = 0 if weights is None else weights[0].size if self.graph.n else 1

    def _pack_csr(self, target: Any, csr: Csr) -> None:
        self.contract.pack(
            "Csr",
            target,
            {
                "row_offsets": csr.row_offsets,
                "column_indices": csr.column_indices,
                "values": csr.values,
                "max_degree": csr.longest,
            },
        )
        # A row is then found by its vertex's number.
        target["row_offsets"] -= np.uint64(csr.first * csr.row_offsets.dtype.itemsize)

    def _check_edges(self) -> None:
        edges = self.graph.csr.m
        if edges > self._most_edges():
            raise GunrockError(
                f"{self.graph.name} has {edges} edges; a frontier can hold {self._most_edges()}"
            )

    def _most_edges(self) -> int:
        """The largest sum of a frontier's list lengths."""
        return self.contract.constant("EDGE_LIMIT")

    def _most_items(self) -> int:
        """The most items that a queue of edges may have."""
        return self.contract.constant("MOST_ITEMS")
