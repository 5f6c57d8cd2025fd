import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gunrock_cli.cli.main import cli
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.fetch import _write_record

ROOT = Path(__file__).resolve().parents[2]
TEXT = "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path))
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path


def run(*words):
    return CliRunner().invoke(cli, ["datasets", *words])


def place(folder, name, stand_in=False):
    path = folder / name / f"{name}.mtx"
    path.parent.mkdir()
    path.write_text(TEXT)
    _write_record(path, {"dataset": name, "stand_in": stand_in})
    return path


def test_list(folder):
    place(folder, "roadNet-CA", stand_in=True)
    assert "hollywood-2009" in run("list").stdout
    assert run("list", "--table", "arxiv15", "--names").stdout.split() == [
        "roadNet-CA",
        "soc-LiveJournal1",
        "bitcoin",
        "kron_g500-logn20",
    ]
    found = {data["name"]: data for data in json.loads(run("list", "--json").stdout)}
    assert found["roadNet-CA"]["state"] == "stand-in"
    assert found["bitcoin"]["state"] == ""
    assert len(found) == 21


def test_info_and_path(folder):
    shown = run("info", "soc-orkut").stdout
    assert "networkrepository.com" in shown
    assert json.loads(run("info", "soc-orkut", "--json").stdout)["vertices"] == 2997166
    result = run("path", "soc-orkut")
    assert isinstance(result.exception, GunrockError)
    path = place(folder, "soc-orkut")
    assert run("path", "soc-orkut").stdout.strip() == str(path)


def test_a_data_set_by_its_name(folder):
    place(folder, "roadNet-CA", stand_in=True)
    result = CliRunner().invoke(
        cli, ["stats", "roadNet-CA", "--json", "--no-diameter", "--backend", "cpu"]
    )
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert (found["name"], found["stand_in"], found["vertices"]) == ("roadNet-CA", True, 3)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_makefile(folder):
    """Every data set and table is a target, and existing files are left alone."""
    place(folder, "roadNet-CA")
    gunrock = f"{sys.executable} -m gunrock_cli.cli.main"

    def make(*words):
        return subprocess.run(
            ["make", "-C", ROOT / "datasets", f"GUNROCK={gunrock}", f"DIR={folder}", *words],
            capture_output=True,
            text=True,
            check=False,
        )

    names = run("list", "--names").stdout.split()
    planned = make("-n", "all", "STANDIN=1").stdout
    assert all(f"datasets fetch {name} --stand-in" in planned for name in names)
    planned = make("-n", "ppopp16").stdout
    assert sum("datasets fetch" in line for line in planned.splitlines()) == 6
    done = make("roadNet-CA")
    assert done.returncode == 0, done.stderr
    assert str(folder) in done.stdout
    assert "make ppopp16" in make("help").stdout
    done = make("bitcoin", "roadNet-CA")  # the first has no source
    assert done.returncode != 0
    assert "STANDIN=1" in done.stderr
    assert str(folder) in done.stdout


def test_a_set_that_fails_does_not_stop_the_others(folder):
    path = place(folder, "roadNet-CA")
    result = run("fetch", "bitcoin", "roadNet-CA")
    assert result.exit_code == 2
    assert result.stdout == f"roadNet-CA: {path}\n"
    assert [
        line.startswith("gunrock: bitcoin cannot be downloaded") for line in result.stderr.splitlines()
    ] == [True]


def test_info_of_a_matrix_of_suitesparse_says_what_is_known(folder):
    shown = run("info", "SNAP/web-Google").stdout
    assert "https://sparse.tamu.edu/MM/SNAP/web-Google.tar.gz" in shown
    assert "vertices" not in shown
    assert "" not in [line[13:].strip() for line in shown.splitlines()]
