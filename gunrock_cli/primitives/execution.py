"""One primitive on one graph with its options: compiling it, filling and resetting its arrays and reading
its answer, on one device or, in parts, on several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import Devices, Heaps, device_numbers
from gunrock_cli.engine.program import Program, RunResult
from gunrock_cli.engine.relay import Relay
from gunrock_cli.engine.team import TeamProgram
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.model.graph import Array, Csr, Graph, moved, to_numpy
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.graph.parts.partition import (
    Part,
    Parted,
    Partition,
    cut,
    cut_within,
    offsets_for,
    partition_of,
    renumbered,
    with_everything,
    with_offsets,
)
from gunrock_cli.operators.advance import Advance
from gunrock_cli.operators.lists import has_many_levels
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.compile import check_graph, compile_run, macros, room_of
from gunrock_cli.primitives.needs import require_room
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.parts.base import InParts, OnSeveralDevices
from gunrock_cli.primitives.portions import Course, InPortions, run_in_portions
from gunrock_cli.primitives.renumbering import Renumbered, Renumbering, pays_after
from gunrock_cli.primitives.resolve import advance_of, planned, planned_in_parts, without_auto
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Problem, Variant

Timed = Callable[[str, Callable[[], Any]], Any]
"""Do some work, and note how long it took under a name."""
OfPart = Callable[[InParts[Any]], Callable[[Problem], dict[str, Array]]]


class Execution:
    """Runs on one device."""

    def __init__(
        self,
        primitive: Primitive,
        graph: Graph,
        options: Options | Mapping[str, Any],
        backend: Backend,
        run: RunOptions,
    ) -> None:
        self._primitive, self._backend, self._run_options = primitive, backend, run
        self.graph = graph
        asked = primitive.asked(options) if isinstance(options, Mapping) else options
        self._planned = self._checked(asked)
        self.course = Course()  # of the last run that has portions

    def _checked(self, asked: Any) -> Variant[Any]:
        return planned(self._primitive, self.graph, asked, self._run_options)

    @property
    def options(self) -> Any:
        """The resolved options."""
        return self._planned.options

    @cached_property
    def _renumbering(self) -> Renumbering | None:
        return (
            Renumbering(self.graph, self._backend, self._planned.sides_apart)
            if self._planned.renumbers
            else None
        )

    @property
    def _read(self) -> Graph:
        """The graph as the program reads it."""
        return self.graph if self._renumbering is None else self._renumbering.graph

    @cached_property
    def variant(self) -> Variant[Any]:
        """The way to the answer, on the graph as the program reads it."""
        return self._planned if self._renumbering is None else self._planned.on(self._read)

    @property
    def goes_on(self) -> bool:
        """True if runs go on from an earlier answer."""
        return self._planned.goes_on

    @property
    def advance(self) -> Advance:
        """The advance of a run."""
        return advance_of(self._primitive, self._planned)

    def program(self, count: bool = False) -> Program | Relay | TeamProgram:
        """The compiled kernels; ``count``: with code that counts what they do and traces it. OutOfMemory
        if the run's needs besides its graph do not fit."""
        require_room(self._primitive, self.variant, self._run_options)
        return compile_run(self._primitive, self.variant, self._backend, self._run_of(count), count)

    def _run_of(self, count: bool) -> RunOptions:
        return replace(self._run_options, trace=True) if count else self._run_options

    def problem(self) -> Any:
        """The arrays that a program works on."""
        return self.variant.allocate()

    def reset(self, problem: Any, source: int) -> None:
        """Restore the initial state."""
        self.variant.reset(problem, source)

    def outputs(self, problem: Any) -> dict[str, Array]:
        """The whole answer, in the graph's memory."""
        return self._planned.outputs(problem)

    @property
    def tasks(self) -> int | None:
        """The number of tasks of which a run has portions, or None."""
        return self.variant.tasks if isinstance(self.variant, InPortions) else None

    def so_far(self, problem: Any) -> Course:
        """How far the last run is, with all that was found, from which another may go on."""
        assert isinstance(self.variant, InPortions)
        settled = self.variant.settled(problem, self.course.done)
        return replace(self.course, found={**self.course.found, **settled})

    def outputs_so_far(self, problem: Any) -> dict[str, Array] | None:
        """The part of the answer that the last run has finished, on the host; None if values need all of
        it."""
        assert isinstance(self.variant, InPortions)
        found = self.variant.of_first(self._planned.outputs(problem), self.course.done)
        return None if found is None else {name: to_numpy(array) for name, array in found.items()}

    def evidence(self, problem: Any) -> Mapping[str, Any]:
        """What a proof may read besides the answer, by name: arrays of the whole graph."""
        found: Mapping[str, Any] = problem
        return found

    def run(
        self,
        program: Program | Relay | TeamProgram,
        problem: Any,
        source: int,
        when_reset: Callable[[], None] | None = None,
        watch: Callable[[Course], None] = lambda course: None,
        begin: Course | None = None,
    ) -> RunResult:
        """Run once, from a source, and call ``when_reset`` after the arrays are reset. A run that has
        portions goes on from where it ``begin``s, and calls ``watch`` after each."""

        def reset() -> None:
            self.reset(problem, source)
            if when_reset is not None:
                when_reset()

        if isinstance(self.variant, InPortions) and not isinstance(program, TeamProgram):
            self.course = begin or Course()

            def note(course: Course) -> None:
                self.course = course
                watch(course)

            return run_in_portions(program, self.variant, problem, reset, self.course, note)
        return program.run(problem, reset)

    @property
    def devices(self) -> tuple[int, ...]:
        """The numbers of the devices that run, if there are several."""
        return ()

    @property
    def partition_kind(self) -> str | None:
        """The way in which the graph was cut, or None."""
        return None

    def prepare(self, timed: Timed) -> None:
        """Do the long work before the runs, each part under its own name: renumber the vertices, if the
        primitive asks for it, or cut the graph, if several devices run."""
        if self._renumbering is not None:
            timed("compile", lambda: self._renumbering and self._renumbering.programs)
            timed("renumber", lambda: self._read)

    def metrics(self, iteration_ms: float | None) -> dict[str, float]:
        """What a record holds of the renumbering, besides its times, if an iteration takes this long."""
        graph = self._read
        if not isinstance(graph, Renumbered):
            return {}
        saves = self._planned.layout_saves
        after = (
            pays_after(graph, iteration_ms, saves)
            if saves is not None and iteration_ms is not None
            else None
        )
        return {"renumber_ms": graph.took_ms} | ({} if after is None else {"renumber_pays_after": after})


