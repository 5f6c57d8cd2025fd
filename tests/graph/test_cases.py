"""Files as other programs write them, and weights as options ask for them: read correctly, or refused in
one line. ``cases`` holds some of the files."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
from cases_helper import CASES, MARKET, PATH, found, load, written

from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.sources.files.readers.formats import kind_of_file


@pytest.fixture(autouse=True)
def _no_warning_of_pythons() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


READ: dict[str, tuple[dict[str, Any], int, list[tuple[Any, ...]]]] = {
    "e52_bom_named.txt": ({"named": True}, 3, [(0, 1), (0, 2)]),
    "m12_bom.mtx": ({}, 3, PATH),
    "e26_bom.txt": ({}, 3, PATH),
    "t04_headerless.csv": ({"columns": ("0", "1")}, 4, [(0, 1), (1, 2), (2, 3)]),
    "m51_real_whole.mtx": ({"weight_type": "int32"}, 3, [(0, 1, 16777217), (1, 2, 5)]),
    "e43_int_over32.txt": ({"weight_type": "float32"}, 3, [(0, 1, 3000000000.0), (1, 2, 16777216.0)]),
    "m21_nan.mtx": ({"weights": "none"}, 3, PATH),
    "m31_int_big.mtx": ({"weights": "none"}, 3, PATH),
    "m34_1e300.mtx": ({"weights": "unit"}, 3, [(0, 1, 1), (1, 2, 1)]),
    "m52_int_min.mtx": ({}, 2, [(0, 1, -(2**31))]),
    "m02_space_before_banner.mtx": ({}, 3, PATH),
    "d04_pace.gr": ({}, 3, PATH),
    "d17_col_nodeweights.col": ({"kind": "dimacs"}, 3, PATH),
    "e21_networkx.txt": ({}, 3, PATH),
    "e22_networkx_w.txt": ({}, 3, [(0, 1, 3), (1, 2, 4)]),
    "t02_gephi.csv": ({}, 3, [(1, 2, 3), (2, 3, 4)]),
    "t03_netzschleuder.csv": ({}, 3, [(0, 1, 2), (1, 2, 3)]),
    "t20_from_to.csv": ({}, 3, [("A", "B"), ("B", "C")]),
    "ok.mtx": ({"undirected": True}, 4, [(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]),
}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("name", READ)
def test_cases_that_are_read(name: str) -> None:
    how, n, expected = READ[name]
    graph = load(CASES / name, how.get("kind"), **{key: how[key] for key in how if key != "kind"})
    assert (graph.n, found(graph)) == (n, expected)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "t04_headerless.csv": ({}, r"the first row \(0,1\) has numbers, .* --columns 0,1"),
    "z15_weighted_mm.edges": ({}, "this is a Matrix Market file, .* --market"),
    "e46_konect_bip.txt": ({}, "this is a list of two sides by KONECT"),
    "x03.net": ({"kind": "edge-list", "named": True}, "this is a Pajek network, as its '.Vertices 3'"),
    "e49_tiny.txt": ({"weight_type": "int32"}, r"e49_tiny\.txt:1: the value 1e-300 is no 32-bit integer"),
    "m47_denormal.mtx": ({"weight_type": "int32"}, r"mtx:3: the value 1e-300 is no 32-bit integer"),
    "e43_int_over32.txt": ({}, "txt:1: the value 3000000001.0 is no 32-bit integer"),
    "m21_nan.mtx": ({}, "mtx:3: .*VALUE a number"),
    "m31_int_big.mtx": ({}, "mtx:3: the value 3000000000 is not a number that fits in a 32-bit weight"),
    "m34_1e300.mtx": ({}, "mtx:3: the value 1e.300 is not a number that fits in a 32-bit weight"),
    "z01_suitesparse.tar.gz": ({"kind": "market"}, "this is a tar archive: unpack it"),
    "z03_netrepo.zip": ({"kind": "market"}, "this is a zip archive: unpack it"),
    "z13_html.mtx": ({}, "this is a web page"),
    "z14_lfs.mtx": ({}, "this is a Git LFS pointer"),
}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("name", REFUSED)
def test_cases_that_are_refused(name: str) -> None:
    how, message = REFUSED[name]
    kind = how.get("kind")
    with pytest.raises(GunrockError, match=message) as refused:
        load(CASES / name, kind, **{key: how[key] for key in how if key != "kind"})
    assert "\n" not in str(refused.value)


def test_archives_are_told_whatever_their_name_ends_in() -> None:
    for name in ("z01_suitesparse.tar.gz", "z03_netrepo.zip", "x03.net"):
        with pytest.raises(GunrockError, match=r"this is a (tar|zip|Pajek)"):
            kind_of_file(str(CASES / name))


NETWORKX = {
    "numbers": ("0 1 {}\n1 2 {}\n", PATH),
    "commas": ("0,1,{'weight': 2}\n1,2,{'weight': 3}\n", [(0, 1, 2), (1, 2, 3)]),
    "others": (
        "0 1 {'color': '#f00, x', 'weight': 0.5}\n1 2 {'weight': 1, 'a': {}}\n",
        [(0, 1, 0.5), (1, 2, 1)],
    ),
    "NumPy": ("0 1 {'weight': np.float64(0.5)}\n1 2 {'weight': np.int64(3)}\n", [(0, 1, 0.5), (1, 2, 3)]),
    "comments": ("# c\n0 1 {'weight': 2}\n\n% d\n1 2 {'weight': 3}\n", [(0, 1, 2), (1, 2, 3)]),
}


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("case", NETWORKX)
def test_lists_by_networkx(tmp_path: Path, case: str) -> None:
    text, expected = NETWORKX[case]
    assert found(load(written(tmp_path, text), "edge-list")) == expected
    assert found(load(written(tmp_path, text), "edge-list", named=True)) == expected
    assert found(load(written(tmp_path, text), "edge-list", weights="none")) == PATH


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0 1 {'weight': 2}\n1 2 {}\n", "g:2: 2 columns, but 3 in line 1"),
        ("0 1 {'weight': 'x'}\n", "g:1: the weight 'x' is no number"),
        ("0 1 {'weight': 1e999}\n", "g:1: the weight 'inf' is no number"),
        ("0 1 {'weight': 2\n", "g:1: expected a dictionary"),
        ("0 1 {f()}\n", "g:1: expected a dictionary"),
        ("0 1 {}\n1 x {}\n", "g:2: expected a vertex number"),
        ("0 4294967295 {}\n", "g:1: expected a"),
        ("0 1 {'weight': 3000000001}\n1 2 {'weight': 1}\n", "g:1: the value 3000000001.0 is no 32-bit"),
    ],
)
def test_lists_by_networkx_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(GunrockError, match=message):
        load(written(tmp_path, text), "edge-list")


def test_networkx_writes_what_is_read(tmp_path: Path) -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    nx.write_edgelist(graph, tmp_path / "g")
    assert found(load(tmp_path / "g", "edge-list")) == [(0, 1), (1, 2), (2, 0)]
    nx.write_adjlist(graph, tmp_path / "g")
    with pytest.raises(GunrockError, match="an adjacency list by NetworkX"):
        load(tmp_path / "g", "edge-list")


TABLES = {
    "Source;Target;Weight\nA;B;3\n": [("A", "B", 3)],
    '"SRC"\t"DST"\nA\tB\n': [("A", "B")],
    '"source";"target";"a,b"\nA;B;x\n': [("A", "B")],
    "\n\nto,from\nB,A\n": [("A", "B")],
    "#source,target\nA,B\n": [("A", "B")],
    "src , dest\nA,B\n": [("A", "B")],
    "from,to,2019\nA,B,7\n": [("A", "B")],
    "source,target,from,to\nA,B,C,D\n": [("A", "B")],
}


@pytest.mark.parametrize("text", TABLES)
def test_headers_as_they_usually_are(tmp_path: Path, text: str) -> None:
    assert found(load(written(tmp_path, text), "table")) == TABLES[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\nx,y\n", "there are 'a', 'b'; name those of source, target and weight with --columns"),
        ("From,To,Src,Dst\na,b,c,d\n", "no columns that are called"),
        ("1,2,x\n2,3,y\n", "row .1,2,x. has"),
    ],
)
def test_headers_that_do_not_tell(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(GunrockError, match=message):
        load(written(tmp_path, text), "table")


def test_no_edge_of_a_table_is_taken_for_its_header(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    graph = load(written(tmp_path, "1,2,0.5\n2,3,1.5\n"), "table", columns=("0", "1", "2"))
    assert found(graph) == [(1, 2, 0.5), (2, 3, 1.5)]
    assert "the first row (1,2,0.5) has numbers, so it is an edge" in caplog.text
    with pytest.raises(GunrockError, match="g has 0 columns '5'"):
        load(written(tmp_path, "5,7\n1,2\n"), "table", columns=("5", "7"))


@pytest.mark.parametrize("named", [False, True])
def test_no_header_of_a_table_is_taken_for_an_edge(named: bool) -> None:
    with pytest.raises(GunrockError, match="--table reads"):
        load(CASES / "t20_from_to.csv", "edge-list", named=named)


WEIGHED = {
    "edge-list": "0 1 {0}\n1 2 {1}\n",
    "named": "0 1 {0}\n1 2 {1}\n",
    "table": "source,target,weight\n0,1,{0}\n1,2,{1}\n",
    "market": f"{MARKET} real general\n3 3 2\n1 2 {{0}}\n2 3 {{1}}\n",
    "dimacs": "p sp 3 2\na 1 2 {0}\na 2 3 {1}\n",
}


def weighed(folder: Path, kind: str, *values: str, **how: Any) -> list[tuple[Any, ...]]:
    path = written(folder, WEIGHED[kind].format(*values))
    return found(load(path, "edge-list" if kind == "named" else kind, named=kind == "named", **how))


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", WEIGHED)
def test_weights_that_are_not_used_are_not_judged(tmp_path: Path, kind: str) -> None:
    for value in ("nan", "1e300", "-inf", "99999999999999999999", "1.5D+02", "0x10", "abc"):
        assert weighed(tmp_path, kind, value, "5", weights="none") == PATH
        assert weighed(tmp_path, kind, "5", value, weights="unit") == [(0, 1, 1), (1, 2, 1)]
        if kind == "market" and value.isdigit():  # float32 would round it
            continue
        with pytest.raises(GunrockError):
            weighed(tmp_path, kind, "5", value)


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", WEIGHED)
def test_a_type_of_weights_is_asked_of_what_the_file_says(tmp_path: Path, kind: str) -> None:
    """The file's value counts, not float32's rounding of it."""
    for value in ("16777217", "2147483647", "1e3", "16777217.0"):
        expected = [(0, 1, int(float(value))), (1, 2, 5)]
        assert weighed(tmp_path, kind, value, "5", weight_type="int32") == expected
    for value in ("1e-300", "5.00000001", "1e300", "2147483648", "9007199254740993", "0.5"):
        with pytest.raises(GunrockError, match=r"32-bit"):
            weighed(tmp_path, kind, value, "5", weight_type="int32")
    assert weighed(tmp_path, kind, "0.5", "5", weight_type="float32") == [(0, 1, 0.5), (1, 2, 5)]


@pytest.mark.usefixtures("cpu_path")
@pytest.mark.parametrize("kind", ["edge-list", "named", "table", "dimacs"])
def test_one_large_integer_makes_no_reals_of_the_others(tmp_path: Path, kind: str) -> None:
    for value in ("2147483648", "9007199254740993", "18446744073709551615", "99999999999999999999"):
        with pytest.raises(GunrockError, match="32-bit integer; --weight-type float32"):
            weighed(tmp_path, kind, value, "16777217")
    assert weighed(tmp_path, kind, "2147483648", "0.5") == [(0, 1, 2147483648.0), (1, 2, 0.5)]
    if kind != "dimacs":  # its lengths are whole numbers
        assert weighed(tmp_path, kind, "2147483648.0", "5") == [(0, 1, 2147483648.0), (1, 2, 5.0)]


def test_the_reverse_of_the_least_integer_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, f"{MARKET} integer skew-symmetric\n2 2 1\n2 1 -2147483648\n")
    with pytest.raises(GunrockError, match="does not fit in a 32-bit weight"):
        load(path, "market")
    assert found(load(path, "market", undirected=True))[0] == (0, 1, -(2**31))


@pytest.mark.parametrize("problem", ["tw", "td", "cep", "tww", "ds"])
def test_problems_of_pace(tmp_path: Path, problem: str) -> None:
    assert found(load(written(tmp_path, f"c x\np {problem} 3 2\n1 2\nc y\n2 3\n"), "dimacs")) == PATH


@pytest.mark.parametrize("problem", ["max", "min", "asn", "hs", "cnf"])
def test_problems_of_dimacs_that_are_no_graphs_are_named(tmp_path: Path, problem: str) -> None:
    with pytest.raises(GunrockError, match=f"g:1: a DIMACS problem of type '{problem}' is not read"):
        load(written(tmp_path, f"p {problem} 3 2\na 1 2 5\na 2 3 5\n"), "dimacs")


def test_vertices_of_a_colouring_keep_their_weights(tmp_path: Path) -> None:
    graph = load(CASES / "d17_col_nodeweights.col", "dimacs")
    assert graph.vertex_weights is not None
    assert graph.vertex_weights.tolist() == [4, 5, 1]
    for node in ("n 4 1", "n 1 2147483648"):
        with pytest.raises(GunrockError, match=f"found '{node}'"):
            load(written(tmp_path, f"p col 3 1\n{node}\ne 1 2\n"), "dimacs")
    with pytest.raises(GunrockError, match=r"g:4: .*from 1 to 9"):
        load(written(tmp_path, "p col 3 1\nn 1 2\n\ne 1 9\n"), "dimacs")
