"""Runs under ``fault_shim``: repeats every write of the tool, each time with a fault one step later, and
reports data that was lost, or read as whole though it was not.

    LD_PRELOAD=fault_shim.so python fault_driver.py fail|kill SCRATCH

Prints {scenario: {"points": steps that can fail, "problems": [...]}} as JSON.
"""

from __future__ import annotations

import ctypes
import json
import logging
import os
import shutil
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from graph.server import serving
from records_helper import make_record

from gunrock_cli.bench.ceilings import bandwidth_host
from gunrock_cli.bench.ceilings import measured as ceilings
from gunrock_cli.bench.ceilings.rates import Ceilings
from gunrock_cli.bench.records.file import read_file
from gunrock_cli.bench.records.record import append_record, append_records
from gunrock_cli.bench.sweeps.plan import plan_from_axes
from gunrock_cli.bench.sweeps.run import Outcome
from gunrock_cli.bench.sweeps.texts import append_text
from gunrock_cli.cli.commands.results import merge_command
from gunrock_cli.cli.run import _write_trace
from gunrock_cli.cli.save import saving_each, write_array
from gunrock_cli.engine.backend import Backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.sources.downloads.download import download
from gunrock_cli.graph.sources.files import cache
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import Reports
from gunrock_cli.report.write import write as write_report
from gunrock_cli.toolchain.binaries import cached_binary

GRAPH = load_graph(GraphSpec("rmat", params={"scale": 5}))
OTHER = load_graph(GraphSpec("rmat", params={"scale": 4}))
VALUES = np.arange(5000, dtype=np.int32)
RECORDS = [make_record(graph=name, id=name) for name in "abc"]
REMOTE = bytes(range(256)) * 3000
Files = dict[str, bytes]


@dataclass
class Scenario:
    """``before`` holds the folder's files at first; ``act`` writes. With ``appends`` files grow, and a
    kill may leave a torn end; else every file is the old one or the new one. ``silent``: a failure is no
    error (caches), it only keeps nothing."""

    act: Callable[[Path], object]
    before: Callable[[Path], object] = lambda folder: None
    appends: bool = False
    silent: bool = False


def torn_records(folder: Path) -> None:
    append_record(folder / "r.jsonl", RECORDS[0])
    with (folder / "r.jsonl").open("ab") as file:
        file.write(b'{"schema": "gunrock-rec')


def old_answer(folder: Path) -> None:
    for suffix in ("npy", "csv", "parquet"):
        (folder / f"a.{suffix}").write_bytes(b"old")


def save_rows(folder: Path) -> None:
    values = {"--save": folder / "a.csv", "--save-predecessors": folder / "p.npy"}
    with saving_each(values, [3, 4], len(VALUES), "bfs") as keep:
        for source in (3, 4):
            keep(source, {"labels": VALUES + source, "predecessors": VALUES})


def merge(folder: Path) -> None:
    merge_command.callback(files=(str(folder / "r.jsonl"),), output=folder / "r.jsonl")


def append_outcome(folder: Path) -> None:
    cell = plan_from_axes("s", ["bfs"], ["g"], [], 9).cells[0]
    append_text(folder, Outcome(cell, RECORDS[:2], ""))


def ceilings_kept(folder: Path) -> None:
    ceilings.ceilings(Backend("cpu", "a test", 1))


SCENARIOS = {
    "append": Scenario(lambda folder: append_record(folder / "r.jsonl", RECORDS[1]), torn_records, True),
    "append to a new file": Scenario(
        lambda folder: append_record(folder / "new" / "r.jsonl", RECORDS[1]), appends=True
    ),
    "append several": Scenario(
        lambda folder: append_records(folder / "r.jsonl", RECORDS[1:]), torn_records, True
    ),
    "merge": Scenario(merge, torn_records),
    "sweep text": Scenario(append_outcome, append_outcome, True),
    "save npy": Scenario(lambda folder: write_array(folder / "a.npy", "x", VALUES), old_answer),
    "save csv": Scenario(lambda folder: write_array(folder / "a.csv", "x", VALUES), old_answer),
    "save parquet": Scenario(lambda folder: write_array(folder / "a.parquet", "x", VALUES), old_answer),
    "save rows": Scenario(save_rows, old_answer),
    "trace": Scenario(
        lambda folder: _write_trace(
            folder / "t.csv",
            make_record(trace=[{"iteration": i, "phase": "push", "ms": 0.5} for i in range(99)]),
        ),
        old_answer,
    ),
    "graph": Scenario(lambda folder: write_graph(GRAPH, str(folder / "g.mtx.gz"))),
    "graph in several files": Scenario(
        lambda folder: write_graph(GRAPH, folder / "g", "ligra-binary"),
        lambda folder: write_graph(OTHER, folder / "g", "ligra-binary"),
    ),
    "report": Scenario(
        lambda folder: write_report(folder / "report", "markdown", ReportData([]), Reports(TABLES, []))
    ),
    "cached graph": Scenario(lambda folder: cache.store("ab" * 32, GRAPH), silent=True),
    "compiled code": Scenario(
        lambda folder: cached_binary(
            "cd" * 32, ".cubin", lambda target: target.write_bytes(REMOTE) and None
        ),
        silent=True,
    ),
    "ceilings": Scenario(ceilings_kept, silent=True),
    "download": Scenario(lambda folder: download(SERVER.url + "/big", folder / "f", attempts=1)),
}
TABLES: list[Table] = []


