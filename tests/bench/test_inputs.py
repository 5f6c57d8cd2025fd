"""A graph with everything that a primitive reads."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from graph_helper import assert_well_formed, edges, generated

from gunrock_cli.bench.inputs import graphs as inputs
from gunrock_cli.bench.inputs.graphs import fit, load_for
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.arrays import graph_of
from gunrock_cli.graph.model.graph import to_numpy
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive

CPU = choose_backend("cpu", 2)
GRID = GraphSpec("grid2d", params={"width": 5, "height": 4})


def test_the_papers_weights_are_drawn_where_a_spec_has_none() -> None:
    graph, load_ms = load_for(get_primitive("sssp"), GRID, CPU)
    assert load_ms > 0
    assert (graph.csr.values.min() >= 1, graph.csr.values.max() <= 64) == (True, True)
    assert len(np.unique(graph.csr.values)) > 5
    assert not load_for(get_primitive("bfs"), GRID, CPU)[0].weighted
    ones, _ = load_for(get_primitive("sssp"), replace(GRID, weights="unit"), CPU)
    assert (ones.csr.values == 1).all()
    with pytest.raises(UsageError, match="sssp needs weights: --weights none contradicts it"):
        load_for(get_primitive("sssp"), replace(GRID, weights="none"), CPU)


@pytest.mark.parametrize("devices", [1, 2])
@pytest.mark.parametrize("problem", [OutOfMemory("not enough"), MemoryError("out of memory allocating")])
def test_a_graph_whose_weights_do_not_fit_a_gpu_is_loaded_for_several(
    problem: Exception, devices: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graph goes into host memory, where it is cut; with one GPU it is refused in the tool's
    words."""
    gpu = SimpleNamespace(get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None))
    tried: list[Any] = []

    def load(spec: GraphSpec, xp: Any, *rest: Any) -> Any:
        tried.append(xp)
        return inputs_load(spec, np, *rest)

    def weigh(*given: Any) -> Any:
        if tried[-1] is gpu:
            raise problem
        return inputs_weigh(*given)

    inputs_load, inputs_weigh = inputs.load_graph, inputs.with_weights
    monkeypatch.setattr(inputs, "load_graph", load)
    monkeypatch.setattr(inputs, "with_weights", weigh)
    monkeypatch.setattr(inputs, "count_devices", lambda _: devices)
    backend: Any = SimpleNamespace(xp=gpu)
    if devices == 1:
        with pytest.raises(OutOfMemory, match="not enough"):
            load_for(get_primitive("sssp"), GRID, backend)
        return
    graph, _ = load_for(get_primitive("sssp"), GRID, backend)
    assert tried == [gpu, np]
    assert (graph.xp is np, graph.weighted) == (True, True)


def test_a_graph_that_is_there_weighs_one_an_edge_where_weights_are_needed() -> None:
    graph = generated("grid2d", width=3, height=3)
    fitted = fit(graph, get_primitive("sssp"), {"mark_pred": False}, CPU)
    assert (fitted.csr.values == 1).all()
    assert fitted.origin["weights"] == "unit"
    assert fit(graph, get_primitive("cc"), {}, CPU) == graph


def test_in_edges_are_made_where_they_are_read() -> None:
    graph = graph_of(([0, 0, 1], [1, 2, 2], [5, 6, 7]), reverse=False)
    sssp = get_primitive("sssp")
    assert fit(graph, sssp, sssp.asked({"direction": "push"}), CPU).reverse is None
    fitted = fit(graph, sssp, sssp.asked({"mark_pred": True, "direction": "push"}), CPU)
    assert edges(fitted.reverse) == [(1, 0, 5), (2, 0, 6), (2, 1, 7)]
    assert_well_formed(fitted)


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_outputs_can_stay_where_they_are(backend: str) -> None:
    chosen, bc = choose_backend(backend), get_primitive("bc")
    graph = generated("grid2d", chosen.xp, width=4, height=4)
    options = {option.key: option.default for option in bc.options}
    for sources in ([3], [3, 5]):
        found = measure(bc, graph, options, sources, chosen, Protocol(runs=1, warmup=0), in_place=True)
        assert found.record.validation["verdict"] == "pass"
        assert all(isinstance(array, chosen.xp.ndarray) for array in found.outputs.values())
        copied = measure(bc, graph, options, sources, chosen, Protocol(runs=1, warmup=0))
        assert all(isinstance(array, np.ndarray) for array in copied.outputs.values())
        for name, array in copied.outputs.items():
            np.testing.assert_allclose(array, to_numpy(found.outputs[name]), rtol=1e-6)
