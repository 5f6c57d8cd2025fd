"""How far one machine goes: R-MAT graphs of growing scale, generated, run and certified.

    python benchmarks/scaling.py [--scales 20-29] [--edge-factor 16] [--primitives bfs] [--sources 64]
                                 [--backend auto] [--output FILE.jsonl] [--records FILE.jsonl]
    python benchmarks/scaling.py --table FILE.jsonl [--figure FILE.svg]

Each scale has a process of its own, so that its peak memory is its own: of the device what the driver
says is taken (with all that others take on it, so let it be idle), of the host the process's resident
set. A row is one scale: seconds to generate and build, and for each primitive the mean time, GTEPS,
floor and model, the peak, and whether every answer is proved. ``--output`` appends a row as soon as it
is there; ``--table`` makes the Markdown table of such a file, ``--figure`` a picture. What does not fit
is a row that says so.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from gunrock_cli.bench.inputs import PAPERS_WEIGHTS
from gunrock_cli.bench.record import Record, append_record
from gunrock_cli.bench.runner import Protocol, measure
from gunrock_cli.bench.source_vertices import choose_sources
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import Graph
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.option_values import with_defaults


@dataclass
class Row:
    """One scale. ``answers``: what ``answer`` makes, by primitive."""

    scale: int
    edge_factor: int
    device: str
    error: str | None = None
    vertices: int = 0
    edges: int = 0
    generate_s: float = 0.0
    graph_bytes: int = 0
    build_peak_bytes: int = 0
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)


class DevicePeak:
    """The most memory that was taken on the GPU since it was last asked, beyond what was when it began,
    as the driver counts."""

    def __init__(self) -> None:
        import cupy

        self._free = lambda: int(cupy.cuda.runtime.memGetInfo()[0])
        self._before = self._least = self._free()
        look = self._look

        class Hook(cupy.cuda.MemoryHook):  # type: ignore[misc]
            name = "peak"

            def alloc_postprocess(self, *_: Any, **__: Any) -> None:
                look()

        self._hook = Hook()
        self._hook.__enter__()

    def _look(self) -> None:
        self._least = min(self._least, self._free())

    def bytes(self) -> int:
        self._look()
        most = self._before - self._least
        self._least = self._free()
        return most


def host_peak() -> int:
    """The process's resident set at its largest, since it began."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measured_row(args: argparse.Namespace, scale: int) -> Row:
    """Everything of one scale, in this process."""
    backend = choose_backend(args.backend)
    row = Row(scale, args.edge_factor, backend.why)
    if backend.name == "cuda":
        load_graph(spec_from_name("rmat", {"scale": 10}), backend.xp)  # CuPy compiles its own kernels
    peak = DevicePeak().bytes if backend.name == "cuda" else host_peak
    try:
        begin = time.perf_counter()
        params = {"scale": scale, "edge_factor": args.edge_factor}
        graph = load_graph(spec_from_name("rmat", params, args.seed), backend.xp)
        if backend.name == "cuda":
            backend.xp.cuda.get_current_stream().synchronize()
        row.generate_s = time.perf_counter() - begin
        row.vertices, row.edges, row.build_peak_bytes = graph.n, graph.m, peak()
        row.graph_bytes = graph.csr.row_offsets.nbytes + graph.csr.column_indices.nbytes
        for name in args.primitives.split(","):
            row.answers[name] = answer(name, graph, backend, args, peak)
    except GunrockError as error:
        row.error = str(error)
    return row


def answer(name: str, graph: Graph, backend: Backend, args: argparse.Namespace,
           peak: Callable[[], int]) -> dict[str, Any]:
    """The figures of one primitive, from as many random sources as it takes and were asked for."""
    primitive = get_primitive(name)
    options = with_defaults(primitive.options, {})
    if primitive.needs_weights:
        graph = with_weights(graph, PAPERS_WEIGHTS)
    sources = (choose_sources(graph, "random", args.sources, args.seed)
               if primitive.reads_source(primitive.check_options(graph, options)) else [])
    measured = measure(primitive, graph, options, sources, backend,
                       Protocol(runs=args.runs, check="certificate"))
    record = measured.record
    if args.records:
        append_record(args.records, record)
    if measured.failure is not None:
        raise measured.failure
    return figures(record, len(sources), peak(), graph.m)


