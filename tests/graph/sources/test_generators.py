"""Generators: shape, distribution, determinism, and the same graph on the GPU."""

import hashlib
import math

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges, generated, matrix
from scipy.sparse import csgraph

from gunrock_cli.errors import UsageError
from gunrock_cli.graph import load
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params
from gunrock_cli.graph.spec import GraphSpec

SMALL = {
    "rmat": {"scale": 9},
    "rgg": {"scale": 9},
    "grid2d": {"width": 13, "height": 7},
    "grid3d": {"width": 5, "height": 4, "depth": 3},
    "random": {"nodes": 300, "edges": 900},
    "smallworld": {"nodes": 301, "rewire": 0.2},
    "path": {"nodes": 50},
    "star": {"nodes": 50},
    "bipartite": {"left": 40, "right": 60, "edges": 300},
    "road": {"nodes": 3000},
    "rgg3d": {"nodes": 500},
    "regular": {"nodes": 200, "degree": 5},
    "tree": {"nodes": 300, "window": 20},
    "kary": {"nodes": 300, "arity": 3},
    "caterpillar": {"nodes": 300, "legs": 2, "leg_length": 3},
    "hubtree": {"nodes": 300, "hubs": 3, "hub_degree": 20},
    "mesh": {"width": 13, "height": 7, "holes": 0.1, "hubs": 2, "hub_degree": 9},
    "banded": {"nodes": 200, "bandwidth": 3, "hubs": 2, "hub_degree": 30},
    "powerlaw": {"nodes": 300, "edges": 2000},
    "hosts": {"nodes": 300, "edges": 2000, "hosts": 20},
    "joined": {"nodes": 100, "edges": 500, "length": 30},
    "tailed": {"nodes": 100, "edges": 500, "tail": 20, "fans": 50},
}
SEEDED = [name for name in SMALL if any(p.key == "seed" for p in GENERATORS[name].params)]


def test_every_generator_is_tested():
    assert set(SMALL) == set(GENERATORS)


@pytest.mark.parametrize("name", SMALL)
def test_well_formed_and_repeatable(name):
    graph = generated(name, **SMALL[name])
    assert_well_formed(graph)
    assert graph.undirected
    again = generated(name, **SMALL[name])
    assert graph.hash == again.hash
    assert (graph.csr.column_indices == again.csr.column_indices).all()


@pytest.mark.parametrize("name", SEEDED)
def test_another_seed_another_graph(name):
    one, two = generated(name, **SMALL[name]), generated(name, **SMALL[name], seed=1)
    assert edges(one.csr) != edges(two.csr)
    assert one.hash != two.hash


KNOWN = {
    "rmat": "15420f20202b24c4",
    "rgg": "d7afce3752ec54ad",
    "grid2d": "95766236e4309b93",
    "grid3d": "02d8f5598e12a7ff",
    "random": "6ecb1a2c36b8f86b",
    "smallworld": "0ab03c8f57c04373",
    "path": "b99f40cb6c75f04f",
    "star": "e3ffcba14dbac230",
    "bipartite": "ed6ba55abf127863",
    "road": "6eb8a26fb5b045c4",
    "hosts": "d7ffa7ba3c3f328b",
    "tailed": "d698ee3e5a921698",
    "rgg3d": "877763420d8171c2",
    "regular": "8b57f925157e4cf4",
    "tree": "e8a3c5a3e5cacd60",
    "kary": "d6e6edb2e8580604",
    "caterpillar": "2282775eb0aa93a5",
    "hubtree": "a83e6571e2f16b40",
    "mesh": "422b51ff05afe55e",
    "banded": "b5291c6d34b3915e",
    "powerlaw": "940402915a33fd2f",
    "joined": "43ba529f7f74f33f",
}


@pytest.mark.parametrize("name", SMALL)
def test_known_graphs(name):
    """A generator that changes must raise its version: records name graphs by recipe."""
    csr = generated(name, **SMALL[name]).csr
    digest = hashlib.sha256(f"gunrock csr {csr.n} {csr.m} none\n".encode())
    digest.update(csr.row_offsets.tobytes() + csr.column_indices.tobytes())
    assert digest.hexdigest()[:16] == KNOWN[name]


