"""Who to follow, compared with a pipeline of plain NumPy and NetworkX."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pagerank_helper import BACKENDS, CORNERS, LOOPS, graph_of, small_graphs
from ppr_helper import networkx_ranks

from gunrock_cli.bench.protocol.runner import Measured, Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.seeds import drawn_seeds
from gunrock_cli.primitives.wtf import PRIMITIVE, check
from gunrock_cli.primitives.wtf.rows import BATCH_COLUMNS
from gunrock_cli.primitives.wtf.variants import PHASES

DEFAULTS = {option.key: option.default for option in PRIMITIVE.options}


def options(**changed: Any) -> dict[str, Any]:
    return {**DEFAULTS, **changed}


def run(
    graph: Graph,
    user: int = 0,
    protocol: Protocol | None = None,
    threads: int = 2,
    backend: str = "cpu",
    **changed: Any,
) -> Measured:
    """Run once and require a right answer."""
    chosen = choose_backend(backend, threads)
    measured = measure(
        PRIMITIVE, graph, options(**changed), [user], chosen, protocol or Protocol(runs=1, warmup=0)
    )
    assert measured.record.validation["verdict"] == "pass", measured.record.validation
    return measured


def follows_of(graph: Graph) -> list[list[int]]:
    csr = graph.to(np).csr
    rows = csr.row_offsets
    return [csr.column_indices[rows[v] : rows[v + 1]].tolist() for v in range(graph.n)]


def by_hand(graph: Graph, circle: list[int], user: int, iterations: int) -> np.ndarray[Any, Any]:
    """Scores by loops over lists: a hub passes on to those it follows, an authority to its followers."""
    follows = follows_of(graph)
    hubs = {v: 1.0 for v in circle if follows[v]}
    hubs = {v: 1 / len(hubs) for v in hubs}
    followers: dict[int, list[int]] = {}
    for hub in hubs:
        for v in follows[hub]:
            followers.setdefault(v, []).append(hub)
    scores: dict[int, float] = {}
    for _ in range(iterations):
        scores = {
            v: sum(hubs[hub] / len(follows[hub]) for hub in whose) for v, whose in followers.items()
        }
        hubs = {hub: sum(scores[v] / len(followers[v]) for v in follows[hub]) for hub in hubs}
    found = np.zeros(graph.n)
    for v, score in scores.items():
        found[v] = 0.0 if v == user or v in follows[user] else score
    return found


def directed(scale: int = 8) -> Graph:
    return load_graph(GraphSpec("rmat", params={"scale": scale, "edge_factor": 6}, undirected=False))


def test_is_found_by_its_file() -> None:
    assert get_primitive("wtf") is PRIMITIVE


# --- answers ------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_against_a_pipeline_by_hand(loop: str, backend: str) -> None:
    graph = directed()
    on_device = graph.to(choose_backend(backend).xp)
    for user in (1, 77, 255):
        found = run(
            on_device,
            user,
            Protocol(runs=1, warmup=0, loop=loop),
            3,
            backend,
            circle=12,
            salsa_iterations=3,
            recommendations=5,
            tolerance=1e-8,
            max_iterations=500,
        ).outputs
        ranks = networkx_ranks(graph, [user])
        ranks[user] = 0
        best = np.argsort(-ranks, kind="stable")[:12]
        best = best[ranks[best] > 1e-9]  # NetworkX starts from even ranks
        circle = found["circle"][found["circle"] >= 0]
        np.testing.assert_allclose(ranks[circle], ranks[best], rtol=1e-5)  # the same, except for ties
        expected = by_hand(graph, circle.tolist(), user, 3)
        np.testing.assert_allclose(found["scores"], expected, rtol=1e-5, atol=1e-12)
        chosen = found["recommendations"]
        assert not set(chosen.tolist()) & {user, *follows_of(graph)[user]}
        order = np.argsort(-found["scores"], kind="stable")[:5]
        assert chosen[chosen >= 0].tolist() == order[found["scores"][order] > 0].tolist()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", [name for name in CORNERS if name != "empty"])
def test_corner_cases(name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    protocol = Protocol(runs=1, warmup=0, loop=loop)
    for user in {0, n // 2, n - 1}:
        run(graph, user, protocol, 3, backend)
        run(graph, user, protocol, 3, backend, circle=3, recommendations=2, salsa_iterations=1)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(small_graphs(), st.data(), st.integers(0, 12), st.integers(1, 4), st.integers(0, 6))
def test_random_graphs(
    graph: Graph, data: st.DataObject, circle: int, iterations: int, wanted: int
) -> None:
    user = data.draw(st.integers(0, graph.n - 1))
    found = run(graph, user, circle=circle, salsa_iterations=iterations, recommendations=wanted).outputs
    members = found["circle"][found["circle"] >= 0].tolist()
    expected = by_hand(graph, members, user, iterations)
    np.testing.assert_allclose(found["scores"], expected, rtol=1e-5, atol=1e-12)


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
def test_on_the_gpu(loop: str) -> None:
    spec = GraphSpec("rmat", params={"scale": 16}, undirected=False)
    graph = load_graph(spec, choose_backend("cuda").xp)
    run(graph, 1, Protocol(runs=3, warmup=0, loop=loop), backend="cuda")


@pytest.mark.parametrize("backend", BACKENDS)
def test_same_bits_every_run(backend: str) -> None:
    """The order of SALSA's atomics does not matter: the number of iterations is fixed, and no ranks are
    lost."""
    edges = [*((0, v) for v in range(1, 3000)), *((v - 1, v) for v in range(1, 3000))]
    graph = graph_of(3000, edges, backend)
    first, second = (
        run(graph, 5, backend=backend, threads=threads, tolerance=0.0).outputs for threads in (3, 2)
    )
    for name in ("scores", "recommendations", "circle"):
        np.testing.assert_array_equal(first[name], second[name])


# --- many users at once -------------------------------------------------------------------------
def run_batch(
    graph: Graph,
    users: Iterable[int],
    protocol: Protocol | None = None,
    threads: int = 2,
    backend: str = "cpu",
    **changed: Any,
) -> Measured:
    """Run once and require a right answer for every user."""
    names = list(users)
    chosen = options(users=",".join(map(str, names)), batch=len(names), **changed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check, "MOST_CHECKED", len(names))
        measured = measure(
            PRIMITIVE,
            graph,
            chosen,
            [],
            choose_backend(backend, threads),
            protocol or Protocol(runs=1, warmup=0),
        )
    verdict = {
        "verdict": "pass",
        "reference": "scipy",
        "method": "reference",
        "message": "",
        "sources": len(names),
    }
    assert measured.record.validation == verdict, measured.record.validation
    return measured


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_batch_finds_what_each_user_gets_alone(loop: str, backend: str) -> None:
    """There are two groups, the second not full; users have few ranks or none; each answer equals the
    single user's, whenever its ranks have settled."""
    graph = directed().to(choose_backend(backend).xp)
    users = list(range(0, 256, 7))
    protocol = Protocol(runs=2, warmup=0, loop=loop)
    how: dict[str, Any] = {"circle": 12, "salsa_iterations": 3, "recommendations": 5}
    found = run_batch(graph, users, protocol, 3, backend, **how).outputs
    assert len(users) > 32
    assert found["circles"].shape == (len(users), 12)
    same = 0
    for user, circle in zip(users, found["circles"], strict=True):
        alone = run(graph, user, Protocol(runs=1, warmup=0, loop=loop), 3, backend, **how).outputs
        if circle.tolist() != alone["circle"].tolist():
            continue  # two with equal ranks but for rounding
        same += 1
        best = alone["recommendations"][alone["recommendations"] >= 0]
        of_user = found["users"] == user
        np.testing.assert_array_equal(found["places"][of_user], np.arange(1, len(best) + 1))
        np.testing.assert_allclose(found["scores"][of_user], alone["scores"][best], rtol=1e-6)
        if len(np.unique(alone["scores"][best])) == len(best):
            assert found["recommendations"][of_user].tolist() == best.tolist()
    assert same >= 0.9 * len(users)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("name", [name for name in CORNERS if name != "empty"])
