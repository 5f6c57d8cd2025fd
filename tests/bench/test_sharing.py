"""Graphs that one device cannot hold: the devices that share them, and the errors if none can."""

from __future__ import annotations

import re
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from several import BACKENDS, backend_of

from gunrock_cli.bench.inputs.graphs import load_for
from gunrock_cli.bench.inputs.sharing import bytes_needed, share
from gunrock_cli.bench.inputs.sources import choose_sources
from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.cli.main import cli
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import OutOfMemory, UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.parts.parted import GraphInParts
from gunrock_cli.graph.rows import layout
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Validation
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.parts import prover_of
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.run_options import RunOptions

RMAT = GraphSpec("rmat", params={"scale": 11, "edge_factor": 32})
CPU = choose_backend("cpu", 4)
PAGERANK, BFS = get_primitive("pagerank"), get_primitive("bfs")
GRAPH, _ = load_for(PAGERANK, RMAT, CPU)
OPTIONS = PAGERANK.asked({})
ALONE = bytes_needed(PAGERANK, GRAPH, OPTIONS, 1)


def test_auto_takes_one_device_where_the_graph_fits() -> None:
    for limit in (None, ALONE):
        shared = share(PAGERANK, GRAPH, OPTIONS, CPU, "auto", limit)
        assert (shared.devices, shared.why) == ("auto", "")


def test_auto_takes_no_more_devices_than_it_needs_and_says_so() -> None:
    each = {count: bytes_needed(PAGERANK, GRAPH, OPTIONS, count) for count in (2, 3)}
    assert ALONE > each[2] > each[3]
    for count, need in each.items():
        shared = share(PAGERANK, GRAPH, OPTIONS, CPU, "auto", need)
        assert shared.devices == str(count)
        assert shared.why.startswith(f"{count} devices: {GRAPH.name} takes about ")
        assert shared.graph is GRAPH


def test_what_fits_nowhere_is_refused() -> None:
    with pytest.raises(OutOfMemory, match=r"pagerank needs .* on each of 16 devices, which have 0.0 MiB"):
        share(PAGERANK, GRAPH, OPTIONS, CPU, "auto", 1)
    with pytest.raises(OutOfMemory, match="on each of 2 devices, which have"):
        share(PAGERANK, GRAPH, OPTIONS, CPU, "2", bytes_needed(PAGERANK, GRAPH, OPTIONS, 2) - 1)
    with pytest.raises(OutOfMemory, match=r"on a device, which has .*; mis runs on one device only"):
        share(get_primitive("mis"), GRAPH, {}, CPU, "auto", ALONE - 1)


@pytest.mark.parametrize(
    "name", [name for name in primitive_names() if isinstance(get_primitive(name), OnSeveralDevices)]
)
def test_what_fits_nowhere_is_told_what_to_do(name: str) -> None:
    """The named limit is enough."""
    primitive = get_primitive(name)
    options = primitive.asked({})
    graph, _ = load_for(primitive, RMAT, CPU)  # with weights where they are needed
    with pytest.raises(OutOfMemory) as refused:
        share(primitive, graph, options, CPU, "auto", 1000)
    advice = re.search(r"; raise --memory-limit to (\S+) or use a smaller graph$", str(refused.value))
    assert advice, refused.value
    enough = int(float(advice[1]) * 2**30)
    shared = share(primitive, graph, options, CPU, "auto", enough)
    count = 1 if shared.devices == "auto" else int(shared.devices)
    assert bytes_needed(primitive, graph, options, count) <= enough


def test_a_count_that_is_too_small_is_told_which_is_not() -> None:
    with pytest.raises(OutOfMemory, match=r"on each of 2 devices, which have .*; use --devices 3$"):
        share(PAGERANK, GRAPH, OPTIONS, CPU, "2", bytes_needed(PAGERANK, GRAPH, OPTIONS, 3))


