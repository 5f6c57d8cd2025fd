"""The same graph from every source."""

from dataclasses import replace

import numpy as np
import pytest
from graph_helper import BANNER, assert_well_formed, edges, generated

from gunrock_cli.graph import load
from gunrock_cli.graph.load import load_graph, read
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.rows import native, native_library
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.sources.files.readers.formats import kind_of_file
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.sources.progress import silent
from gunrock_cli.graph.spec import GraphSpec

WAYS = ("g.mtx", "g.gcsr", "g.npz", "g.el", "cached", "compiled")


def spec_of(way, tmp_path, monkeypatch, **options):
    """A directed graph with weights as a file that is read in one of the ways."""
    name = way if "." in way else "g.mtx"
    graph = generated("rmat", scale=6, undirected=False, weights="random")
    write_graph(replace(graph, hash=content_hash(graph.csr)), str(tmp_path / name))  # not the recipe's
    if way == "compiled":
        if native_library.library() is None:
            pytest.skip("no C++ compiler")
        monkeypatch.setattr(native, "WORTH_IT", 0)
    spec = GraphSpec(kind_of_file(name), path=str(tmp_path / name), **options)
    if way == "cached":
        load_graph(spec)
    return spec


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "options",
    [
        {"undirected": False},
        {"undirected": True},
        {"undirected": False, "weights": "none"},
        {"weights": "random", "weight_seed": 3},
        {"undirected": False, "weight_type": "float32"},
    ],
)
def test_every_way_gives_the_same_graph(way, options, tmp_path, monkeypatch):
    spec = spec_of(way, tmp_path, monkeypatch, **options)
    expected = load_graph(replace(spec_of("g.npz", tmp_path, monkeypatch), **options), cache=False)
    graph = load_graph(spec, cache=way == "cached")
    assert_well_formed(graph)
    assert (graph.hash, graph.undirected) == (expected.hash, expected.undirected)
    assert edges(graph.csr) == edges(expected.csr)
    assert edges(graph.reverse) == edges(expected.reverse)
    assert graph.origin["kind"] == spec.kind
    assert ("made_from" in graph.origin) == (way == "g.gcsr")


@pytest.mark.parametrize("way", WAYS)
def test_in_edges_only_where_they_are_asked_for(way, tmp_path, monkeypatch):
    spec = spec_of(way, tmp_path, monkeypatch, undirected=False)
    whole = load_graph(spec, cache=way == "cached")
    part = load_graph(replace(spec, reverse=False), cache=way == "cached")
    assert part.reverse is None
    assert part.hash == whole.hash
    assert edges(part.csr) == edges(whole.csr)


def test_generated_graphs_without_in_edges():
    spec = GraphSpec("rmat", params={"scale": 5}, undirected=False)
    part = load_graph(replace(spec, reverse=False))
    assert part.reverse is None
    assert part.hash == load_graph(spec).hash


def test_the_cache_keeps_in_edges_for_those_who_ask_later(tmp_path, monkeypatch):
    spec = spec_of("g.mtx", tmp_path, monkeypatch, undirected=False)
    assert load_graph(replace(spec, reverse=False)).reverse is None
    assert len(cache.entries()) == 1
    (entry,) = cache.graphs_dir().glob("*.gcsr")
    rows = read(spec, np, entry.stem, silent)
    assert rows.weighed
    assert_well_formed(load_graph(spec))


@pytest.fixture
def built_in(monkeypatch):
    """Record the modules in which rows are built, while the host does all the work."""
    found = []
    build = load.csr_from_edges

    def noting(xp, *arguments, **named):
        found.append(xp)
        return build(np, *arguments, **named)

    monkeypatch.setattr(load, "csr_from_edges", noting)
    return found


@pytest.mark.parametrize("kind", ["rmat", "path", "file"])
def test_few_rows_are_made_on_the_host(kind, built_in, tmp_path, monkeypatch):
    text = "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n2 1\n3 2\n4 3\n"
    (tmp_path / "g.mtx").write_text(text)
    spec = (
        GraphSpec("market", path=str(tmp_path / "g.mtx"))
        if kind == "file"
        else GraphSpec(kind, params={"scale": 5} if kind == "rmat" else {"nodes": 50})
    )
    gpu = object()  # an object without any attributes
    rows, expected = read(spec, gpu, None, silent), read(spec, np, None, silent)
    assert edges(rows.csr) == edges(expected.csr)
    assert built_in == [np, np]
    if kind == "file":
        monkeypatch.setattr(load, "FEW_EDGES", 6)
        read(spec, gpu, None, silent)
        assert built_in[2:] == [gpu]


def test_many_vertices_are_many_rows(built_in):
    gpu, params = object(), {"left": load.FEW_EDGES, "right": 5, "edges": 9}
    read(GraphSpec("bipartite", params=params), gpu, None, silent)
    assert built_in == [gpu]


PARALLEL = {
    "edge-list": "0 1 5\n1 0 2\n0 1 9\n1 2 3\n",
    "market": f"{BANNER} integer general\n3 3 4\n1 2 5\n2 1 2\n1 2 9\n2 3 3\n",
    "table": "source,target,weight\n0,1,5\n1,0,2\n0,1,9\n1,2,3\n",
}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", PARALLEL)
@pytest.mark.parametrize("undirected", [False, True])
def test_the_heaviest_of_equal_edges_stays_where_it_is_asked_for(tmp_path, kind, undirected):
    file = tmp_path / "g"
    file.write_text(PARALLEL[kind])
    for heaviest in (True, False, True):  # none of them gets another's entry of the cache
        graph = load_graph(GraphSpec(kind, path=str(file), undirected=undirected, heaviest=heaviest))
        one = 9 if heaviest else 2 if undirected else 5
        back = one if undirected else 2
        expected = [(0, 1, one), (1, 0, back), (1, 2, 3), (2, 1, 3)]
        assert edges(graph.csr) == (expected if undirected else expected[:3])
        assert graph.origin.get("heaviest", False) == heaviest


@pytest.mark.parametrize(
    ("text", "how"),
    [
        ("0 1\n0 1\n", {}),
        ("0 1 5\n0 1 6\n", {"weights": "random"}),
        ("0 1 5\n0 1 6\n", {"keep_duplicates": True}),
    ],
)
@pytest.mark.parametrize("first", [False, True])
def test_where_weights_are_not_the_files_either_may_stay(tmp_path, text, how, first):
    """The graph is then the same, and so is the entry in the cache."""
    file = tmp_path / "g.txt"
    file.write_text(text)
    spec = GraphSpec("edge-list", path=str(file), **how)
    one, other = (load_graph(replace(spec, heaviest=heaviest)) for heaviest in (first, not first))
    assert (one.hash, one.origin) == (other.hash, other.origin)
    assert len(cache.entries()) == 1
