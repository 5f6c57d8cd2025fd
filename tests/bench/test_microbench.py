"""The microbenchmarks over recorded frontiers: every strategy is checked, and errors are found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from planned import planned

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import Record
from gunrock_cli.cli.main import main
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.compile import compile_variant
from gunrock_cli.primitives.external import command_words, find_primitive
from gunrock_cli.primitives.micro import get_micro, micro_names
from gunrock_cli.primitives.micro.recording import Recording
from gunrock_cli.primitives.references import reference_labels
from gunrock_cli.primitives.run_options import RunOptions

BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
backends = pytest.mark.parametrize("backend", BACKENDS)
HUBS = load_graph(GraphSpec("rmat", params={"scale": 9}), np)
DIRECTED = load_graph(GraphSpec("rmat", params={"scale": 9}, undirected=False), np)
STRATEGIES = [
    (name, strategy) for name in micro_names() for strategy in get_micro(name).options[0].choices
]
QUICK = {
    ("gather", "TWC"),
    ("lookup", "atomic"),
    ("lookup", "bitmask"),
    ("barrier", "grid"),
    ("barrier", "lone"),
    ("atomics", "add"),
    ("atomics", "place-by-block"),
    ("fused", "bitmask+label+warp+history"),
}
"""Strategies that a short run of the tests compiles; ``make test-all`` runs all."""


def run(
    name: str,
    strategy: str,
    graph: Graph = HUBS,
    backend: str = "cpu",
    sources: tuple[int, ...] = (1,),
    options: Mapping[str, Any] | None = None,
    **run_options: Any,
) -> Record:
    primitive, chosen = get_micro(name), choose_backend(backend, 3)
    protocol = Protocol(runs=2, warmup=0, **run_options)
    return measure(
        primitive,
        graph.to(chosen.xp),
        {"strategy": strategy, **(options or {})},
        sources,
        chosen,
        protocol,
    ).record


@backends
@pytest.mark.parametrize(
    ("name", "strategy"),
    [each if each in QUICK else pytest.param(*each, marks=pytest.mark.long) for each in STRATEGIES],
)
def test_every_strategy_does_what_the_traversal_did(name: str, strategy: str, backend: str) -> None:
    for graph in (HUBS, DIRECTED):
        record = run(name, strategy, graph, backend, sources=(1, 3), check="both")
        assert record.status == "ok", record.error
        assert (record.validation["method"], record.validation["sources"]) == ("both", 2)
        assert record.primitive == f"microbench-{name}"
        labels = [reference_labels(graph, source) for source in record.sources[::2]]
        edges = [int(graph.csr.degrees()[found >= 0].sum()) for found in labels]
        assert record.edges_visited == round(sum(edges) / 2)
        assert record.metrics["levels"] == sum(found.max() + 1 for found in labels) / 2
        assert (record.mteps is None) == (name == "barrier")


@backends
@pytest.mark.parametrize("strategy", ["TWC", pytest.param("SCAN", marks=pytest.mark.gpu)])
def test_blocks_may_steal_tiles(strategy: str, backend: str) -> None:
    record = run(
        "gather", strategy, backend=backend, sources=(1, 3), check="both", options={"tiles": "stolen"}
    )
    assert record.status == "ok", record.error
    assert record.options["tiles"] == "stolen"


def test_equal_chunks_have_no_tiles_to_steal() -> None:
    with pytest.raises(UsageError, match="LB has no tiles"):
        run("gather", "LB", options={"tiles": "stolen"})


@backends
def test_a_launch_for_each_level_gives_the_same(backend: str) -> None:
    record = run("gather", "TWC", backend=backend, loop="host", trace=True)
    assert record.status == "ok", record.error
    labels = reference_labels(HUBS, 1)
    assert [row["frontier_vertices"] for row in record.trace] == np.bincount(labels[labels >= 0]).tolist()


@backends
def test_false_negatives_are_what_passes_more_than_once(backend: str) -> None:
    exact = run("lookup", "atomic", backend=backend)
    assert exact.metrics["false_negatives"] == 0
    found = int((reference_labels(HUBS, 1) > 0).sum())
    masked = run("lookup", "bitmask", backend=backend)
    assert masked.metrics["passed"] == found + masked.metrics["false_negatives"]
    assert masked.metrics["false_negative_share"] == pytest.approx(
        masked.metrics["false_negatives"] / (masked.edges_visited - found)
    )  # type: ignore[operator]


@backends
def test_a_recording_holds_each_frontier_and_its_lists(backend: str) -> None:
    xp = choose_backend(backend).xp
    # 0 - 1 - 2, 0 - 3, and 4 - 5 out of reach
    graph = build_graph(6, np.array([0, 1, 0, 4]), np.array([1, 2, 3, 5]), xp=xp)
    found = Recording.of(graph, 0, backend)
    assert found.vertex_starts.tolist() == [0, 1, 3, 4]
    assert found.edge_starts.tolist() == [0, 2, 5, 6]
    assert found.items.tolist()[0] == 0
    assert sorted(found.items.tolist()[1:3]) == [1, 3]
    assert found.items.tolist()[3] == 2
    assert found.scan.tolist() in ([0, 0, 2, 0], [0, 0, 1, 0])
    assert found.edges.tolist()[:2] == [1, 3]
    assert sorted(found.edges.tolist()[2:5]) == [0, 0, 2]
    assert found.edges.tolist()[5:] == [1]


def test_a_vertex_without_edges_has_a_recording_too() -> None:
    graph = build_graph(3, np.array([0]), np.array([1]), xp=np)
    for name, strategy in (("gather", "TWC"), ("lookup", "atomic"), ("barrier", "grid")):
        record = run(name, strategy, graph, sources=(2,))
        assert (record.status, record.edges_visited, record.metrics["levels"]) == ("ok", 0, 1)


WRONG = {
    "gather": ("TWC", "sums", "the neighbours gathered add up to"),
    "lookup": ("atomic", "passed", "vertices passed, and"),
    "barrier": ("grid", "broken", "a block was a step behind"),
    "atomics": ("add", "words", "the words are not those"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_kernel_that_errs_is_found_out(name: str) -> None:
    strategy, array, message = WRONG[name]
    primitive = get_micro(name)
    labels = reference_labels(HUBS, 1)
    variant = planned(primitive, HUBS, {"strategy": strategy})
    problem = variant.allocate()
    variant.reset(problem, 1)  # no kernel ran: nothing was done yet
    problem[array][0] += 1
    fault = primitive.fault(HUBS, variant.options, labels, variant.outputs(problem))  # type: ignore[attr-defined]
    assert message in fault or (name == "atomics" and "add up" in fault)


@backends
@pytest.mark.parametrize("host", [HUBS, DIRECTED], ids=["undirected", "directed"])
def test_a_certificate_finds_out_wrong_depths_and_a_kernel_that_errs(host: Graph, backend: str) -> None:
    primitive, chosen = get_micro("gather"), choose_backend(backend, 3)
    graph, certificate = host.to(chosen.xp), certificate_of(primitive)
    assert certificate is not None
    variant = planned(primitive, graph, {"strategy": "TWC"})
    problem = variant.allocate()
    program = compile_variant(primitive, variant, chosen, RunOptions())
    program.run(problem, lambda: variant.reset(problem, 1))
    outputs = variant.outputs(problem)
    sums, labels = outputs["sums"].copy(), outputs["labels"].copy()
    sums[0] += 1
    labels[labels == 1] = 2
    prover = Prover(certificate, graph, variant.options, chosen)
    verdicts = [
        prover.verdict(1, {**outputs, **planted}, problem)
        for planted in ({}, {"sums": sums}, {"labels": labels})
    ]
    assert [found and found.verdict for found in verdicts] == ["pass", "fail", "fail"]


def test_marks_that_differ_are_found_out() -> None:
    primitive = get_micro("lookup")
    labels = reference_labels(HUBS, 1)
    passed = np.array([(labels > 0).sum()])
    marked = np.where(labels == 1, 2, labels)
    outputs = {"labels": labels, "passed": passed, "marked": marked}
    for strategy, is_fault in (("label", True), ("atomic", True), ("bitmask", False)):
        asked = primitive.asked({"strategy": strategy})
        fault = primitive.fault(HUBS, asked, labels, outputs)  # type: ignore[attr-defined]
        assert bool(fault) == is_fault


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(
        [
            "microbench",
            "gather",
            "grid2d",
            "--width",
            "9",
            "--backend",
            "cpu",
            "--iterations",
            "1",
            "--json",
        ]
    )
    record = json.loads(capsys.readouterr().out)
    assert (record["primitive"], record["options"]["advance_mode"]) == ("microbench-gather", "TWC")
    main(["microbench", "--help"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in (*micro_names(), "ceilings"))


def test_they_are_named_as_primitives_are() -> None:
    assert command_words("microbench-gather") == ["microbench", "gather"]
    assert find_primitive("microbench-gather") is get_micro("gather")
    with pytest.raises(KeyError):
        get_micro("scatter")


@pytest.mark.parametrize(
    "arguments", [["scatter", "rmat"], ["gather", "rmat", "--strategy", "best"], ["gather"]]
)
def test_what_is_not_there_is_refused_in_a_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as error:
        main(["microbench", *arguments])
    assert error.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_ceilings_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gunrock_cli.bench.ceilings import bandwidth_host
    from gunrock_cli.bench.ceilings.rates import Ceilings

    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path))
    made_up = Ceilings(1e9, 2e9, 3e9, 4e9, 1 << 20, 5e9, {1 << 20: 6e9})
    monkeypatch.setattr(bandwidth_host, "measure", lambda: made_up)
    file = tmp_path / "new" / "ceilings.json"
    main(["microbench", "ceilings", "--backend", "cpu", "--output", str(file)])
    shown = capsys.readouterr().out
    assert "3 GB/s" in shown
    assert "6 billion/s" in shown
    assert json.loads(file.read_text())["ceilings"]["copy"] == 5e9
