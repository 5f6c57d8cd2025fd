"""Keyword arguments of the functions that make graphs, and their names in errors."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gunrock_cli as gunrock
from gunrock_cli.errors import GunrockError
from gunrock_cli.face.options import LOADING, MAKING, ROWS
from gunrock_cli.primitives.option import Option

CPU: dict[str, Any] = {"backend": "cpu", "threads": 2}


@pytest.mark.parametrize(
    ("function", "options"),
    [(gunrock.load, LOADING), (gunrock.as_graph, MAKING), (gunrock.from_csr, ROWS)],
)
def test_every_keyword_argument_is_declared(function: Any, options: tuple[Option, ...]) -> None:
    taken = {
        name: parameter.default
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    assert taken == {option.key: option.default for option in options}


@pytest.mark.parametrize(
    "how",
    [
        {"backend": "bogus"},
        {"backend": None},
        {"undirected": "no"},
        {"undirected": 1},
        {"undirected": None},
        {"weight_type": "int8"},
        {"weight_type": np.float32},
        {"weight_seed": -1},
        {"weight_seed": 1.0},
        {"weight_seed": True},
        {"weight_seed": 2**63},
        {"weights": 3},
        {"weights": "random:1"},
        {"weights": ["unit"]},
        {"seed": "3"},
        {"seed": -1},
        {"cache": "no"},
        {"named": "yes"},
        {"columns": 3},
        {"columns": "ab"},
        {"columns": [np.zeros(2)]},
        {"vertex_names": 3},
        {"nodes": "9"},
        {"nodes": math.nan},
        {"nodes": 0},
        {"scale": 3, "nodes": 9},
        {"bogus": 3},
    ],
    ids=str,
)
def test_load_says_which_argument_is_wrong(how: dict[str, Any]) -> None:
    with pytest.raises(GunrockError) as refused:
        gunrock.load("path", **{"nodes": 9, **how})
    said = str(refused.value)
    assert "\n" not in said
    assert "--" not in said
    assert list(how)[-1] in said


@pytest.mark.parametrize(
    "how",
    [
        {"backend": "bogus"},
        {"symmetrize": "no"},
        {"keep_self_loops": 0},
        {"keep_duplicates": "no"},
        {"weighted": None},
        {"n": "3"},
        {"n": 2.0},
        {"n": -1},
        {"columns": "ab"},
        {"name": ("a",)},
    ],
    ids=str,
)
def test_as_graph_says_which_argument_is_wrong(how: dict[str, Any]) -> None:
    with pytest.raises(GunrockError, match=f"^{next(iter(how))}="):
        gunrock.as_graph(([0], [1]), **how)


def test_what_numpy_says_of_flags_and_seeds_is_understood() -> None:
    graph = gunrock.load(
        "rmat",
        scale=np.int64(4),
        seed=np.uint8(3),
        undirected=np.False_,
        weights="random",
        weight_seed=np.int64(2),
        weight_type="float32",
        backend="cpu",
    )
    assert json.dumps(graph.origin)
    assert not graph.undirected


WORDS: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: gunrock.bfs(([0], [1]), run_ahead=3, idempotence=True, **CPU),
        "run_ahead=3 needs direction='push', idempotence=False, strategy='fused', fusion='on', and no "
        "alpha or beta",
    ),
    (lambda: gunrock.bfs(([0], [1]), devices="x", **CPU), "devices='x': give a count"),
    (
        lambda: gunrock.prepare("sssp", ([0], [1]), delta=3, priority_queue=False, **CPU),
        "delta=3.0 needs priority_queue=True",
    ),
    (lambda: gunrock.bfs(([0], [1]), devices="0,2", **CPU), "devices='0,2': teams"),
    (lambda: gunrock.ppr(([0], [1]), seeds=[9], **CPU), "seeds=9: edges has"),
    (lambda: gunrock.mis(([0], [1]), **CPU), "loaded as a directed one; pass symmetrize=True"),
    (lambda: gunrock.bfs(([0], [1]), undirected=True, **CPU), "did you mean symmetrize?"),
    (lambda: gunrock.bfs(([0], [1]), src=1, **CPU), "did you mean source?"),
    (lambda: gunrock.load("path", nodes=3, directed=True), "did you mean undirected?"),
    (lambda: gunrock.load("path", nodes=3, sed=1), "did you mean seed?"),
    (lambda: gunrock.as_graph(([0], [1]), symetrize=True), "did you mean symmetrize?"),
    (lambda: gunrock.from_csr([0], [], values=[], nam="x"), "did you mean name?"),
]


@pytest.mark.parametrize(("call", "said"), WORDS, ids=[said for _, said in WORDS])
def test_contradictions_are_told_in_pythons_words(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(GunrockError) as refused:
        call()
    assert said in str(refused.value)


def test_files_are_read_as_the_format_that_is_given(tmp_path: Path) -> None:
    file = tmp_path / "roads.data"
    file.write_text("from to\n4 9\n")
    with pytest.raises(GunrockError, match="say which with format='market', format='edge-list', ") as no:
        gunrock.load(file, backend="cpu")
    assert "--" not in str(no.value)
    with pytest.raises(GunrockError, match=r"\(format='table' reads a table that has a header\)"):
        gunrock.load(file, format="edge-list", backend="cpu")
    file.write_text("from,to\n4,9\n")
    graph = gunrock.load(file, format="table", cache=False, backend="cpu")
    assert graph.names is not None
    assert graph.names.tolist() == [4, 9]
