"""Measurements that take turns, a run each, so that clocks, temperature and other programs are the same
for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gunrock_cli.bench.protocol.runner import Measured, Turns, finished
from gunrock_cli.errors import GunrockError, OutOfMemory

Start = Callable[[], Turns[Measured]]
Outcome = Measured | GunrockError
"""A measurement, or why it gave no time."""


class Interleaved:
    """Measurements by their place in ``starts``. One that finds no memory beside the others runs alone
    after them. ``outcomes`` are known after ``run``, or, of those that had a run, after it was
    interrupted."""

    def __init__(self, starts: Sequence[Start]) -> None:
        self.outcomes: dict[int, Outcome] = {}
        self._starts = starts
        self._open: dict[int, Turns[Measured]] = {}
        self._alone: list[int] = []

    def run(self) -> None:
        """Take turns until all runs are done, then check answers, one measurement after the other."""
        self._open = {place: start() for place, start in enumerate(self._starts)}
        try:
            waiting = list(self._open)
            while waiting:
                waiting = [place for place in waiting if self._step(place)]
            for place in list(self._open):
                self._step(place)
            for place in self._alone:
                self._measure_alone(place)
        except KeyboardInterrupt:
            self._break_off()
            raise

    def _step(self, place: int) -> bool:
        """Take one turn; returns True while another run follows."""
        try:
            return next(self._open[place])
        except StopIteration as end:
            self._note(place, end.value)
        except OutOfMemory as error:
            if len(self._open) > 1:
                self._alone.append(place)
            else:
                self.outcomes[place] = error
        except GunrockError as error:
            self.outcomes[place] = error
        self._open.pop(place, None)
        return False

    def _note(self, place: int, measured: Measured) -> None:
        """Keep a measurement. Its peak of memory would be that of all."""
        if len(self._starts) > 1:
            measured.record.peak_device_bytes = None
        self._open.pop(place)
        self.outcomes[place] = measured
        if isinstance(measured.failure, KeyboardInterrupt):
            raise measured.failure

    def _measure_alone(self, place: int) -> None:
        try:
            self.outcomes[place] = finished(self._starts[place]())
        except GunrockError as error:
            self.outcomes[place] = error

    def _break_off(self) -> None:
        """Keep what is known of those that wait for their turn."""
        for place, turns in self._open.items():
            try:
                turns.throw(KeyboardInterrupt())
            except StopIteration as end:
                self.outcomes[place] = end.value
            except KeyboardInterrupt:
                continue  # it had no run