@pytest.mark.gpu
@pytest.mark.parametrize("few", [load.FEW_EDGES, -1])
@pytest.mark.parametrize("name", SMALL)
def test_same_graph_on_the_gpu(name, few, monkeypatch):
    import cupy

    monkeypatch.setattr(load, "FEW_EDGES", few)
    host = generated(name, **SMALL[name], weights="random:1:64")
    device = generated(name, cupy, **SMALL[name], weights="random:1:64")
    assert device.hash == host.hash
    for side in ("csr", "reverse"):
        on_host, on_device = getattr(host, side), getattr(device.to(np), side)
        assert (on_host.row_offsets == on_device.row_offsets).all()
        assert (on_host.column_indices == on_device.column_indices).all()
        assert (on_host.values == on_device.values).all()


@pytest.mark.gpu
@pytest.mark.parametrize("few", [load.FEW_EDGES, -1])
@pytest.mark.parametrize("name", ["bipartite", "rmat"])
def test_same_directed_graph_on_the_gpu(name, few, monkeypatch):
    import cupy

    monkeypatch.setattr(load, "FEW_EDGES", few)
    host = generated(name, **SMALL[name], undirected=False, weights="random:0:1")
    device = generated(name, cupy, **SMALL[name], undirected=False, weights="random:0:1").to(np)
    for side in ("csr", "reverse"):
        assert edges(getattr(host, side)) == edges(getattr(device, side))


def test_lattices():
    graph = generated("grid2d", width=4, height=3)
    expected = sorted(
        (y * 4 + x, b * 4 + a)
        for y in range(3)
        for x in range(4)
        for b in range(3)
        for a in range(4)
        if abs(x - a) + abs(y - b) == 1
    )
    assert edges(graph.csr) == expected
    assert generated("grid2d", width=5).n == 25
    cube = generated("grid3d", width=3)
    assert (cube.n, cube.m) == (27, 2 * 3 * 18)
    assert cube.csr.degrees().max() == 6


def test_path_and_star():
    assert edges(generated("path", nodes=3).csr) == [(0, 1), (1, 0), (1, 2), (2, 1)]
    star = generated("star", nodes=5)
    assert star.csr.degrees().tolist() == [4, 1, 1, 1, 1]
    assert generated("path", nodes=1).m == generated("star", nodes=1).m == 0


