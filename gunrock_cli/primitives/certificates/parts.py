"""Proving an answer on a graph in parts: each device has the whole answer and checks the edges that lead
to its own vertices."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.engine.devices import Devices, Heaps
from gunrock_cli.engine.team import TeamProgram
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates.base import Answer, Certificate, Prover
from gunrock_cli.primitives.compile import compile_primitive
from gunrock_cli.primitives.run_options import RunOptions


def prover_of(
    certificate: Certificate, graph: Graph, options: Any, backend: Backend
) -> Prover | ProverInParts:
    """A prover for the graph's memory: one device's, several devices', or only the host's."""
    if isinstance(graph, GraphInParts):
        return ProverInParts(certificate, graph, options)
    if graph.xp is not backend.xp:
        backend = choose_backend("cpu")  # no device has all of the graph
    return Prover(certificate, graph, options, backend)


class ProverInParts:
    """A prover on several devices, for a certificate with ``of_parts``; the verdict combines the findings
    of all devices."""

    def __init__(self, certificate: Certificate, graph: GraphInParts, options: Any) -> None:
        if not certificate.of_parts:
            raise UsageError(
                f"{certificate.name} on {graph.name}: its answer cannot be proved on a "
                "graph that lies in parts; use --check none"
            )
        self._certificate, self._graph, self._options = certificate, graph, options
        self._devices: Devices = graph.places

    def verdict(self, source: int, outputs: Answer, problem: Answer) -> Validation | None:
        """Return the verdict on an answer, or None if it cannot be proved."""
        certificate, graph, options = self._certificate, self._graph, self._options
        problems: list[dict[str, Any]] = []
        for place in range(len(self._devices)):
            with self._devices.at(place):
                members = certificate.members(
                    graph, options, source, self._copied(outputs, place), self._copied(problem, place)
                )
                if members is None:
                    return None
                if certificate.handed_on:
                    self._run_next(problems, members)
            problems.append(members)
        if not certificate.handed_on:
            self._team.run(problems, lambda: None)
        return certificate.verdict(self._together(problems), outputs, graph, options)

    def _run_next(self, before: list[dict[str, Any]], members: dict[str, Any]) -> None:
        place = len(before)
        for name in self._certificate.handed_on if before else ():
            members[name] = self._devices.copied(before[-1].pop(name), place)
        self._team.programs[place].run(members, lambda: None)

    def _copied(self, arrays: Answer, place: int) -> dict[str, Any]:
        return {name: self._devices.copied(array, place) for name, array in arrays.items()}

    def _together(self, problems: list[dict[str, Any]]) -> dict[str, Any]:
        """The kernels' counts, on the host: the sums, and the smallest of the first vertices."""
        found = dict(problems[0])
        names = ("broken", "first", *self._certificate.summed)
        tally: dict[str, list[Any]] = {name: [] for name in names}
        for place, problem in enumerate(problems):
            with self._devices.at(place):
                for name, pieces in tally.items():
                    pieces.append(to_numpy(problem[name]))
        for name, pieces in tally.items():
            found[name] = np.min(pieces, axis=0) if name == "first" else np.sum(pieces, axis=0)
        return found

    @cached_property
    def _team(self) -> TeamProgram:
        parts = self._graph.each_part(by_source=False, by_target=True)  # in-edges, as the rows of csr
        programs = []
        for place, part in enumerate(parts):
            with self._devices.at(place):
                programs.append(
                    compile_primitive(
                        self._certificate, part, {}, self._devices.backend_at(), RunOptions()
                    )
                )
        return TeamProgram(self._devices, programs, parts, Heaps(self._devices, {}))
