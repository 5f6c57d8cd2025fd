"""The ready descriptions with the programs themselves, if they have been built (GUNROCK_PEERS)."""

from __future__ import annotations

from pathlib import Path

import pytest
from planned import planned, run_peers

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.peers import get_peer, ready_names
from gunrock_cli.primitives import get_primitive

CASES = [(name, primitive) for name in ready_names() for primitive in get_peer(name).primitives]
NUMBERS = {
    ("gap", "bfs"),
    ("gap", "sssp"),
    ("gap", "cc"),
    ("gap", "triangles"),
    ("ecl-mst", "mst"),
    ("galois", "bfs"),
    ("galois", "sssp"),
}
SELF = {"galois", "gap"}


def graph(kind: str) -> Graph:
    if kind == "rmat":
        return load_graph(GraphSpec("rmat", params={"scale": 10}))
    return load_graph(GraphSpec("grid2d", params={"width": 40, "height": 30}))


@pytest.mark.parametrize("kind", ["rmat", "grid2d"])
@pytest.mark.parametrize(("name", "primitive"), CASES)
def test_a_ready_description_runs_its_program(
    name: str, primitive: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, peer = get_primitive(primitive), get_peer(name)
    if peer.available_for(own) is not None:
        pytest.skip(f"{peer.title} is in no folder of GUNROCK_PEERS")
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    found = graph(kind)
    if own.needs.weights:
        found = with_weights(found, "random:1:64", "int32", 1)
    given = {"max_iterations": 200, "tolerance": 1e-7} if primitive == "pagerank" else {}
    options = planned(own, found, given).options
    source = 1 if own.source is not None else None
    record = run_peers([name], own, found, options, source, 3)[0]
    assert (record.status, record.error) == ("ok", None)
    assert len(record.runs_ms) == 3
    number = (name, primitive) in NUMBERS
    assert record.validation.get("extent") == ("number" if number else "self" if name in SELF else None)
    assert ("own check passed" in record.validation["message"]) == (name in SELF)
    assert (record.validation["verdict"] == "pass") == (number or name not in SELF)
