"""How far one machine goes: R-MAT graphs of growing scale, generated, run and certified.

    python benchmarks/scaling.py [--scales 20-29] [--edge-factor 16] [--sources bfs=64]
                                 [--primitives bfs,cc,pagerank,sssp,bc] [--up-to sssp=27,bc=27]
                                 [--output FILE.jsonl]
    python benchmarks/scaling.py --table FILE.jsonl

Each scale has a process of its own, so that its peak memory is its own, but on a GPU those up to 25 share
one: there the peak is what the driver says is taken (with all that others take, so let it be idle), on
the host it is the process's resident set. ``--output`` appends a record for each scale and primitive as
soon as it is there, with a key beside those of every record: ``scaling``, the seconds to generate and
build, the bytes of the graph, and the peaks while it was built and while the primitive ran and was
checked. What does not fit is a record that says so. ``--table`` makes the Markdown table of such a file,
the newest record of each scale and primitive; ``gunrock report --records FILE.jsonl --only growth`` the
figure.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gunrock_cli.bench.inputs.graphs import PAPERS_WEIGHTS
from gunrock_cli.bench.inputs.sources import choose_sources
from gunrock_cli.bench.protocol.failed import describe
from gunrock_cli.bench.protocol.runner import Protocol, measure, new_record
from gunrock_cli.bench.records.record import Record
from gunrock_cli.engine.backend import Backend, choose_backend
from gunrock_cli.errors import GunrockError
from gunrock_cli.files import append_lines
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.memory import release_unused
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive

KEY = "scaling"
"""The key that only records of this benchmark have."""
SMALL = 25
"""The largest scale for which a GPU's process takes longer to start than to measure."""


@dataclass
class Size:
    """The value of that key."""

    generate_s: float
    graph_bytes: int
    build_peak_bytes: int
    peak_bytes: int = 0


