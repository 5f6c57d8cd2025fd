"""A program on several devices: one instance on each; all start together and meet between steps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from gunrock_cli.engine.contract import Contract
from gunrock_cli.engine.devices import MOST_DEVICES, Devices, Heaps
from gunrock_cli.engine.interrupts import watched
from gunrock_cli.engine.program import Program, RunResult, await_all
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.parts.partition import Part
from gunrock_cli.jsontypes import QueueUse
from gunrock_cli.toolchain.carried import Archive

LIMIT_S = {"cuda": 10.0, "cpu": 60.0}
"""The longest wait of a device for another. (Teams of the cpu backend also wait for cores.)"""
_ONE_AT_A_TIME = threading.Lock()
"""A lock: two teams started at once by two threads would each hold a device that the other waits for."""
_LEFT_ALONE = ("STATUS_PEER_LEFT", "STATUS_PEER_LOST")


class TeamProgram:
    """``programs`` are the devices' own programs, each for its part of the graph."""

    def __init__(
        self, devices: Devices, programs: Sequence[Program], parts: Sequence[Part], heaps: Heaps
    ) -> None:
        self._devices, self._heaps = devices, heaps
        self.programs = self._programs = programs
        self._limit_s = LIMIT_S[devices.backend.name]
        self._late = False  # True if the last launch was late; see RunResult
        assert programs[0].contract.constant("MOST_DEVICES") == MOST_DEVICES
        fewest = min(program.grid_threads() for program in programs)
        for place, (program, part) in enumerate(zip(programs, parts, strict=True)):
            program.join(
                {
                    "device": place,
                    "devices": len(devices),
                    "begin": part.first,
                    "end": part.last,
                    "limit_ns": int(self._limit_s * 1e9),
                    "heaps": heaps.addresses(),
                    "threads": fewest,
                }
            )
        self._share_gate()

    @property
    def contract(self) -> Contract:
        """The contract, which all programs share."""
        return self._programs[0].contract

    @property
    def archive(self) -> Archive | None:
        """The archive, which all programs share."""
        return self._programs[0].archive

    @property
    def warnings(self) -> list[str]:
        """The warnings of all programs."""
        return list(dict.fromkeys(text for program in self._programs for text in program.warnings))

    def queues(self) -> QueueUse:
        """The queues of all programs together, for a record; ``items`` are the first program's."""
        each = [program.queues() for program in self._programs]
        return {
            "items": each[0]["items"],
            "growths": sum(one["growths"] for one in each),
            "bytes": sum(one["bytes"] for one in each),
        }

    def run(self, problems: Sequence[dict[str, Any]], reset: Callable[[], None]) -> RunResult:
        """Reset and run once; queues that are too small are grown and the run repeated. The time is the
        slowest device's."""
        while True:
            reset()
            self._heaps.clear_heads()
            for place, (program, problem) in enumerate(zip(self._programs, problems, strict=True)):
                with self._devices.at(place):
                    program.prepare(problem)
            self._devices.synchronize()  # nobody writes to a device that is not ready
            stepwise = self._programs[0].settings.loop == "host"
            with _ONE_AT_A_TIME:
                times = self._launch_steps() if stepwise else self._launch()
            if (result := self._result(times)) is not None:
                return result

    def _share_gate(self) -> None:
        """Let all GPUs wait for the same word of the host, so that they begin at the same time."""
        for program in self._programs[1:]:
            if hasattr(program, "gate"):
                program.gate = self._programs[0].gate  # type: ignore[attr-defined]

    def _start(self, step: int | None = None) -> list[tuple[Program, Any]]:
        """Start all or none: if one cannot be launched, those already running are ended."""
        started: list[tuple[Program, Any]] = []
        try:
            for place, program in enumerate(self._programs):
                with self._devices.at(place):
                    started.append((program, program.start(step)))
        except BaseException:
            for program, _ in started:
                program.ask_to_stop()
            for program, launch in started:
                program.wait(launch, self._limit_s)
            raise
        return started

    def _launch(self) -> list[float]:
        """Launch all programs, then wait for them."""
        gate = getattr(self._programs[0], "gate", None)
        if gate is not None:
            gate.close()
        started = self._start()
        if gate is not None:
            gate.open()
        await_all(started)
        self._late = gate is not None and not gate.held()
        return [program.elapsed(launch) for program, launch in started]

    def _launch_steps(self) -> list[float]:
        """Launch each step on all devices, then the exchange after it. The host waits for all devices, so
        they need not wait for each other."""
        begin, number = time.perf_counter(), 0
        with watched() as check:
            while True:
                await_all(self._start(number))
                number += 1
                check()
                if not all(self._goes_on(place) for place in range(len(self._devices))):
                    return [1e3 * (time.perf_counter() - begin)] * len(self._devices)

    def _goes_on(self, place: int) -> bool:
        with self._devices.at(place):
            return self._programs[place].goes_on()

    def _result(self, times: list[float]) -> RunResult | None:
        ended = []
        for place, program in enumerate(self._programs):
            with self._devices.at(place):
                ended.append(program.status())
        # A device that ended by itself says why. The ones that waited for it only know that it is gone
        # or, in the host loop, where none waits, only that they were to go on.
        causes = [
            place
            for place, (status, _) in enumerate(ended)
            if status not in (*_LEFT_ALONE, "STATUS_RUNNING", "STATUS_DONE")
        ]
        if not causes:
            for place, (status, other) in enumerate(ended):
                if status in _LEFT_ALONE:
                    raise BackendError(
                        f"device {other} did not arrive in {self._limit_s:g} s, and device {place} gave "
                        "up waiting; is it busy with other work, or gone?"
                    )
        results = []
        for place in causes or range(len(ended)):
            with self._devices.at(place):
                result = self._programs[place].result(times[place])
                if result is not None:
                    results.append(result)
        if causes:
            return None  # the queues have been grown
        slowest = max(results, key=lambda result: result.ms)
        limits = 0
        for result in results:
            limits |= result.limits
        return RunResult(
            slowest.ms,
            slowest.steps,
            slowest.trace,
            slowest.end_ns,
            self._late,
            sum(result.inspected for result in results),
            devices=tuple(results),
            limits=limits,
        )
