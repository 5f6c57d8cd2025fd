"""What the compiler makes of every primitive, without a GPU: registers, spills, shared memory, code.

    python benchmarks/code_size.py [--arch 90] [--only REGEX] [--save FILE] [--against FILE]

One row per kernel variant and entry point. ``--save`` keeps the rows as JSON; ``--against`` compares
with such a file of another tree and says which code is the same byte for byte, so that only the rest
needs to be measured. PYTHONPATH decides which tree's kernels are compiled.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gunrock_cli.engine.program import LOOPS
from gunrock_cli.operators.gather_all import Lists
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.code import compile_for, kernel_unit
from gunrock_cli.primitives.run_options import RunOptions
from gunrock_cli.toolchain.architectures import ARCHITECTURES
from gunrock_cli.toolchain.unit import Unit

IN_STEP = {"run_ahead": "1", "alpha": "15"}  # as on a graph that is no mesh
LONG = {"GR_AHEAD_LONG": 1, "GR_BLOCK": 1024, "GR_ITEMS": 2, "GR_BLOCKS_PER_SM": 1}
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "bfs": ("bfs", IN_STEP),
    "bfs predecessors": ("bfs", {**IN_STEP, "mark_pred": True}),
    "bfs idempotent": ("bfs", {**IN_STEP, "idempotence": True}),
    "bfs push, idempotent": ("bfs", {**IN_STEP, "direction": "push", "idempotence": True}),
    "bfs push, SCAN": ("bfs", {**IN_STEP, "direction": "push", "mode": "SCAN"}),
    "bfs push, TWC": ("bfs", {**IN_STEP, "direction": "push", "mode": "TWC"}),
    "bfs push, TM": ("bfs", {**IN_STEP, "direction": "push", "mode": "TM"}),
    "bfs push, LB": ("bfs", {**IN_STEP, "direction": "push", "mode": "LB"}),
    "bfs ahead": ("bfs", {"run_ahead": "2"}),
    "bfs ahead, padded": ("bfs", {"run_ahead": "2", "GR_AHEAD_PADDED": 1}),
    "bfs ahead, long": ("bfs", {"run_ahead": "2", **LONG}),
    "bfs ahead, predecessors": ("bfs", {"run_ahead": "2", "mark_pred": True}),
    "bfs contract-expand": ("bfs", {"strategy": "contract-expand"}),
    "bfs two-phase": ("bfs", {"strategy": "two-phase"}),
    "sssp": ("sssp", {"run_ahead": "off"}),
    "sssp optimized": ("sssp", {"run_ahead": "off", "direction": "optimized"}),
    "sssp, several devices": ("sssp", {"devices": "2"}),
    "sssp predecessors, several devices": ("sssp", {"devices": "2", "mark_pred": True}),
    "sssp predecessors": ("sssp", {"mark_pred": True, "run_ahead": "off", "redundancy": "bitmap"}),
    "sssp ahead": ("sssp", {"run_ahead": "on"}),
    "sssp ahead, padded": ("sssp", {"run_ahead": "on", "GR_AHEAD_PADDED": 2}),
    "sssp ahead, long": ("sssp", {"run_ahead": "on", **LONG}),
    "bc": ("bc", {"run_ahead": "1"}),
    "bc push": ("bc", {"backward": "push", "run_ahead": "1"}),
    "bc rebuilt": ("bc", {"frontiers": "rebuilt", "run_ahead": "1"}),
    "bc ahead": ("bc", {"run_ahead": "2"}),
    "bc ahead, long": ("bc", {"run_ahead": "2", **LONG}),
    "bc weighted": ("bc", {"weighted": True}),
    "cc": ("cc", {"linking": "id", "sampling": "on"}),
    "cc in runs": ("cc", {"linking": "id", "sampling": "on", "GR_RUNS": 1}),
    "cc random": ("cc", {"linking": "random", "sampling": "off"}),
    "cc hook-jump": ("cc", {"variant": "hook-jump"}),
    "color in order": ("color", {"waiting": "in-order"}),
    "color by class": ("color", {"waiting": "by-class", "GR_LANES": 4}),
    "color polled": ("color", {"waiting": "polled"}),
    "color by number": ("color", {"waiting": "by-number"}),
    "cdlp": ("cdlp", {}),
    "cliques": ("cliques", {}),
    "ktruss": ("ktruss", {}),
    "louvain": ("louvain", {}),
    "matching": ("matching", {}),
    "matching random": ("matching", {"by": "random"}),
    "matching of hubs": ("matching", {"GR_HUBS": 1}),
    "mis": ("mis", {"GR_RESOLVES": 0}),
    "mis resolved": ("mis", {"GR_RESOLVES": 1, "GR_LANES": 1}),
    "mst": ("mst", {}),
    "pagerank short": ("pagerank", {"GR_LISTS": Lists.SHORT.value}),
    "pagerank padded": ("pagerank", {"GR_LISTS": Lists.SHORT.value, "GR_PADDED": 1}),
    "pagerank even": ("pagerank", {"GR_LISTS": Lists.EVEN.value}),
    "pagerank even, weighted": ("pagerank", {"GR_LISTS": Lists.EVEN.value, "weighted": True}),
    "pagerank uneven": ("pagerank", {"GR_LISTS": Lists.UNEVEN.value}),
    "pagerank uneven, double": ("pagerank", {"GR_LISTS": Lists.UNEVEN.value, "precision": "float64"}),
    "pagerank uneven, weighted": ("pagerank", {"GR_LISTS": Lists.UNEVEN.value, "weighted": True}),
    "pagerank short, weighted": ("pagerank", {"GR_LISTS": Lists.SHORT.value, "weighted": True}),
    "pagerank by degree": ("pagerank", {"GR_LISTS": Lists.UNEVEN.value, "GR_SHARED_CACHE": 1}),
    "pagerank, several devices": ("pagerank", {"GR_LISTS": Lists.UNEVEN.value, "devices": "2"}),
    "pagerank by degree, several devices": (
        "pagerank",
        {"GR_LISTS": Lists.UNEVEN.value, "GR_SHARED_CACHE": 1, "order": "degree", "devices": "2"},
    ),
    "pagerank push": ("pagerank", {"push": True}),
    "pagerank push, filter": ("pagerank", {"filter_converged": True}),
    "ppr": ("ppr", {"GR_LISTS": Lists.UNEVEN.value}),
    "ppr by degree": ("ppr", {"GR_LISTS": Lists.UNEVEN.value, "GR_SHARED_CACHE": 1}),
    "ppr batch": ("ppr", {"batch": 32}),
    "ppr batch, by octets": ("ppr", {"batch": 32, "GR_ROWS_BY_OCTETS": 1}),
    "ppr weighted": ("ppr", {"GR_LISTS": Lists.UNEVEN.value, "weighted": True}),
    "wtf": ("wtf", {}),
    "hits": ("hits", {"GR_LISTS": Lists.UNEVEN.value}),
    "hits weighted": ("hits", {"GR_LISTS": Lists.UNEVEN.value, "weighted": True}),
    "hits even": ("hits", {"GR_LISTS": Lists.EVEN.value}),
    "hits short": ("hits", {"GR_LISTS": Lists.SHORT.value}),
    "hits by degree": ("hits", {"GR_LISTS": Lists.UNEVEN.value, "GR_SHARED_CACHE": 1}),
    "salsa": ("salsa", {"GR_LISTS": Lists.UNEVEN.value}),
    "salsa short": ("salsa", {"GR_LISTS": Lists.SHORT.value}),
    "salsa even": ("salsa", {"GR_LISTS": Lists.EVEN.value}),
    "salsa by degree": ("salsa", {"GR_LISTS": Lists.UNEVEN.value, "GR_SHARED_CACHE": 1}),
}
"""Options of a primitive, macros that the graph would decide, and names from OF_THE_RUN."""
OF_THE_RUN = {"mode": "advance_mode", "devices": "devices"}


@dataclass(frozen=True)
class Row:
    """One entry point of one variant."""

    variant: str
    arch: int
    entry: str
    registers: int | None
    spilled: int | None  # bytes stored and loaded
    shared: int | None  # bytes, without dynamic shared memory
    code: int  # bytes of instructions
    digest: str  # of the instructions

    @property
    def key(self) -> str:
        return f"{self.variant}/{self.arch}/{self.entry}"


def source_of(name: str, arch: int, way: dict[str, Any], loop: str) -> Unit:
    """A primitive as it would be compiled for a small graph with these options and macros."""
    more = {key: value for key, value in way.items() if key.startswith("GR_")}
    chosen = {key: value for key, value in way.items() if key not in more and key not in OF_THE_RUN}
    run = RunOptions(loop=loop, **{OF_THE_RUN[key]: way[key] for key in OF_THE_RUN if key in way})
    return kernel_unit(get_primitive(name), arch, chosen, run, more)


def rows_of(variant: str, arch: int, loop: str) -> list[Row]:
    """The rows of the entry points of one variant."""
    name, way = VARIANTS[variant]
    return [
        Row(
            variant,
            arch,
            kernel.name,
            kernel.registers,
            kernel.spilled,
            kernel.shared,
            kernel.code,
            kernel.digest,
        )
        for kernel in compile_for(arch, source_of(name, arch, way, loop)).kernels
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--arch", type=int, action="append", choices=sorted(ARCHITECTURES))
    parser.add_argument("--only", default="", help="variants whose name this expression finds")
    parser.add_argument("--loop", choices=LOOPS, default="device", help="whose entry point")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    args = parser.parse_args()
    known: dict[str, dict[str, Any]] = json.loads(args.against.read_text()) if args.against else {}
    saved: dict[str, dict[str, Any]] = (
        json.loads(args.save.read_text()) if args.save and args.save.exists() else {}
    )
    print(f"{'variant':28} {'arch':>4} {'entry':8} {'regs':>5} {'spill':>5} {'shared':>6} {'code':>7}")
    for arch in args.arch or [90]:
        for variant in VARIANTS:
            if not re.search(args.only, variant):
                continue
            for row in rows_of(variant, arch, args.loop):
                saved[row.key] = asdict(row)
                if args.save:
                    args.save.write_text(json.dumps(saved, indent=1))
                note = ""
                if before := known.get(row.key):
                    same = before["digest"] == row.digest
                    note = "same code" if same else "was {registers:>3} {spilled} {code}".format(**before)
                print(
                    f"{row.variant:28} {row.arch:4} {row.entry:8} {row.registers:5} {row.spilled:5} "
                    f"{row.shared:6} {row.code:7}  {note}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
