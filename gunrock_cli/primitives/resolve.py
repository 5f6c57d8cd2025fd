"""The variant that a run takes: its options resolved, and consistent with the run's options of
advance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance import BY_THRESHOLD, Advance
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.frontier import Frontier
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.parts.base import InParts, OnSeveralDevices
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions
from gunrock_cli.primitives.variant import Variant

_Planned = TypeVar("_Planned", bound=Variant[Any])


@dataclass(frozen=True)
class _Place:
    """Words for where a run takes place, if it calls no advance there."""

    refused: str
    name: str


def lacking(primitive: Primitive) -> dict[str, str]:
    """The options of every run that have no effect on this primitive, by key, and why."""
    found: dict[str, str] = {}
    if primitive.frontier.advance_under is None:
        found |= dict.fromkeys(("advance_mode", "lb_threshold"), "calls no advance")
    if not primitive.frontier.queued:
        found["queue_sizing"] = "keeps no queues"
    if not isinstance(primitive, OnSeveralDevices):
        found |= dict.fromkeys(("devices", "partition"), "runs on one device only")
    return found


def offered(primitive: Primitive) -> tuple[Option, ...]:
    """The options of every run that can have an effect on this primitive."""
    left_out = lacking(primitive)
    return tuple(option for option in RUN_OPTIONS if option.key not in left_out)


def planned(primitive: Primitive, graph: Graph, asked: Any, run: RunOptions) -> Variant[Any]:
    """Plan with ``Primitive.plan``, but let ``auto`` choose a way that calls an advance if an option of
    advance is given. UsageError if an option of every run would have no effect."""
    place = _Place("with these options", "this backend")
    return _planned(primitive, primitive.plan, graph, asked, run, place)


def planned_in_parts(primitive: Primitive, graph: Graph, asked: Any, run: RunOptions) -> InParts[Any]:
    """``planned`` for several devices. UsageError if the primitive runs on one only."""
    if not isinstance(primitive, OnSeveralDevices):
        raise UsageError(f"--devices {run.devices}: {primitive.name} runs on one device only")
    place = _Place("on several devices", "several devices")
    return _planned(primitive, primitive.plan_in_parts, graph, asked, run, place)


def _planned(
    primitive: Primitive,
    plan: Callable[[Graph, Any], _Planned],
    graph: Graph,
    asked: Any,
    run: RunOptions,
    place: _Place,
) -> _Planned:
    for key, why in lacking(primitive).items():
        if (value := getattr(run, key)) not in (None, "auto"):
            raise UsageError(f"{flag(key, value)}: {primitive.name} {why}; leave it out")
    chosen = plan(graph, asked)
    leaves = chosen.successor is not None  # to a kernel without an advance
    to_advance = without_auto(asked, primitive.frontier.to_advance)
    if run.of_advance and (chosen.advance is Advance.NONE or leaves) and to_advance != asked:
        with suppress(UsageError):  # the other options do not go with it
            chosen = plan(graph, to_advance)
    has = chosen.advance
    if run.of_advance and has is Advance.NONE:
        (key, value), *_ = run.of_advance.items()
        raise UsageError(
            f"{flag(key, value)}: {primitive.name} calls no advance"
            f"{_when(primitive.frontier, plan, graph, asked, place)}"
        )
    below, mode = run.lb_threshold, run.advance_mode
    if below is not None and mode not in (None, *BY_THRESHOLD):
        raise UsageError(
            f"--lb-threshold {below} is for --advance-mode {' and '.join(BY_THRESHOLD)}, not {mode}; "
            "leave it out"
        )
    if below is not None and has is Advance.BY_MODE:
        raise UsageError(
            f"--lb-threshold {below}: with these options {primitive.name} calls no advance "
            "that is balanced by the number of edges; leave it out"
        )
    return chosen


def without_auto(asked: Any, values: Mapping[str, Any]) -> Any:
    """The options, with these values, by key, in place of ``auto``."""
    given = asked.values()
    return replace(asked, **{key: value for key, value in values.items() if given[key] == "auto"})


def advance_of(primitive: Primitive, variant: Variant[Any]) -> Advance:
    """How much of advance a run has."""
    return Advance.NONE if primitive.frontier.advance_under is None else variant.advance


def flag(key: str, value: Any) -> str:
    """An option as on a command line."""
    name = key.replace("_", "-")
    return f"--{'' if value else 'no-'}{name}" if isinstance(value, bool) else f"--{name} {value}"


def _when(
    frontier: Frontier,
    plan: Callable[[Graph, Any], Variant[Any]],
    graph: Graph,
    asked: Any,
    place: _Place,
) -> str:
    """The conditions under which a primitive calls no advance, and the options with which it does."""
    under = frontier.advance_under or {}
    try:
        chosen = plan(graph, replace(asked, **under))
    except UsageError:
        return f" {place.refused}; leave it out"
    if chosen.advance is Advance.NONE:
        return f" on {place.name}; leave it out"
    return f" with these options; it does with {' '.join(flag(*each) for each in under.items())}"
