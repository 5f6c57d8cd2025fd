"""Rubbish and near-rubbish: an error in one line or a right graph, never a traceback or a hang."""

import contextlib

import numpy as np
import pytest
from graph_helper import BANNER, assert_well_formed, edges, generated
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec

pytestmark = pytest.mark.usefixtures("cpu_path")

GOOD = {
    "market": f"{BANNER} integer symmetric\n% c\n5 5 4\n2 1 7\n3 1 8\n4 4 9\n5 2 -3\n",
    "edge-list": "# c\n0 1 5\n1 2 6\n3 4 7\n",
    "dimacs": "c x\np sp 5 3\na 1 2 5\na 2 3 6\na 4 5 7\n",
    "metis": "% c\n3 2 1\n2 7\n1 7 3 5\n2 5\n",
}
QUIET = settings(
    max_examples=150, deadline=2000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(autouse=True)
def _little_memory(monkeypatch):
    """Limit memory: a number that has grown digits may ask for two billion vertices."""
    monkeypatch.setattr(memory, "available_bytes", lambda: 1 << 24)


def attempt(path, kind):
    """Load; on success the graph is sound, on failure the message is one line."""
    graph = message = None
    try:
        graph = load_graph(GraphSpec(kind, path=str(path)), cache=False)
    except GunrockError as error:
        message = str(error)
    if graph is None:
        assert message
        assert "\n" not in message
    else:
        assert_well_formed(graph)


@pytest.mark.parametrize("kind", GOOD)
@QUIET
@given(data=st.data())
def test_mutated_files(tmp_path, kind, data):
    text = bytearray(GOOD[kind].encode())
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        action = data.draw(st.sampled_from(["insert", "delete", "replace", "cut"]))
        some = data.draw(
            st.sampled_from(
                [
                    b"0",
                    b"9",
                    b"-",
                    b".",
                    b" ",
                    b"\n",
                    b"%",
                    b"#",
                    b"e",
                    b"nan",
                    b"99999999999",
                    b"\0",
                    b"\xff",
                    b"\r",
                    b"a ",
                    b",",
                ]
            )
        )
        if action == "insert":
            text[place:place] = some
        elif action == "delete":
            del text[place : place + 3]
        elif action == "replace":
            text[place : place + 1] = some
        else:
            del text[place:]
    path = tmp_path / "g"
    path.write_bytes(text)
    attempt(path, kind)


@pytest.mark.parametrize("kind", [*GOOD, "npz", "binary"])
@QUIET
@given(content=st.binary(max_size=200))
@example(content=b"")
def test_random_bytes(tmp_path, kind, content):
    path = tmp_path / "g"
    path.write_bytes(content)
    attempt(path, kind)


@pytest.mark.parametrize("kind", ["npz", "binary"])
def test_mutated_binary_files(tmp_path, kind):
    path = tmp_path / f"g.{'npz' if kind == 'npz' else 'gcsr'}"
    write_graph(generated("rmat", scale=4, weights="random"), str(path))
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole)
        for place in rng.integers(0, len(whole), rng.integers(1, 5)):
            damaged[place] = rng.integers(256)
        path.write_bytes(damaged[: rng.integers(1, len(whole) + 1)] if rng.random() < 0.3 else damaged)
        attempt(path, kind)


@QUIET
@given(
    pairs=st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=30),
    blank=st.sampled_from([" ", "\t", "  "]),
    end=st.sampled_from(["\n", "\r\n", " \n"]),
)
def test_well_formed_market_files_are_read_right(tmp_path, pairs, blank, end):
    lines = [f"{BANNER} pattern general", f"9 9 {len(pairs)}"]
    lines += [f"{u}{blank}{v}" for u, v in pairs]
    path = tmp_path / "g.mtx"
    path.write_bytes("".join(line + end for line in lines).encode())
    spec = GraphSpec("market", path=str(path), undirected=False, keep_self_loops=True)
    found = edges(load_graph(spec, cache=False).csr)
    assert found == sorted({(u - 1, v - 1) for u, v in pairs})


def test_more_vertices_than_memory_holds(tmp_path):
    path = tmp_path / "g"
    path.write_text("0 1999999999\n")
    with pytest.raises(OutOfMemory, match=r"not enough memory for g: 2000000000 vertices .* GiB"):
        load_graph(GraphSpec("edge-list", path=str(path)), cache=False)


def test_decompression_of_rubbish(tmp_path):
    for content in (b"\x1f\x8b", b"\x1f\x8b" + b"\0" * 50, b"\x1f\x8b\x08" + b"\xff" * 100):
        path = tmp_path / "g"
        path.write_bytes(content)
        for kind in GOOD:
            with contextlib.suppress(GunrockError):
                load_graph(GraphSpec(kind, path=str(path)), cache=False)
