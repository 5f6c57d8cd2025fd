"""Weights closer to 0 than any normal float32 number, which CuPy's code turns into 0.

They are refused wherever weights come from, before any primitive reads them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned import planned
from scipy import sparse

import gunrock_cli as gunrock
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.tiny_weights import LEAST, too_small
from gunrock_cli.graph.model.weights import LEAST_RANGE, parse_weights
from gunrock_cli.graph.rows import native
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec, spec_from_name
from gunrock_cli.primitives import get_primitive

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
SAID = r"\b(1e-40|9\.99\d+e-41):? must be 0 or at least 1\.2e-38 in magnitude.*scale the weights up"
FILES = {
    "list.el": "0 1 0.5\n1 2 {}\n",
    "list.mtx": "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 {}\n",
    "table.csv": "source,target,weight\n0,1,0.5\n1,2,{}\n",
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("sign", ["", "-"])
def test_text(name: str, sign: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name].format(f"{sign}1e-40"))
    with pytest.raises(GunrockError, match=SAID):
        load_graph(spec_from_name(str(path)), np)


@pytest.mark.parametrize("name", ["list.el", "list.mtx"])
@pytest.mark.parametrize("weight", ["1e-40", "-1e-40", "1e-300", "0.5", "1.2e-38", "0", "-0"])
def test_compiled_readers_judge_alike(
    name: str, weight: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    path.write_text(FILES[name].format(weight))
    outcomes = []
    for worth_it in (1 << 40, 0):
        monkeypatch.setattr(native, "WORTH_IT", worth_it)
        try:
            weights = load_graph(spec_from_name(str(path)), np).csr.values
            assert weights is not None
            outcomes.append(str(weights.tolist()))
        except GunrockError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    assert ("must be 0 or at least" in outcomes[0]) == weight.endswith(("1e-40", "1e-300"))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("backend", BACKENDS)
def test_arrays(dtype: Any, backend: str) -> None:
    xp = choose_backend(backend).xp
    matrix = sparse.csr_array(np.array([[0, 1e-40, 2], [1e-40, 0, 3], [2, 3, 0]], dtype))
    with pytest.raises(GunrockError, match=r"must be 0 or at least 1\.2e-38"):
        gunrock.sssp(matrix, 0, backend=backend)
    with pytest.raises(GunrockError, match=r"must be 0 or at least 1\.2e-38"):
        gunrock.as_graph(
            (xp.array([0, 1]), xp.array([1, 2]), xp.array([1, 1e-40], dtype)), backend=backend
        )


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["sssp", "mst", "matching", "louvain"])
def test_every_primitive_that_reads_weights(name: str, backend: str) -> None:
    xp = choose_backend(backend).xp
    graph = build_graph(3, xp.array([0, 1]), xp.array([1, 2]), xp.array([0, 1e-40], np.float32), xp=xp)
    primitive = get_primitive(name)
    with pytest.raises(GunrockError, match=f"from 1 to 2 .* has weight {SAID}"):
        planned(primitive, graph)
    if name == "matching":
        planned(primitive, graph, {"by": "random"})


@pytest.mark.parametrize(
    "weights", ["random:0:1e-35", "random:1e-40:1", "random:-1e-40:1", "random:1e-30:1.00001e-30"]
)
def test_drawn_weights(weights: str) -> None:
    with pytest.raises(UsageError, match="bounds and their difference must be 0 or at least 1e-30"):
        parse_weights(weights, "float32")


def test_the_least_of_drawn_weights_are_kept() -> None:
    graph = load_graph(
        GraphSpec("rmat", params={"scale": 14}, weights="random:0:1e-30", weight_type="float32"), np
    )
    assert graph.csr.values is not None
    assert too_small(graph.csr.values) is None
    assert LEAST_RANGE * 2.0**-24 > LEAST


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_first_is_named(dtype: Any, backend: str) -> None:
    xp = choose_backend(backend).xp
    for values, place in (
        ([1, 2], None),
        ([], None),
        ([0, -0.0, LEAST, -LEAST, 1], None),
        ([0, 1e-45, -1e-40], 1),
        ([3, -2, -1e-40], 2),
        ([np.nan, 1e-40], 1),
        ([np.inf, -np.inf], None),
    ):
        assert too_small(xp.array(values, dtype)) == place
