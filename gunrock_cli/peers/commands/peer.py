"""A described program as a peer: measured, checked and recorded like all others."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from gunrock_cli.errors import UsageError
from gunrock_cli.files import file_sha256
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.sources.files.readers.formats import FORMATS
from gunrock_cli.graph.sources.files.written import written_graph
from gunrock_cli.jsontypes import Json
from gunrock_cli.peers.base import Peer, PeerResult, shared_options
from gunrock_cli.peers.commands.description import Description, Program
from gunrock_cli.peers.commands.fitting import check_fits, check_run
from gunrock_cli.peers.commands.programs import find_program, where_looked
from gunrock_cli.peers.commands.session import Session
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options


class CommandPeer(Peer):
    """The peer of a description. ``beside`` is its folder if it is a user's file."""

    def __init__(self, description: Description, beside: Path | None) -> None:
        self.description = description
        self.beside = beside
        self.name = description.name
        self.title = description.title
        self.primitives = tuple(description.programs)
        self.backend = description.backend
        self.clock = "kernel"
        self.times = "; ".join(dict.fromkeys(each.clock for each in description.programs.values()))

    def available(self) -> str | None:
        """None if all of its programs are here; otherwise which are missing."""
        reasons = (self._why_missing(each) for each in self.description.programs.values())
        return next((reason for reason in reasons if reason is not None), None)

    def available_for(self, primitive: Primitive) -> str | None:
        program = self.description.programs.get(primitive.name)
        if program is None:
            return None  # its record says so
        check_fits(program, primitive)
        return self._why_missing(program)

    def versions(self) -> dict[str, str]:
        version = self.description.version
        return {self.name: version} if version else {}

    def runs(self, primitive: Primitive) -> bool:
        return primitive.name in self.description.programs

    def covered(self, primitive: Primitive) -> str:
        program = self.description.programs.get(primitive.name)
        return program.clock if program else self.times

    def identity(self, primitive: Primitive) -> dict[str, Json]:
        program = self.description.programs.get(primitive.name)
        found = program and find_program(program.command[0], self.beside)
        if not program or not found:
            return {}
        return {
            "program": {
                "command": list(program.command),
                "env": dict(program.env),
                "path": found,
                "sha256": file_sha256(Path(found)),
                "description_sha256": file_sha256(self.description.path),
            }
        }

    def where(self) -> dict[str, str | None]:
        """The path of each primitive's program, or None if it is not here."""
        return {
            name: find_program(each.command[0], self.beside)
            for name, each in self.description.programs.items()
        }

    def run(
        self, primitive: Primitive, graph: Graph, options: Options, source: int | None, runs: int
    ) -> PeerResult:
        program = self.description.programs.get(primitive.name)
        if program is None:
            raise UsageError(f"{self.name} has no {primitive.name} (it has {', '.join(self.primitives)})")
        check_fits(program, primitive)
        check_run(self.name, program, primitive, graph, options.values())
        path = find_program(program.command[0], self.beside)
        if path is None:
            raise UsageError(str(self._why_missing(program)))
        with tempfile.TemporaryDirectory(prefix="gunrock-peer-", ignore_cleanup_errors=True) as name:
            folder = Path(name)
            begin = time.perf_counter()
            own = _as_asked(graph, primitive, program)
            values = {
                "graph": str(written_graph(own, program.format, folder)),
                "source": str(source),
                "answer": str(folder / "answer"),
                "threads": str(len(os.sched_getaffinity(0))),
                "folder": str((self.beside or self.description.path.parent).absolute()),
                **{key: str(value) for key, value in shared_options(primitive, options).items()},
            }
            wrote_ms = (time.perf_counter() - begin) * 1e3
            session = Session(self.name, program, path, values, folder)
            session.measure(runs)
            result = session.result(primitive, graph, source)
        return replace(result, phases_ms={**result.phases_ms, "write": wrote_ms})

    def _why_missing(self, program: Program) -> str | None:
        wanted = program.command[0]
        if find_program(wanted, self.beside) is not None:
            return None
        built = self.description.built or f"{self.description.path} does not say how it is built"
        return (
            f"{self.title} is not here: {wanted} was looked for in "
            f"{where_looked(wanted, self.beside)}. How it is built: {built}"
        )


def _as_asked(graph: Graph, primitive: Primitive, program: Program) -> Graph:
    """Drop weights that no placeholder asks for: a program may refuse a file with weights."""
    needed = primitive.needs.weights or FORMATS[program.format].weights == "needed"
    return graph if needed else with_weights(graph, "none")
