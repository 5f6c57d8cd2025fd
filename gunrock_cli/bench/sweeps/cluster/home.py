"""The home process of a sweep on a cluster: which cell goes to which worker, and what happens to a lost
worker's cells. It alone writes records, as cells come home."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.records.environment import project_version
from gunrock_cli.bench.records.file import parse_record
from gunrock_cli.bench.records.record import Record, keep_records
from gunrock_cli.bench.sweeps.cluster import worker
from gunrock_cli.bench.sweeps.cluster.worker import Described, Description, Order, Report
from gunrock_cli.bench.sweeps.plan import Plan, SweepCell
from gunrock_cli.bench.sweeps.run import Outcome, failed_cell, outcome_of
from gunrock_cli.errors import GunrockError

if TYPE_CHECKING:
    from distributed import Client, Future

MOST_TRIES = 2
_TURN = 0.5  # seconds between looks for new workers
_PATIENCE = 60.0  # seconds for a worker to describe itself
_NANNYS_OWN = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MALLOC_TRIM_THRESHOLD_",
    "PYTHONHASHSEED",
)
"""Variables that Dask sets for its workers (one thread): cells get home's values, as without a
cluster."""


@dataclass
class _Task:
    """A cell on its way. ``lost`` are the hosts whose workers disappeared with it; ``missing`` says why
    workers did not run it."""

    cell: SweepCell
    lost: list[str] = field(default_factory=list)
    missing: dict[str, str] = field(default_factory=dict)  # by host

    @property
    def backend(self) -> str:
        return _value(self.cell.arguments, "--backend") or "auto"

    @property
    def measures_processor(self) -> bool:
        """True for cells on the processor; also next to a GPU, as peers run on the host."""
        return self.backend == "cpu" or _value(self.cell.arguments, "--against") is not None


@dataclass
class _Flight:
    """A request to a worker: to describe itself, or to run a cell."""

    address: str
    task: _Task | None
    since: float


def run_plan(
    client: Client,
    program: Sequence[str] | None,
    wait: float,
    plan: Plan,
    output: Path,
    skip: set[str],
    begin: Callable[[SweepCell], None],
    say: Callable[[str], None],
) -> Iterator[Outcome]:
    """Run the cells that are not in ``skip``, appending their records to ``output`` as they come.

    ``program`` is the gunrock to run, None for each worker's own. ``wait`` is the time in seconds without
    any worker after which to give up. ``say`` is told in one line who takes part, and who does not.
    GunrockError if the cluster is lost."""
    todo = [cell for cell in plan.cells if cell.key not in skip]
    for outcome in _Home(client, program, wait, plan.name, todo, begin, say).outcomes():
        keep_records(output, outcome.records)
        yield outcome


class _Home:
    """The home process for one start of a sweep."""

    def __init__(
        self,
        client: Client,
        program: Sequence[str] | None,
        wait: float,
        sweep: str,
        todo: Sequence[SweepCell],
        begin: Callable[[SweepCell], None],
        say: Callable[[str], None],
    ) -> None:
        self.client, self.sweep, self.program = client, sweep, program
        self.begin, self.say = begin, say
        self.token = secrets.token_hex(16)
        self.waiting = deque(_Task(cell) for cell in todo)
        self.left = len(todo)
        self.present: set[str] = set()
        self.met = False  # any worker that may run cells
        self.workers: dict[str, Described] = {}  # workers that may run cells
        self.refused: dict[str, str] = {}
        self.unsaid: list[str] = []
        self.flights: dict[Future[Any], _Flight] = {}
        self.landed = threading.Event()
        self.wait = wait
        self.alone_since = time.monotonic()
        self.settings = tuple((name, os.environ.get(name)) for name in _NANNYS_OWN)

    def outcomes(self) -> Iterator[Outcome]:
        """The outcome of every cell, as they come."""
        try:
            while self.waiting or any(flight.task for flight in self.flights.values()):
                yield from self._look_around()
                yield from self._give_up_on_the_hopeless()
                self._send_cells()
                yield from self._collect()
        finally:
            self._end()

    # Meeting workers

    def _look_around(self) -> Iterator[Outcome]:
        present = self._addresses()
        for address in self.present - present:
            yield from self._lose(address)
        for address in present - self.present:
            self._ask(address)
        self.present = present
        self._refuse_the_silent()
        while self.met and self.unsaid:  # if all are refused, that is the error
            self.say(self.unsaid.pop(0))
        if self.workers or self.flights:
            self.alone_since = time.monotonic()
        elif self.refused and not self.met:
            raise GunrockError("no worker can run this sweep: " + "; ".join(self.refused.values()))
        elif time.monotonic() - self.alone_since > self.wait:
            raise GunrockError(f"no worker at the Dask scheduler for {self.wait:g} s{self._left()}")

    def _refuse_the_silent(self) -> None:
        """Refuse workers that have not described themselves, as they are busy with others' tasks."""
        for future, flight in [*self.flights.items()]:
            if flight.task is None and time.monotonic() - flight.since > max(self.wait, _PATIENCE):
                del self.flights[future]
                future.cancel()
                self._refuse(flight.address, "has not answered: it may be busy")

    @property
    def asking(self) -> bool:
        """True if some workers have not yet described themselves."""
        return any(flight.task is None for flight in self.flights.values())

    def _addresses(self) -> set[str]:
        from tornado.util import TimeoutError as TornadoTimeout

        try:
            return set(self.client.nthreads())
        except (OSError, TornadoTimeout, ValueError, AttributeError) as error:  # a client that gave up
            raise GunrockError(f"the Dask scheduler is gone{self._left()}") from error

    def _left(self) -> str:
        return f"; {self.left} cells are left: --resume runs them"

    def _ask(self, address: str) -> None:
        self._fly(address, None, eval, worker.ASK, {"folder": os.getcwd(), "settings": self.settings})

    def _meet(self, address: str, found: Description) -> None:
        """Take a worker that has answered, if it has the same code as home."""
        here, there = project_version(), found["machine"]
        if there["code_hash"] != here["code_hash"]:
            self._refuse(
                address, f"{there['host']} has gunrock {_code(there)}, and here it is {_code(here)}"
            )
            return
        self.workers[address] = met = Described.of(found)
        self.met = True
        self.say(f"worker {address}: {met.machine.host}, {met.machine.device}")

    def _refuse(self, address: str, why: str) -> None:
        self.refused[address] = f"worker {address}: {why}"
        self.unsaid.append(f"{self.refused[address]}; it gets no cells")

    def _lose(self, address: str) -> Iterator[Outcome]:
        """A worker that disappeared; its cell is run once more."""
        gone = self.workers.pop(address, None)
        self.refused.pop(address, None)
        for future, flight in [*self.flights.items()]:
            if flight.address != address:
                continue
            del self.flights[future]
            future.cancel()
            if flight.task is not None and gone is not None:
                yield from self._try_again(flight.task, address, gone.machine.host)

    def _try_again(self, task: _Task, address: str, host: str) -> Iterator[Outcome]:
        task.lost.append(f"{address} on {host}")
        again = len(task.lost) < MOST_TRIES
        self.say(
            f"worker {address} on {host} was lost with {task.cell.label}"
            + ("; the cell runs again" if again else "")
        )
        if again:
            self.waiting.append(task)
        else:
            yield self._failed(
                task.cell, f"its worker was lost {len(task.lost)} times: " + ", ".join(task.lost)
            )

    # Sending cells

    def _send_cells(self) -> None:
        """Send a cell to every worker without one, beginning with idle hosts."""
        busy = {flight.address for flight in self.flights.values()}
        hosts = Counter(self.workers[address].machine.host for address in busy & self.workers.keys())
        idle = sorted(
            self.workers.keys() - busy,
            key=lambda address: (hosts[self.workers[address].machine.host], address),
        )
        for address in idle:
            task = next((task for task in self.waiting if self._suits(task, self.workers[address])), None)
            if task is not None:
                self.waiting.remove(task)
                self.begin(task.cell)
                self._fly(
                    address,
                    task,
                    worker.carry_out,
                    self._order(task, self.workers[address]),
                    slots=self.workers[address].gpu_slots,
                )

    def _suits(self, task: _Task, candidate: Described) -> bool:
        """True if a worker can run a cell. ``--backend auto`` takes a GPU if the cluster has one."""
        if candidate.machine.host in task.missing:
            return False
        if task.backend == "cpu" or candidate.machine.gpus:
            return True
        no_gpu = not self.asking and not any(one.machine.gpus for one in self.workers.values())
        return task.backend == "auto" and no_gpu

    def _give_up_on_the_hopeless(self) -> Iterator[Outcome]:
        """Give up cells that no worker can run, once all workers have described themselves."""
        if not self.workers or self.asking:
            return
        for task in [*self.waiting]:
            if not any(self._suits(task, one) for one in self.workers.values()):
                self.waiting.remove(task)
                why = "; ".join(task.missing.values()) or "no worker has a GPU"
                yield self._failed(task.cell, f"no worker can run it: {why}")

    def _order(self, task: _Task, described: Described) -> Order:
        on_gpu = bool(described.machine.gpus) and task.backend != "cpu"
        return Order(
            self.sweep,
            self.token,
            described.instance,
            task.cell,
            None if self.program is None else tuple(self.program),
            os.getcwd(),
            _files(task.cell),
            self.settings,
            described.machine.gpus if on_gpu else (),
            alone=not on_gpu or task.measures_processor,
        )

    def _fly(
        self,
        address: str,
        task: _Task | None,
        function: Callable[..., Any],
        *arguments: Any,
        slots: float = 0,
    ) -> None:
        future = self.client.submit(
            function,
            *arguments,
            key=f"gunrock-{self.token}-{secrets.token_hex(16)}",
            workers=[address],
            allow_other_workers=False,
            pure=False,
            resources={"GPU": slots} if slots else None,
        )
        self.flights[future] = _Flight(address, task, time.monotonic())
        future.add_done_callback(lambda _: self.landed.set())

    # Collecting results

    def _collect(self) -> Iterator[Outcome]:
        self.landed.wait(_TURN)
        self.landed.clear()
        for future in [future for future in self.flights if future.done()]:
            flight = self.flights.pop(future)
            if flight.task is None:
                self._hear(flight.address, future)
            else:
                yield from self._land(flight.task, flight.address, future)

    def _hear(self, address: str, future: Future[Any]) -> None:
        try:
            self._meet(address, future.result())
        except Exception as error:  # of any kind: the worker does not run gunrock
            self._refuse(address, f"cannot run gunrock: {_told(error)}")

    def _land(self, task: _Task, address: str, future: Future[Any]) -> Iterator[Outcome]:
        host = self.workers[address].machine.host
        try:
            report: Report = future.result()
            records = [*map(parse_record, report.records)]
            if not (records or report.missing or report.replaced):
                raise ValueError("reported no record")
        except Exception as error:
            if future.status in ("cancelled", "lost") or type(error).__name__ == "KilledWorker":
                self._addresses()  # raises if it was the scheduler that disappeared
                yield from self._try_again(task, address, host)
            else:
                yield self._failed(task.cell, f"worker {address} on {host}: {_told(error)}", host)
            return
        if report.replaced:
            del self.workers[address]
            self._ask(address)
            yield from self._try_again(task, address, host)
        elif report.missing:
            task.missing[host] = f"{host} {report.missing}"
            self.say(f"worker {address}: {task.missing[host]}; {task.cell.label} is not for it")
            self.waiting.append(task)
        else:
            yield self._outcome(task.cell, records, host, report.stderr)

    def _failed(self, cell: SweepCell, message: str, host: str | None = None) -> Outcome:
        return self._outcome(cell, [failed_cell(cell, "error", message)], host)

    def _outcome(
        self, cell: SweepCell, records: list[Record], host: str | None, stderr: str = ""
    ) -> Outcome:
        self.left -= 1
        outcome = outcome_of(cell, records, self.sweep, stderr)
        for record in outcome.records:
            record.sweep |= {} if host is None else {"host": host}
        return outcome

    def _end(self) -> None:
        """End what still runs when home is interrupted or gives up."""
        addresses = {flight.address for flight in self.flights.values()} & self.workers.keys()
        for future in self.flights:
            with suppress(Exception):
                future.cancel()
        if addresses:
            with suppress(Exception):  # a lost worker has nothing to end
                self.client.run(worker.end_cells, self.token, workers=[*addresses], on_error="ignore")


def _code(version: Mapping[str, Any]) -> str:
    """The version of a gunrock, for a reader."""
    commit = f", commit {version['commit']}" if version["commit"] else ""
    return f"{version['version']} (code {version['code_hash'][:8]}{commit})"


def _value(arguments: Sequence[str], option: str) -> str | None:
    """The last value that a command line gives for an option."""
    found = None
    for word, following in zip(arguments, [*arguments[1:], ""], strict=True):
        if word == option:
            found = following
        elif word.startswith(f"{option}="):
            found = word.partition("=")[2]
    return found


def _files(cell: SweepCell) -> tuple[tuple[str, int], ...]:
    """The words of a cell's command line that name a file here, with its size: for example a graph, a
    primitive of one's own, a peer's description, or a list of vertices."""
    words = [word.removeprefix("@") for text in cell.arguments for word in text.split(",")]
    return tuple((word, os.path.getsize(word)) for word in dict.fromkeys(words) if os.path.isfile(word))


def _told(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())
