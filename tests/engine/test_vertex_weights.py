"""Vertex weights of METIS files on their way to a functor: read, cached, written, and in the kernel."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runs_helper import BACKENDS, LOOPS

import gunrock_cli as gunrock
from gunrock_cli.cli.main import main
from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.sources.files.readers import binary
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.external import load_primitive

PYTHON = """import numpy as np
from gunrock_cli.primitives.own import Needs, Primitive, Room, Validation, Variant

class Adding(Variant):
    answer = ("sums",)

    def members(self):
        return {"sums": Room(self.graph.n, np.int64, filled=0)}

class Around(Primitive):
    name = "around"
    summary = "The weights of each vertex's neighbours, added up."
    variant = Adding
    source = None
    needs = Needs(vertex_weights=True)

    def validate(self, graph, options, source, outputs):
        weights = graph.vertex_weights.reshape(graph.n, -1).sum(axis=1)
        expected = np.zeros(graph.n, np.int64)
        np.add.at(expected, graph.csr.sources(), weights[graph.csr.column_indices])
        return Validation.of_vertices("numpy", "sums", outputs["sums"], expected)

PRIMITIVE = Around()
"""
KERNEL = """#include "core/enactor.cuh"
#include "operators/filter.cuh"

struct Problem {
  i64* sums;
};

struct AddUp : EdgeFunctor {
  const Graph& graph;
  i64* sums;
  GR_DEVICE AddUp(const Graph& g, i64* s) : graph(g), sums(s) {}
  GR_DEVICE bool visit(vertex_t s, vertex_t d, edge_t) {
    const i64 each = graph.weights_each;
    i64 weight = 0;
    for (i64 k = 0; k < each; ++k) weight += graph.vertex_weights[d * each + k];
    atomic_add(&sums[s], weight);
    return false;
  }
};

struct Enactor {
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State&) { return false; }
  GR_DEVICE static bool step(Context& ctx, const Problem& p, Control&, State& s) {
    if (s.step == 0) {
      filter<V>(ctx, s, Range{ctx.graph.n}, ctx.graph.csr, Where([](item_t) { return true; }));
      return true;
    }
    advance<V, V>(ctx, s, AddUp(ctx.graph, p.sums));
    return false;
  }
};
"""
ONE = "4 3 11\n5 2 1 3 2\n7 1 1\n11 1 2 4 9\n13 3 9\n"
TWO = "3 2 10 2\n1 10 2\n2 20 1 3\n3 30 2\n"


@pytest.fixture
def around(tmp_path: Path) -> str:
    (tmp_path / "around.py").write_text(PYTHON)
    (tmp_path / "around.cuh").write_text(KERNEL)
    return str(tmp_path / "around.py")


def metis(folder: Path, text: str, **how: Any) -> Graph:
    path = folder / "g.graph"
    path.write_text(text)
    return load_graph(GraphSpec("metis", path=str(path)), **how)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize(("text", "sums"), [(ONE, [18, 5, 18, 11]), (TWO, [22, 44, 22])])
def test_reach_a_functor(
    text: str, sums: list[int], loop: str, backend: str, around: str, tmp_path: Path
) -> None:
    graph = metis(tmp_path, text, cache=False)
    found = gunrock.run(around, graph, backend=backend, loop=loop, check=True)
    assert found.sums.tolist() == sums
    assert found.record.validation["verdict"] == "pass"


def test_a_graph_without_them_is_refused(around: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = "around needs vertex weights, and grid2d-3x3 has none: METIS files can have them ({})"
    grid = load_graph(GraphSpec("grid2d", params={"width": 3, "height": 3}))
    with pytest.raises(UsageError) as caught:
        gunrock.run(load_primitive(around), grid, backend="cpu")
    assert str(caught.value) == line.format("format='metis'")
    with pytest.raises(SystemExit) as ended:
        main(["run", around, "grid2d", "--width", "3", "--height", "3", "--backend", "cpu"])
    assert ended.value.code == 2
    assert capsys.readouterr().err.splitlines()[-1] == f"gunrock: {line}".format("--metis")


@pytest.mark.parametrize("text", [ONE, TWO, "0 0 10\n"])
def test_are_kept_by_the_cache_and_the_binary_form(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    first = metis(tmp_path, text)
    again = metis(tmp_path, text)
    assert len(cache.entries()) == 1
    write_graph(first, tmp_path / "g.gcsr")
    read = load_graph(GraphSpec("binary", path=str(tmp_path / "g.gcsr")))
    assert first.vertex_weights is not None
    for graph in (again, read, replace(first).to(np), first.without_reverse()):
        assert graph.hash == first.hash
        assert graph.vertex_weights.dtype == np.int32
        np.testing.assert_array_equal(graph.vertex_weights, first.vertex_weights)
        assert graph.vertex_weights.shape == first.vertex_weights.shape


def test_damaged_ones_are_refused(tmp_path: Path) -> None:
    graph = metis(tmp_path, ONE, cache=False)
    path = tmp_path / "g.gcsr"
    for weights in (np.array([1, 2, -3, 4], np.int32), np.zeros(5, np.int32), np.zeros(0, np.int32)):
        with path.open("wb") as file:
            binary.write(replace(graph, vertex_weights=weights), file)
        with pytest.raises(InputError, match="damaged"):
            binary.read(str(path))


def test_a_format_without_them_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, logger="gunrock"):
        write_graph(metis(tmp_path, ONE, cache=False), tmp_path / "g.mtx")
    assert caplog.messages == [
        f"gunrock: {tmp_path / 'g.mtx'}: mtx has no place for vertex weights, which are left out"
    ]
