"""Several devices: their choice, their meetings, and the end of one that stays away."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from ctrl_c_helper import check_ctrl_c
from several import BACKENDS, backend_of, check, directed_graph

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.cli.main import cli
from gunrock_cli.engine import devices as devices_module
from gunrock_cli.engine import team
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.cpu import CpuProgram
from gunrock_cli.engine.devices import MOST_DEVICES, Devices, Heaps, device_numbers
from gunrock_cli.engine.room import Room
from gunrock_cli.errors import BackendError, GunrockError, InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.guarded import guarded
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import InParts, OnSeveralDevices
from gunrock_cli.primitives.variant import Member, Variant

STEPS = 6
SCRIPT = Path(__file__).with_name("interrupted.py")


@dataclass(frozen=True)
class LateInParts(InParts[Options]):
    late_s: float = 0
    overflows: bool = False

    kernel = Path(__file__).with_name("late.cuh")
    answer = ("heard",)

    def heap(self, devices: int) -> Mapping[str, Room]:
        return {"mail": Room(2 * MOST_DEVICES, np.uint64, filled=0)}

    def members(self) -> Mapping[str, Member]:
        return {
            "heard": Room(STEPS, np.uint64, filled=0),
            "steps": STEPS,
            "late_ns": int(self.late_s * 1e9),
            "overflows": int(self.overflows),
        }


class Late(OnSeveralDevices):
    name = "late"
    summary = "Test of meetings."
    source = None

    def __init__(self, late_s: float = 0, overflows: bool = False) -> None:
        self._late_s, self._overflows = late_s, overflows

    def plan_in_parts(self, graph: Graph, asked: Options) -> LateInParts:
        return LateInParts(graph, asked, late_s=self._late_s, overflows=self._overflows)


def meet(primitive: Late, backend: str, devices: int | None = None, loop: str = "device") -> Any:
    chosen, counts = backend_of(backend)
    protocol = Protocol(runs=1, warmup=0, check="none", loop=loop, devices=str(devices or counts[-1]))
    return measure(primitive, directed_graph(500, 900).to(chosen.xp), {}, [], chosen, protocol)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_each_hears_what_all_said(loop: str, backend: str) -> None:
    devices = backend_of(backend)[1][-1]
    heard = meet(Late(), backend, loop=loop).outputs["heard"].reshape(devices, STEPS)
    said = [0] * devices
    for step in range(STEPS):
        assert heard[:, step].tolist() == [sum(said)] * devices
        said = [sum(said) + device + 1 for device in range(devices)]


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_that_is_late_is_waited_for(backend: str) -> None:
    assert meet(Late(late_s=0.2), backend).record.time_ms.mean > 190


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_that_stays_away_is_named(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(team.LIMIT_S, backend, 0.5)
    with pytest.raises(BackendError, match=r"^device 1 did not arrive in 0\.5 s, and device 0 gave up"):
        meet(Late(late_s=1.2), backend, 2)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", ["device", "host"])
def test_the_others_hear_of_one_that_ended(loop: str, backend: str) -> None:
    """They hear of it at once, not only when their time is over."""
    begin = time.perf_counter()
    with pytest.raises(GunrockError, match="a frontier's edges, duplicates included, exceed"):
        meet(Late(overflows=True), backend, loop=loop)
    assert time.perf_counter() - begin < min(team.LIMIT_S.values())


@pytest.mark.parametrize("backend", BACKENDS)
def test_one_that_cannot_be_launched_ends_the_others(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would wait for it, and work on memory that has been freed."""
    chosen, _ = backend_of(backend)
    launches: list[Any] = []

    def noted(program: Any, launch: Any) -> Any:
        launches.append((program, launch))
        return launch

    def refused(self: Any) -> list[float]:
        first, second = self._programs[:2]
        start = first.start
        first.start = lambda step: noted(first, start(step))
        second.start = lambda step: 1 / 0
        return launch(self)

    launch = team.TeamProgram._launch
    monkeypatch.setattr(team.TeamProgram, "_launch", refused)
    with pytest.raises(ZeroDivisionError):
        meet(Late(), chosen.name, 2)
    ((program, started),) = launches
    assert program.wait(started, 0)
    assert program.status()[0] == "STATUS_INTERRUPTED"


def test_teams_of_two_threads_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each would hold a device that the other's next one needs."""
    monkeypatch.setitem(team.LIMIT_S, "cpu", 20.0)
    other_is_launched, start = threading.Event(), CpuProgram.start
    first: list[CpuProgram] = []

    def interleaved(self: CpuProgram, step: int | None = None) -> Any:
        launch = start(self, step)
        if not first:
            first.append(self)
            other_is_launched.wait(0.3)  # if it may: between the first team's two launches
        elif self.device == 1:
            other_is_launched.set()
        return launch

    monkeypatch.setattr(CpuProgram, "start", interleaved)
    with ThreadPoolExecutor(2) as threads:
        found = [threads.submit(meet, Late(), "cpu", 2) for _ in range(2)]
    assert [each.result().record.status for each in found] == ["ok", "ok"]


