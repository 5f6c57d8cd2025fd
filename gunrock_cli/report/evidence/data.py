"""The data of all reports: the papers' figures and the records, with one way to pick cells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from gunrock_cli.bench.records.limits import limits_reached
from gunrock_cli.bench.records.record import ACTIVE, DESCRIPTION, Record
from gunrock_cli.bench.records.regressions import Key, newest
from gunrock_cli.bench.records.table import device_name, graph_name
from gunrock_cli.report.evidence.graph_names import with_one_name
from gunrock_cli.report.evidence.identity import Identity, identify
from gunrock_cli.report.evidence.marks import PAPER_RUNS, WHOLE_RUN, marks_of
from gunrock_cli.report.evidence.papers import Papers
from gunrock_cli.report.evidence.plain_runs import (
    build_of,
    devices_of,
    is_another,
    is_cold,
    is_plain,
    settings,
)
from gunrock_cli.report.evidence.systems import GUNROCKS, system_title
from gunrock_cli.report.forms.cells import Cell, Mark
from gunrock_cli.report.forms.numbers import figure
from gunrock_cli.visible import visible

PRIMITIVES = {"bfs": "BFS", "sssp": "SSSP", "bc": "BC", "pagerank": "PageRank", "cc": "CC"}
"""The papers' five primitives, in their order, and their names in tables."""

ACRONYMS = frozenset({"hits", "mis", "mst", "ppr", "salsa", "wtf"})
"""Other primitives whose names are capitals in tables."""

PROFILE_METRIC = "warp_execution_efficiency"


@dataclass(frozen=True)
class System:
    """A measured column: a system on a device."""

    name: str
    device: str

    @property
    def label(self) -> str:
        return f"{system_title(self.name)}, {short_device(self.device)}"


def short_device(name: str) -> str:
    """Drop the part of a device's name that all names share: ``NVIDIA H200`` is ``H200``."""
    name = re.sub(r"\((R|TM|C)\)", "", name, flags=re.I)
    name = re.sub(r"\b(NVIDIA|GeForce|Intel|AMD|CPU|Processor)\b", "", name)
    name = re.sub(r"@.*|\b\d+-Core\b", "", name)
    return " ".join(name.split()) or "device"


def system_of(record: Record) -> System:
    return System(visible(record.system), device_name(record))


def primitive_label(name: str) -> str:
    return PRIMITIVES.get(name) or (name.upper() if name in ACRONYMS else visible(name))


def iteration_ms(record: Record) -> float | None:
    """The mean time of one iteration, as the papers show PageRank."""
    if record.time_ms is None or not record.iterations:
        return None
    return record.time_ms.mean / record.iterations


def tooltip(record: Record) -> str:
    """Summarize a measured cell's record."""
    parts = [f"{key}={value}" for key, value in record.options.items() if value is not None]
    if record.time_ms:
        time = record.time_ms
        parts.insert(
            0,
            f"mean of {len(record.runs_ms)} runs; median {figure(time.median)}, min "
            f"{figure(time.min)}, sd {figure(time.stddev)} ms",
        )
    if reached := limits_reached(record):
        parts.insert(0, f"ended by its limit: {reached}")
    if record.error:
        parts.insert(0, record.error)
    return "; ".join(parts + record.warnings)


def with_devices(records: Sequence[Record]) -> list[Record]:
    """Fill in the device of cells that ended before they could say what they ran on (a timeout, a crash),
    if the other cells of their sweep share one."""
    devices: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        sweep = record.sweep.get("name")
        if sweep and record.device.get("name"):
            devices.setdefault((sweep, record.system), []).append(record)
    found = []
    for record in records:
        others = devices.get((record.sweep.get("name", ""), record.system), [])
        if not record.device.get("name") and len({device_name(other) for other in others}) == 1:
            record = replace(record, device=others[0].device, backend=others[0].backend)
        found.append(record)
    return found


def newest_of_each(records: Sequence[Record]) -> dict[Key, Record]:
    """The newest record of each configuration.

    Profiled runs have no times, and traced ones may be slower: they do not take precedence over others. A
    run whose command sets an option to its default takes no precedence over a plain run either."""
    timed = [record for record in records if PROFILE_METRIC not in record.metrics]
    untraced = [record for record in timed if not record.trace]
    found = newest([record for record in timed if record.trace])
    found.update(newest(untraced))
    plain = newest([record for record in untraced if is_plain(record)])
    found.update((key, record) for key, record in plain.items() if record.status == "ok")
    return found


