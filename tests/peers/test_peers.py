"""Every installed peer gives the right answer to every primitive that it claims."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import networkx as nx
import numpy as np
import pytest
from planned import run_peers
from primitives.graphs_for_sets import graph_of

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.peers import get_peer, peer_names
from gunrock_cli.peers.base import Peer, PeerResult, one_direction, timed
from gunrock_cli.peers.measure import check_names
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Primitive, Validation, Work
from gunrock_cli.primitives.bfs.options import BfsOptions
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import PROVED
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.pagerank.options import PageRankOptions
from gunrock_cli.primitives.references import power_iteration, smallest_vertices
from gunrock_cli.primitives.shown import Outputs

SOURCE = 3
UNLIKE = {"matching"}
"""Primitives whose answers differ between systems, although all are right."""
MANY = {"mis", "color"}
"""Primitives for which a graph has many right answers."""
COMMUNITIES = ("louvain", "leiden")
CASES = [
    (name, primitive)
    for name in peer_names()
    for primitive in get_peer(name).primitives
    if primitive not in {*MANY, *COMMUNITIES}
]


def make_graph(undirected: bool, seed: int = 5) -> Graph:
    """60 vertices, some of them alone, two parts, weights 1 to 64."""
    random = np.random.default_rng(seed)
    n = 60
    found = nx.Graph() if undirected else nx.DiGraph()
    found.add_nodes_from(range(n))
    for low, high, count in ((0, 40, 70), (40, 55, 18)):
        for u, v in random.integers(low, high, (count, 2)).tolist():
            if u != v:
                found.add_edge(u, v, weight=int(random.integers(1, 65)))
    matrix = nx.to_scipy_sparse_array(found, nodelist=range(n), dtype=np.int32, format="csr")
    matrix.sort_indices()
    csr = Csr(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), matrix.data)
    flipped = matrix.T.tocsr()
    reverse = (
        csr
        if undirected
        else Csr(flipped.indptr.astype(np.int32), flipped.indices.astype(np.int32), flipped.data)
    )
    return Graph("small", csr, reverse, undirected, hash="0")


def as_networkx(graph: Graph) -> Any:
    found = nx.Graph() if graph.undirected else nx.DiGraph()
    found.add_nodes_from(range(graph.n))
    sources, targets, weights = one_direction(graph)
    assert weights is not None
    found.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True))
    return found


def expected(primitive: str, graph: Graph) -> tuple[str, np.ndarray[Any, Any]]:
    """The answer by NetworkX, which is not a peer."""
    own = as_networkx(graph)
    if primitive == "bfs":
        found = nx.single_source_shortest_path_length(own, SOURCE)
        return "labels", np.array([found.get(v, -1) for v in range(graph.n)])
    if primitive == "sssp":
        found = nx.single_source_dijkstra_path_length(own, SOURCE)
        return "distances", np.array([found.get(v, np.inf) for v in range(graph.n)])
    if primitive in ("cc", "scc"):
        strong = primitive == "scc" and not graph.undirected
        parts = (
            nx.strongly_connected_components(own)
            if strong
            else nx.connected_components(own.to_undirected())
        )
        labels = np.empty(graph.n, np.int64)
        for part in parts:
            labels[list(part)] = min(part)
        return "components", labels
    if primitive == "pagerank":
        ranks = nx.pagerank(own, alpha=0.85, tol=1e-12, max_iter=1000, weight=None)
        return "ranks", np.array([ranks[v] for v in range(graph.n)])
    if primitive == "mst":
        weights = [edge[-1]["weight"] for edge in nx.minimum_spanning_edges(own)]
        return "weights", np.sort(weights)
    if primitive == "hits":
        _, authorities = nx.hits(type(own)(own.edges()))  # without weights, which it would use
        authorities = dict.fromkeys(range(graph.n), 0.0) | authorities
        return "authorities", np.array([authorities[v] for v in range(graph.n)])
    if primitive == "ppr":
        ranks = nx.pagerank(
            own, alpha=0.85, tol=1e-12, max_iter=1000, weight=None, personalization={SOURCE: 1}
        )
        return "ranks", np.array([ranks[v] for v in range(graph.n)])
    if primitive in ("kcore", "triangles"):
        counts = nx.core_number(own) if primitive == "kcore" else nx.triangles(own)
        name = "cores" if primitive == "kcore" else primitive
        return name, np.array([counts[v] for v in range(graph.n)])
    if primitive == "closeness":
        scores = nx.closeness_centrality(own)
        return "scores", np.array([scores[v] for v in range(graph.n)])
    if primitive == "eccentricity":
        hops = dict(nx.all_pairs_shortest_path_length(own))
        return "eccentricities", np.array([max(hops[v].values()) for v in range(graph.n)])
    if primitive == "clustering":
        out = nx.to_numpy_array(own, nodelist=range(graph.n), weight=None)
        around = np.maximum(out, out.T)
        pairs = around.sum(axis=1) * (around.sum(axis=1) - 1)
        return "coefficients", np.diag(around @ out @ around) / np.maximum(pairs, 1)
    if primitive == "ktruss":
        trusses = [nx.k_truss(own, k) for k in range(3, graph.n)]
        ends = zip(graph.csr.sources().tolist(), graph.csr.column_indices.tolist(), strict=True)
        return "trussness", np.array(
            [2 + sum(truss.has_edge(*edge) for truss in trusses) for edge in ends]
        )
    if primitive == "wtf":
        return "scores", recommended(own, graph.n)
    return "scores", dependencies(own, graph.n)


def recommended(own: Any, n: int) -> np.ndarray[Any, Any]:
    """Scores of who-to-follow, with the default options: all reached vertices are in the circle."""
    circle = [v for v in nx.descendants(own, SOURCE) if v != SOURCE and list(own[v])]
    if not circle:
        return np.zeros(n)
    follows = nx.to_numpy_array(own, nodelist=range(n), weight=None)[circle]
    hubs = np.full(len(circle), 1 / len(circle))
    for _ in range(10):
        scores = follows.T @ (hubs / follows.sum(axis=1))
        hubs = follows @ (scores / np.maximum(follows.sum(axis=0), 1))
    scores[[SOURCE, *own[SOURCE]]] = 0
    return scores


def dependencies(own: Any, n: int) -> np.ndarray[Any, Any]:
    """Brandes by counting: sum over targets of the share of shortest paths through a vertex."""
    scores = np.zeros(n)
    for target in nx.descendants(own, SOURCE):
        paths = list(nx.all_shortest_paths(own, SOURCE, target))
        for path in paths:
            for inner in path[1:-1]:
                scores[inner] += 1 / len(paths)
    return scores


def installed(name: str) -> Peer:
    peer = get_peer(name)
    reason = peer.available()
    if reason is not None:
        pytest.skip(reason)
    return peer


@pytest.mark.parametrize(
    ("name", "primitive", "undirected"),
    [
        (name, primitive, undirected)
        for name, primitive in CASES
        for undirected in (True, False)
        if (undirected or not get_primitive(primitive).needs.undirected) and primitive not in UNLIKE
    ],
)
def test_answers_are_right(name: str, primitive: str, undirected: bool) -> None:
    peer, graph, own = installed(name), make_graph(undirected), get_primitive(primitive)
    options = {"damping": 0.85, "tolerance": 1e-10, "max_iterations": 1000}
    result = peer.run(own, graph, own.asked(options), SOURCE, runs=2)
    output, answer = expected(primitive, graph)
    assert len(result.times_ms) == 2
    assert min(result.times_ms) > 0
    found = np.sort(result.outputs[output]) if primitive == "mst" else result.outputs[output]
    np.testing.assert_allclose(found, answer, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("name", "primitive"),
    [
        (name, primitive)
        for name in peer_names()
        for primitive in get_peer(name).primitives
        if primitive in MANY
    ],
)
def test_one_of_many_answers_is_right(name: str, primitive: str) -> None:
    installed(name)
    (record,) = run_peers([name], get_primitive(primitive), make_graph(True), {}, None, runs=2)
    assert record.status == "ok", record.error
    assert record.validation["verdict"] == "pass"
    assert record.metrics["size" if primitive == "mis" else "colors"] > 1
    loops = graph_of(3, [(0, 0), (0, 1), (2, 2)], keep_self_loops=True)
    assert run_peers([name], get_primitive(primitive), loops, {}, None, runs=1)[0].status == "ok"


@pytest.mark.parametrize("resolution", [1.0, 0.4])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("name", "by"),
    [(name, by) for name in peer_names() for by in COMMUNITIES if by in get_peer(name).primitives],
)
def test_communities_are_as_good_as_another_librarys(
    name: str, by: str, weighted: bool, resolution: float
) -> None:
    installed(name)
    graph, primitive = make_graph(True), get_primitive(by)
    if not weighted:
        graph = replace(graph, csr=replace(graph.csr, values=None))
    options = {option.key: option.default for option in primitive.options} | {"resolution": resolution}
    random.seed(0)  # igraph draws from it
    (record,) = run_peers([name], primitive, graph, options, None, runs=2)
    assert record.status == "ok", record.error
    assert record.validation["verdict"] == "pass"
    own = nx.Graph()
    own.add_nodes_from(range(graph.n))
    sources, targets, weights = one_direction(graph)
    values = np.ones(len(sources)) if weights is None else weights
    own.add_weighted_edges_from(zip(sources.tolist(), targets.tolist(), values.tolist(), strict=True))
    parts = nx.community.louvain_communities(own, resolution=resolution, seed=1)
    best = nx.community.modularity(own, parts, resolution=resolution)
    assert best - 0.03 < record.metrics["modularity"] < best + 0.03


def test_every_peer_says_what_it_times_and_how_to_get_it() -> None:
    assert set(peer_names()) == {"bgl", "cugraph", "graphblas", "igraph", "networkit", "scipy"}
    for peer in map(get_peer, peer_names()):
        assert peer.times
        reason = peer.available()
        assert reason is None or "install" in reason or "GPU" in reason


def test_missing_peers_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert get_peer("networkit").available() == ("NetworKit is not installed: pip install networkit")
    with pytest.raises(UsageError, match=r"--against networkit: .*pip install networkit"):
        check_names(["networkit"], get_primitive("bfs"))


def test_boost_is_reported_missing_without_its_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunrock_cli.peers.bgl_peer._boost_version", lambda: None)
    reason = get_peer("bgl").available()
    assert reason is not None
    assert "install" in reason


@pytest.mark.parametrize("changed", ["host_compiler.compiler_version", "processor.processor_words"])
def test_boosts_driver_is_built_again_by_another_compiler_or_for_another_processor(
    changed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gunrock_cli.peers import bgl_peer

    asked: list[str] = []

    def cached(key: str, *_: Any) -> tuple[Path, bool]:
        asked.append(key)
        return Path(key), False

    monkeypatch.setattr("gunrock_cli.toolchain.binaries.cached_binary", cached)
    monkeypatch.setattr(bgl_peer, "_boost_version", lambda: "1.0")
    monkeypatch.setattr(bgl_peer, "_compiler", lambda: "/usr/bin/c++")
    for answer in ("one", "one", "other"):
        monkeypatch.setattr(f"gunrock_cli.toolchain.{changed}", lambda *_, answer=answer: answer)
        bgl_peer._build.__wrapped__()
    assert asked[0] == asked[1] != asked[2]


def test_unknown_peers_and_primitives_are_usage_errors() -> None:
    with pytest.raises(UsageError, match="no peer is called 'excel'; there are bgl"):
        check_names(["excel"], get_primitive("bfs"))
    bc = get_primitive("bc")
    with pytest.raises(UsageError, match="scipy has no bc"):
        get_peer("scipy").run(bc, make_graph(True), bc.asked({}), SOURCE, 1)


def test_component_labels_and_timing() -> None:
    assert smallest_vertices(np.array([7, 2, 7, 9, 2])).tolist() == [0, 1, 0, 3, 1]
    calls: list[int] = []
    times, last = timed(lambda: calls.append(1) or len(calls), 3)
    assert (len(times), last) == (3, 4)


class Checked(Primitive):
    """A primitive whose validation the test decides."""

    name = "bfs"
    summary = ""
    takes = BfsOptions

    def __init__(self, verdict: str) -> None:
        self.verdict = verdict

    def validate(
        self, graph: Graph, options: Options, source: int | None, outputs: Outputs
    ) -> Validation:
        assert outputs["labels"].dtype == np.int32
        return Validation(self.verdict, "test", "1 label differs" if self.verdict == "fail" else "")

    def work(self, graph: Graph, options: Options, outputs: dict[str, Any]) -> Work:
        return Work(edges_visited=500, edges_for_mteps=500, depth=int(outputs["labels"].max()))


def test_records_of_peers() -> None:
    records = run_peers(["scipy"], Checked("pass"), make_graph(True), {"alpha": 15}, SOURCE, 3)
    record = records[0]
    assert (record.system, record.status, record.validation["verdict"]) == ("scipy", "ok", "pass")
    assert record.time_ms is not None
    assert record.mteps == pytest.approx(0.5 / record.time_ms.mean)
    assert record.sources == [SOURCE] * 3
    assert record.options == {"runs": 3, "warmup": 1}
    assert (record.clock, record.call_ms) == ("call", record.runs_ms)
    assert record.more_work == "predecessors"
    assert len(record.gunrock["code_hash"]) == 32
    assert record.device["name"]


def test_work_that_gunrock_does_as_well_is_not_more() -> None:
    options = {"mark_pred": True}
    record = run_peers(["scipy"], Checked("pass"), make_graph(True), options, SOURCE, 1)[0]
    assert record.more_work is None
    assert get_peer("cugraph").more_work == {"sssp": "predecessors"}


def test_a_clock_inside_has_no_call_around_it() -> None:
    installed("bgl")
    record = run_peers(["bgl"], Checked("pass"), make_graph(True), {}, SOURCE, 2)[0]
    assert (record.clock, len(record.runs_ms), record.call_ms) == ("kernel", 2, [])


def test_a_wrong_peer_is_recorded_as_wrong() -> None:
    record = run_peers(["scipy"], Checked("fail"), make_graph(True), {}, SOURCE, 1)[0]
    assert (record.status, record.error) == ("wrong", "1 label differs")


UNIQUE = {
    "bfs": "labels",
    "sssp": "distances",
    "bc": "scores",
    "cc": "components",
    "pagerank": "ranks",
    "kcore": "cores",
}
"""Primitives with one right answer, and its name."""


def answers_of(primitive: str) -> tuple[Graph, Primitive, Options, Outputs]:
    own, graph = get_primitive(primitive), make_graph(True)
    options = own.asked({"max_iterations": 200})
    _, right = expected(primitive, graph)
    if primitive == "sssp":
        right = np.where(np.isinf(right), -1, right).astype(np.int32)
    return graph, own, options, {UNIQUE[primitive]: right}


@pytest.mark.parametrize("primitive", UNIQUE)
def test_peers_are_compared_with_an_answer_that_was_proved(
    primitive: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "igraph"
    installed(name)
    graph, own, options, proved = answers_of(primitive)
    source = SOURCE if own.source is not None else None

    def forbid(*_: Any) -> Any:
        raise AssertionError("the reference was asked")

    monkeypatch.setattr(type(own), "validate", forbid)
    (record,) = run_peers([name], own, graph, options, source, 1, proved=proved)
    assert (record.status, record.error) == ("ok", None)
    assert record.validation["verdict"] == "pass"
    assert (record.validation["method"], record.validation["reference"]) == ("certificate", PROVED)


@pytest.mark.parametrize("primitive", UNIQUE)
def test_a_peer_that_differs_from_what_was_proved_is_wrong(primitive: str) -> None:
    _, own, options, proved = answers_of(primitive)
    ((name, right),) = proved.items()
    found = right.copy()
    found[SOURCE + 1] += 2
    certificate = certificate_of(own)
    assert certificate is not None
    verdict = certificate.agrees(options, {name: found}, proved)
    assert verdict is not None
    assert verdict.verdict == "fail"
    right_verdict = certificate.agrees(options, {name: right.copy()}, proved)
    assert right_verdict is not None
    assert right_verdict.verdict == "pass"


def test_distances_that_are_floats_are_left_to_the_reference() -> None:
    _, own, options, _ = answers_of("sssp")
    floats = {"distances": np.array([0, 1.5], np.float32)}
    certificate = certificate_of(own)
    assert certificate is not None
    assert certificate.agrees(options, floats, floats) is None


def test_a_peer_that_fails_costs_its_own_record_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(type(get_peer("scipy")), "bfs", fail)
    record = run_peers(["scipy"], Checked("pass"), make_graph(True), {}, SOURCE, 1)[0]
    assert (record.status, record.error) == ("OOM", "not enough memory")


@pytest.mark.parametrize(("name", "primitive"), [case for case in CASES if case[1] in primitive_names()])
def test_the_primitives_own_validation_accepts_peers(name: str, primitive: str) -> None:
    installed(name)
    graph, own = make_graph(True), get_primitive(primitive)
    # PageRank's default of 50 is too few here for systems that must converge
    asked = own.asked({"max_iterations": 200} if primitive == "pagerank" else {})
    options = own.plan(graph, asked).options
    record = run_peers([name], own, graph, options, SOURCE if own.source is not None else None, 1)[0]
    assert (record.status, record.error) == ("ok", None)
    assert record.validation["verdict"] == "pass"


def test_real_records_of_peers_fit_the_schema() -> None:
    schema = json.loads((resources.files("gunrock_cli.bench.records") / "record.schema.json").read_text())
    own, graph = get_primitive("bfs"), make_graph(True)
    options = own.plan(graph, own.asked({})).options
    for record in run_peers(["scipy"], own, graph, options, SOURCE, 2):
        jsonschema.validate(json.loads(record.to_json()), schema)
        assert record.mteps is not None


def test_all_are_those_that_are_here_and_have_the_primitive() -> None:
    found = check_names(["all"], get_primitive("bc"))
    assert "scipy" not in found
    assert "scipy" in check_names(["all"], get_primitive("bfs"))
    for name in found:
        assert get_peer(name).available() is None
        assert "bc" in get_peer(name).primitives


NO_DANGLING = ("bgl", "networkit")
"""Peers that follow all settings unless a vertex without an out-edge loses rank."""


@pytest.mark.parametrize(
    "settings",
    [
        {"damping": 0.0},
        {"tolerance": 0.0, "max_iterations": 7},
        {"max_iterations": 0},
        {"max_iterations": 3},
        {"damping": 0.5, "tolerance": 0.1},
        {"tolerance": 0.0, "max_iterations": 0},
    ],
    ids=str,
)
@pytest.mark.parametrize("ring", [True, False], ids=["ring", "with-dangling"])
@pytest.mark.parametrize("name", [name for name, primitive in CASES if primitive == "pagerank"])
def test_options_that_are_recorded_are_followed_or_refused(
    name: str, ring: bool, settings: dict[str, Any]
) -> None:
    """Options may be 0, which once reached no peer."""
    installed(name)
    graph, own = make_graph(True), get_primitive("pagerank")
    if ring:
        graph = ring_with_a_chord(20)
    options = PageRankOptions.of(settings)
    record = run_peers([name], own, graph, options, None, 1)[0]
    assert {key: record.options[key] for key in ("damping", "tolerance", "max_iterations")} == {
        "damping": options.damping,
        "tolerance": options.tolerance,
        "max_iterations": options.max_iterations,
    }
    if record.status == "ok":
        assert record.validation["verdict"] == "pass"
        assert record.iterations in (None, iterations(graph, options))
        return
    assert record.status == "error", record.error
    assert record.error is not None
    assert f"--max-iterations {options.max_iterations}" in record.error
    assert record.time_ms is None
    allowed = (
        name == "igraph"
        or (name in NO_DANGLING and not ring)
        or (name in ("networkit", "cugraph") and options.max_iterations == 0)
    )
    assert allowed, f"{name} follows this: {record.error}"


def ring_with_a_chord(n: int) -> Graph:
    """Every vertex has an edge out, and degrees differ, so that the iteration takes some time."""
    ends = np.array([(v, (v + 1) % n) for v in range(n)] + [(0, n // 2), (1, n // 2)])
    matrix = nx.to_scipy_sparse_array(
        nx.Graph(ends.tolist()), nodelist=range(n), dtype=np.int32, format="csr"
    )
    matrix.sort_indices()
    csr = Csr(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32), None)
    return Graph("ring", csr, csr, True, hash="1")


def iterations(graph: Graph, options: PageRankOptions) -> int:
    """The number of iterations after which the options end the power iteration."""
    change, done, steps = np.inf, 0, power_iteration(graph, options.damping)
    while change >= options.tolerance and done < options.max_iterations:
        _, change = next(steps)
        done += 1
    return done


def test_a_primitive_may_bring_what_a_peer_lacks() -> None:
    class Degrees(Primitive):
        name, summary, source = "degrees", "", None
        peers: ClassVar[Any] = {
            "scipy": lambda graph, runs: PeerResult(
                [1.0] * runs, {"degrees": np.diff(graph.csr.row_offsets)}
            )
        }

        def validate(
            self, graph: Graph, options: Options, source: int | None, outputs: Outputs
        ) -> Validation:
            right = np.array_equal(outputs["degrees"], graph.csr.degrees())
            return Validation("pass" if right else "fail", "itself")

    assert check_names(["all"], Degrees()) == ["scipy"]
    record = run_peers(["scipy"], Degrees(), make_graph(True), {}, None, 2)[0]
    assert (record.status, record.error, record.runs_ms) == ("ok", None, [1.0, 1.0])
    with pytest.raises(UsageError, match="bgl has no degrees"):
        get_peer("bgl").run(Degrees(), make_graph(True), Options(), None, 1)


@pytest.mark.parametrize("undirected", [True, False])
def test_harmonic_closeness_is_by_the_distances_to_a_vertex(undirected: bool) -> None:
    peer, graph, own = installed("networkit"), make_graph(undirected), get_primitive("closeness")
    found = peer.run(own, graph, own.asked({"harmonic": True}), None, runs=1).outputs["scores"]
    scores = nx.harmonic_centrality(as_networkx(graph))
    np.testing.assert_allclose(found, [scores[v] for v in range(graph.n)], rtol=1e-12)