def figures(record: Record, sources: int, peak: int, edges: int) -> dict[str, Any]:
    validation = record.validation or {}
    return {
        "sources": sources, "runs": len(record.runs_ms),
        "ms": record.time_ms.mean if record.time_ms else None,
        "gteps": record.mteps / 1e3 if record.mteps else None, "floor_ms": record.floor_ms,
        "model_ms": record.model_ms, "peak_bytes": peak, "bytes_per_edge": peak / max(1, edges),
        "verdict": validation.get("verdict"), "method": validation.get("method"),
        "certify_ms": record.phases_ms.get("certify"), "id": record.id,
    }


def row_of_process(scale: int) -> Row:
    """The same in a process of its own."""
    done = subprocess.run([sys.executable, __file__, *sys.argv[1:], "--one", str(scale)],
                          stdout=subprocess.PIPE, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        return Row(scale, 0, "", error=f"the process ended with exit code {done.returncode}")
    return Row(**json.loads(lines[-1]))


HEAD = ("scale", "vertices", "directed edges", "generated s", "graph GiB", "build peak / graph",
        "primitive", "sources", "ms", "GTEPS", "floor ms", "model ms", "peak GiB", "peak bytes per edge",
        "checked")


def table(rows: list[Row]) -> str:
    """Markdown: a line for each scale and primitive."""
    lines = ["| " + " | ".join(HEAD) + " |", "|" + "---|" * len(HEAD)]
    for row in rows:
        for name, found in (row.answers or {"-": {}}).items():
            lines.append("| " + " | ".join([*_of_graph(row), *_of_answer(name, found)]) + " |")
        if row.error:
            lines.append(f"| {row.scale} | {row.error} |" + " |" * (len(HEAD) - 2))
    return "\n".join(lines)


def _of_graph(row: Row) -> list[str]:
    ratio = row.build_peak_bytes / row.graph_bytes if row.graph_bytes else None
    return [str(row.scale), f"{row.vertices:,}", f"{row.edges:,}", _number(row.generate_s),
            _gib(row.graph_bytes), _number(ratio)]


def _of_answer(name: str, found: dict[str, Any]) -> list[str]:
    checked = f"{found.get('verdict', '-')} ({found.get('method', '-')})" if found else "-"
    return [name, str(found.get("sources", "-")), *(_number(found.get(key)) for key in (
        "ms", "gteps", "floor_ms", "model_ms")), _gib(found.get("peak_bytes")),
        _number(found.get("bytes_per_edge")), checked]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _gib(count: int | None) -> str:
    return "-" if count is None else _number(count / 2**30)


def figure(rows: list[Row], path: Path) -> None:
    """GTEPS (or, without, ms), and peak bytes per directed edge, over the scale; a line per primitive."""
    from matplotlib.figure import Figure

    drawn = Figure(figsize=(9, 3.6), layout="constrained")
    speed, memory = drawn.subplots(1, 2)
    for name in dict.fromkeys(name for row in rows for name in row.answers):
        found = [(row.scale, row.answers[name]) for row in rows if name in row.answers]
        key = "gteps" if all(answer["gteps"] for _, answer in found) else "ms"
        label = f"{name}, {'GTEPS' if key == 'gteps' else 'ms'}"
        at = [scale for scale, _ in found]
        speed.plot(at, [answer[key] for _, answer in found], "o-", label=label)
        memory.plot(at, [answer["bytes_per_edge"] for _, answer in found], "o-", label=name)
    built = [row for row in rows if row.edges]
    memory.plot([row.scale for row in built], [row.build_peak_bytes / row.edges for row in built], "s--",
                label="generating")
    for axes, title in ((speed, "GTEPS, or ms"), (memory, "peak bytes per directed edge")):
        axes.set(xlabel="R-MAT scale", title=title, yscale="log")
        axes.legend()
    drawn.savefig(path)


def scales(text: str) -> list[int]:
    """``20-29`` or ``20,24``."""
    first, dash, last = text.partition("-")
    return list(range(int(first), int(last) + 1)) if dash else [int(word) for word in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scales", type=scales, default="20-29")
    parser.add_argument("--edge-factor", type=int, default=16)
    parser.add_argument("--primitives", default="bfs")
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--runs", type=int, default=1, help="from each source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--records", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--figure", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        print(json.dumps(asdict(measured_row(args, args.one))))
        return
    if args.table is not None:
        known = [Row(**json.loads(line)) for line in args.table.read_text().splitlines()]
        print(table(known))
        if args.figure is not None:
            figure(known, args.figure)
        return
    rows = []
    for scale in args.scales:
        row = replace(row_of_process(scale), edge_factor=args.edge_factor)
        rows.append(row)
        print(json.dumps(asdict(row)), file=sys.stderr, flush=True)
        if args.output is not None:
            with args.output.open("a") as file:
                file.write(json.dumps(asdict(row)) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()
