"""Iterations that the kernel follows on either backend just as SciPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph, to_numpy
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.certificates.products import IterationCertificate, KernelProducts
from gunrock_cli.primitives.references import ScipyProducts

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
WAYS: list[tuple[str, dict[str, Any]]] = [
    ("ppr", {}),
    ("ppr", {"batch": 5}),
    ("ppr", {"weighted": True}),
    ("ppr", {"method": "push", "epsilon": 1e-5}),
    ("ppr", {"max_iterations": 2, "tolerance": 0.0}),
    ("hits", {}),
    ("hits", {"norm": "L2"}),
    ("hits", {"weighted": True}),
    ("salsa", {}),
    ("salsa", {"seeds": "1,2"}),
    ("wtf", {"circle": 20}),
    ("wtf", {"circle": 20, "batch": 3}),
]


def graph_on(backend: str) -> Graph:
    return load_graph(
        GraphSpec("rmat", params={"scale": 7, "edge_factor": 6}, undirected=False),
        choose_backend(backend).xp,
    )


def weighted_on(backend: str) -> Graph:
    return with_weights(graph_on(backend), "random:0:9", "float32")


def certificate(name: str) -> IterationCertificate:
    found = certificate_of(get_primitive(name))
    assert isinstance(found, IterationCertificate)
    return found


def prover_of(name: str, graph: Graph, backend: str, options: dict[str, Any]) -> Prover:
    return Prover(certificate(name), graph, options, choose_backend(backend, 2))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("columns", [1, 3, 32])
def test_products_are_scipys(columns: int, weighted: bool, backend: str) -> None:
    graph = weighted_on(backend)
    values = np.random.default_rng(columns).random((graph.n, columns))[:, :columns]
    values = values[:, 0] if columns == 1 else values
    ours = KernelProducts(graph, prover_of("ppr", graph, backend, {}).run, weighted)
    theirs = ScipyProducts(graph.to(np), weighted)
    on_device = graph.xp.asarray(values)
    np.testing.assert_allclose(to_numpy(ours.forward(on_device)), theirs.forward(values), rtol=1e-12)
    np.testing.assert_allclose(to_numpy(ours.back(on_device)), theirs.back(values), rtol=1e-12)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(("name", "changed"), WAYS, ids=str)
def test_right_answers_pass_and_others_fail(name: str, changed: dict[str, Any], backend: str) -> None:
    graph, primitive = weighted_on(backend), get_primitive(name)
    asked = primitive.asked(changed)
    options = primitive.plan(graph, asked).options
    source = int(graph.csr.degrees().argmax())
    found = measure(
        primitive,
        graph,
        asked,
        [source] if primitive.reads_source(options) else [],
        choose_backend(backend, 2),
        Protocol(runs=1, warmup=0, check="none"),
    )
    prover = prover_of(name, graph, backend, options)

    def verdict(outputs: dict[str, Any]) -> Validation:
        here = {key: graph.xp.asarray(value) for key, value in outputs.items()}
        return certificate(name).followed(prover.run, graph, options, source, here)

    right = verdict(found.outputs)
    assert (right.verdict, right.reference, right.method) == ("pass", "certificate", "certificate")
    for key in found.outputs:
        if found.outputs[key].dtype.kind == "f" and key != "phases_ms":
            assert verdict({**found.outputs, key: found.outputs[key][::-1].copy()}).verdict == "fail"
            return
    raise AssertionError("no output to change")


def checked(backend: str) -> Measured:
    graph, primitive = graph_on(backend), get_primitive("hits")
    return measure(
        primitive,
        graph,
        primitive.asked({}),
        [],
        choose_backend(backend, 2),
        Protocol(runs=1, warmup=0, check="certificate"),
    )


def test_the_host_leaves_it_to_scipy() -> None:
    assert checked("cpu").record.validation["reference"] == "scipy"


@pytest.mark.gpu
def test_the_device_does_not() -> None:
    assert checked("cuda").record.validation["reference"] == "certificate"
