"""The same graphs from CuPy as from NumPy, and at a GPU's speed."""

import time

import numpy as np
import pytest
from graph_helper import edges, generated, load_text

from gunrock_cli.graph import load
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import graph as model
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec

from .test_market import PATTERN

pytestmark = pytest.mark.gpu


@pytest.fixture(autouse=True)
def _all_of_it_on_the_gpu(monkeypatch):
    monkeypatch.setattr(load, "FEW_EDGES", -1)
    monkeypatch.setattr(model, "SMALL", -1)


@pytest.mark.parametrize("kind", [None, np.int32, np.float32])
@pytest.mark.parametrize("undirected", [True, False])
@pytest.mark.parametrize("loops", [True, False])
@pytest.mark.parametrize("duplicates", [True, False])
def test_building(kind, undirected, loops, duplicates):
    import cupy

    rng = np.random.default_rng(0)
    u, v = rng.integers(0, 60, (2, 3000)).astype(np.int32)
    w = None if kind is None else rng.integers(-9, 9, 3000).astype(kind)
    options = {"undirected": undirected, "keep_self_loops": loops, "keep_duplicates": duplicates}
    host = build_graph(60, u, v, w, **options)
    device = build_graph(60, u, v, w, xp=cupy, **options)
    assert device.xp is cupy
    assert device.hash == host.hash
    assert edges(device.to(np).reverse) == edges(host.reverse)


def test_empty_graph():
    import cupy

    none = np.empty(0, np.int32)
    assert build_graph(3, none, none, xp=cupy).m == 0
    assert build_graph(0, none, none, xp=cupy).n == 0


def test_files_and_cache(tmp_path):
    import cupy

    host = load_text(tmp_path, PATTERN)
    for _ in range(2):  # built, then from the cache
        device = load_graph(GraphSpec("market", path=str(tmp_path / "g.mtx")), cupy)
        assert device.xp is cupy
        assert device.hash == host.hash
        assert edges(device.to(np).csr) == edges(host.csr)


def test_statistics():
    import cupy

    from gunrock_cli.analysis.stats import graph_stats

    for name, params in (("rmat", {"scale": 10}), ("road", {"nodes": 5000})):
        host, device = (
            graph_stats(generated(name, **params)),
            graph_stats(generated(name, cupy, **params)),
        )
        assert device["diameter_is_exact"]
        del host["diameter_searches"], device["diameter_searches"]
        assert host == device


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "params", "limit"),
    [
        ("rmat", {"scale": 21, "edge_factor": 48}, 5.0),
        ("rmat", {"scale": 24, "edge_factor": 16}, 5.0),
        ("rgg", {"scale": 24}, 20.0),
    ],
)
def test_speed(name, params, limit):
    """Time end to end, rows included; the second time, when CuPy's own kernels are compiled."""
    import cupy

    generated(name, cupy, **{**params, "scale": 12})
    begun = time.perf_counter()
    graph = generated(name, cupy, **params)
    cupy.cuda.get_current_stream().synchronize()
    seconds = time.perf_counter() - begun
    print(f"{graph.name}: {graph.m} edges in {seconds:.2f} s")
    assert seconds < limit