def test_without_a_limit_only_other_devices_help(monkeypatch: pytest.MonkeyPatch) -> None:
    """The graph did not fit the GPU, and fits no number of them."""
    monkeypatch.setattr("gunrock_cli.bench.inputs.sharing.available_device_bytes", lambda: 1000)
    backend = SimpleNamespace(name="cpu", xp=None)
    with pytest.raises(OutOfMemory, match=r"; use a smaller graph, or devices with more memory$"):
        share(PAGERANK, GRAPH, OPTIONS, backend, "auto")  # type: ignore[arg-type]


def test_one_device_that_is_too_small_is_sent_to_no_others_that_refuse_the_options() -> None:
    options = BFS.asked({"idempotence": True})
    with pytest.raises(
        OutOfMemory, match=r"bfs needs .* on a device, which has .*; raise --memory-limit"
    ):
        share(BFS, GRAPH, options, CPU, "1", bytes_needed(BFS, GRAPH, options, 1) - 1)
    with pytest.raises(UsageError, match="--idempotence is for one device"):
        share(BFS, GRAPH, options, CPU, "2", 1)


def test_several_devices_are_refused_where_the_primitive_runs_on_one() -> None:
    with pytest.raises(UsageError, match="--devices 2: mis runs on one device only"):
        share(get_primitive("mis"), GRAPH, {}, CPU, "2", 1 << 30)


def test_no_limit_is_too_large() -> None:
    done = CliRunner().invoke(
        cli,
        [
            "cc",
            "grid2d",
            "--width",
            "9",
            "--backend",
            "cpu",
            "--iterations",
            "1",
            "--memory-limit",
            "1e308",
        ],
    )
    assert (done.exit_code, done.exception) == (0, None)


def test_both_ways_through_the_edges_take_more() -> None:
    need = {
        way: bytes_needed(BFS, GRAPH, BFS.asked({"direction": way}), 2)
        for way in ("push", "pull", "optimized")
    }
    assert need["optimized"] - need["push"] > GRAPH.m // 2 * 4
    assert need["pull"] < need["push"]  # only rows of its own vertices


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["bfs", "pagerank", "cc", "sssp", "bc"])
def test_no_device_need_have_all_of_it(name: str, backend: str) -> None:
    """Each draws its rows and proves the answer by them; if that is not possible, the graph stays in host
    memory, and is cut and proved there."""
    chosen, counts = backend_of(backend)
    primitive = get_primitive(name)
    graph, _ = load_for(primitive, RMAT, chosen, limited=True)
    assert graph.xp is np
    options = primitive.asked({})
    limit = bytes_needed(primitive, graph, options, counts[0])
    shared = share(primitive, graph, options, chosen, str(counts[0]), limit)
    in_parts = name in ("bfs", "pagerank", "cc")
    assert isinstance(shared.graph, GraphInParts) == in_parts
    assert shared.graph.xp is (chosen.xp if in_parts else np)
    record = measure(
        primitive,
        shared.graph,
        options,
        [0] if primitive.source is not None else [],
        chosen,
        Protocol(runs=1, warmup=0, check="both", devices=shared.devices, trace=True),
    ).record
    assert record.error is None
    assert (record.validation["verdict"], record.validation["method"]) == ("pass", "both")
    assert len(record.device["devices"]) == counts[0]


@pytest.mark.parametrize("name", ["bfs", "cc", "pagerank"])
def test_a_record_is_that_of_the_whole_graph(name: str) -> None:
    primitive = get_primitive(name)
    options = primitive.asked({})
    whole = load_graph(RMAT)
    shared = share(primitive, load_for(primitive, RMAT, CPU, limited=True)[0], options, CPU, "2", 1 << 40)
    graph = shared.graph
    assert isinstance(graph, GraphInParts)
    records = []
    for there in (graph, whole):
        sources = choose_sources(there, None, 3, 5) if primitive.source is not None else []
        records.append(
            measure(
                primitive,
                there,
                options,
                sources,
                CPU,
                Protocol(runs=1, warmup=0, check="certificate", devices="2", trace=True),
            ).record
        )
    in_parts, cut = records
    assert (in_parts.status, in_parts.validation) == ("ok", cut.validation) or name == "pagerank"
    assert in_parts.validation["verdict"] == "pass"
    for key in ("graph", "sources", "vertices_visited", "edges_visited", "depth", "traffic", "accesses"):
        assert getattr(in_parts, key) == getattr(cut, key), key
    with pytest.raises(UsageError, match=r"--partition random: .* in parts, which are contiguous"):
        measure(primitive, graph, options, [0], CPU, Protocol(devices="2", partition="random"))


