"""``gunrock generate``, as a process and through its options."""

import json

import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import GunrockError


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))


def run(*words):
    return CliRunner().invoke(cli, ["generate", *words], catch_exceptions=True)


@pytest.mark.parametrize("name", ["rmat", "rgg", "random", "smallworld", "path", "star", "road"])
def test_each_by_scale(name):
    result = run(name, "--scale", "7", "--json", "--backend", "cpu")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert found["origin"]["kind"] == name
    assert found["edges"] > 0


@pytest.mark.parametrize("file", ["g.mtx", "g.mtx.gz", "g.gcsr", "g.npz", "g.el"])
def test_output_is_the_inline_graph(tmp_path, file):
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.sources.files.readers.formats import kind_of_file
    from gunrock_cli.graph.spec import GraphSpec

    path = tmp_path / file
    result = run("rmat", "--scale", "6", "--seed", "3", "--output", str(path))
    assert result.exit_code == 0, result.output
    assert f"written to {path}" in result.stdout
    graph = load_graph(GraphSpec(kind_of_file(file), path=str(path)))
    inline = load_graph(GraphSpec("rmat", params={"scale": 6, "seed": 3}))
    assert (graph.csr.column_indices == inline.csr.column_indices).all()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["path", "--width", "3"], "path takes no --width"),
        (["rmat", "--scale", "99"], "out of range"),
        (["path", "-o", "g.dat"], "does not tell the format"),
        (["path", "-o", "g.gr"], "cannot be written"),
        (["path", "-o", "/proc/nowhere/g.mtx"], "cannot be written"),
        (["path", "--weights", "lots"], "--weights lots"),
    ],
)
def test_mistakes(words, message):
    result = run(*words, "--backend", "cpu")
    assert isinstance(result.exception, GunrockError)
    assert message in str(result.exception)


def test_help_lists_the_generators():
    result = run("--help")
    assert result.exit_code == 0
    assert "smallworld" in result.stdout
