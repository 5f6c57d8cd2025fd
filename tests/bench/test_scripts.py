"""The scripts of the papers' runs: their plans are valid, and a quick run leaves the promised files."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from records_helper import make_record

from gunrock_cli.bench.records.file import read_records
from gunrock_cli.bench.sweeps.plan import read_plan
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.micro import micro_names
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.evidence.identity import identify
from gunrock_cli.report.evidence.plain_runs import is_plain
from gunrock_cli.report.registry import build, report_names

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted((ROOT / "scripts").glob("*-*.sh"))
PLANS = sorted((ROOT / "scripts").glob("*.toml"))
FIVE = {"bfs", "sssp", "bc", "pagerank", "cc"}
MICRO = {f"microbench-{name}" for name in micro_names()}
BEYOND = {
    "merrill12": MICRO,
    "classics": {"mst", "matching", "mis", "color", "louvain"},
    "ranking": {"ppr", "hits", "salsa", "wtf"},
}
"""Primitives that are in none of the papers' tables, by a plan's first word."""
FAKE = [sys.executable, str(ROOT / "tests" / "fake_gunrock.py")]


@pytest.fixture
def gunrock(tmp_path: Path) -> dict[str, str]:
    """An environment whose gunrock is ours, except for the runs of a sweep."""
    wrapper = tmp_path / "gunrock"
    wrapper.write_text(
        "#!/bin/sh\ncommand=$1\nshift\n"
        f"[ $command != sweep ] || set -- \"$@\" --executable '{shlex.join(FAKE)}'\n"
        f'exec {sys.executable} -m gunrock_cli.cli.main $command "$@"\n'
    )
    wrapper.chmod(0o755)
    return {**os.environ, "GUNROCK": str(wrapper)}


def call(
    script: Path, env: dict[str, str], folder: Path, *arguments: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(script), *arguments],
        env=env,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("path", PLANS, ids=lambda path: path.stem)
def test_plans_are_valid(path: Path) -> None:
    plan = read_plan(path)
    assert plan.name == path.stem
    beyond = BEYOND.get(path.stem.partition("-")[0], set())
    assert {cell.primitive for cell in plan.cells} <= FIVE | beyond
    weighted = [cell for cell in plan.cells if cell.primitive == "sssp"]
    assert all("random:1:64" in cell.arguments for cell in weighted)  # as in the papers


@pytest.mark.parametrize(
    "path", ["scripts/classics.toml", "scripts/classics-quick.toml", "results/h200/classics.toml"]
)
def test_classics_are_all_measured(path: str) -> None:
    assert {cell.primitive for cell in read_plan(ROOT / path).cells} == BEYOND["classics"]


def test_what_is_recorded_of_the_classics_is_proved() -> None:
    """References take minutes on the host for large graphs."""
    cells = read_plan(ROOT / "results/h200/classics.toml").cells
    assert all(("check", "certificate") in cell.options for cell in cells)
    assert all(certificate_of(get_primitive(cell.primitive)) is not None for cell in cells)


@pytest.mark.parametrize("name", ["ppopp16", "arxiv15-scaling", "generated", "peers", "cugraph"])
@pytest.mark.parametrize("quick", ["", "-quick"])
def test_plans_of_the_papers_tables_run_every_primitive_as_it_comes(name: str, quick: str) -> None:
    """A plain run represents this system there."""
    cells = read_plan(ROOT / "scripts" / f"{name}{quick}.toml").cells
    plain = {
        (cell.primitive, cell.graph.name)
        for cell in cells
        if is_plain(
            make_record(
                cell.primitive, command=[f"--{option.replace('_', '-')}" for option, _ in cell.options]
            )
        )
    }
    assert plain == {(cell.primitive, cell.graph.name) for cell in cells}
    assert {primitive for primitive, _ in plain} >= {"bfs", "sssp", "bc", "cc", "pagerank"}


def test_every_plan_has_a_quick_one() -> None:
    names = {path.stem for path in PLANS}
    assert {name for name in names if not name.endswith("-quick")} == {
        name.removesuffix("-quick") for name in names if name.endswith("-quick")
    }


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_scripts_plan_what_their_options_say(
    script: Path, gunrock: dict[str, str], tmp_path: Path
) -> None:
    done = call(script, gunrock, tmp_path, "--dry-run", "--iterations", "7", "--backend", "cpu")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert all("--iterations 7" in line and "--backend cpu" in line for line in lines)
    quick = call(script, gunrock, tmp_path, "--dry-run", "--quick").stdout.splitlines()
    assert 0 < len(quick) < len(lines)
    tables = script.read_text().splitlines()[-1].split()[1:]
    assert set(tables) <= set(report_names())


def test_help_and_bad_options(gunrock: dict[str, str], tmp_path: Path) -> None:
    script = ROOT / "scripts" / "ppopp16-test.sh"
    assert "--quick" in call(script, gunrock, tmp_path, "--help").stdout
    for arguments in (["--delta-factor", "32"], ["--output"]):
        done = call(script, gunrock, tmp_path, *arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("ppopp16-test.sh: ")


@pytest.mark.slow
def test_a_quick_run_leaves_the_artifacts_layout(gunrock: dict[str, str], tmp_path: Path) -> None:
    done = call(ROOT / "scripts" / "ppopp16-test.sh", gunrock, tmp_path, "--quick", "--output", "out")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "out"
    assert {path.name for path in out.iterdir()} == {
        "BFS",
        "SSSP",
        "BC",
        "PR",
        "CC",
        "records.jsonl",
        "report",
    }
    assert sorted(path.name for path in (out / "PR").iterdir()) == [
        "lattice.txt",
        "rgg-10.txt",
        "rmat-10.txt",
    ]
    records = [json.loads(line) for line in (out / "records.jsonl").read_text().splitlines()]
    assert {record["primitive"] for record in records} == FIVE
    assert (out / "report" / "index.html").stat().st_size > 100_000
    assert "PPoPP'16 Table 3" in done.stdout


@pytest.mark.long
def test_several_devices_are_measured_by_teams(tmp_path: Path) -> None:
    env = {**os.environ, "GUNROCK": f"{sys.executable} -m gunrock_cli.cli.main"}
    done = call(
        ROOT / "scripts" / "multi-gpu-test.sh",
        env,
        tmp_path,
        "--quick",
        "--backend",
        "cpu",
        "--output",
        "out",
    )
    assert done.returncode == 0, done.stderr
    found = read_records([tmp_path / "out" / "records.jsonl"]).records
    several = {record.primitive for record in found if len(record.device.get("devices", ())) == 2}
    assert several == FIVE
    points = build(ReportData(found), ["several-devices"]).figures[0].points
    assert {group for group, _ in points.columns} == {"Time (ms)", "Times as fast as one", "Weak scaling"}


@pytest.mark.parametrize(
    "name", ["ppopp16-figure8", "ppopp16-figure8-quick", "generated", "generated-quick"]
)
def test_bars_of_switching_directions_switch_on_meshes_too(name: str) -> None:
    """By default alpha is 0 there, and a run that may switch is recorded as a push."""
    asked = [
        cell
        for cell in read_plan(ROOT / "scripts" / f"{name}.toml").cells
        if ("direction", "optimized") in cell.options
    ]
    assert asked
    assert all(("alpha", 15) in cell.options for cell in asked)


@pytest.mark.slow
def test_a_quick_run_fills_every_table_and_figure_of_the_2012_paper(tmp_path: Path) -> None:
    wrapper = tmp_path / "gunrock"
    wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -m gunrock_cli.cli.main "$@"\n')
    wrapper.chmod(0o755)
    done = call(
        ROOT / "scripts" / "merrill12-test.sh",
        {**os.environ, "GUNROCK": str(wrapper)},
        tmp_path,
        "--quick",
        "--backend",
        "cpu",
        "--output",
        "out",
    )
    assert done.returncode == 0, done.stderr
    assert "Not measured yet" not in done.stdout
    data = ReportData(read_records([str(tmp_path / "out" / "records.jsonl")]).records)
    names = [*(name for name in report_names() if name.startswith("merrill12-")), "frontiers"]
    reports = build(data, names)
    for table in (*reports.tables, *(figure.points for figure in reports.figures)):
        assert not table.missing, table.name
        assert table.record_ids, table.name
    assert all(figure.draw for figure in reports.figures)


@pytest.mark.parametrize("quick", ["", "-quick"])
def test_kronecker_graphs_of_any_size_fill_the_table_of_scalability(quick: str) -> None:
    cells = read_plan(ROOT / "scripts" / f"arxiv15-scaling{quick}.toml").cells
    records = []
    for cell in cells:
        scale = int(cell.graph.words[cell.graph.words.index("--scale") + 1])
        record = make_record(cell.primitive, f"rmat-s{scale}", id=f"{cell.primitive} {cell.graph.name}")
        record.sweep = {"name": "s", "graph": cell.graph.name}
        record.graph["origin"] = {
            "kind": "rmat",
            "scale": scale,
            "edge_factor": 48,
            "undirected": True,
            "edges": 48 << scale,
            "a": 0.57,
            "b": 0.19,
            "c": 0.19,
        }
        records.append(record)
    reports = build(ReportData(records), ["arxiv15-table3", "scalability"])
    for table in (*reports.tables, reports.figures[0].points):
        assert not table.missing
        assert set(table.record_ids) == {record.id for record in records}
    records[0].graph["origin"]["edges"] += 1
    assert records[0].id not in build(ReportData(records), ["arxiv15-table3"]).tables[0].record_ids


def test_graphs_by_the_2012_papers_recipes_stand_for_its_data_sets() -> None:
    made = {}
    for cell in read_plan(ROOT / "scripts" / "merrill12.toml").cells:
        name, params = cell.graph.words[0], dict(zip(*[iter(cell.graph.words[1:])] * 2, strict=True))
        values = {flag.strip("-").replace("-", "_"): float(value) for flag, value in params.items()}
        if values:
            record = make_record(cell.name)
            record.graph["origin"] = {
                "kind": name,
                "undirected": True,
                "a": 0.57,
                "b": 0.19,
                "c": 0.19,
                **values,
            }
            if "edge_factor" in values:
                record.graph["origin"]["edges"] = values["edge_factor"] * 2 ** values["scale"]
            found = identify(record, "merrill12", [cell.graph.name])
            made[cell.graph.name] = found is not None and found.generated
    assert made == dict.fromkeys(
        ("grid5pt.5000", "grid7pt.300", "kron_g500-logn20", "random.2Mv.128Me", "rmat.2Mv.128Me"), True
    )


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("echo x-dirty; yes | head -n 100000", "the tree is modified"),
        ("echo no GPU >&2; exit 1", "no GPU"),
    ],
)
def test_nothing_is_recorded_where_the_tree_is_modified_or_cannot_be_asked(
    says: str, told: str, tmp_path: Path
) -> None:
    """The tree's state may also be unknown because its command is ended by a closed pipe."""
    stand_in = tmp_path / "stand-in"
    stand_in.write_text(f"#!/bin/sh\n{says}\n")
    stand_in.chmod(0o755)
    done = subprocess.run(
        [ROOT / "results/h200/record.sh", tmp_path / "out", "9"],
        text=True,
        capture_output=True,
        check=False,
        env={**os.environ, "GUNROCK": str(stand_in)},
    )
    assert done.returncode != 0
    assert told in done.stderr
    assert "exit code" not in done.stderr
    assert not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("name", "given", "seen"),
    [
        ("generated-test", None, "0"),
        ("generated-test", "2,3", "2"),
        ("generated-test", "", ""),
        ("multi-gpu-test", None, "unset"),
        ("multi-gpu-test", "2,3", "2,3"),
    ],
)
def test_tables_of_one_device_see_one_gpu(
    name: str, given: str | None, seen: str, tmp_path: Path
) -> None:
    """By default a run may take several, and would be in none of these tables then."""
    gunrock = tmp_path / "gunrock"
    gunrock.write_text("#!/bin/sh\necho ${CUDA_VISIBLE_DEVICES-unset}\n")
    gunrock.chmod(0o755)
    env = {key: value for key, value in os.environ.items() if key != "CUDA_VISIBLE_DEVICES"}
    env |= {"GUNROCK": str(gunrock)} | ({} if given is None else {"CUDA_VISIBLE_DEVICES": given})
    assert call(ROOT / "scripts" / f"{name}.sh", env, tmp_path, "--dry-run").stdout == f"{seen}\n"