def test_corner_cases_of_a_batch(name: str, loop: str, backend: str) -> None:
    n, edges, how = CORNERS[name]
    graph = graph_of(n, edges, backend, **how)
    protocol = Protocol(runs=1, warmup=0, loop=loop)
    users = {0, n // 2, n - 1}
    run_batch(graph, users, protocol, 3, backend)
    run_batch(graph, users, protocol, 3, backend, circle=3, recommendations=2, salsa_iterations=1)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    small_graphs(),
    st.integers(0, 12),
    st.integers(1, 4),
    st.integers(0, 6),
    st.sampled_from([0.0, 1e-6]),
    st.sampled_from(LOOPS),
)
def test_batches_on_random_graphs(
    graph: Graph, circle: int, iterations: int, wanted: int, tolerance: float, loop: str
) -> None:
    run_batch(
        graph,
        range(0, graph.n, 4),
        Protocol(runs=1, warmup=0, loop=loop),
        circle=circle,
        salsa_iterations=iterations,
        recommendations=wanted,
        tolerance=tolerance,
        max_iterations=30,
    )


@pytest.mark.gpu
@pytest.mark.parametrize("loop", LOOPS)
def test_a_batch_on_the_gpu(loop: str) -> None:
    """Lists have all lengths, and those of many blocks."""
    spec = GraphSpec("rmat", params={"scale": 16}, undirected=False)
    graph = load_graph(spec, choose_backend("cuda").xp)
    run_batch(graph, range(1, 65), Protocol(runs=3, warmup=0, loop=loop), backend="cuda")