class ReportData:
    """Records and papers; the methods choose the record that a cell shows."""

    def __init__(self, records: Sequence[Record], papers: Papers | None = None) -> None:
        runs = [record for record in records if record.primitive != DESCRIPTION]
        facts = [record for record in records if record.primitive == DESCRIPTION]
        named = with_one_name([*with_devices(runs), *facts])  # runs name a graph, not who described it
        self.records, self.described = named[: len(runs)], named[len(runs) :]
        self.papers = papers or Papers()
        self._identities: dict[tuple[int, str, tuple[str, ...]], Identity | None] = {}

    @cached_property
    def current(self) -> list[Record]:
        """The newest record of each configuration (same cell and same options)."""
        return self._in_order(newest_of_each(self.records).values())

    @cached_property
    def of_each_build(self) -> list[Record]:
        """The newest record of each configuration at each commit: only records of one build show the
        effect of an option or a device. If the newest record failed, older ones do not count. Cold runs
        are left out."""
        warm = [record for record in self.records if not is_cold(record)]
        latest = newest_of_each(warm)
        builds: dict[str, list[Record]] = {}
        for record in warm:
            builds.setdefault(build_of(record), []).append(record)
        older = [
            record
            for records in builds.values()
            for key, record in newest_of_each(records).items()
            if latest[key].status == "ok"
        ]
        return self._in_order([*latest.values(), *older])

    def _in_order(self, records: Iterable[Record]) -> list[Record]:
        kept = {id(record) for record in records}
        return [record for record in self.records if id(record) in kept]

    @cached_property
    def traced(self) -> list[Record]:
        """The newest traced run of each configuration, cold ones left out."""
        ended = [r for r in self.records if r.trace and r.status == "ok" and not is_cold(r)]
        return list(newest(ended).values())

    @cached_property
    def counted(self) -> list[Record]:
        """The newest run of each configuration whose frontiers were counted (--count)."""
        return list(newest([r for r in self.records if r.frontiers and r.status == "ok"]).values())

    @cached_property
    def active_lanes(self) -> list[Record]:
        """The newest run of each configuration that counted lanes with an edge (--count)."""
        return list(newest([r for r in self.records if ACTIVE in r.counts and r.status == "ok"]).values())

    @cached_property
    def profiled(self) -> list[Record]:
        """The newest profile of each configuration (``gunrock profile``)."""
        return list(newest([r for r in self.records if PROFILE_METRIC in r.metrics]).values())

    @cached_property
    def systems(self) -> list[System]:
        """Measured systems: gunrock first, then other Gunrocks, then peers, in the order of their
        appearance."""
        found = dict.fromkeys(system_of(record) for record in self.current)
        return sorted(found, key=lambda system: (system.name != "gunrock", system.name not in GUNROCKS))

    @cached_property
    def primitives(self) -> list[str]:
        """The papers' five in their order, then all other measured primitives."""
        return list(dict.fromkeys([*PRIMITIVES, *(record.primitive for record in self.current)]))

    def graphs(self, primitive: str | None = None) -> list[str]:
        """Names of measured graphs, in the order of their appearance."""
        return list(
            dict.fromkeys(
                graph_name(record) for record in self.current if primitive in (None, record.primitive)
            )
        )

    @cached_property
    def facts(self) -> dict[str, Record]:
        """The newest description of each graph (``gunrock stats --output``), by the graph's name."""
        return {graph_name(each): each for each in sorted(self.described, key=lambda each: each.time)}

    def identity(self, record: Record, source: str, datasets: Sequence[str]) -> Identity | None:
        """Find which of a paper's ``datasets`` the record's graph is."""
        key = id(record), source, tuple(datasets)
        if key not in self._identities:
            found = identify(record, source, datasets, self.papers.sizes.get(source))
            self._identities[key] = found
        return self._identities[key]

    def best(
        self, primitive: str, system: System, wanted: Callable[[Record], bool], *, stated: bool = False
    ) -> Record | None:
        """The record that a cell shows, with its own mean: the newest valid run, or the newest failure if
        none is valid, or None. On one device only: other tables are about several.

        Plain runs, whose command sets none of the primitive's options, take precedence over those that
        try one: otherwise a sweep over options, newer than all else, would put its last variant into
        every table. If none is plain, the run that sets fewest options is shown, preferably one of as
        many runs as the papers', and its mark says what it sets. A cold run is never shown, nor one of
        another algorithm, unless the row is about it (``stated``). Of two records with the same time the
        later one in its file is the newer."""
        found = [
            record
            for record in self._on_one_device.get((primitive, system), ())
            if wanted(record) and (stated or not is_another(record))
        ]
        timed = [record for record in found if record.status == "ok"]
        plain = [record for record in timed if is_plain(record)]
        if plain or not timed or system.name != "gunrock":
            return max(reversed(plain or timed or found), key=lambda record: record.time, default=None)
        return max(
            reversed(timed),
            key=lambda record: (
                -len(settings(record)),
                min(len(record.runs_ms), PAPER_RUNS),
                record.time,
            ),
        )

    @cached_property
    def _on_one_device(self) -> dict[tuple[str, System], list[Record]]:
        """The records that cells choose from: each asks for one primitive on one system."""
        found: dict[tuple[str, System], list[Record]] = {}
        for record in self.current:
            if is_cold(record):
                continue
            if devices_of(record) == 1 and (record.status != "ok" or record.time_ms is not None):
                found.setdefault((record.primitive, system_of(record)), []).append(record)
        return found

    def best_on_dataset(
        self,
        primitive: str,
        system: System,
        source: str,
        dataset: str,
        datasets: Sequence[str],
        also: Callable[[Record], bool] = lambda _: True,
    ) -> tuple[Record, Identity | None] | None:
        """The best record on a paper's data set, and how its graph matches that."""

        def matches(record: Record) -> bool:
            found = self.identity(record, source, datasets)
            return found is not None and found.dataset == dataset and also(record)

        record = self.best(primitive, system, matches)
        return None if record is None else (record, self.identity(record, source, datasets))

    def best_on_graph(self, primitive: str, system: System, graph: str) -> Record | None:
        """The best record on a graph, by the graph's name."""
        return self.best(primitive, system, lambda record: graph_name(record) == graph)

    def hardware(self, systems: Sequence[System] | None = None) -> str:
        """One sentence: the hardware of the measured systems, with drivers and versions."""
        shown = list(self.systems if systems is None else systems)
        where: dict[str, list[str]] = {}
        for system in shown:
            record = next(r for r in self.records if system_of(r) == system)
            driver = record.device.get("driver")
            threads = record.device.get("threads")
            extra = [f"driver {driver}"] if driver else []
            extra += [f"{threads} threads"] if threads else []
            text = system.device + (f" ({', '.join(extra)})" if extra else "")
            where.setdefault(text, []).append(system_title(system.name))
        if not where:
            return "Nothing measured."
        return (
            "Measured: "
            + "; ".join(f"{', '.join(names)} on {place}" for place, names in where.items())
            + "."
        )


