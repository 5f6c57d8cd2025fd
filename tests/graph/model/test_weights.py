import warnings

import numpy as np
import pytest
from graph_helper import generated, load_text, matrix

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import graph as model
from gunrock_cli.graph.model.weights import WeightSpec, parse_weights, with_weights
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

REAL = "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 3 2\n"


def test_parse():
    assert parse_weights(None) == WeightSpec("file")
    assert parse_weights("none").kind == "none"
    assert parse_weights("random") == WeightSpec("random", 1, 64)
    assert parse_weights("random:0:2.5", "float32") == WeightSpec("random", 0, 2.5)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rand",
        "random:",
        "random:1",
        "random:5:1",
        "random:a:b",
        "random:0:1e99",
        "random:0:nan",
        "random:0.5:2",
    ],
)
def test_parse_refuses(text):
    with pytest.raises(UsageError, match="--weights"):
        parse_weights(text)


@pytest.mark.parametrize("kind", ["int32", "float32"])
def test_random_weights_are_symmetric_and_in_range(kind):
    graph = with_weights(generated("rmat", scale=9), "random:1:64", kind, seed=1)
    weights = matrix(graph.csr)
    assert graph.csr.values.dtype == kind
    assert graph.reverse is graph.csr
    assert abs(weights - weights.T).max() == 0
    assert graph.csr.values.min() >= 1
    assert graph.csr.values.max() <= 64
    assert abs(graph.csr.values.mean() - 32.5) < 1


def test_integers_reach_both_bounds_uniformly():
    values = with_weights(generated("grid2d", width=100), "random:1:4").csr.values
    counts = np.bincount(values)[1:]
    assert len(counts) == 4
    assert (abs(counts / counts.sum() - 0.25) < 0.02).all()


def test_both_directions_and_reverse_of_a_directed_graph():
    graph = with_weights(generated("rmat", scale=8, undirected=False), "random:1:64", seed=2)
    assert abs(matrix(graph.csr).T - matrix(graph.reverse)).max() == 0


def test_seed_decides():
    graph = generated("grid2d", width=20)
    one, two = (with_weights(graph, "random", seed=seed).csr.values for seed in (0, 1))
    assert (one != two).any()
    assert (one == with_weights(graph, "random", seed=0).csr.values).all()


def test_unit_and_none():
    graph = generated("path", nodes=4)
    assert with_weights(graph, "unit").csr.values.tolist() == [1] * 6
    assert with_weights(with_weights(graph, "unit"), "none").csr.values is None


def test_types_of_file_weights(tmp_path):
    assert load_text(tmp_path, REAL).csr.values.dtype == np.float32
    with pytest.raises(InputError, match=r"1\.5 is no 32-bit integer"):
        load_text(tmp_path, REAL, weight_type="int32")
    whole = REAL.replace("1.5", "1.0")
    assert load_text(tmp_path, whole, weight_type="int32").csr.values.tolist() == [1, 1, 2, 2]


@pytest.mark.gpu
@pytest.mark.parametrize("kind", ["int32", "float32"])
def test_a_gpu_draws_what_the_host_does(kind, monkeypatch):
    import cupy

    graph = generated("rmat", scale=9)
    expected = with_weights(graph, "random:1:64", kind, seed=1).csr.values
    for small in (model.SMALL, 0):
        monkeypatch.setattr(model, "SMALL", small)
        drawn = with_weights(graph.to(cupy), "random:1:64", kind, seed=1).csr.values
        assert isinstance(drawn, cupy.ndarray)
        assert (drawn.get() == expected).all()


def test_what_int32_cannot_hold_is_refused_without_a_warning(tmp_path):
    graph = build_graph(2, np.array([0]), np.array([1]), np.array([1e30], np.float32))
    write_graph(graph, str(tmp_path / "g.gcsr"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InputError, match="would round"):
            load_graph(GraphSpec("binary", path=str(tmp_path / "g.gcsr"), weight_type="int32"))
