"""Checks that a described program does what a primitive asks, before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files.readers.formats import FORMATS
from gunrock_cli.peers.commands.description import PLACEHOLDERS, FileAnswer, Program, placeholders
from gunrock_cli.primitives.base import Primitive


def check_fits(program: Program, primitive: Primitive) -> None:
    """Raise UsageError if the program does not receive the primitive's question, or receives more."""
    known = (*PLACEHOLDERS, *primitive.takes.shared_keys())
    used = {name for text in program.texts for name in placeholders(text)}
    checking = {
        name for text in (program.check.command if program.check else ()) for name in placeholders(text)
    }
    for name in sorted(used | checking):
        if name not in known:
            raise UsageError(f"unknown placeholder {{{name}}} (known: {', '.join(known)})")
    for names in (used, checking) if checking else (used,):
        _check_inputs(names, primitive)
    if program.format not in FORMATS:
        raise UsageError(f"no format is called {program.format!r} (there are {', '.join(FORMATS)})")
    if primitive.needs.weights and FORMATS[program.format].weights == "none":
        raise UsageError(f"{primitive.name} needs weights, which the format {program.format} has not")
    wants_file = isinstance(program.answer, FileAnswer)
    if wants_file != ("answer" in used):
        raise UsageError(
            "answer tells of a file, and the command names no {answer}"
            if wants_file
            else "the command names {answer}, and no answer tells what is in that file"
        )
    _check_options(program, primitive, used)


def _check_inputs(used: set[str], primitive: Primitive) -> None:
    if "graph" not in used:
        raise UsageError("the command names no {graph}")
    if primitive.source is not None and "source" not in used:
        raise UsageError(f"the command names no {{source}}, which {primitive.name} begins from")
    if primitive.source is None and "source" in used:
        raise UsageError(f"the command names {{source}}, and {primitive.name} has none")


def _check_options(program: Program, primitive: Primitive, used: set[str]) -> None:
    """Check that options that a record shows are followed, or built in and declared as such."""
    shared = primitive.takes.shared_keys()
    for name in shared:
        if name not in used and name not in program.fixed:
            raise UsageError(
                f"{primitive.name} has the option {name}: name {{{name}}} in the command or "
                "say under fixed what is built in"
            )
    for name in program.fixed:
        if name not in shared or name in used:
            raise UsageError(
                f"fixed.{name} is no option that is built in (those that {primitive.name} "
                f"shares: {', '.join(shared) or 'none'})"
            )


def check_run(
    name: str, program: Program, primitive: Primitive, graph: Graph, options: Mapping[str, Any]
) -> None:
    """Raise UsageError if the program cannot answer this particular question."""
    if program.undirected and not graph.undirected:
        raise UsageError(f"{name} is described for undirected graphs only, and this one is directed")
    for key, built_in in program.fixed.items():
        if options.get(key) is not None and options[key] != built_in:
            raise UsageError(
                f"{name} has {key} {built_in} built in: it cannot follow "
                f"--{key.replace('_', '-')} {options[key]}"
            )