@pytest.mark.parametrize("loop", ["device", "host"])
def test_ctrl_c_ends_all_of_them(loop: str) -> None:
    command = [
        sys.executable,
        str(SCRIPT),
        "--backend",
        "cpu",
        "--threads",
        "2",
        "--loop",
        loop,
        "--devices",
        "2",
    ]
    check_ctrl_c(command)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("auto", (0,)), ("1", (0,)), ("4", (0, 1, 2, 3)), (" 2 ", (0, 1)), ("16", tuple(range(16)))],
)
def test_teams_that_are_asked_for(text: str, numbers: tuple[int, ...]) -> None:
    assert device_numbers(text, choose_backend("cpu", 2)) == numbers


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0", "at least one device"),
        ("17", "the cpu backend has at most 16 teams"),
        ("0,1", "have no numbers; give a count"),
        ("all", "give a count"),
        ("-1", "give a count, numbers with commas"),
        ("two", "give a count"),
        ("", "give a count"),
        ("\u0662", "give a count"),
        ("99999", "give a count"),
    ],
)
def test_devices_that_there_are_not(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        device_numbers(text, choose_backend("cpu", 2))


class Gpus:
    """The part of CuPy that counts GPUs."""

    class cuda:
        class runtime:
            @staticmethod
            def getDeviceCount() -> int:
                return 4

        class Device:
            id = 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("all", (0, 1, 2, 3)),
        ("0,2", (0, 2)),
        ("3,1", (3, 1)),
        ("2", (0, 1)),
        ("0,", (0,)),
        ("0,0", "each of them once"),
        ("4,0", "this machine has 4, counted from 0"),
        ("5", "this machine has 4"),
        ("2,", "set CUDA_VISIBLE_DEVICES=2"),
    ],
)
def test_gpus_by_number(text: str, found: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", Gpus)  # type: ignore[arg-type]
    backend = Backend("cuda", "")
    if isinstance(found, tuple):
        assert device_numbers(text, backend) == found
    else:
        with pytest.raises(UsageError, match=found):
            device_numbers(text, backend)


def test_the_command_line_takes_a_list() -> None:
    words = ["bfs", "rmat", "--scale", "5", "--backend", "cpu", "--devices", "0,1"]
    refused = CliRunner().invoke(cli, words).exception
    assert str(refused) == "--devices 0,1: teams of the cpu backend have no numbers; give a count"


def test_heaps_are_laid_out_alike_and_apart() -> None:
    devices = Devices(choose_backend("cpu", 2), (0, 1))
    heaps = Heaps(devices, {"bits": Room(5, np.uint32), "sums": Room(3, np.float64)})
    begins = heaps.addresses()
    assert not (begins[:2] % 256).any()
    assert not begins[2:].any()
    for place in range(2):
        arrays = heaps.arrays(place)
        assert [len(each) for each in arrays.values()] == [5, 3]
        assert [each.ctypes.data - begins[place] for each in arrays.values()] == [256, 512]
        arrays["bits"][:] = place
    assert heaps.arrays(0)["bits"].tolist() == [0] * 5
    heaps.clear_heads()
    assert heaps.arrays(1)["bits"].tolist() == [1] * 5


@pytest.mark.parametrize("name", ["bfs", "cc", "sssp", "bc", "pagerank"])
@pytest.mark.gpu
def test_gpus_that_cannot_reach_each_other_meet_in_the_hosts_memory(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run is slower, and a warning says so."""
    monkeypatch.setattr(devices_module, "_reaches", lambda one, other: False)
    chosen, counts = backend_of("cuda")
    graph = with_weights(load_graph(GraphSpec("rmat", params={"scale": 10}), np), "random:1:64")
    for loop in ("device", "host"):
        record = check(
            name, graph, chosen, counts[0], {}, 3 if name in ("bfs", "sssp", "bc") else None, loop=loop
        )
        assert "GPU 0 cannot write into the memory of GPU 1 (no peer access)" in record.warnings[-1]


def test_gpus_without_access_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not connected, and the reason is given; one pair is enough."""
    devices = Devices(Backend("cuda", ""), (0, 1, 3))
    monkeypatch.setattr(devices_module, "_reaches", lambda one, other: (one, other) != (3, 1))
    assert devices.connect() == (
        "GPU 3 cannot write into the memory of GPU 1 (no peer access): what devices tell each other goes "
        "through the host's memory, which is slower"
    )
    assert Devices(choose_backend("cpu", 2), (0, 1)).connect() == ""


def test_a_primitive_for_one_device_says_so() -> None:
    class Alone(Primitive):
        name = "alone"
        summary = ""

    with pytest.raises(UsageError, match="--devices 2: alone runs on one device only"):
        measure(Alone(), directed_graph(5, 4), {}, [0], choose_backend("cpu", 2), Protocol(devices="2"))


def test_a_plan_for_several_devices_that_is_none_is_named() -> None:
    class Alone(Late):
        def plan_in_parts(self, graph: Graph, asked: Options) -> Any:
            return Variant(graph, asked)

    alone = guarded(Alone(), "late.py")
    assert isinstance(alone, Late)
    with pytest.raises(InputError, match=r"plan_in_parts\(\) returned a Variant, not an InParts"):
        meet(alone, "cpu", 2)


def test_arrays_are_made_where_the_part_is() -> None:
    """The whole graph may be in the host's memory, and its parts on GPUs."""
    made = SimpleNamespace(empty=lambda shape, dtype: ("there", shape))
    part: Any = SimpleNamespace(xp=made, bounds=(0, 2, 5))
    plan = LateInParts(directed_graph(5, 4), Options()).on_part(part)
    assert plan.allocate({"mail": "in the heap"}) == {
        "mail": "in the heap",
        "heard": ("there", STEPS),
        "steps": STEPS,
        "late_ns": 0,
        "overflows": 0,
    }


def test_a_partition_is_of_several_devices() -> None:
    """The option would do nothing otherwise, and no record would say so."""
    protocol = Protocol(partition="striped")
    with pytest.raises(UsageError, match="--partition striped is for several devices; give --devices"):
        measure(Late(), directed_graph(5, 4), {}, [], choose_backend("cpu", 2), protocol)