def test_what_a_batch_records_and_lists() -> None:
    graph = directed()
    measured = run_batch(graph, [3, 9, 5], recommendations=4)
    metrics = measured.record.metrics
    assert metrics["users"] == 3
    assert measured.record.time_ms is not None
    assert metrics["ms_per_user"] == pytest.approx(measured.record.time_ms.mean / 3)
    assert all(metrics[f"{phase}_ms"] > 0 for phase in PHASES)
    assert [user for user, _ in measured.listings] == [3, 9, 5]
    rows = [(user, *row) for user, listing in measured.listings for row in listing.rows]
    columns = (measured.outputs[name].tolist() for name in BATCH_COLUMNS.values())
    assert rows == list(zip(*columns, strict=True))


def test_users_of_a_batch_are_drawn() -> None:
    graph = directed()
    chosen = PRIMITIVE.plan(graph, PRIMITIVE.asked({"batch": 5})).options
    assert chosen.users == ",".join(map(str, drawn_seeds(graph, 5)))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"batch": 3, "users": "1,2"}, "--batch 3: --users has 2"),
        ({"batch": 2, "users": "1,1"}, "--users 1,1: vertex 1 is named twice"),
        ({"batch": 1, "user": 4}, "--user names one: with --batch give --users, or neither"),
        (
            {"batch": 257},
            "--batch 257: rmat-s8-e6 has too few vertices with out-edges to draw so many; name "
            "others by --users",
        ),
    ],
    ids=str,
)
def test_refusals_of_a_batch(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        PRIMITIVE.plan(directed(), PRIMITIVE.asked(changed))
    assert str(caught.value) == message


def test_validation_rejects_other_batches() -> None:
    graph = directed()
    measured = run_batch(graph, [1, 77], circle=10, recommendations=5)
    chosen, found = PRIMITIVE.asked(measured.record.options), measured.outputs
    scores, vertices = found["scores"], found["recommendations"]
    assert scores[0] > scores[1]
    swapped = np.r_[vertices[1], vertices[0], vertices[2:]]
    weak = next(v for v in range(graph.n) if v not in vertices)
    wrong: list[dict[str, Any]] = [
        {"circles": found["circles"][::-1]},
        {"scores": 1.001 * scores},
        {"recommendations": swapped},
        {"recommendations": swapped, "scores": np.r_[scores[1], scores[0], scores[2:]]},
        {"recommendations": np.r_[weak, vertices[1:]]},
        {"users": found["users"][1:], "recommendations": vertices[1:], "scores": scores[1:]},
    ]
    for changed in wrong:
        verdict = PRIMITIVE.validate(graph, chosen, None, {**found, **changed})
        assert verdict.verdict == "fail", changed
        assert verdict.message.startswith("user 1: ")


# --- the record and what is shown -----------------------------------------------------------------------
def test_the_time_of_each_phase_is_recorded() -> None:
    measured = run(directed(), 1)
    times = [measured.record.metrics[f"{phase}_ms"] for phase in PHASES]
    assert all(ms > 0 for ms in times)
    assert measured.record.time_ms is not None
    assert sum(times) <= measured.record.time_ms.mean


def test_every_user_is_listed() -> None:
    graph = directed()
    users = PRIMITIVE.source.named(graph, PRIMITIVE.asked({"users": "3,5"}))
    measured = measure(
        PRIMITIVE,
        graph,
        options(users="3,5", recommendations=4),
        users,
        choose_backend("cpu", 2),
        Protocol(runs=1, warmup=0),
    )
    assert measured.record.sources == [3, 5]
    assert [source for source, _ in measured.listings] == [3, 5]
    listing = measured.listings[1][1]
    assert listing.headings == ("place", "vertex", "score")
    assert [row[1] for row in listing.rows] == measured.outputs["recommendations"].tolist()
    assert len(listing.rows) == 4


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"user": 256}, "--user 256: rmat-s8-e6 has the vertices 0 to 255"),
        (
            {"users": "1,x"},
            "--users 1,x: give a vertex, several with commas between them, @ and a file that lists them",
        ),
        ({"user": 1, "users": "2"}, "--user names one, --users several: leave one of them out"),
    ],
    ids=str,
)
def test_refusals(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        PRIMITIVE.source.named(directed(), PRIMITIVE.asked(changed))
    assert str(caught.value) == message


# --- validation ---------------------------------------------------------------------------------
def test_validation_rejects_other_answers() -> None:
    graph = directed()
    chosen = PRIMITIVE.asked({"circle": 10, "recommendations": 5})
    found = run(graph, 1, circle=10, recommendations=5).outputs
    outside = next(v for v in range(graph.n) if v not in found["circle"] and v != 1)
    first, second = found["recommendations"][:2]
    assert found["scores"][first] > found["scores"][second]
    wrong: list[tuple[str, Any]] = [
        ("circle", np.where(np.arange(10) == 0, outside, found["circle"])),
        ("circle", np.where(np.arange(10) == 0, 1, found["circle"])),
        ("circle", np.where(np.arange(10) == 9, -1, found["circle"])),
        ("circle", np.where(np.arange(10) == 0, found["circle"][1], found["circle"])),
        ("scores", 1.001 * found["scores"]),
        ("scores", found["scores"] + np.float32(1e-4) * (np.arange(graph.n) == 1)),
        ("scores", found["scores"][:-1]),
        ("recommendations", found["recommendations"][::-1]),
        ("recommendations", np.where(np.arange(5) == 0, second, found["recommendations"])),
        ("recommendations", np.where(np.arange(5) == 4, -1, found["recommendations"])),
    ]
    for name, array in wrong:
        verdict = PRIMITIVE.validate(graph, chosen, 1, {**found, name: array})
        assert verdict.verdict == "fail", (name, array)
        assert verdict.message.startswith(name) or name in verdict.message