def contents(folder: Path) -> Files:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def fresh(scenario: Scenario, folder: Path) -> Files:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    scenario.before(folder)
    return contents(folder)


def in_a_child(act: Callable[[Path], object], folder: Path, point: int, kills: bool) -> tuple[int, int]:
    """Run ``act`` in a child. The code is 0 if it reports success, 2 for an error of one line, -9 if
    killed, else a defect; the second number tells if the point was reached (if known)."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        shim = ctypes.CDLL(os.environ["FAULT_SHIM"])
        shim.fault_arm(os.fsencode(folder), ctypes.c_long(point), int(kills))
        code = 0
        try:
            act(folder)
        except GunrockError as error:
            code = 2 if "\n" not in str(error) else 3
        except BaseException:
            traceback.print_exc()
            code = 1
        os._exit(code | (64 if shim.fault_points() >= point else 0))
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return -os.WTERMSIG(status), True
    return os.WEXITSTATUS(status) & 63, bool(os.WEXITSTATUS(status) & 64)


def problems_of(
    scenario: Scenario, folder: Path, old: Files, new: Files, code: int, kills: bool
) -> list[str]:
    """The faults of the folder's files after a fault."""
    found = contents(folder)
    told = code == 0 and not scenario.silent
    wrong = []
    if code not in ((0, 2) if not kills else (-9, 0)):
        wrong.append(f"exit code {code}")
    for name in {**old, **new}:
        content = found.get(name)
        whole = content in (old.get(name), new.get(name))
        if scenario.appends and not whole and content is not None:
            begin = old.get(name, b"")
            whole = (kills or content == begin) and content.startswith(begin)
        if not whole:
            wrong.append(f"{name} is neither old nor new")
        if told and content != new.get(name):
            wrong.append(f"{name} was reported as written")
    if not kills and not told:
        keeps = (".part", ".part.json", "CACHEDIR.TAG")  # a download goes on from there
        wrong += [
            f"{name} was left behind"
            for name in found.keys() - old.keys() - new.keys()
            if not name.endswith(keeps) or Path(name).name.startswith(".")
        ]
    return wrong


def check(name: str, scenario: Scenario, folder: Path, kills: bool) -> dict[str, object]:
    os.environ["GUNROCK_CACHE_DIR"] = str(folder)
    old = fresh(scenario, folder)
    scenario.act(folder)
    new = contents(folder)
    problems: list[str] = []
    point, reached = 0, True
    while reached and point < 200:
        point += 1
        fresh(scenario, folder)
        code, reached = in_a_child(scenario.act, folder, point, kills)
        for problem in problems_of(scenario, folder, old, new, code, kills):
            problems.append(f"step {point}: {problem}")
        scenario.act(folder)  # it can be done again
        again = contents(folder)
        for file, content in new.items():
            known = {line for line in content.split(b"\n") if line}
            if again.get(file) != content and not (
                scenario.appends and known <= set(again[file].split(b"\n"))
            ):
                problems.append(f"step {point}: {file} was not written afterwards")
        if "r.jsonl" in again and len(read_file(folder / "r.jsonl").records) < len(
            [line for line in new["r.jsonl"].splitlines() if line.endswith(b"}")]
        ):
            problems.append(f"step {point}: a record is lost")
    return {"points": point - 1, "problems": problems}


def tables() -> list[Table]:
    from gunrock_cli.report.registry import build

    return build(ReportData([]), ()).tables[:2]


if __name__ == "__main__":
    mode, scratch = sys.argv[1], Path(sys.argv[2])
    logging.disable()
    bandwidth_host.measure = lambda: Ceilings(1.0, 1.0, 1.0, 1.0, 1, 1.0, {1: 1.0})
    bandwidth_host.identity()  # the compiler's answer is kept once per process
    TABLES += tables()
    with serving() as SERVER:
        SERVER.files["big"] = REMOTE
        results = {
            name: check(name, scenario, scratch / "folder", mode == "kill")
            for name, scenario in SCENARIOS.items()
        }
    print(json.dumps(results))