class PartedExecution(Execution):
    """Runs in parts, one on each of several devices. The graph is cut when it is first needed."""

    _planned: InParts[Any]

    def __init__(
        self,
        primitive: Primitive,
        graph: Graph,
        options: Options | Mapping[str, Any],
        backend: Backend,
        run: RunOptions,
        numbers: tuple[int, ...],
    ) -> None:
        self._devices = Devices(backend, numbers)
        super().__init__(primitive, graph, options, backend, run)

    def _checked(self, asked: Any) -> InParts[Any]:
        primitive, graph, run = self._primitive, self.graph, self._run_options
        kind = run.partition
        if isinstance(graph, GraphInParts):
            if kind not in ("auto", graph.partition.kind):
                raise UsageError(
                    f"--partition {kind}: {graph.name} was built in parts, which are "
                    f"{graph.partition.kind}; leave it out"
                )
            why = f"--order degree: {graph.name} was built in parts, in its own order; leave it out"
        elif kind == "auto":
            return planned_in_parts(primitive, graph, asked, run)
        else:
            why = f"--partition {kind} and --order degree, which deals vertices out: leave out one"
        if isinstance(primitive, OnSeveralDevices):
            asked = without_auto(asked, primitive.within_partition)
        chosen = planned_in_parts(primitive, graph, asked, run)
        if chosen.renumbers:
            raise UsageError(why)
        if chosen.in_order and kind != "contiguous":
            raise UsageError(
                f"--partition {kind}: {primitive.name} shares out sources, not vertices; leave it out"
            )
        return chosen

    @property
    def devices(self) -> tuple[int, ...]:
        return self._devices.numbers

    def prepare(self, timed: Timed) -> None:
        if self._renumbering is not None:
            timed("compile", lambda: self._renumbering and self._renumbering.programs)
        timed("partition", lambda: self.parts)

    def metrics(self, iteration_ms: float | None) -> dict[str, float]:
        took = self._parted.renumber_ms
        return {} if took is None else {"renumber_ms": took}

    @property
    def parts(self) -> list[Part]:
        """The parts of the graph, each in the memory of its device."""
        return self._parted.parts

    @property
    def partition_kind(self) -> str | None:
        return self._partition.kind

    @property
    def _partition(self) -> Partition:
        return self._parted.partition

    @cached_property
    def _parted(self) -> Parted:
        found = self._cut_or_drawn()
        dtype = offsets_for(found.parts)

        def ready(part: Part, place: int) -> Part:
            moved = self._moved(part, place)
            with self._devices.at(place):
                return with_offsets(moved, dtype)

        return replace(found, parts=[ready(part, place) for place, part in enumerate(found.parts)])

    @cached_property
    def _each(self) -> list[InParts[Any]]:
        """The variant on each device."""
        return [self._planned.on_part(part) for part in self.parts]

    def _cut_or_drawn(self) -> Parted:
        """The parts, made next to the graph or where it was drawn."""
        if isinstance(self.graph, GraphInParts):
            return Parted(self.graph.partition, self._drawn(self.graph))
        count = len(self._devices)
        if self._renumbering is not None:
            return self._renumbering.dealt(count)
        kind = "contiguous" if self._planned.in_order else self._run_options.partition
        partition = partition_of(self.graph, count, kind, mesh=has_many_levels(self.graph))
        return Parted(partition, self._cut(partition))

    def _wanted(self) -> tuple[bool, bool]:
        """True or False for rows by source, then for rows by target."""
        by_target = self._planned.by_target
        if by_target and self.graph.reverse is None:
            raise GunrockError(
                f"{self._primitive.name} reads in-edges, and {self.graph.name} was loaded without"
            )
        return self._planned.by_source, by_target

    def _drawn(self, graph: GraphInParts) -> list[Part]:
        if self._planned.everything:
            raise UsageError(
                f"{self._primitive.name} needs the whole of {graph.name} on each device; it lies in parts"
            )
        if self._planned.within:
            return graph.each_part_within()
        return graph.each_part(*self._wanted(), self._planned.outward)

    def _cut(self, partition: Partition) -> list[Part]:
        graph = renumbered(self.graph, partition)
        plan = self._planned

        def part(place: int) -> Part:
            if plan.everything:
                return with_everything(graph, partition, place, plan.by_target)
            if plan.within:
                return cut_within(graph, partition, place)
            return cut(graph, partition, place, *self._wanted(), plan.outward, plan.both)

        # The first device holds the whole graph. All other parts leave it as soon as they are cut, as
        # together they take as much memory as the graph again, or twice that.
        places = reversed(range(len(self._devices)))
        return [self._moved(part(place), place) for place in places][::-1]

    def _moved(self, part: Part, place: int) -> Part:
        def moved_rows(csr: Csr) -> Csr:
            copied = self._devices.copied
            return Csr(
                copied(csr.row_offsets, place),
                copied(csr.column_indices, place),
                copied(csr.values, place),
                csr.first,
            )

        csr = moved_rows(part.csr)
        reverse = csr if part.reverse is part.csr else part.reverse and moved_rows(part.reverse)
        part = replace(
            part,
            csr=csr,
            reverse=reverse,
            degrees=self._devices.copied(part.degrees, place),
            crossing=self._devices.copied(part.crossing, place),
        )
        return part.counted_from_zero() if self._planned.counts_from_zero and part.whole else part

    @cached_property
    def _heaps(self) -> Heaps:
        rooms = self._planned.heap(len(self._devices))
        return Heaps(self._devices, rooms, connected=not self._why_not_connected)

    @cached_property
    def _why_not_connected(self) -> str:
        return self._devices.connect()

    def program(self, count: bool = False) -> TeamProgram:
        primitive, variant, run = self._primitive, self._planned, self._run_of(count)
        defines, constants = macros(primitive, variant, run), variant.constants
        check_graph(primitive, self.graph)
        programs = []
        for place, part in enumerate(self.parts):
            room = room_of(primitive, variant.on(part).queues, run)
            if isinstance(self.graph, GraphInParts) and run.queue_sizing is None:
                room = room.shared_by(len(self._devices))
            with self._devices.at(place):
                programs.append(
                    self._devices.backend_at().program(
                        variant.kernel_file,
                        part,
                        defines,
                        room,
                        replace(run.settings, count=count),
                        variant.launch,
                        constants,
                    )
                )
        programs[0].contract.check_constants(constants, primitive.name)
        if self._why_not_connected:
            programs[0].warnings.append(self._why_not_connected)
        return TeamProgram(self._devices, programs, self.parts, self._heaps)

    def problem(self) -> Any:
        problems = []
        for place, each in enumerate(self._each):
            with self._devices.at(place):
                problems.append(each.allocate(self._heaps.arrays(place)))
        return problems

    def reset(self, problem: Any, source: int) -> None:
        number = self._partition.number(source)
        for place, each in enumerate(self._each):
            with self._devices.at(place):
                each.reset(problem[place], number)

    def outputs(self, problem: Any) -> dict[str, Array]:
        return self._planned.finish(self._gathered(problem, lambda each: each.outputs))

    def evidence(self, problem: Any) -> dict[str, Array]:
        return self._gathered(problem, lambda each: each.evidence)

    def _gathered(self, problem: Any, of_part: OfPart) -> dict[str, Array]:
        """The parts' values, as arrays of the whole graph in its order."""
        pieces: dict[str, list[Array]] = {}
        for place, each in enumerate(self._each):
            with self._devices.at(place):
                for name, array in of_part(each)(problem[place]).items():
                    pieces.setdefault(name, []).append(array)
        found = {}
        for name, arrays in pieces.items():
            whole = moved(self._devices.gathered(arrays), self.graph.xp)
            if name not in self._planned.part_outputs:
                whole = self._partition.in_graph_order(whole)
            if name in self._planned.vertex_outputs:
                whole = self._partition.vertices(whole)
            found[name] = whole
        return found


def execution_of(
    primitive: Primitive,
    graph: Graph,
    options: Options | Mapping[str, Any],
    backend: Backend,
    run: RunOptions,
) -> Execution:
    """The execution that ``--devices`` asks for. UsageError for a partition on one device."""
    if run.devices == "auto" and run.partition != "auto":
        raise UsageError(f"--partition {run.partition} is for several devices; give --devices, too")
    numbers = device_numbers(run.devices, backend)
    if len(numbers) == 1 and run.partition != "auto":
        raise UsageError(
            f"--partition {run.partition} is for several devices, and --devices "
            f"{run.devices} is one; leave it out"
        )
    if len(numbers) == 1:
        return Execution(primitive, graph, options, backend, run)
    return PartedExecution(primitive, graph, options, backend, run, numbers)
