"""One name for each graph: sweeps may call the same graph differently, and it is one row of a table."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from gunrock_cli.bench.records.record import Record

_NOT_ITS_SHAPE = ("weights", "weight_type", "weight_seed")


def with_one_name(records: Sequence[Record]) -> list[Record]:
    """Rename the graph of several names to the one that appears first. A record that ended before it had
    its graph goes by its name, if all others of that name are of one graph."""
    first: dict[str, str] = {}
    graphs: dict[str, set[str]] = {}
    for record in records:
        graph, name = _graph(record), _name(record)
        if graph is not None:
            graphs.setdefault(name, set()).add(first.setdefault(graph, name))
    return [_renamed(record, first, graphs) for record in records]


def _renamed(record: Record, first: dict[str, str], graphs: dict[str, set[str]]) -> Record:
    graph, name = _graph(record), _name(record)
    known = graphs.get(name, set())
    wanted = first[graph] if graph is not None else next(iter(known)) if len(known) == 1 else name
    return record if wanted == name else replace(record, sweep={**record.sweep, "graph": wanted})


def _name(record: Record) -> str:
    return str(record.sweep.get("graph") or record.graph.get("name"))


def _graph(record: Record) -> str | None:
    """The graph's identity: how it was generated, whatever its weights, or its content."""
    origin = record.graph.get("origin") or {}
    if "generator_version" in origin:
        return json.dumps(
            {key: value for key, value in origin.items() if key not in _NOT_ITS_SHAPE}, sort_keys=True
        )
    content = record.graph.get("hash")
    return f"{content}, {bool(origin.get('stand_in'))}" if content else None
