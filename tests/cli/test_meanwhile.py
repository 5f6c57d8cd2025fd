"""The modules that a run imports, and when."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import gunrock_cli as gunrock
from gunrock_cli.cli import meanwhile

SCRIPT = """
import json, sys
from gunrock_cli.cli import main
from gunrock_cli.engine import backend

choose = backend.choose_backend
before = set()

def noting(*words):
    before.update(sys.modules)
    return choose(*words)

backend.choose_backend = noting
main.main(sys.argv[1:])
print()
print(json.dumps({"before": sorted(before), "after": sorted(set(sys.modules) - before)}))
"""
GRAPH = "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n"
NOT_FOR_A_RUN = (
    "pandas",
    "scipy",
    "matplotlib",
    "jinja2",
    "fastjsonschema",
    "networkx",
    "pyarrow",
    "gunrock_cli.report",
    "gunrock_cli.peers",
    "gunrock_cli.analysis",
    "gunrock_cli.face",
    "gunrock_cli.cli.commands.",
    "gunrock_cli.cli.top",
    "gunrock_cli.bench.protocol.counting",
    "gunrock_cli.primitives.sssp",
    "gunrock_cli.primitives.warm",
)


def imports(tmp_path: Path, *words: str) -> dict[str, list[str]]:
    """The modules that a run on a known file imports before it asks for its backend, and after that."""
    file = tmp_path / "path.mtx"
    file.write_text(GRAPH)
    gunrock.load(file, backend="cpu")
    return run("bfs", "--market", str(file), "-q", *words)


def run(*words: str) -> dict[str, list[str]]:
    """The modules that any run imports before it asks for its backend, and after that."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *words], check=True, capture_output=True, text=True
    )
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("backend", ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)])
def test_a_run_imports_what_it_takes_before_it_asks_for_the_gpu(tmp_path: Path, backend: str) -> None:
    found = imports(tmp_path, "--backend", backend)
    everything = [*found["before"], *found["after"]]
    assert [name for name in everything if name.startswith(NOT_FOR_A_RUN)] == []
    assert {"rich.table", *meanwhile.MEASURING, *meanwhile.SHOWING} <= {*found["before"]}
    late = {
        name
        for name in found["after"]
        if name.startswith(("gunrock_cli.", "rich."))
        and not name.startswith(("gunrock_cli.engine.", "gunrock_cli.toolchain."))
    }
    assert late <= {
        "gunrock_cli.bench.ceilings.bandwidth_host",
        "gunrock_cli.bench.ceilings.bandwidth_device",
        "gunrock_cli.primitives.certificates.bfs",
        "rich._emoji_codes",
    }


def test_records_alone_take_no_tables(tmp_path: Path) -> None:
    found = imports(tmp_path, "--backend", "cpu", "--json")
    assert [name for name in found["before"] + found["after"] if name.startswith("rich.table")] == []


def test_what_a_record_says_is_known_when_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for name in ("identify", "installed_versions", "driver_version"):
        monkeypatch.setattr(meanwhile, name, lambda name=name: asked.append(name))
    monkeypatch.setattr(meanwhile, "headers_digest", lambda folder: asked.append("kernels"))
    meanwhile.get_ready((), on_gpu=True)()
    assert asked == ["identify", "kernels", "installed_versions", "driver_version"]
    meanwhile.get_ready(("no.such.module",), on_gpu=False)()
    assert asked[4:] == ["identify", "kernels", "installed_versions"]


def test_no_git_and_no_files_are_left_to_the_record(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise OSError

    monkeypatch.setattr(meanwhile, "identify", fail)
    meanwhile.get_ready((), on_gpu=False)()
    assert capfd.readouterr() == ("", "")


@pytest.mark.gpu
@pytest.mark.parametrize("graph", ["rmat --scale 8", "grid2d --width 20 --height 20"])
@pytest.mark.parametrize("primitive", ["bfs", "sssp", "bc", "cc", "pagerank", "mis", "color"])
def test_no_run_on_a_small_graph_imports_scipy(primitive: str, graph: str) -> None:
    """CuPy imports it for every operator between an array and a number."""
    words = [primitive, *graph.split(), "--backend", "cuda", "--check", "certificate", "-q"]
    run(*words)  # measures the ceilings
    found = run(*words)
    imported = found["before"] + found["after"]
    assert [name for name in imported if name.startswith(("scipy", "cupyx.scipy"))] == []


@pytest.mark.gpu
def test_a_run_on_a_small_graph_takes_no_kernel_of_cupys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each kernel would have to be found and loaded, the first after asking the compiler for its
    version."""
    imports(tmp_path, "--backend", "cuda")  # compiles ours, measures the ceilings
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "kernels"))
    imports(tmp_path, "--backend", "cuda")
    assert [path.name for path in (tmp_path / "kernels").rglob("*") if path.is_file()] == []
