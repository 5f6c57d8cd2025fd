"""Runs that go on from an answer for an earlier state of a graph (``graph/model/change.py``)."""

from __future__ import annotations

import numpy as np

from gunrock_cli.engine.room import Room
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.change import Edges, Updated
from gunrock_cli.graph.model.graph import Array, array_module
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Member


def refuse_given(primitive: Primitive, asked: Options) -> None:
    """Raise UsageError if an option has not its default and does not go with an earlier answer: there is
    one way to go on. Whoever passes an earlier answer asks this first, so that whether an option is
    refused depends neither on the graph nor on what has changed."""
    for option in asked.declared():
        value = getattr(asked, option.key)
        if option.key not in primitive.goes_on_with and value != option.default:
            name = f"--{option.name}" if option.kind is bool else f"--{option.name} {value}"
            raise UsageError(f"{name} does not go with an earlier answer; leave it out")


def gains_on(graph: Updated, lost: Edges) -> bool:
    """True unless going on takes longer than a run from scratch: on a GPU, if edges that the answer may
    rely on were lost [D-change-5]."""
    return graph.xp is np or not len(lost.src)


def extended(graph: Updated, name: str, new: int | float) -> Array:
    """An output of the earlier answer, with this value for vertices that are new since then; a copy."""
    xp, before = graph.xp, graph.before[name]
    found = xp.full(graph.n, new, before.dtype)
    found[: len(before)] = before
    return found


def edge_members(added: Edges, lost: Edges, weights_like: Array | None = None) -> dict[str, Member]:
    """The members of a kernel's ``Problem`` that hold new and lost edges; with weights of a type, if it
    reads them: 1, as the graph's own, if the graph was given none."""
    members: dict[str, Member] = {}
    for name, edges in (("added", added), ("lost", lost)):
        members |= {f"{name}_src": edges.src, f"{name}_dst": edges.dst, name: len(edges.src)}
        if weights_like is not None:
            ones = array_module(edges.src).ones
            weights = edges.weights
            members[f"{name}_by"] = (
                ones(len(edges.src), weights_like.dtype) if weights is None else weights
            )
    return members


def queue_members(n: int) -> dict[str, Member]:
    """The members of ``kernels/primitives/updated_paths.cuh``: who is queued, and who is gone."""
    return {"queued": Room(n, "uint32", filled=0), "gone": Room((n + 31) // 32, "uint32", filled=0)}