class DevicePeak:
    """The peak of memory taken on the GPU since the last question, beyond what was taken at the
    beginning, as the driver counts."""

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
    """The peak of the process's resident set since it began."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run_scales(args: argparse.Namespace) -> None:
    """Run the scales of ``--one``, in this process."""
    backend = choose_backend(args.backend)
    if backend.name == "cuda":
        load_graph(spec_from_name("rmat", {"scale": 10}), backend.xp)  # CuPy compiles its own kernels
        release_unused(backend.xp)
    peak = DevicePeak().bytes if backend.name == "cuda" else host_peak
    for scale in args.one:
        run_scale(args, scale, backend, peak)
        gc.collect()
        release_unused(backend.xp)
        peak()


def run_scale(args: argparse.Namespace, scale: int, backend: Backend, peak: Callable[[], int]) -> None:
    """Run all primitives on one scale; a line on stdout for each."""
    names = [name for name in args.primitives.split(",") if scale <= args.up_to.get(name, scale)]
    params = {"scale": scale, "edge_factor": args.edge_factor}
    try:
        begin = time.perf_counter()
        graph = load_graph(spec_from_name("rmat", params, args.seed), backend.xp)
        if backend.name == "cuda":
            backend.xp.cuda.get_current_stream().synchronize()
        took = time.perf_counter() - begin
    except GunrockError as error:
        for name in names:
            keep(args, failed(name, params, backend, error), None)
        return
    rows = graph.csr
    size = Size(took, rows.row_offsets.nbytes + rows.column_indices.nbytes, peak())
    for name in names:
        gc.collect()
        release_unused(backend.xp)  # the last one's memory is not in this one's peak
        peak()
        try:
            record = answer(name, graph, backend, args)
        except Exception as error:  # one failure does not stop the others
            record = failed(
                name, params, backend, error, graph if isinstance(error, GunrockError) else None
            )
        size.peak_bytes = peak()
        keep(args, record, size)


def answer(name: str, graph: Graph, backend: Backend, args: argparse.Namespace) -> Record:
    """Measure one primitive, from as many random sources as it takes and were asked for."""
    primitive = get_primitive(name)
    options = primitive.asked({})
    begin = time.perf_counter()
    if primitive.needs.weights:
        graph = with_weights(graph, PAPERS_WEIGHTS)
    phases = {"weights": 1e3 * (time.perf_counter() - begin)} if primitive.needs.weights else {}
    sources = (
        choose_sources(graph, "random", args.sources.get(name, 1), args.seed)
        if primitive.reads_source(options)
        else []
    )
    measured = measure(
        primitive, graph, options, sources, backend, Protocol(runs=args.runs, check="certificate"), phases
    )
    return measured.record


def failed(
    name: str, params: Mapping[str, int], backend: Backend, error: Exception, graph: Graph | None = None
) -> Record:
    """The record of a failed run."""
    if graph is not None:
        record = new_record(get_primitive(name), graph, backend, {})
    else:
        record = Record.new(
            name,
            backend=backend.name,
            graph={
                "name": f"rmat-s{params['scale']}-e{params['edge_factor']}",
                "origin": {"kind": "rmat", **params},
            },
        )
    record.status = error.status if isinstance(error, GunrockError) else "error"
    record.error = describe(error)
    return record


def keep(args: argparse.Namespace, record: Record, size: Size | None) -> None:
    """Append a record to the file, and report it on stdout."""
    line = record.to_json({KEY: asdict(size)} if size is not None else None)
    if args.output is not None:
        append_lines(args.output, line.encode() + b"\n")
    print(line, flush=True)


def shares(wanted: list[int], backend: str) -> list[list[int]]:
    """The scales that run in one process."""
    small = [scale for scale in wanted if scale <= SMALL and choose_backend(backend).name == "cuda"]
    return ([small] if small else []) + [[scale] for scale in wanted if scale not in small]


def lines_of_process(together: list[int]) -> list[str]:
    """The lines of a separate process about these scales, even if it fails."""
    words = ",".join(map(str, together))
    done = subprocess.run(
        [sys.executable, __file__, *sys.argv[1:], "--one", words],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        print(f"scale {words}: the process ended with exit code {done.returncode}", file=sys.stderr)
    return done.stdout.splitlines()


HEAD = (
    "scale",
    "vertices",
    "directed edges",
    "generated s",
    "graph GiB",
    "build peak / graph",
    "primitive",
    "sources",
    "ms",
    "GTEPS",
    "floor ms",
    "floor / time",
    "model ms",
    "model / time",
    "peak GiB",
    "peak bytes per edge",
    "checked",
    "proof s",
)


def table(lines: list[str]) -> str:
    """A Markdown table: a line for each scale and primitive, from the newest record of each."""
    newest: dict[tuple[int, str], dict[str, Any]] = {}
    for found in map(json.loads, lines):
        newest[int(found["graph"]["origin"]["scale"]), found["primitive"]] = found
    order = list(dict.fromkeys(name for _, name in newest))
    shown = [
        _row(scale, found)
        for (scale, _), found in sorted(
            newest.items(), key=lambda each: (each[0][0], order.index(each[0][1]))
        )
    ]
    return "\n".join("| " + " | ".join(row) + " |" for row in [HEAD, ("---",) * len(HEAD), *shown])


def _row(scale: int, found: Mapping[str, Any]) -> list[str]:
    record, size = Record.from_dict(dict(found)), found.get(KEY) or {}
    graph, checked = record.graph, record.validation
    edges, mean = graph.get("edges"), record.time_ms.mean if record.time_ms else None
    peak = size.get("peak_bytes") or record.peak_device_bytes
    verdict = (
        f"{checked['verdict']} ({checked.get('method', '-')})"
        if checked.get("verdict")
        else record.error or record.status
    )
    return [
        str(scale),
        _count(graph.get("vertices")),
        _count(edges),
        _number(size.get("generate_s")),
        _gib(size.get("graph_bytes")),
        _ratio(size.get("build_peak_bytes"), size.get("graph_bytes")),
        record.primitive,
        str(len(set(record.sources)) or "-"),
        _number(mean),
        _number(record.mteps / 1e3 if record.mteps else None),
        _number(record.floor_ms),
        _ratio(record.floor_ms, mean),
        _number(record.model_ms),
        _ratio(record.model_ms, mean),
        _gib(peak),
        _ratio(peak, edges),
        verdict,
        _number(_seconds(record.phases_ms.get("certify"))),
    ]


def _count(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _ratio(one: float | None, other: float | None) -> str:
    return _number(one / other if one is not None and other else None)


def _gib(count: int | None) -> str:
    return "-" if count is None else _number(count / 2**30)


def _seconds(milliseconds: float | None) -> float | None:
    return None if milliseconds is None else milliseconds / 1e3


def scales(text: str) -> list[int]:
    """Parse ``20-29`` or ``20,24``."""
    first, dash, last = text.partition("-")
    return list(range(int(first), int(last) + 1)) if dash else [int(word) for word in text.split(",")]


def numbers(text: str) -> dict[str, int]:
    """Parse ``bfs=64,bc=2``."""
    return {
        name: int(number) for name, _, number in (word.partition("=") for word in text.split(",") if word)
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--scales", type=scales, default="20-29")
    parser.add_argument("--edge-factor", type=int, default=16)
    parser.add_argument("--primitives", default="bfs,cc,pagerank,sssp,bc")
    parser.add_argument("--up-to", type=numbers, default="sssp=27,bc=27", help="largest scale of each")
    parser.add_argument("--sources", type=numbers, default="bfs=64", help="of each; 1 of the others")
    parser.add_argument("--runs", type=int, default=1, help="from each source")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--table", type=Path)
    parser.add_argument("--one", type=scales, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one is not None:
        run_scales(args)
    elif args.table is not None:
        print(table(args.table.read_text().splitlines()))
    else:
        measured: list[str] = []
        for together in shares(args.scales, args.backend):
            measured += lines_of_process(together)
            print(table(measured).splitlines()[-1], file=sys.stderr, flush=True)
        print(table(measured))


if __name__ == "__main__":
    main()
