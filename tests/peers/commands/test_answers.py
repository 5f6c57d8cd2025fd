"""Answers of programs, converted for the primitives' own checks."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.peers.commands.answers import check_number, read_answer
from gunrock_cli.peers.commands.description import FileAnswer, PrintedAnswer
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.options import Options
from gunrock_cli.primitives.variant import Variant


def read(tmp_path: Path, values: Any, answer: FileAnswer, primitive: str = "bfs") -> Any:
    path = tmp_path / "answer"
    if isinstance(values, str):
        path.write_text(values)
    else:
        values.tofile(path)
    ((name, found),) = read_answer(path, answer, get_primitive(primitive), 4).items()
    return name, found.dtype, found.tolist()


INF = np.inf


@pytest.mark.parametrize(
    ("primitive", "values", "answer", "expected"),
    [
        (
            "bfs",
            np.array([0, 1, -1, 2], "i4"),
            FileAnswer("int32", (-1,)),
            ("labels", np.int32, [0, 1, -1, 2]),
        ),
        (
            "bfs",
            np.array([0, 1, 2**32 - 1, 7], "u4"),
            FileAnswer("uint32", (2**32 - 1, 7)),
            ("labels", np.int32, [0, 1, -1, -1]),
        ),
        (
            "bfs",
            np.array([0, 1, np.nan, 2], "f8"),
            FileAnswer("float64", (np.nan,)),
            ("labels", np.int32, [0, 1, -1, 2]),
        ),
        (
            "bfs",
            "1 1\n0 0\n3 2\n2 INF\n",
            FileAnswer("pairs", ("INF",)),
            ("labels", np.int32, [0, 1, -1, 2]),
        ),
        (
            "sssp",
            np.array([0, 5, 2**31 - 1, 9], "i4"),
            FileAnswer("int32", (2**31 - 1,)),
            ("distances", np.float64, [0, 5, INF, 9]),
        ),
        (
            "sssp",
            "0 0\n1 5\n2 INF\n3 9\n",
            FileAnswer("pairs", ("INF",)),
            ("distances", np.float64, [0, 5, INF, 9]),
        ),
        ("cc", np.array([9, 3, 9, 3], "i4"), FileAnswer("int32"), ("components", np.int32, [0, 1, 0, 1])),
        (
            "pagerank",
            np.array([1, 1, 1, 1], "f4"),
            FileAnswer("float32", (), True),
            ("ranks", np.float64, [0.25, 0.25, 0.25, 0.25]),
        ),
        ("bc", np.array([0, 1, 2, 0], "f4"), FileAnswer("float32"), ("scores", np.float64, [0, 1, 2, 0])),
        ("mis", np.array([0, 1, 1, 0], "i4"), FileAnswer("int32"), ("members", np.int32, [0, 1, 1, 0])),
        ("color", np.array([0, 2, 1, 0], "u4"), FileAnswer("uint32"), ("colors", np.int32, [0, 2, 1, 0])),
    ],
)
def test_answers_become_ours(
    tmp_path: Path, primitive: str, values: Any, answer: FileAnswer, expected: Any
) -> None:
    assert read(tmp_path, values, answer, primitive) == expected


@pytest.mark.parametrize(
    ("values", "answer", "says"),
    [
        (
            np.array([0, 1], "i4"),
            FileAnswer("int32"),
            "answer of 8 bytes, and 4 vertices of int32 take 16",
        ),
        (np.array([0, 1, 2, 3, 4], "i4"), FileAnswer("int32"), "answer of 20 bytes"),
        (
            np.array([0, 0.5, 1, 1], "f4"),
            FileAnswer("float32"),
            "wrote 0.5 for vertex 1, which is no depth",
        ),
        (np.array([0, np.nan, 1, 1], "f4"), FileAnswer("float32"), "wrote nan for vertex 1"),
        (np.array([0, 2**40, 1, 1], "i8"), FileAnswer("int64"), "wrote 1099511627776 for vertex 1"),
        ("0 0\n1 1\n2 1\n", FileAnswer("pairs"), "does not name each of the 4 vertices once"),
        ("0 0\n1 1\n2 1\n2 1\n", FileAnswer("pairs"), "does not name each of the 4 vertices once"),
        ("0 0\n1 one\n", FileAnswer("pairs"), "not lines of vertex and value"),
        ("", FileAnswer("pairs"), "answer of 0 lines"),
        ("0 1 2 3\n1 2 3 4\n", FileAnswer("pairs"), "does not name each|not lines of"),
    ],
)
def test_what_is_no_answer_is_said(tmp_path: Path, values: Any, answer: FileAnswer, says: str) -> None:
    with pytest.raises(BackendError, match=says):
        read(tmp_path, values, answer)


def test_no_answer_and_things_that_are_no_files(tmp_path: Path) -> None:
    bfs, raw = get_primitive("bfs"), FileAnswer("int32")
    with pytest.raises(BackendError, match="wrote no answer"):
        read_answer(tmp_path / "none", raw, bfs, 4)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for name in ("pipe", "link"):
        with pytest.raises(BackendError, match="is no file"):
            read_answer(tmp_path / name, raw, bfs, 4)


def test_primitives_of_ones_own_are_called_as_they_say(tmp_path: Path) -> None:
    class Colors(Variant[Options]):
        answer = ("colors",)

    class Own(Primitive):
        name, summary, variant = "own", "", Colors

    np.arange(4, dtype="i4").tofile(tmp_path / "answer")
    assert set(read_answer(tmp_path / "answer", FileAnswer("int32"), Own(), 4)) == {"colors"}


def path_and_more() -> Graph:
    """The edges 0 - 1 - 2 and 3 - 4, and vertex 5 alone."""
    offsets = np.array([0, 1, 3, 4, 5, 6, 6], np.int32)
    csr = Csr(offsets, np.array([1, 0, 2, 1, 4, 3], np.int32))
    return Graph("paths", csr, csr, True)


@pytest.mark.parametrize(("of", "right"), [("components", 3), ("reached", 3), ("depth", 2)])
def test_numbers_are_compared(of: str, right: int) -> None:
    answer = PrintedAnswer(re.compile("(x)"), of)
    verdict = check_number(answer, ["7", str(right)], path_and_more(), 0)
    assert (verdict.verdict, verdict.extent) == ("pass", "number")
    wrong = check_number(answer, [str(right + 1)], path_and_more(), 0)
    assert (wrong.verdict, wrong.message) == ("fail", f"{of}: {right + 1}, expected {right}")


def test_a_forests_weight_is_compared() -> None:
    """The forest of a triangle omits the heaviest edge."""
    csr = Csr(
        np.array([0, 2, 4, 6], np.int32),
        np.array([1, 2, 0, 2, 0, 1], np.int32),
        np.array([5, 9, 5, 7, 9, 7], np.int32),
    )
    graph, answer = Graph("triangle", csr, csr, True), PrintedAnswer(re.compile("(x)"), "weight")
    assert check_number(answer, ["12"], graph, None).verdict == "pass"
    assert check_number(answer, ["14"], graph, None).message == "weight: 14, expected 12"


def test_the_number_of_triangles_is_compared() -> None:
    csr = Csr(np.array([0, 3, 5, 7, 8], np.int32), np.array([1, 2, 3, 0, 2, 0, 1, 0], np.int32))
    graph, answer = Graph("triangle", csr, csr, True), PrintedAnswer(re.compile("(x)"), "triangles")
    assert check_number(answer, ["1"], graph, None).verdict == "pass"
    assert check_number(answer, ["3"], graph, None).message == "triangles: 3, expected 1"


@pytest.mark.parametrize("printed", [[], ["-1"], ["three"], ["9" * 30], ["\u0663"]])
def test_what_is_no_number_is_said(printed: list[str]) -> None:
    with pytest.raises(BackendError, match="number of components"):
        check_number(PrintedAnswer(re.compile("(x)"), "components"), printed, path_and_more(), 0)