def test_teams_take_what_they_are_said_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four teams draw, search and prove a graph that one team cannot hold, within their memory together,
    and no array is larger than a part."""
    monkeypatch.setattr(layout, "_SMALL", 0)  # as large graphs do, in passes
    spec = GraphSpec("rmat", params={"scale": 15, "edge_factor": 32})
    options = BFS.asked({"mark_pred": True})
    graph, _ = load_for(BFS, spec, CPU, limited=True)
    limit = bytes_needed(BFS, graph, options, 4)
    assert bytes_needed(BFS, graph, options, 1) > limit

    def run() -> Validation | None:
        shared = share(BFS, graph, options, CPU, "auto", limit)
        assert shared.devices == "4"
        execution = execution_of(BFS, shared.graph, options, CPU, RunOptions(devices="4"))
        program, problem = execution.program(), execution.problem()
        execution.run(program, problem, 0)
        certificate = certificate_of(BFS)
        assert certificate is not None
        prover = prover_of(certificate, shared.graph, execution.options, CPU)
        verdict = prover.verdict(0, execution.outputs(problem), {})
        largest.append(max(trace.size for trace in tracemalloc.take_snapshot().traces))
        return verdict

    largest: list[int] = []
    tracemalloc.start()
    try:
        verdict = run()
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert verdict is not None
    assert verdict.verdict == "pass"
    assert most <= 4 * limit
    assert largest[0] < 0.3 * 4 * graph.m


def test_other_systems_need_the_whole() -> None:
    words = [
        "bfs",
        "rmat",
        "--scale",
        "11",
        "--edge-factor",
        "32",
        "--backend",
        "cpu",
        "--devices",
        "2",
        "--memory-limit",
        "1",
        "--against",
        "scipy",
        "--iterations",
        "1",
    ]
    refused = CliRunner().invoke(cli, words)
    assert isinstance(refused.exception, UsageError)
    assert str(refused.exception).startswith("--against scipy: other systems need the whole of rmat-s11")


def test_queues_of_a_graph_in_parts_begin_at_a_share() -> None:
    options = BFS.asked({"direction": "push"})
    shared = share(BFS, load_for(BFS, RMAT, CPU, limited=True)[0], options, CPU, "3", 1 << 40)
    usual = measure(
        BFS, load_graph(RMAT), options, [0], CPU, Protocol(runs=1, warmup=0, devices="3", trace=True)
    ).record
    found = measure(
        BFS, shared.graph, options, [0], CPU, Protocol(runs=1, warmup=0, devices="3", trace=True)
    ).record
    assert found.validation["verdict"] == "pass"
    assert found.queues["items"][0] == -(-usual.queues["items"][0] // 3)


def test_the_command_says_what_it_took() -> None:
    told = CliRunner().invoke(
        cli,
        [
            "cc",
            "rmat",
            "--scale",
            "11",
            "--edge-factor",
            "32",
            "--backend",
            "cpu",
            "--memory-limit",
            "0.0004",
            "--iterations",
            "1",
        ],
    )
    assert told.exit_code == 0, told.output
    assert " devices: rmat-s11-e32 takes about " in told.stderr
    refused = CliRunner().invoke(
        cli,
        [
            "cc",
            "rmat",
            "--scale",
            "11",
            "--edge-factor",
            "32",
            "--backend",
            "cpu",
            "--memory-limit",
            "0.00001",
        ],
    )
    assert isinstance(refused.exception, OutOfMemory)