def measured_cell(
    record: Record,
    value: float | None,
    identity: Identity | None = None,
    *,
    marks: tuple[Mark, ...] = (),
    text: str | None = None,
    runs: int | None = None,
    by_option: bool = False,
) -> Cell:
    """A record's figure with all its marks, including those of the paper's data set that its graph is; if
    the run failed, how: OOM, timeout, error or wrong.

    ``runs`` is the number of times that the table's paper ran each test: fewer runs are marked, as are
    runs that are not plain, unless the table compares options (``by_option``)."""
    marks += (identity.marks if identity else ()) + marks_of(record, runs, by_option=by_option)
    if record.status != "ok":
        return Cell(record.status, None, "measured", (record.id,), tooltip(record), marks)
    shown = text if text is not None else figure(value) or "—"
    return Cell(shown, value, "measured", (record.id,), tooltip(record), marks)


def runtime_cell(
    record: Record,
    identity: Identity | None = None,
    *,
    per_iteration: bool = False,
    runs: int | None = None,
) -> Cell:
    """The mean time in ms, or, with ``per_iteration``, that of one iteration if known."""
    mean = record.time_ms.mean if record.time_ms else None
    single = iteration_ms(record) if per_iteration else None
    if single is not None:
        return measured_cell(record, single, identity, runs=runs)
    whole = (WHOLE_RUN,) if per_iteration and mean is not None else ()
    return measured_cell(record, mean, identity, marks=whole, runs=runs)
