"""In-edges of directed graphs: given only to kernels that declare that they read them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.compile import compile_primitive, compile_variant

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
HUBS = GraphSpec("rmat", params={"scale": 9}, undirected=False)
WAYS: dict[str, list[dict[str, Any]]] = {
    "bfs": [
        {"direction": "push", "run_ahead": "1"},
        {"direction": "push", "run_ahead": "3"},
        {"direction": "push", "idempotence": True},
        {"direction": "pull"},
        {"direction": "push", "run_ahead": "3", "mark_pred": True},
    ],
    "sssp": [
        {"run_ahead": "off"},
        {"run_ahead": "on"},
        {"mark_pred": True},
        {"priority_queue": False},
        {"redundancy": "bitmap"},
    ],
    "bc": [
        {"run_ahead": "1"},
        {"run_ahead": "3"},
        {"backward": "push"},
        {"frontiers": "rebuilt"},
        {"variant": "edges"},
    ],
    "cc": [{"sampling": "on"}, {"sampling": "off"}, {"linking": "random"}, {"variant": "hook-jump"}],
    "pagerank": [{}, {"push": True}, {"filter_converged": True}],
    "hits": [{}],
    "salsa": [{}, {"variant": "edges"}, {"seeds": "1,2,3,4,5,6,7,8"}],
    "ppr": [{}, {"batch": 2}, {"method": "push"}, {"method": "walks"}],
    "wtf": [{}, {"batch": 2}],
    "clustering": [{}],
    "scc": [{}],
    "cdlp": [{}],
    "toposort": [{}],
    "walk": [{}],
    "sample": [{}],
    "closeness": [{"searches": "together"}, {"searches": "apart"}],
    "distances": [{"searches": "together"}, {"searches": "apart"}, {"nearest": 2}],
    "eccentricity": [{}],
}
DIRECTED = [name for name in primitive_names() if not get_primitive(name).needs.undirected]
"""Primitives for directed graphs: an undirected graph's in-edges and out-edges are the same arrays."""


def run(name: str, way: dict[str, Any], backend: str, reverse: bool) -> Any:
    """Run a primitive; with ``reverse`` the graph is loaded with its in-edges."""
    primitive, chosen = get_primitive(name), choose_backend(backend, 3)
    graph = load_graph(replace(HUBS, reverse=reverse), chosen.xp)
    if primitive.needs.weights:
        graph = with_weights(graph, "random:1:64")
    protocol = Protocol(runs=1, warmup=0)
    variant = planned(primitive, graph, way)
    program = compile_variant(primitive, variant, chosen, protocol)
    given = int(program._arguments["graph"]["reverse"]["row_offsets"])
    reads = primitive.reads_reverse(primitive.asked(way))
    assert bool(given) == primitive.reads_reverse(variant.options) == reads
    source = int(graph.csr.degrees().argmax())
    return measure(primitive, graph, way, [source], chosen, protocol).record


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    ("name", "way"), [(name, way) for name in DIRECTED for way in WAYS[name]], ids=str
)
def test_kernels_read_what_they_declare(name: str, way: dict[str, Any], backend: str) -> None:
    """Null pointers otherwise: whoever reads them does not come back."""
    primitive = get_primitive(name)
    reads = primitive.reads_reverse(primitive.asked(way))
    assert run(name, way, backend, reverse=reads).validation["verdict"] == "pass"
    if not reads:
        assert run(name, way, backend, reverse=True).validation["verdict"] == "pass"


def test_a_graph_without_in_edges_is_refused_where_they_are_read() -> None:
    with pytest.raises(GunrockError, match=r"bfs reads in-edges, and .* was loaded without"):
        run("bfs", {"direction": "pull"}, "cpu", reverse=False)


def test_undirected_graphs_have_their_own_rows_either_way() -> None:
    graph = load_graph(replace(HUBS, undirected=True, reverse=False), np)
    assert graph.reverse is graph.csr
    assert graph.without_reverse() is graph


@pytest.mark.parametrize("cache", [False, True])
def test_files_too(cache: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "g.mtx"
    file.write_text("%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 5\n2 3 6\n1 3 7\n")
    spec = GraphSpec("market", path=str(file), undirected=False)

    def loaded(reverse: bool) -> Graph:
        return load_graph(replace(spec, reverse=reverse), np, cache=cache)

    for _ in range(2):  # the second time from the cache
        bare, whole = loaded(False), loaded(True)
        assert bare.reverse is None
        assert whole.reverse is not None
        assert whole.reverse.column_indices.tolist() == [0, 0, 1]
        assert bare.csr.column_indices.tolist() == whole.csr.column_indices.tolist() == [1, 2, 2]
        assert bare.hash == whole.hash
        assert with_weights(bare, "unit").csr.values is not None


@pytest.mark.parametrize("backend", BACKENDS)
def test_the_longest_row_of_either_direction(backend: str) -> None:
    """A star whose edges lead inwards has no vertex with two out-edges."""
    chosen = choose_backend(backend, 1)
    tails = np.arange(1, 500, dtype=np.int32)
    graph = build_graph(500, tails, np.zeros(499, np.int32), undirected=False, xp=np)
    primitive = get_primitive("cc")
    program = compile_primitive(primitive, graph.to(chosen.xp), {}, chosen, Protocol())
    packed = program._arguments["graph"]
    assert (int(packed["csr"]["max_degree"]), int(packed["reverse"]["max_degree"])) == (1, 499)
