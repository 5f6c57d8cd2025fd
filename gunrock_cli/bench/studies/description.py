"""A graph's statistics as a record, from which reports take what no run knows: diameter and class."""

from __future__ import annotations

from gunrock_cli.analysis.stats import GraphStats
from gunrock_cli.bench.protocol.runner import describe_graph
from gunrock_cli.bench.records import environment, strictjson
from gunrock_cli.bench.records.record import DESCRIPTION, Record
from gunrock_cli.engine.backend import Backend
from gunrock_cli.graph.model.graph import Graph

_OF_THE_GRAPH = ("name", "hash", "vertices", "edges", "undirected", "weighted", "changes", "stand_in")
"""Statistics that the record's ``graph`` has under the same names, or in its origin."""


def description(graph: Graph, stats: GraphStats, backend: Backend) -> Record:
    """The record of ``gunrock stats``: no times, ``graph`` with diameter and type, the rest as
    metrics."""
    facts = describe_graph(graph)
    if stats["diameter"] is not None:
        facts["diameter"] = stats["diameter"]
    facts["type"] = stats["class"]
    return Record.new(
        DESCRIPTION,
        backend=backend.name,
        device=environment.device_info(backend),
        libraries=dict(environment.library_versions(backend.name)),
        graph=facts,
        metrics=strictjson.plain({k: v for k, v in stats.items() if k not in (*_OF_THE_GRAPH, *facts)}),
    )
