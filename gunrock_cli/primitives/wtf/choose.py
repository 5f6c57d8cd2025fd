"""Resolves the options of recommendations."""

from __future__ import annotations

from dataclasses import replace

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.vertex_list import listed_vertices
from gunrock_cli.primitives.seeds import drawn_seeds
from gunrock_cli.primitives.wtf.options import WtfOptions


def choose(graph: Graph, asked: WtfOptions) -> WtfOptions:
    """The options of a run on this graph: the users of a batch are resolved to a list of vertices."""
    if asked.batch is None:
        return asked
    return replace(asked, users=",".join(map(str, _users_at_once(graph, asked, asked.batch))))


def _users_at_once(graph: Graph, asked: WtfOptions, batch: int) -> list[int]:
    """The users of a batch; UsageError if there are not enough different ones."""
    if asked.user is not None:
        raise UsageError("--user names one: with --batch give --users, or neither")
    if graph.n == 0:
        raise UsageError(f"{graph.name} has no vertices, so no users")
    if asked.users is not None:
        users = listed_vertices(graph, asked.users, "--users")
        if len(users) != batch:
            raise UsageError(f"--batch {batch}: --users has {len(users)}")
        return users
    users = drawn_seeds(graph, batch)
    if len(set(users)) < batch:
        raise UsageError(
            f"--batch {batch}: {graph.name} has too few vertices with out-edges to draw so "
            "many; name others by --users"
        )
    return users
