"""What the compiler makes of every primitive, without a GPU: registers, spills, shared memory, code.

    python benchmarks/code_size.py [--arch 90] [--only REGEX] [--save FILE] [--against FILE]

One row per kernel variant and entry point. ``--save`` keeps the rows as JSON; ``--against`` compares
with such a file of another tree and says which code is the same byte for byte, so that only the rest
needs to be measured. PYTHONPATH decides which tree's kernels are compiled.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import struct
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.engine.tuning import tune
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.operators.advance import ADVANCE_MODES
from gunrock_cli.primitives import get_primitive
from gunrock_cli.resources import kernels_dir
from gunrock_cli.toolchain.nvrtc import nvrtc
from gunrock_cli.toolchain.unit import Unit

SHARED = {75: 64 << 10, 80: 163 << 10, 90: 227 << 10}
"""Bytes of shared memory that a block may ask for, by compute capability."""

IN_STEP = {"run_ahead": "1", "alpha": "15"}  # as on a graph that is no mesh
LONG = {"GR_BLOCK": 1024, "GR_ITEMS": 2, "GR_BLOCKS_PER_SM": 1}  # the launch shape "ahead-long"
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "bfs": ("bfs", IN_STEP),
    "bfs predecessors": ("bfs", {**IN_STEP, "mark_pred": True}),
    "bfs idempotent": ("bfs", {**IN_STEP, "idempotence": True}),
    "bfs push, TWC": ("bfs", {**IN_STEP, "direction": "push", "mode": "TWC"}),
    "bfs push, TM": ("bfs", {**IN_STEP, "direction": "push", "mode": "TM"}),
    "bfs push, LB": ("bfs", {**IN_STEP, "direction": "push", "mode": "LB"}),
    "bfs ahead": ("bfs", {"run_ahead": "2"}),
    "bfs ahead, long": ("bfs", {"run_ahead": "2", **LONG}),
    "bfs ahead, predecessors": ("bfs", {"run_ahead": "2", "mark_pred": True}),
    "sssp": ("sssp", {"run_ahead": "off"}),
    "sssp predecessors": ("sssp", {"mark_pred": True, "run_ahead": "off", "redundancy": "bitmap"}),
    "sssp ahead": ("sssp", {"run_ahead": "on"}),
    "sssp ahead, long": ("sssp", {"run_ahead": "on", **LONG}),
    "bc": ("bc", {"run_ahead": "1"}),
    "bc push": ("bc", {"backward": "push", "run_ahead": "1"}),
    "bc rebuilt": ("bc", {"frontiers": "rebuilt", "run_ahead": "1"}),
    "bc ahead": ("bc", {"run_ahead": "2"}),
    "bc ahead, long": ("bc", {"run_ahead": "2", **LONG}),
    "cc": ("cc", {"linking": "id", "sampling": "on"}),
    "cc random": ("cc", {"linking": "random", "sampling": "off"}),
    "cc hook-jump": ("cc", {"variant": "hook-jump"}),
    "pagerank short": ("pagerank", {"GR_LISTS": 0}),
    "pagerank even": ("pagerank", {"GR_LISTS": 1}),
    "pagerank uneven": ("pagerank", {"GR_LISTS": 2}),
    "pagerank uneven, double": ("pagerank", {"GR_LISTS": 2, "precision": "float64"}),
    "pagerank push": ("pagerank", {"push": True}),
    "pagerank push, filter": ("pagerank", {"filter_converged": True}),
}
"""Options of a primitive, macros that the graph would decide, and the mode of its advance."""


@dataclass(frozen=True)
class Row:
    """One entry point of one variant."""

    variant: str
    arch: int
    entry: str
    registers: int
    spilled: int  # bytes stored and loaded
    shared: int  # bytes, without what the launch asks for
    code: int  # bytes of instructions
    digest: str  # of the instructions

    @property
    def key(self) -> str:
        return f"{self.variant}/{self.arch}/{self.entry}"


def source_of(name: str, arch: int, way: dict[str, Any]) -> Unit:
    """A primitive as it would be compiled for a small graph with these options and macros."""
    primitive = get_primitive(name)
    ends = np.array([0, 1], np.int32)
    graph = build_graph(3, ends, ends + 1, None, undirected=True, keep_self_loops=False,
                        keep_duplicates=False, name="tiny", origin={}, xp=np)
    if primitive.needs_weights:
        graph = with_weights(graph, "random:1:64")
    mode = way.get("mode", "AUTO")
    macros = {key: value for key, value in way.items() if key.startswith("GR_")}
    chosen = {key: value for key, value in way.items() if key not in macros and key != "mode"}
    defaults = {option.key: option.default for option in primitive.options}
    options = primitive.check_options(graph, defaults | chosen)
    defines: dict[str, str | int] = {
        "GR_EDGE64": 0, "GR_WEIGHT_FLOAT": 0, "GR_EDGE_FRONTIER": 0, "GR_TRACE": 0, "GR_AHEAD": 0,
        "GR_COUNT": 0,
        "GR_ADVANCE_MODE": ADVANCE_MODES.index(mode),
        **tune(SHARED[arch], 4, 4, launch=primitive.launch(graph, options)).defines(),
    }
    for option in primitive.options:
        if option.define is not None:
            value = options[option.key]
            defines[option.define] = option.choices.index(value) if option.choices else int(value)
    defines.update(primitive.defines(graph, options) | macros)
    return Unit.of(primitive.kernel_file(graph, options), defines)


def compile_verbosely(source: Unit, arch: int) -> tuple[bytes, str]:
    """The cubin, and what ptxas says of it."""
    rtc = nvrtc()
    _, program = rtc.nvrtcCreateProgram(source.text.encode(), b"unit.cu", 0, [], [])
    options = [f"--gpu-architecture=sm_{arch}".encode(), b"--std=c++17", b"--device-int128",
               b"--extra-device-vectorization", b"--ptxas-options=-v",
               f"--include-path={kernels_dir()}".encode()]
    (error,) = rtc.nvrtcCompileProgram(program, len(options), options)
    _, size = rtc.nvrtcGetProgramLogSize(program)
    log = b" " * size
    rtc.nvrtcGetProgramLog(program, log)
    if error != rtc.nvrtcResult.NVRTC_SUCCESS:
        raise SystemExit(log.decode().rstrip("\0"))
    _, size = rtc.nvrtcGetCUBINSize(program)
    cubin = b" " * size
    rtc.nvrtcGetCUBIN(program, cubin)
    rtc.nvrtcDestroyProgram(program)
    return cubin, log.decode().rstrip("\0")


def sections(elf: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and contents of each section of a 64-bit ELF file."""
    (table,) = struct.unpack_from("<Q", elf, 0x28)
    width, count, names_at = struct.unpack_from("<HHH", elf, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", elf, table + i * width) for i in range(count)]
    names = headers[names_at][4]
    for name, kind, _, _, offset, size in headers:
        end = elf.index(b"\0", names + name)
        yield elf[names + name:end].decode(), b"" if kind == 8 else elf[offset:offset + size]


def rows_of(variant: str, arch: int) -> list[Row]:
    """What the entry points of one variant became."""
    name, way = VARIANTS[variant]
    cubin, log = compile_verbosely(source_of(name, arch, way), arch)
    code = {section[6:]: words for section, words in sections(cubin)
            if section.startswith(".text.gr_")}
    found = []
    for part in log.split("Compiling entry function '")[1:]:
        entry = part.split("'")[0]
        if entry not in code:
            continue
        used = re.search(r"Used (\d+) registers", part)
        shared = re.search(r"(\d+) bytes smem", part)
        spilled = sum(int(n) for n in re.findall(r"(\d+) bytes spill", part))
        found.append(Row(variant, arch, entry, int(used[1]) if used else 0, spilled,
                         int(shared[1]) if shared else 0, len(code[entry]),
                         hashlib.sha256(code[entry]).hexdigest()[:16]))
    return sorted(found, key=lambda row: row.entry)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", type=int, action="append", choices=sorted(SHARED))
    parser.add_argument("--only", default="", help="variants whose name this expression finds")
    parser.add_argument("--entry", default="gr_run", help="entry points to show (an expression)")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    args = parser.parse_args()
    known: dict[str, dict[str, Any]] = json.loads(args.against.read_text()) if args.against else {}
    saved: dict[str, dict[str, Any]] = (
        json.loads(args.save.read_text()) if args.save and args.save.exists() else {})
    print(f"{'variant':28} {'arch':>4} {'entry':8} {'regs':>5} {'spill':>5} {'shared':>6} {'code':>7}")
    for arch in args.arch or [90]:
        for variant in VARIANTS:
            if not re.search(args.only, variant):
                continue
            for row in rows_of(variant, arch):
                saved[row.key] = asdict(row)
                if args.save:
                    args.save.write_text(json.dumps(saved, indent=1))
                if not re.search(args.entry, row.entry):
                    continue
                note = ""
                if before := known.get(row.key):
                    same = before["digest"] == row.digest
                    note = "same code" if same else "was {registers:>3} {spilled} {code}".format(**before)
                print(f"{row.variant:28} {row.arch:4} {row.entry:8} {row.registers:5} {row.spilled:5} "
                      f"{row.shared:6} {row.code:7}  {note}", flush=True)


if __name__ == "__main__":
    main()
