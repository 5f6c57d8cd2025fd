import csv
import io
import json
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from gunrock_cli.analysis import stats
from gunrock_cli.analysis.levels import scipy_levels
from gunrock_cli.cli.commands.stats import COLUMNS
from gunrock_cli.cli.main import cli
from gunrock_cli.errors import GunrockError, OutOfMemory
from gunrock_cli.graph import device, load


@pytest.fixture(autouse=True)
def own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("GUNROCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("GUNROCK_DATASETS", str(tmp_path / "datasets"))
    monkeypatch.setattr(stats, "level_search", scipy_levels)


def run(*words):
    result = CliRunner().invoke(cli, ["stats", *words, "--backend", "cpu"])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


GRID = ("grid2d", "--width", "10")


def test_json():
    found = json.loads(run(*GRID, "--json"))
    expected = {
        "name": "grid2d-10x10",
        "vertices": 100,
        "edges": 360,
        "min_degree": 2,
        "mean_degree": 3.6,
        "max_degree": 4,
        "components": 1,
        "diameter": 18,
        "diameter_is_exact": True,
        "class": "generated, mesh-like",
        "class_is_guess": True,
        "stand_in": False,
    }
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("step", ["load", "stats"])
@pytest.mark.parametrize("backend", ["auto", "cuda"])
def test_what_the_gpu_cannot_hold_is_looked_at_on_the_host(backend, step, monkeypatch):
    gpu = SimpleNamespace(
        __name__="cupy", get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None)
    )
    tried = []

    def load_there(spec, xp, **more):
        tried.append(xp)
        if xp is gpu and step == "load":
            raise OutOfMemory("not enough memory for the graph")
        return inner_load(spec, np, **more)

    def stats_there(graph, **more):
        if tried[-1] is gpu:
            raise MemoryError("out of memory allocating 8 bytes")
        return inner_stats(graph, **more)

    inner_load, inner_stats = load.load_graph, stats.graph_stats
    monkeypatch.setattr(device, "graph_array_module", lambda _: gpu)
    monkeypatch.setattr(load, "load_graph", load_there)
    monkeypatch.setattr(stats, "graph_stats", stats_there)
    result = CliRunner().invoke(cli, ["stats", *GRID, "--devices", "2", "--json", "--backend", backend])
    if backend == "cuda":
        assert isinstance(result.exception, OutOfMemory)
        assert tried == [gpu]
        return
    assert result.exit_code == 0, result.output
    assert tried == [gpu, np]
    assert "gunrock: not enough memory for the" in result.stderr
    assert result.stderr.rstrip().endswith("on the host instead")
    assert json.loads(result.stdout)["several"]["devices"] == 2


def test_one_graph_has_a_row_for_each_figure():
    lines = run(*GRID).splitlines()
    assert lines[0].strip() == "grid2d-10x10"
    rows = [[cell.strip() for cell in line.split("│")[1:3]] for line in lines if line.startswith("│")]
    assert [name for name, _ in rows] == list(COLUMNS)[1:]
    assert dict(rows)["edges"] == "360"
    assert dict(rows)["diameter"] == "18"


def test_other_forms():
    (row,) = csv.DictReader(io.StringIO(run(*GRID, "--format", "csv")))
    assert (row["vertices"], row["p50"], row["diameter"]) == ("100", "4", "18")
    lines = run(*GRID, "--format", "markdown").splitlines()
    assert lines[0].startswith("| graph | vertices |")
    assert lines[2].startswith("| grid2d-10x10 | 100 | 360 |")


def test_a_bound_is_said_to_be_one():
    line = run(
        "smallworld", "--nodes", "300", "--rewire", "0.2", "--searches", "1", "--format", "markdown"
    ).splitlines()[2]
    assert "| ≥ " in line
    assert "| - |" in run(*GRID, "--no-diameter", "--format", "markdown")


def test_plot(tmp_path):
    run(*GRID, "--plot", str(tmp_path / "degrees.svg"))
    assert "<svg" in (tmp_path / "degrees.svg").read_text()


def test_the_matrix_is_drawn_where_it_has_entries(tmp_path):
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.spec import GraphSpec
    from gunrock_cli.report.graph_pictures import raster

    run(*GRID, "--sparsity", str(tmp_path / "matrix.svg"))
    assert "<svg" in (tmp_path / "matrix.svg").read_text()
    path = raster(load_graph(GraphSpec("path", params={"nodes": 1000})), 10)
    assert path.sum() == 2 * 999
    assert path.diagonal().sum() == 2 * 999 - 2 * 9  # the edges between two of ten squares
    assert not np.triu(path, 2).any()


def test_a_record_of_the_graph_fills_table_1(tmp_path):
    from gunrock_cli.bench.records.file import read_records
    from gunrock_cli.report.evidence.data import ReportData
    from gunrock_cli.report.registry import build

    file = tmp_path / "graphs.jsonl"
    run(*GRID, "--output", str(file))
    run("path", "--nodes", "50", "--searches", "1", "--output", str(file))
    data = ReportData(read_records([str(file)]).records)
    assert data.records == []  # a description is no measurement
    (table,) = build(data, ["ppopp16-table1"]).tables
    row = ("here", "grid2d-10x10")
    cells = [table.cell(row, ("", label)) for label in ("Diameter", "Type")]
    assert [cell.text for cell in cells] == ["18", "generated, mesh-like"]
    assert table.text(("here", "path-n50"), ("", "Diameter")).startswith("≥ ")


def test_set(tmp_path):
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.sources.files.writers import write_graph
    from gunrock_cli.graph.spec import GraphSpec

    graph = load_graph(GraphSpec("path", params={"nodes": 5}))
    for name in ("bitcoin", "roadNet-CA"):
        write_graph(graph, str(tmp_path / "datasets" / name / f"{name}.mtx"))
    found = json.loads(run("--set", "arxiv15", "--json"))
    assert [row["name"] for row in found] == ["roadNet-CA", "bitcoin"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no graph given"),
        (["--set", "ppopp16"], "no data set of ppopp16 is here"),
        (["--set", "ppopp16", "path"], "contradict"),
        (["--set", "ppopp16", "--scale", "3"], "only generators take this"),
        (["nonsense"], "is not a generator"),
        (["nonsense.mtx"], "no such file"),
        (["path", "--market", "x.mtx"], "more than one graph"),
        (["--ligra-binary", "-"], "cannot come from stdin"),
        ([*GRID, "--plot", "x.nonsense"], "--plot"),
    ],
)
def test_mistakes(words, message):
    with pytest.raises(GunrockError, match=message):
        run(*words)
