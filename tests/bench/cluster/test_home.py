"""Sweeps on a local cluster of two processes: what happens to cells, their workers and the sweep."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from ended_helper import gone

pytest.importorskip("distributed", reason="Dask is not installed (the extra cluster)")

import dask
from distributed import Client, Scheduler, SpecCluster

from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.sweeps.cluster import connect, home, worker
from gunrock_cli.bench.sweeps.cluster.machine import Machine
from gunrock_cli.bench.sweeps.cluster.worker import Described, Report
from gunrock_cli.bench.sweeps.plan import Plan, plan_from_axes
from gunrock_cli.bench.sweeps.run import Outcome
from gunrock_cli.errors import GunrockError, UsageError

FAKE = [sys.executable, str(Path(__file__).parents[2] / "fake_gunrock.py")]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CHILD_PID_FILE", str(tmp_path_factory.mktemp("cluster") / "pid"))
        with connect.connected("local:2") as found:
            yield found


@pytest.fixture
def said() -> list[str]:
    return []


def plan_of(*graphs: str, settings: tuple[str, ...] = ()) -> Plan:
    return plan_from_axes("test", ["bfs"], graphs, settings, 30)


def run(
    client: Client,
    plan: Plan,
    folder: Path,
    said: list[str],
    skip: set[str] | None = None,
    wait: float = 30,
) -> list[Outcome]:
    os.chdir(folder)
    return list(
        home.run_plan(
            client, FAKE, wait, plan, folder / "r.jsonl", skip or set(), lambda _: None, said.append
        )
    )


@pytest.fixture(autouse=True)
def _back_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_cells_come_home_as_records_of_one_file(client: Client, tmp_path: Path, said: list[str]) -> None:
    plan = plan_of("fine", "oom", "peers")
    outcomes = run(client, plan, tmp_path, said, skip={plan.cells[0].key})
    assert {outcome.cell.graph.label: outcome.status for outcome in outcomes} == {
        "oom": "OOM",
        "peers": "ok",
    }
    records = read_file(tmp_path / "r.jsonl").records
    assert sorted((record.graph["name"], record.system) for record in records) == [
        ("oom", "gunrock"),
        ("peers", "gunrock"),
        ("peers", "scipy"),
    ]
    assert {record.sweep["cell"] for record in records} == {cell.key for cell in plan.cells[1:]}
    assert {record.sweep["host"] for record in records} == {os.uname().nodename}
    assert sum(line.startswith("worker tcp://") for line in said) == 2


def test_cells_on_the_processor_take_turns(client: Client, tmp_path: Path, said: list[str]) -> None:
    assert len(run(client, plan_of("spans", settings=("src=0,1,2",)), tmp_path, said)) == 3
    lines = (tmp_path / "spans").read_text().split("\n")[:-1]
    assert sorted(lines[::2]) == ["begin 0", "begin 1", "begin 2"]
    assert [line.replace("end", "begin") for line in lines[1::2]] == lines[::2]


def test_a_lost_worker_costs_its_cell_which_runs_once_more(
    client: Client, tmp_path: Path, said: list[str]
) -> None:
    (outcome,) = run(client, plan_of("kills-worker-once"), tmp_path, said)
    assert outcome.status == "ok"
    assert len(read_file(tmp_path / "r.jsonl").records) == 1
    assert any("lost with bfs kills-worker-once; the cell runs again" in line for line in said)
    first = int((tmp_path / "tries").read_text().split()[0])
    assert gone(first)  # no process of it is left on the device


def test_a_cell_that_loses_two_workers_is_recorded_and_the_rest_runs(
    client: Client, tmp_path: Path, said: list[str]
) -> None:
    found = {
        outcome.cell.graph.label: outcome
        for outcome in run(client, plan_of("kills-worker", "fine"), tmp_path, said)
    }
    assert found["fine"].status == "ok"
    (record,) = found["kills-worker"].records
    assert record.status == "error"
    assert (record.error or "").startswith("its worker was lost 2 times: tcp://")
    assert len((tmp_path / "tries").read_text().split()) == 2


def test_an_interrupt_ends_the_cells_that_run(client: Client, tmp_path: Path, said: list[str]) -> None:
    pid_file = Path(os.environ["CHILD_PID_FILE"])

    def interrupt() -> None:
        while not (pid_file.exists() and pid_file.read_text()):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run(client, plan_of("hang"), tmp_path, said)
    assert gone(int(pid_file.read_text()))
    assert not (tmp_path / "r.jsonl").exists()


def test_ctrl_c_in_a_terminal_is_homes_to_heed(client: Client) -> None:
    """A terminal sends it to all processes, including local workers."""
    client.wait_for_workers(2, timeout=60)  # one may be about to return
    before = client.run(os.getpid)
    for pid in before.values():
        os.kill(pid, signal.SIGINT)
    assert client.run(os.getpid) == before


def test_workers_with_other_code_get_no_cells(
    client: Client, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        home, "project_version", lambda: {"version": "9.9", "commit": "abc", "code_hash": "f" * 32}
    )
    with pytest.raises(
        GunrockError,
        match=r"no worker can run this sweep: worker tcp://.* has gunrock .*"
        r"and here it is 9.9 \(code ffffffff, commit abc\)",
    ):
        run(client, plan_of("fine"), tmp_path, said)


def test_workers_without_gunrock_get_no_cells_and_stay(
    client: Client, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers would end if they were sent a function of a module that they do not have."""
    client.wait_for_workers(2, timeout=60)  # one may be about to return
    before = client.run(os.getpid)
    monkeypatch.setattr(worker, "ASK", worker.ASK.replace("gunrock_cli", "nothing_of_that_name"))
    with pytest.raises(GunrockError, match="cannot run gunrock: ModuleNotFoundError: No module named"):
        run(client, plan_of("fine"), tmp_path, said)
    assert said == []  # the error says it
    assert client.run(os.getpid) == before


