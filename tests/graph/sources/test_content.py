"""Files recognized by how they begin: byte order marks, other formats, archives, web pages."""

from __future__ import annotations

import bz2
import gzip
import io
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from cases_helper import CASES, MARKET, found, load, written
from graph_helper import load_text

from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.changes import in_words
from gunrock_cli.graph.sources.files.readers.content import check_content
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.graph.vertex_list import listed_vertices

DIMACS = "c x\np sp 2 1\na 1 2 5\n"


TEXTS = {
    "market": f"{MARKET} pattern general\n3 3 2\n1 2\n2 3\n",
    "edge-list": "0 1\n1 2\n",
    "table": "source,target\n0,1\n1,2\n",
    "dimacs": "p sp 3 2\na 1 2 1\na 2 3 1\n",
    "metis": "3 2\n2\n1 3\n2\n",
    "ligra": "AdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n",
}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path, kind: str, pack: Any) -> None:
    (tmp_path / "g").write_bytes(pack(TEXTS[kind].encode("utf-8-sig")))
    plain = load_text(tmp_path, TEXTS[kind], "plain", kind=kind)
    assert found(load(tmp_path / "g", kind, undirected=True)) == found(plain)
    (tmp_path / "g").write_bytes(pack(TEXTS[kind].encode("utf-16")))
    with pytest.raises(GunrockError, match="this is UTF-16 text"):
        load(tmp_path / "g", kind)
    (tmp_path / "g").write_bytes(pack(TEXTS[kind].encode("utf-16-le")))
    with pytest.raises(GunrockError, match="this is UTF-16 text"):
        load(tmp_path / "g", kind)


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_lists_of_vertices_and_of_names_may_begin_with_a_mark(tmp_path: Path, pack: Any) -> None:
    (tmp_path / "names").write_bytes(pack("A\nB\nC\n".encode("utf-8-sig")))
    graph = load(CASES / "e26_bom.txt", vertex_names=str(tmp_path / "names"))
    assert list(graph.names) == ["A", "B", "C"]
    assert listed_vertices(graph, f"@{CASES / 'src_bom.txt'}", "--src") == [0, 1]
    (tmp_path / "numbers").write_bytes(pack("2\n0\n".encode("utf-8-sig")))
    assert listed_vertices(load(CASES / "e26_bom.txt"), f"@{tmp_path / 'numbers'}", "--src") == [2, 0]
    (tmp_path / "numbers").write_bytes(pack("2\n0\n".encode("utf-16")))
    with pytest.raises(GunrockError, match="numbers: this is UTF-16 text"):
        listed_vertices(graph, f"@{tmp_path / 'numbers'}", "--src")


FOREIGN = {
    "a banner after blank lines": (f"\n\n{MARKET} pattern general\n3 3 2\n1 2\n", "a Matrix Market file"),
    "a banner after a comment": (f"# mine\n {MARKET} pattern general\n3 3 2\n", "a Matrix Market file"),
    "one per cent": (f"{MARKET[1:]} pattern general\n3 3 1\n1 2\n", "a Matrix Market file"),
    "KONECT": ("% bip\n% 2 2 3\n10 20\n20 30\n", "two sides by KONECT"),
    "KONECT with weights": ("% bip weighted\n% 2 2 2\n1 1 5\n2 2 6\n", "two sides by KONECT"),
    "DIMACS": (DIMACS, "a DIMACS file.* --dimacs"),
    "colouring": ("p edge 2 1\ne 1 2\n", "a DIMACS file.* --dimacs"),
    "Pajek": ("% c\n*network x\n*vertices 2\n*arcs\n1 2\n", "a Pajek network"),
    "GML": ('Creator "x"\ngraph\n[\n node [ id 1 ]\n]\n', "GML"),
    "GML at once": ("graph [\n", "GML"),
    "GraphML": ('<?xml version="1.0"?>\n<graphml xmlns="x">\n', "GraphML"),
    "GEXF": ('<?xml version="1.0"?>\n<gexf>\n', "GEXF"),
    "LEDA": ("LEDA.GRAPH\nvoid\nvoid\n2\n", "a LEDA graph"),
    "DOT": ("strict digraph G {\n a -> b\n}\n", "a DOT graph"),
    "JSON": ('{"nodes": []}', "JSON"),
    "sparse6": (">>sparse6<<:Fa@x^\n", "graph6 or sparse6"),
    "adjacency list": (
        "#x.py\n# GMT Thu Nov 26 21:19:00 2026\n#\n0 1 2\n1 3\n",
        "an adjacency list by NetworkX",
    ),
    "error page": ("\n\n<html>\n<body>404</body></html>\n", "a web page"),
    "XHTML": ('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">\n', "a web page"),
    "S3": ('<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>', "XML"),
    "LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n", "a Git LFS pointer"),
    "annex": ("../../.git/annex/objects/1/2/SHA256E-s1\n", "a git-annex pointer"),
    "PDF": ("%PDF-1.7\n1 0\n", "a PDF"),
}


