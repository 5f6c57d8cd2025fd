"""Real graphs, if they are next to the checkout: through a file to the same rows."""

import numpy as np
import pytest
from graph_helper import assert_well_formed, matrix
from real_graphs import decode, write_mtx

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec


@pytest.mark.parametrize(
    "name", ["chesapeake", "bips98_606", "road-Porto_length", "cit-HepPh", "USA-road-NY"]
)
@pytest.mark.parametrize("undirected", [True, False])
def test_through_matrix_market(tmp_path, name, undirected):
    header, u, v, w = decode(name)
    path = write_mtx(name, tmp_path)
    graph = load_graph(GraphSpec("market", path=str(path), undirected=undirected))
    assert_well_formed(graph)
    assert graph.name == name
    assert graph.n == header["n"]
    both = undirected or not header["directed"]
    keys = np.concatenate((u * graph.n + v, v * graph.n + u)) if both else u * graph.n + v
    expected = np.unique(keys[keys // graph.n != keys % graph.n])
    rows = np.repeat(np.arange(graph.n, dtype=np.int64), graph.csr.degrees())
    assert (rows * graph.n + graph.csr.column_indices == expected).all()
    if w is not None and not undirected:
        plain = u != v
        listed = sorted(zip(u[plain].tolist(), v[plain].tolist(), w[plain].tolist(), strict=True))
        lightest = {}
        for a, b, weight in listed:
            lightest.setdefault((a, b), weight)
        stored = matrix(graph.csr).tocoo()
        assert lightest == dict(
            zip(
                zip(stored.row.tolist(), stored.col.tolist(), strict=True),
                stored.data.tolist(),
                strict=True,
            )
        )