def test_a_graph_that_no_worker_has_costs_its_cell(
    client: Client, tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "_files", lambda cell: (("gone.mtx", 3),))
    (outcome,) = run(client, plan_of("gone.mtx"), tmp_path, said)
    assert outcome.records[0].error == f"no worker can run it: {os.uname().nodename} has no gone.mtx"


def test_a_cell_for_a_gpu_does_not_run_without_one(
    client: Client, tmp_path: Path, said: list[str]
) -> None:
    (outcome,) = run(client, plan_of("fine", settings=("backend=cuda",)), tmp_path, said)
    assert outcome.records[0].error == "no worker can run it: no worker has a GPU"


@pytest.mark.parametrize(
    ("settings", "suits_gpu", "suits_cpu", "gpus", "alone"),
    [
        ((), True, False, ("a",), False),  # auto: a GPU, if the cluster has one
        (("backend=cuda",), True, False, ("a",), False),
        (("backend=cpu",), True, True, (), True),
        (("against=scipy",), True, False, ("a",), True),  # peers measure on the processor
    ],
)
def test_devices_that_a_cell_needs(
    settings: tuple[str, ...],
    suits_gpu: bool,
    suits_cpu: bool,
    gpus: tuple[str, ...],
    alone: bool,
    client: Client,
) -> None:
    at_home = home._Home(client, None, 1, "s", [], print, print)
    bare = Machine("one", "0", "c", None, (), "", "a processor", 2)
    with_gpu = Described("i", replace(bare, host="two", gpus=("a",), gpu="a GPU"), 1)
    without = Described("j", bare, 0)
    at_home.workers = {"tcp://1": with_gpu, "tcp://2": without}
    task = home._Task(plan_of("fine", settings=settings).cells[0])
    assert (at_home._suits(task, with_gpu), at_home._suits(task, without)) == (suits_gpu, suits_cpu)
    order = at_home._order(task, with_gpu)
    assert (order.gpus, order.alone) == (gpus, alone)


def test_what_a_cell_reads_is_looked_for_on_its_worker(tmp_path: Path) -> None:
    for name in ("g.mtx", "mine.toml", "sources"):
        (tmp_path / name).write_text(name)
    cell = plan_of("--market g.mtx", settings=("src=@sources", "against=mine.toml")).cells[0]
    assert dict(home._files(cell)) == {"g.mtx": 5, "mine.toml": 9, "sources": 7}


def test_a_scheduler_without_workers_or_that_goes_away(tmp_path: Path, said: list[str]) -> None:
    options = {"host": "127.0.0.1", "dashboard": False, "dashboard_address": ":0"}
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "1s"}),
        SpecCluster(scheduler={"cls": Scheduler, "options": options}, workers={}) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        with pytest.raises(GunrockError, match="no worker at the Dask scheduler for 0 s; 1 cells"):
            run(client, plan_of("fine"), tmp_path, said, wait=0)
        cluster.sync(cluster.scheduler.close)
        with pytest.raises(GunrockError, match="the Dask scheduler is gone; 1 cells are left"):
            run(client, plan_of("fine"), tmp_path, said)


@pytest.mark.parametrize(
    "cluster",
    [
        "",
        "local",
        "local:0",
        "local:1000",
        "local:x",
        "scheduler",
        "tcp://a",
        "tcp://a:0",
        "tcp://a:65536",
        "http://a:80",
        "a:b:1",
        "[::1]",
    ],
)
def test_what_names_no_cluster_is_refused(cluster: str) -> None:
    with pytest.raises(UsageError, match="--cluster"):
        connect.check(cluster)


@pytest.mark.parametrize(
    "cluster", ["local:2", "tcp://a:8786", "tls://a.b:8786", "a:8786", "tcp://[::1]:1"]
)
def test_what_names_a_cluster_is_taken(cluster: str) -> None:
    connect.check(cluster)


def test_tls_without_certificates_is_refused_at_once() -> None:
    with (
        pytest.raises(UsageError, match=r"--cluster tls://a\.b:8786: tls needs certificates"),
        connect.connected("tls://a.b:8786"),
    ):
        pass


@pytest.mark.parametrize("report", [Report(), Report(("{}",)), Report(("torn {",)), None, "words"])
def test_a_report_without_records_costs_its_cell(report: object) -> None:
    """The program at a worker's address need not have run gunrock."""
    plan = plan_of("fine")
    here = home._Home(
        None,
        FAKE,
        1,
        "test",
        plan.cells,
        lambda _: None,  # type: ignore[arg-type]
        lambda _: None,
    )
    machine = Machine("host", "1", "0" * 32, None, (), "", "processor", 1)
    here.workers["tcp://a:1"] = Described("instance", machine, 0)
    future: Future[object] = Future()
    future.set_result(report)
    future.status = "finished"  # type: ignore[attr-defined]
    (outcome,) = here._land(home._Task(plan.cells[0]), "tcp://a:1", future)  # type: ignore[arg-type]
    assert outcome.status == "error"
    assert str(outcome.records[0].error).startswith("worker tcp://a:1 on host: ")