@pytest.mark.parametrize("kind", ["edge-list", "table", "metis", "dimacs", "market", "named"])
@pytest.mark.parametrize("case", FOREIGN)
def test_what_is_of_another_format_is_named(tmp_path: Path, case: str, kind: str) -> None:
    text, message = FOREIGN[case]
    if f"--{kind}" in message or (kind == "market" and "Matrix Market" in message):
        return check_content(kind, str(written(tmp_path, text)))
    how = {"named": True} if kind == "named" else {}
    with pytest.raises(GunrockError, match=f"g: this is .*{message}"):
        load(written(tmp_path, text), "edge-list" if how else kind, **how)
    return None


@pytest.mark.parametrize("kind", ["npz", "sg", "egr", "csr", "binary", "galois", "ligra-binary"])
def test_pages_and_pointers_in_the_place_of_binary_files(tmp_path: Path, kind: str) -> None:
    for case in ("LFS", "error page"):
        text, message = FOREIGN[case]
        for ending in (".config", ".idx", ".adj") if kind == "ligra-binary" else ("",):
            (tmp_path / f"g{ending}").write_text(text)
        with pytest.raises(GunrockError, match=f"this is {message}"):
            load(tmp_path / "g", kind)


def test_archives_of_any_kind(tmp_path: Path) -> None:
    packed, rolled = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.mtx", TEXTS["market"])
        archive.writestr("b.mtx", TEXTS["market"])
    with tarfile.open(fileobj=rolled, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a.mtx"), io.BytesIO())
    for data, what in (
        (packed.getvalue(), "zip"),
        (rolled.getvalue(), "tar"),
        (bz2.compress(rolled.getvalue()), "tar"),
        (b"7z\xbc\xaf\x27\x1c\0", "7z"),
    ):
        for kind in TEXTS:
            with pytest.raises(GunrockError, match=f"g: this is a {what} archive"):
                load(written(tmp_path, data), kind)


@pytest.mark.parametrize(
    ("text", "announced", "n"),
    [
        ("# Nodes: 3 Edges: 2\n10 20\n20 30\n", 3, 31),
        ("# Nodes: 9\n0 1\n", 9, 2),
        ("% sym unweighted\n% 1 2 2\n1 2\n", 2, 3),
        ("# Directed graph with 5 nodes\n0 1\n", 5, 2),
        ("# Nodes: 2 Edges: 1\n0 1\n", None, 2),
        ("# mine\n0 1\n", None, 2),
    ],
)
@pytest.mark.parametrize("cached", [False, True])
def test_a_header_that_speaks_of_other_vertices_is_told(
    tmp_path: Path, text: str, announced: int | None, n: int, cached: bool
) -> None:
    spec = GraphSpec("edge-list", path=str(written(tmp_path, text)))
    if cached:
        load_graph(spec)
    graph = load_graph(spec, cache=cached)
    assert graph.changes is not None
    assert (graph.changes.vertices_announced, graph.n) == (announced, n)
    told = f"{n} vertices, as numbers are kept, where its header announces {announced} "
    assert (told in in_words(graph.described())) is (announced is not None)
    named = load(Path(str(spec.path)), "edge-list", named=True)
    assert "announces" not in in_words(named.described())
