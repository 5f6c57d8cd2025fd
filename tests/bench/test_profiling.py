"""Reading Nsight Compute's output, with a stand-in for ncu itself."""

from __future__ import annotations

import json
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from records_helper import make_record

from gunrock_cli.bench.studies.profiling import (
    DRAM,
    INSTRUCTIONS,
    THREADS,
    command_line,
    find_ncu,
    read_kernels,
)
from gunrock_cli.errors import BackendError

HEAD = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream",'
    '"Block Size","Grid Size","Device","CC","Section Name","Metric Name","Metric Unit",'
    '"Metric Value"'
)


def line(launch: int, kernel: str, metric: str, value: str) -> str:
    return (
        f'"{launch}","1","python","host","{kernel}","1","7","(512, 1, 1)","(264, 1, 1)","0",'
        f'"9.0","Command line profiler metrics","{metric}","","{value}"'
    )


LOG = "\n".join(
    [
        "==PROF== Connected to process 1 (/usr/bin/python)",
        HEAD,
        line(0, "gunrock_a", INSTRUCTIONS, "1,000"),
        line(0, "gunrock_a", THREADS, "32"),
        line(1, "gunrock_a", INSTRUCTIONS, "3,000"),
        line(1, "gunrock_a", THREADS, "16"),
        line(2, "gunrock_b", INSTRUCTIONS, "4,000"),
        line(2, "gunrock_b", THREADS, "24.0"),
        "==PROF== Disconnected from process 1",
    ]
)


def test_efficiency_is_weighted_by_instructions() -> None:
    kernels = {kernel.name: kernel for kernel in read_kernels(LOG)}
    assert kernels["gunrock_a"].launches == 2
    assert kernels["gunrock_a"].efficiency == pytest.approx((1000 * 32 + 3000 * 16) / 4000 / 32)
    assert kernels["gunrock_b"].efficiency == pytest.approx(0.75)


def test_no_kernel_in_an_empty_log() -> None:
    assert read_kernels("==PROF== nothing\n") == []


def test_memory_traffic_is_that_of_the_last_launch(tmp_path: Path) -> None:
    log = "\n".join(
        [
            HEAD,
            line(0, "gr_run", INSTRUCTIONS, "9"),
            line(0, "gr_run", DRAM, "777"),
            line(1, "gr_run", INSTRUCTIONS, "1,000"),
            line(1, "gr_run", THREADS, "16"),
            line(1, "gr_run", DRAM, "8,000"),
        ]
    )
    record = make_record("microbench-gather", edges_visited=4000, options={"loop": "device"})
    done = profile(fake_ncu(tmp_path, record.to_json(), log), "microbench", "gather", "rmat")
    assert done.returncode == 0, done.stderr
    assert "dram bytes per edge" in done.stdout
    done = profile(fake_ncu(tmp_path, record.to_json(), log), "--json", "microbench", "gather", "rmat")
    metrics = json.loads(done.stdout)["metrics"]
    assert [
        metrics[name] for name in ("dram_bytes", "dram_bytes_per_edge", "instructions_per_dram_byte")
    ] == [8000, 2, 2]


@pytest.mark.parametrize("fields", [{"options": {"loop": "host"}}, {"sources": [1, 2]}])
def test_memory_traffic_of_several_launches_or_sources_is_left_out(
    fields: dict[str, Any], tmp_path: Path
) -> None:
    log = "\n".join([HEAD, line(0, "gr_run", INSTRUCTIONS, "9"), line(0, "gr_run", DRAM, "777")])
    record = make_record(edges_visited=4000, **{"options": {"loop": "device"}, **fields})
    done = profile(fake_ncu(tmp_path, record.to_json(), log), "--json", "bfs", "rmat")
    assert "dram_bytes" not in json.loads(done.stdout)["metrics"]


def test_clocks_are_not_locked() -> None:
    words = command_line("ncu", Path("log"), "regex:x", ["gunrock", "bfs"])
    assert words[words.index("--clock-control") + 1] == "none"
    assert words[-2:] == ["gunrock", "bfs"]


def test_missing_ncu_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(BackendError, match="Nsight Compute"):
        find_ncu(None)


def test_an_ncu_that_cannot_run_is_named_in_one_line() -> None:
    done = profile("a\nb", "bfs")
    assert (done.returncode, done.stderr) == (2, "gunrock: a\\nb: not executable\n")


def fake_ncu(folder: Path, stdout: str, log: str, stderr: str = "") -> str:
    """Make an executable that writes ``log`` where --log-file says, and prints ``stdout``."""
    script = folder / "ncu"
    script.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "open(sys.argv[sys.argv.index('--log-file') + 1], 'w').write("
        f"{log!r})\n"
        f"print({stdout!r})\nprint({stderr!r}, file=sys.stderr)\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IEXEC)
    return str(script)


def profile(ncu: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gunrock_cli.cli.main", "profile", "--ncu", ncu, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_record_has_the_efficiency_and_no_times(tmp_path: Path) -> None:
    ncu = fake_ncu(tmp_path, make_record().to_json(), LOG)
    output = tmp_path / "p.jsonl"
    done = profile(ncu, "--json", "--output", str(output), *shlex.split("bfs g --src 0"))
    record = json.loads(done.stdout)
    total = (1000 * 32 + 3000 * 16 + 4000 * 24) / 8000 / 32
    assert record["metrics"]["warp_execution_efficiency"] == pytest.approx(total)
    assert record["time_ms"] is None
    assert record["runs_ms"] == []
    assert record["command"] == ["gunrock", "profile", "bfs", "g", "--src", "0"]
    assert json.loads(output.read_text()) == record


def test_the_table_names_every_kernel(tmp_path: Path) -> None:
    done = profile(fake_ncu(tmp_path, make_record().to_json(), LOG), "bfs", "g")
    assert done.returncode == 0
    assert "gunrock_a" in done.stdout
    assert "75.00%" in done.stdout


@pytest.mark.parametrize(("log", "stdout", "stderr", "complaint"), [
    ("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission", "", "",
     "no permission to read the GPU's counters"),
    ("==ERROR== The application returned an error code (9).", "", "", "ncu: The application"),
    ("", "", "gunrock: no such file", "gunrock: no such file"),
    ("", make_record().to_json(), "", "saw no kernel"),
])  # fmt: skip
def test_failures_are_one_line(
    tmp_path: Path, log: str, stdout: str, stderr: str, complaint: str
) -> None:
    done = profile(fake_ncu(tmp_path, stdout, log, stderr), "bfs", "g")
    assert done.returncode == 2
    assert complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_output_behind_the_primitive_is_refused(tmp_path: Path) -> None:
    done = profile(fake_ncu(tmp_path, make_record().to_json(), LOG), "bfs", "g", "--output", "x.jsonl")
    assert done.returncode == 2
    assert "gunrock profile --output FILE bfs" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_primitive_of_a_file_is_profiled_as_gunrock_runs_it(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    ncu = Path(fake_ncu(tmp_path, make_record().to_json(), LOG))
    ncu.write_text(ncu.read_text() + f"open({str(seen)!r}, 'w').write(' '.join(sys.argv))\n")
    assert profile(str(ncu), "./mine.py", "g").returncode == 0
    assert seen.read_text().endswith("main run ./mine.py g --iterations 1 --json --check none")
