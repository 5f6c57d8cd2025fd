"""Operators alone walk lists: nothing outside kernels/operators loops over a list's entries, except the
one walk of the certificates, which must share nothing with the operators.

The test reads the text, since a compiler does not know this: a primitive asks a row only for its length,
does not touch the arrays that hold the lists, calls no operator's internals, and has no loop that takes
one neighbour after another. (A single neighbour is no loop: the end of a frontier's edge, a sample.)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from docs.guide import FILES

from gunrock_cli.resources import kernels_dir

KERNELS = kernels_dir()
_PARENTHESES = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
FORBIDDEN = {
    "the arrays of the lists": re.compile(r"\b(?:row_offsets|column_indices)\b"),
    "a row for more than its length": re.compile(
        rf"\bRow\b|\brow_within\b|\bprefetch_(?:row|list)\b|[.>]row{_PARENTHESES}(?!\.length\b)"
    ),
    "where a queue's lists lie": re.compile(r"[.>](?:rows|scan)\b"),
    "the insides of an operator": re.compile(r"\b(?:load_entries|fold_peeked|fold_all|fold_part)\b"),
}
_LOOP = re.compile(rf"\b(?:for|while)\s*({_PARENTHESES})")
_NEIGHBOR = re.compile(rf"\bneighbor\s*({_PARENTHESES})")
_CHANGED = re.compile(r"(?:\+\+|--)\s*(\w+)|(\w+)\s*(?:\+\+|--|[-+]=)")


def without_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def statement_at(text: str, start: int) -> str:
    """The statement that begins at ``start``: up to its semicolon, or to the brace that ends it."""
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] in "({") - (text[at] in ")}")
        if depth == 0 and text[at] in ";}":
            return text[start : at + 1]
    return text[start:]


def loops_over_entries(text: str) -> Iterator[str]:
    """Loops that take neighbours, by what they count."""
    for loop in _LOOP.finditer(text):
        body = statement_at(text, loop.end())
        changed = {a or b for a, b in _CHANGED.findall(loop[1] + body)}
        for neighbor in _NEIGHBOR.finditer(loop[1] + body):
            if changed & set(re.findall(r"\w+", neighbor[1])):
                yield " ".join(loop[0].split())


def walks(text: str) -> list[str]:
    """The parts of a primitive's text that walk a list, or help to."""
    text = without_comments(text)
    found = [
        f"asks for {what}: {match[0]}"
        for what, pattern in FORBIDDEN.items()
        for match in pattern.finditer(text)
    ]
    return found + [f"loops over entries: {loop}" for loop in loops_over_entries(text)]


PRIMITIVES = sorted((KERNELS / "primitives").rglob("*.cuh"))
WALKERS = ("operators", "certificates/proof.cuh")
REST = sorted(
    path for path in KERNELS.rglob("*.cu*") if not str(path.relative_to(KERNELS)).startswith(WALKERS)
)


def shown(path: Path) -> str:
    return str(path.relative_to(KERNELS))


def test_there_are_kernels_to_read() -> None:
    assert {path.relative_to(KERNELS / "primitives").parts[0] for path in PRIMITIVES} >= {
        "bfs",
        "sssp",
        "bc",
        "cc",
        "pagerank",
    }
    assert KERNELS / "core" / "collector.cuh" in REST


@pytest.mark.parametrize("path", sorted((KERNELS / "certificates").glob("*.cuh")), ids=shown)
def test_certificates_share_nothing_with_the_operators(path: Path) -> None:
    assert "operators/" not in path.read_text()


@pytest.mark.parametrize("path", PRIMITIVES, ids=shown)
def test_a_primitive_walks_no_list(path: Path) -> None:
    assert walks(path.read_text()) == []


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".cuh")])
def test_nor_does_an_example_of_the_guide(name: str) -> None:
    assert walks(FILES[name]) == []


@pytest.mark.parametrize("path", REST, ids=shown)
def test_nor_does_anything_else_loop_over_entries(path: Path) -> None:
    assert list(loops_over_entries(without_comments(path.read_text()))) == []


@pytest.mark.parametrize(
    "text",
    [
        "for (edge_t e = g.csr.row_offsets[v]; e < g.csr.row_offsets[v + 1]; ++e) f(g.csr.values[e]);",
        "const Row row = lists.row(v); for (edge_t e = row.begin; e < row.end(); ++e) "
        "f(lists.neighbor(e));",
        "const auto row = lists.row(load(&order[i]));",
        "for (edge_t e = lists.row(v).begin; e < end; e += WARP) f(e);",
        "for (i64 i = 0; i < degree; ++i) f(lists.neighbor(first + i));",
        "for (edge_t e = begin; e < end; ++e) {\n  if (x) { g(); }\n  f(lists.neighbor(e));\n}",
        "while (e < end) { f(lists.neighbor(e)); e += stride; }",
        "while (e < end) f(lists.neighbor(e++));",
        "const edge_t begin = ctx.in(s).queue.rows[i];",
        "fold_part<Sum<i32>, 4>(ctx, lists, f, v, begin, end, 1, total);",
    ],
)
def test_what_walks_a_list_is_found(text: str) -> None:
    assert walks(text)


@pytest.mark.parametrize(
    "text",
    [
        "const edge_t degree = ctx.graph.csr.row(v).length;  // not row.begin",
        "const i64 own = csr->row(order[i]).length;",
        "const vertex_t d = csr.neighbor(e);",
        "for (int k = 0; k < 4; ++k) {\n  const i64 e = random(k);\n  f(csr.neighbor(e));\n}",
        "for (int k = 0; k < 4; ++k) f(k);\nconst vertex_t d = csr.neighbor(k);",
    ],
)
def test_what_walks_none_is_left_alone(text: str) -> None:
    assert walks(text) == []