@pytest.mark.parametrize("nodes", [1, 2, 3, 10, 200])
@pytest.mark.parametrize("radius", [0.0, 0.05, 0.3, 1.5])
def test_rgg_links_exactly_the_close_points(nodes, radius):
    from gunrock_cli.graph.sources.generate import nearby

    graph = generated("rgg", nodes=nodes, radius=radius)
    reach = min(round(radius * 2**30), 2 * 2**30)
    grid = max(1, min(2**30 // max(reach, 1), math.isqrt(nodes), 1 << 15))
    places, _ = nearby.points_by_cell(np, nodes, grid, seed=0, dimensions=2)
    assert (matrix(graph.csr).toarray() == all_close(places, reach)).all()


@pytest.mark.parametrize("nodes", [1, 2, 3, 10, 300])
@pytest.mark.parametrize("radius", [0.0, 0.1, 0.3, 1.75])
def test_rgg3d_links_exactly_the_close_points(nodes, radius):
    from gunrock_cli.graph.sources.generate import nearby

    graph = generated("rgg3d", nodes=nodes, radius=radius)
    reach = round(radius * 2**30)
    grid = max(1, min(2**30 // max(reach, 1), *(k - 1 for k in range(1, 20) if k**3 > nodes)))
    places, _ = nearby.points_by_cell(np, nodes, grid, seed=0, dimensions=3)
    assert len({place.tobytes() for place in places}) == (3 if nodes > 1 else len(places))
    assert (matrix(graph.csr).toarray() == all_close(places, reach)).all()


def all_close(places, reach):
    wide = [place.astype(np.int64) for place in places]
    squares = sum((place[:, None] - place) ** 2 for place in wide)
    return (squares <= reach**2) & ~np.eye(len(wide[0]), dtype=bool)


@pytest.mark.parametrize("name", ["rgg", "rgg3d"])
@pytest.mark.parametrize("degree", [3.0, 20.0])
def test_points_have_the_mean_degree(name, degree):
    """Points have fewer neighbours near the border."""
    graph = generated(name, nodes=40_000, mean_degree=degree)
    assert 0.85 * degree < graph.m / graph.n < degree
    assert graph.origin["radius"] > 0
    assert "mean_degree" not in graph.origin


def test_rgg_has_the_expected_degree():
    graph = generated("rgg", scale=14)
    expected = math.pi * 0.55**2 * math.log(graph.n)  # except near the border
    assert expected * 0.93 < graph.m / graph.n < expected


def test_rmat_quadrants():
    """The share of edges in each quadrant, before cleaning, is A, B, C, D."""
    from gunrock_cli.graph.sources.generate import rmat

    params = complete_params(
        "rmat", {"scale": 9, "edge_factor": 200, "permute": False, "a": 0.5, "b": 0.25, "c": 0.15}
    )
    listed = rmat.edges(np, **params)
    for bit in range(9):
        u, v = (listed.src >> bit) & 1, (listed.dst >> bit) & 1
        share = np.bincount(2 * u + v, minlength=4) / len(u)
        assert np.allclose(share, [0.5, 0.25, 0.15, 0.10], atol=0.01)


def test_rmat_permutation_only_relabels():
    plain, mixed = (generated("rmat", scale=9, permute=flag) for flag in (False, True))
    assert plain.m == mixed.m
    assert sorted(plain.csr.degrees()) == sorted(mixed.csr.degrees())
    assert plain.csr.degrees()[0] == plain.csr.degrees().max()


@pytest.mark.parametrize(
    ("nodes", "count"), [(20, 0), (20, 1), (20, 50), (20, 150), (20, 190), (1000, 5000), (2, 1), (1, 0)]
)
def test_random_has_exactly_m_edges(nodes, count):
    graph = generated("random", nodes=nodes, edges=count)
    assert graph.m == 2 * count


def test_random_pairs_are_equally_likely():
    counts = np.zeros((5, 5))
    for seed in range(400):
        counts += matrix(generated("random", nodes=5, edges=3, seed=seed).csr).toarray()
    upper = counts[np.triu_indices(5, 1)]
    assert upper.sum() == 1200
    assert ((upper - 120) ** 2 / 120).sum() < 33  # chi-square, 9 degrees of freedom, p = 1e-4


def test_smallworld():
    ring = generated("smallworld", nodes=20, neighbors=4)
    assert set(ring.csr.degrees()) == {4}
    rewired = generated("smallworld", nodes=2000, neighbors=6, rewire=0.25)
    u, v = np.array(edges(rewired.csr)).T
    distance = np.minimum((u - v) % 2000, (v - u) % 2000)
    assert 0.72 < (distance <= 3).mean() < 0.78


SKEWED = {"left": 700, "right": 900, "edges": 20_000, "skew": 0.52}


def test_skewed_sides_are_as_uneven_as_rmat_s():
    def drawn(name, **params):  # with every drawn edge
        return load_graph(
            GraphSpec(name, params=params, undirected=False, keep_duplicates=True, keep_self_loops=True),
            cache=False,
        )

    rmat = drawn("rmat", scale=12, edge_factor=16)
    skewed, even = (
        drawn("bipartite", left=1 << 12, right=1 << 12, edge_factor=16, skew=skew) for skew in (0.52, 0.0)
    )
    for degrees, of_rmat, of_even in (
        (skewed.csr.degrees()[:4096], rmat.csr.degrees(), even.csr.degrees()[:4096]),
        (skewed.reverse.degrees()[4096:], rmat.reverse.degrees(), even.reverse.degrees()[4096:]),
    ):
        top, wanted, low = (np.sort(each)[-40:].sum() for each in (degrees, of_rmat, of_even))
        assert low * 5 < top
        assert top == pytest.approx(wanted, rel=0.1)
        assert degrees.argmax() != 0  # relabelled


def test_a_skewed_graph_is_known_and_named():
    graph = generated("bipartite", **SKEWED, undirected=False)
    assert graph.name == "bipartite-700x900-m20000-k0.52"
    assert graph.csr.degrees()[700:].sum() == graph.reverse.degrees()[:700].sum() == 0
    digest = hashlib.sha256(graph.csr.column_indices.tobytes()).hexdigest()[:16]
    assert digest == "e797a864e46e4df3"
    again = generated("bipartite", **SKEWED, undirected=False, seed=1)
    assert edges(again.csr) != edges(graph.csr)


@pytest.mark.parametrize(("left", "right"), [(1, 1), (1, 9), (3, 1000)])
def test_skewed_sides_of_any_size(left, right):
    for skew in (0.3, 1.0):
        graph = generated("bipartite", left=left, right=right, edges=500, skew=skew, undirected=False)
        assert_well_formed(graph)
        assert graph.n == left + right
        assert graph.m > 0
    assert graph.m == 1  # all in one place


@pytest.mark.gpu
def test_the_same_skewed_graph_on_the_gpu(monkeypatch):
    import cupy

    monkeypatch.setattr(load, "FEW_EDGES", -1)
    host, device = (generated("bipartite", *xp, **SKEWED).hash for xp in ((), (cupy,)))
    assert host == device


def test_bipartite_links_left_to_right_only():
    graph = generated("bipartite", left=10, right=20, edges=100, undirected=False)
    u, v = np.array(edges(graph.csr)).T
    assert u.max() < 10 <= v.min()
    assert graph.n == 30


def test_road_is_like_roadnet_ca():
    graph = generated("road", nodes=100_000)
    assert abs(graph.n - 100_000) < 5000
    degrees = graph.csr.degrees()
    assert 2.7 < degrees.mean() < 2.9
    assert degrees.min() == 1
    assert degrees.max() <= 12
    assert 0.14 < (degrees == 1).mean() < 0.18
    adjacency = matrix(graph.csr)
    assert csgraph.connected_components(adjacency)[0] == 1
    far = csgraph.dijkstra(adjacency, unweighted=True, indices=0).argmax()
    depth = csgraph.dijkstra(adjacency, unweighted=True, indices=far).max()
    assert 0.5 < depth / math.sqrt(graph.n) < 0.75  # 849 / sqrt(1971281) = 0.60


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("nonsense", {}, "no generator is called"),
        ("rmat", {"width": 3}, "rmat takes no --width"),
        ("rmat", {"scale": 31}, "--scale 31 is out of range"),
        ("rmat", {"a": 0.9, "b": 0.2}, "must not add up"),
        ("rmat", {"a": float("nan")}, "must be a number"),
        ("rmat", {"edges": 3, "edge_factor": 3}, "give one"),
        ("rgg", {"scale": 3, "nodes": 8}, "give one"),
        ("random", {"nodes": 3, "edges": 4}, "at most 3 different"),
        ("smallworld", {"neighbors": 3}, "must be even"),
        ("smallworld", {"nodes": 4, "neighbors": 4}, "below the number"),
        ("grid2d", {"width": 100_000}, "32-bit"),
        ("bipartite", {"left": 2**30, "right": 2**30}, "32-bit"),
        ("path", {"nodes": 0}, "out of range"),
        ("rgg", {"radius": 0.1, "mean_degree": 3.0}, "--radius and --mean-degree .* give one"),
        ("rgg", {"threshold_factor": 0.1, "mean_degree": 3.0}, "--threshold-factor and --mean-degree"),
        ("rgg3d", {"mean_degree": -1.0}, "out of range"),
        ("regular", {"nodes": 5, "degree": 3}, "one must be even"),
        ("regular", {"nodes": 4, "degree": 4}, "below the number"),
        ("tree", {"window": 0}, "out of range"),
        ("kary", {"arity": 0}, "out of range"),
        ("caterpillar", {"leg_length": 0}, "out of range"),
        ("mesh", {"holes": 1.5}, "out of range"),
        ("mesh", {"width": 40_000, "hubs": 2**30}, "32-bit"),
        ("banded", {"nodes": 5, "hubs": 6}, "--hubs 6 must not exceed the 5 vertices"),
        ("powerlaw", {"gamma": 1.0}, "out of range"),
        ("hosts", {"nodes": 5, "hosts": 6}, "--hosts 6 must not exceed"),
        ("joined", {"nodes": 2**30}, "32-bit"),
        ("tailed", {"fans": 2**31 - 1}, "32-bit"),
    ],
)
def test_bad_parameters(name, given, message):
    with pytest.raises(UsageError, match=message):
        complete_params(name, given)
