"""What a primitive's command line asks for: a graph, options, sources, a protocol, and files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gunrock_cli.cli.invocation import invoked_command, is_given
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options

if TYPE_CHECKING:
    from gunrock_cli.bench.protocol.runner import Protocol
    from gunrock_cli.graph.model.graph import Graph

SAVES = {
    "save": "--save",
    "save_predecessors": "--save-predecessors",
    "save_levels": "--save-levels",
    "save_places": "--save-places",
}
"""The values that name a file for answers, and their flags."""


@dataclass(frozen=True)
class Sources:
    """Where runs start: ``src`` as given, or this many random vertices."""

    src: str | None
    count: int | None
    seed: int

    def chosen(self, primitive: Primitive, graph: Graph, options: Options) -> list[int]:
        """The vertices; none for a run that starts from no source."""
        from gunrock_cli.bench.inputs.sources import choose_sources

        source = primitive.source
        if source is None or not source.is_read(options):
            return []
        return source.named(graph, options) or choose_sources(graph, self.src, self.count, self.seed)


@dataclass(frozen=True)
class Files:
    """The files that are asked for: ``answers`` by flag."""

    answers: Mapping[str, Path]
    records: Path | None
    trace: Path | None
    state: Path | None = None

    @property
    def by_flag(self) -> dict[str, Path]:
        """All of them."""
        others = {"--output": self.records, "--trace-csv": self.trace, "--resume": self.state}
        return {flag: path for flag, path in {**others, **self.answers}.items() if path is not None}


@dataclass(frozen=True)
class Asked:
    """One command line. ``memory_limit`` is in bytes; ``measuring`` has the values of the protocol by
    key."""

    primitive: Primitive
    options: Options
    spec: GraphSpec
    use_cache: bool
    memory_limit: int | None
    sources: Sources
    backend: str
    threads: int | None
    measuring: Mapping[str, Any]
    against: str | None
    files: Files
    top: int | None
    as_json: bool

    @classmethod
    def of(cls, primitive: Primitive, values: Mapping[str, Any]) -> Asked:
        """The values of a click command, typed."""
        from gunrock_cli.primitives.run_options import of_every_run

        options = primitive.asked({option.key: values[option.key] for option in primitive.options})
        gib = values.get("memory_limit")
        answers = {flag: values[key] for key, flag in SAVES.items() if values.get(key)}
        trace = values["trace_csv"]
        return cls(
            primitive,
            options,
            replace(values["graph_spec"], reverse=primitive.reads_reverse(options)),
            values["use_cache"],
            None if gib is None else int(min(gib * 2**30, 2.0**63)),  # a large float becomes infinity
            Sources(values.get("src"), values.get("num_sources"), values["seed"]),
            values["backend"],
            values["threads"],
            {
                **{
                    key: values[key]
                    for key in ("runs", "until_noise", "cold", "warmup", "check", "max_steps", "count")
                },
                "trace": bool(values["trace"] or trace),
                **of_every_run(values),
                **_only_run(values.get("resume")),
            },
            values["against"],
            Files(answers, values["output"], trace, values.get("resume")),
            values["top"],
            values["as_json"],
        )

    @cached_property
    def protocol(self) -> Protocol:
        """How to measure."""
        from gunrock_cli.bench.protocol.runner import Protocol

        return Protocol(command=invoked_command(), **self.measuring)

    @property
    def compares(self) -> bool:
        """True if an independent library may check the answer."""
        return self.measuring["check"] in ("reference", "both")


def _only_run(state: Path | None) -> dict[str, Any]:
    """The values of a protocol whose run goes on from a file. UsageError if others are given."""
    if state is None:
        return {}
    for key, flag in (("runs", "--iterations"), ("warmup", "--warmup"), ("until_noise", "--until-noise")):
        if is_given(key):
            raise UsageError(f"--resume {state} is for one run without warm-up; leave {flag} out")
    return {"runs": 1, "warmup": 0, "until_noise": None, "resume": state}
