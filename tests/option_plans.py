"""A run's plan, by its declarations: code, launch, and everything that the kernel is given.

Plans are compared to find options without effect: two runs that are recorded with different options but
have the same plan differ in nothing but the record.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.code import kernel_unit
from gunrock_cli.primitives.compile import room_of
from gunrock_cli.primitives.micro import get_micro, micro_names
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.resolve import advance_of, planned
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.primitives.variant import Variant
from gunrock_cli.primitives.warm import _kinds
from gunrock_cli.toolchain import host_compiler
from gunrock_cli.toolchain.binaries import cached_binary
from gunrock_cli.toolchain.machine_code import sections
from gunrock_cli.toolchain.unit import Unit

TEXTS: dict[str, tuple[Any, ...]] = {
    "src": ("0", "1,0"),
    "seeds": ("0", "0,1"),
    "sources": ("0", "0,1"),
    "users": ("0,1", "2,3"),
    "alpha": ("cost", "0", "3", "15"),
    "beta": ("5", "9"),
    "run_ahead": ("1", "2", "16"),
    "cull": ("none", "bitmask", "history", "grid", "warp", "warp-hash"),
    "hybrid_threshold": ("7", "8"),
    "delta": ("3", "5"),
    "bound": ("3", "5"),
    "within": ("3", "5"),
    "fanout": ("3", "5,-1"),
}
"""Values of options that take text, or words besides numbers, or whole numbers mostly, which declarations
do not list."""


def primitive_of(name: str) -> Primitive:
    return get_micro(name) if name in micro_names() else get_primitive(name)


def graphs(primitive: Primitive, on_gpu: bool = False) -> dict[str, Graph]:
    """A graph of each kind that options distinguish."""
    may = any(option.key == "weighted" for option in primitive.options)
    weighted = primitive.needs.takes_weights or may
    return {graph.name: graph for graph in _kinds("int32" if weighted else None, on_gpu)}


def values_of(option: Option) -> tuple[Any, ...]:
    """Values to compare: all, or two."""
    if option.kind is bool:
        return (False, True)
    if option.choices:
        return option.choices
    if option.words or (option.kind is float and option.key in TEXTS):
        return tuple(text if text in option.words else option.kind(text) for text in TEXTS[option.key])
    if option.kind in (int, float):
        low = option.minimum or 0
        high = option.maximum if option.maximum is not None else 1e6
        found = [option.kind(low + step * min(1, high - low)) for step in (0.25, 0.5)]
        return tuple(found) if option.kind is float else (int(max(low, 1)) + 1, int(max(low, 1)) + 2)
    assert option.key in TEXTS or option.takes_list or option.lists_vertices, f"TEXTS lacks {option.key}"
    return TEXTS.get(option.key, ())


def contexts(primitive: Primitive) -> list[dict[str, Any]]:
    """Settings of the other options: none, the settings that the declarations name, each value alone."""
    found: list[dict[str, Any]] = [{}, dict(primitive.frontier.advance_under or {})]
    for option in primitive.options:
        found += [
            dict(option.under),
            *({option.key: value} for value in values_of(option) if value != option.default),
        ]
    return [each for place, each in enumerate(found) if each not in found[:place]]


@dataclass(frozen=True)
class Plan:
    variant: Variant[Any]
    recorded: dict[str, Any]
    unit: Unit
    given: str
    """Everything but the code: launch, members and contents of the problem, queues, outputs."""

    @property
    def label(self) -> str:
        return json.dumps(self.recorded, sort_keys=True, default=str)


def plan_of(
    primitive: Primitive, graph: Graph, arch: int | str, own: dict[str, Any], **of_run: Any
) -> Plan | None:
    """The plan of a run, or None if it is refused."""
    run = RunOptions(**of_run)
    try:
        asked = primitive.asked(own)
        variant = planned(primitive, graph, asked, run)
        unit = kernel_unit(primitive, arch, own, run, graph=graph)
    except GunrockError:
        return None
    values = {**run.values(advance_of(primitive, variant)), **variant.options.recorded()}
    return Plan(
        variant,
        values,
        unit,
        repr(
            (
                variant.launch,
                room_of(primitive, variant.queues, run),
                run.loop,
                variant.renumbers,
                _sources(primitive, graph, asked),
                _problem(variant),
            )
        ),
    )


def _sources(primitive: Primitive, graph: Graph, options: Any) -> Any:
    with suppress(GunrockError):
        return primitive.source and (
            primitive.reads_source(options),
            primitive.source.named(graph, options),
        )


def _problem(variant: Variant[Any]) -> Any:
    """The members of a problem, their state after a reset, and its outputs as an answer."""
    problem = variant.allocate()
    for value in problem.values():
        if getattr(value, "ndim", 0) > 0 and value.flags.writeable:
            value.fill(1)
    with suppress(Exception):  # in a recording, say: then only the members are compared
        variant.reset(problem, 3)
    found = {name: _told(value) for name, value in problem.items()}
    outputs: dict[str, Any] = {}
    with suppress(Exception):  # a run that never was
        answer = variant.outputs(problem)
        outputs = {name: _told(value) for name, value in answer.items()}
    return found, outputs


def _told(value: Any) -> Any:
    if getattr(value, "ndim", 0) == 0:
        return value
    found = np.ascontiguousarray(value)
    return str(found.dtype), found.shape, hashlib.sha256(found.tobytes()).hexdigest()


@cache
def code_of(unit: Unit, without: tuple[str, str] | None = None) -> str:
    """A digest of the instructions and constants that the host's compiler makes of a unit; ``without``: a
    header, and words in it that are replaced by a number. Compiled into the tool's cache, which other
    tests and other processes share."""
    key = unit.key("without", *(without or ()), *host_compiler.toolchain())
    binary = cached_binary(key, ".so", lambda target: _compile(unit, without, target))[0].read_bytes()
    return hashlib.sha256(
        b"".join(part.data for part in sections(binary) if part.name.startswith((".text", ".rodata")))
    ).hexdigest()


def _compile(unit: Unit, without: tuple[str, str] | None, target: Path) -> None:
    kernels = host_compiler.kernels_dir()
    with tempfile.TemporaryDirectory() as folder:
        if without is not None:
            kernels = _replaced(Path(folder) / "kernels", kernels, *without)
        with mock.patch.object(host_compiler, "kernels_dir", return_value=kernels):
            host_compiler.compile_shared(unit.text, unit.path, target)


def _replaced(target: Path, kernels: Path, header: str, words: str) -> Path:
    shutil.copytree(kernels, target)
    text = (target / header).read_text()
    assert words in text
    (target / header).write_text(text.replace(words, "12345"))
    return target


def alike(plans: list[Plan]) -> Iterator[tuple[Plan, Plan]]:
    """Pairs with different records and the same plan."""
    groups: dict[tuple[str, Path], dict[str, Plan]] = {}
    for plan in plans:
        groups.setdefault((plan.given, plan.unit.path), {}).setdefault(plan.label, plan)
    for group in groups.values():
        if len(group) > 1:
            known: dict[str, Plan] = {}
            for plan in group.values():
                first = known.setdefault(code_of(plan.unit), plan)
                if first is not plan:
                    yield first, plan
