"""``gunrock convert``: from a graph to a file for another program."""

import json
import os

import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli, main
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.files.readers.formats import FORMATS
from gunrock_cli.graph.spec import GraphSpec, spec_from_name


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.el").write_text("0 1 7\n1 2 5\n2 2 9\n")


def run(*words):
    return CliRunner().invoke(cli, ["convert", *words, "--backend", "cpu"])


@pytest.mark.parametrize(
    "words", [("g.el", "g.wsg"), ("--edge-list", "g.el", "g.wsg"), ("g.el", "g.wsg", "--format", "wsg")]
)
def test_a_file(words):
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert result.stdout == "g: 3 vertices, 4 directed edges, written to g.wsg\n"
    assert load_graph(spec_from_name("g.wsg")).hash == load_graph(spec_from_name("g.el")).hash


def test_a_generator_and_several_files():
    result = run("rmat", "--scale", "6", "--weights", "random", "k", "--format", "gunrock1", "--json")
    found = json.loads(result.stdout)
    assert found["files"] == ["k.meta", "k.coo_edge_pairs", "k.coo_edge_values"]
    assert (found["format"], found["weights"]) == ("gunrock1", True)
    back = load_graph(GraphSpec("gunrock1", path="k"))
    assert (back.n, back.m) == (found["vertices"], found["edges"])


def test_what_the_options_make_of_it():
    result = run("g.el", "g.sg", "--directed", "--keep-self-loops")
    assert result.stdout == "g: 3 vertices, 3 directed edges, without its weights, written to g.sg\n"
    back = load_graph(GraphSpec("sg", path="g.sg", undirected=False, keep_self_loops=True))
    assert back.csr.column_indices.tolist() == [1, 2, 2]
    assert not back.undirected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["g.el"], "gunrock convert GRAPH OUT"),
        (["--edge-list", "g.el"], "gunrock convert GRAPH OUT"),
        (["g.el", "-"], "name a file, or /dev/stdout"),
        (["g.el", "g.dat"], "the name does not tell the format"),
        (["g.el", "g.gr"], "--format gr"),
        (["g.el", "g.metis"], "g.metis: cannot be written"),
        (["g.el", "/proc/nowhere/g.sg"], "/proc/nowhere/g.sg: cannot be written"),
        (["g.el", "g.sg.gz"], "only text formats are compressed"),
        (["path", "--nodes", "3", "g.wsg"], "g.wsg: wsg has weights, and this graph has none"),
        (
            ["path", "--nodes", "5", "g.egr", "--weights", "random:0:1", "--weight-type", "float32"],
            "egr has integers of 32 bits as weights",
        ),
        (["nothing.mtx", "g.sg"], "nothing.mtx: no such file"),
    ],
)
def test_mistakes(words, message):
    result = run(*words)
    assert isinstance(result.exception, GunrockError)
    assert message in str(result.exception)


def test_a_mistake_is_one_line_and_exit_code_2(capsys):
    with pytest.raises(SystemExit) as left:
        main(["convert", "path", "--nodes", "3", "g.wsg", "--backend", "cpu"])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_help_lists_the_formats():
    text = run("--help").stdout
    for name, form in FORMATS.items():
        assert f"{name} " in text
        assert form.summary in text


def named(path):
    path.write_text("source,target\nann,bob\nbob,cid\n")
    return str(path)


def test_a_graph_is_not_there_without_its_names(tmp_path):
    (tmp_path / "g.mtx.names").mkdir()
    result = run(named(tmp_path / "n.csv"), "g.mtx")
    assert isinstance(result.exception, GunrockError)
    assert not (tmp_path / "g.mtx").exists()
    assert list((tmp_path / "g.mtx.names").iterdir()) == []


def test_names_are_not_put_beside_a_pipe(tmp_path, caplog):
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        result = run(named(tmp_path / "n.csv"), "pipe", "--format", "mtx")
        assert result.exit_code == 0, result.output
        assert os.read(reader, 1 << 16).startswith(b"%%MatrixMarket")
    finally:
        os.close(reader)
    assert not (tmp_path / "pipe.names").exists()
    assert "names, which are left out" in caplog.text
