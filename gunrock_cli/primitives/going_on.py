"""Runs that go on from an answer for an earlier state of a graph (``graph/model/change.py``)."""

from __future__ import annotations

from gunrock_cli.engine.room import Room
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.change import Edges, Updated
from gunrock_cli.graph.model.graph import Array
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Member


def refuse_given(asked: Options, *allowed: str) -> None:
    """Raise UsageError if an option besides those ``allowed`` has not its default: there is one way to go
    on."""
    for option in asked.declared():
        value = getattr(asked, option.key)
        if option.key not in allowed and value != option.default:
            name = f"--{option.name}" if option.kind is bool else f"--{option.name} {value}"
            raise UsageError(f"{name} does not go with an earlier answer; leave it out")


def extended(graph: Updated, name: str, new: int | float) -> Array:
    """An output of the earlier answer, with this value for vertices that are new since then; a copy."""
    xp, before = graph.xp, graph.before[name]
    found = xp.full(graph.n, new, before.dtype)
    found[: len(before)] = before
    return found


def edge_members(added: Edges, lost: Edges, weighted: bool) -> dict[str, Member]:
    """The members of a kernel's ``Problem`` that hold new and lost edges."""
    members: dict[str, Member] = {}
    for name, edges in (("added", added), ("lost", lost)):
        members |= {f"{name}_src": edges.src, f"{name}_dst": edges.dst, name: len(edges.src)}
        if weighted:
            members[f"{name}_by"] = edges.weights
    return members


def queue_members(n: int) -> dict[str, Member]:
    """The members of ``kernels/primitives/updated_paths.cuh``: who is queued, and who is gone."""
    return {"queued": Room(n, "uint32", filled=0), "gone": Room((n + 31) // 32, "uint32", filled=0)}
