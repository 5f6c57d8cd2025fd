"""The Graph500 benchmark (specification 2.0): an R-MAT graph, searches from random roots, each proved.

Traversed edges are those of the input, before loops and duplicates were dropped, both of whose ends lie
in the root's component; each counts once. A search's time is the enactor's alone, as in all of this
tool's figures. The harmonic mean of the rates is the result, its deviation by Norris (1940), as the
specification has it. The result file's keys are those of the reference implementation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gunrock_cli.bench.source_vertices import choose_sources
from gunrock_cli.engine.backend import Backend
from gunrock_cli.errors import WrongAnswer
from gunrock_cli.graph.build import build_graph
from gunrock_cli.graph.generate import complete_params, generate_edges
from gunrock_cli.graph.model import Array, Graph
from gunrock_cli.graph.weights import with_weights
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.base import Prover
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.option_values import with_defaults
from gunrock_cli.primitives.run_options import RunOptions

WEIGHTS = "random:0:1"
"""Of kernel 3: uniform in [0, 1)."""
QUARTILES = {"min": 0.0, "firstquartile": 0.25, "median": 0.5, "thirdquartile": 0.75, "max": 1.0}
Progress = Callable[[str, int, int], None]


@dataclass
class Searches:
    """Of one kernel: seconds, edges and seconds of the proof, a root each; and seconds to cut the graph,
    where several devices share it, which are a part of its construction."""

    seconds: list[float] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    proof_seconds: list[float] = field(default_factory=list)
    cut_s: float = 0.0

    def seconds_per_edge(self) -> list[float]:
        """A root each."""
        return [seconds / edges for edges, seconds in zip(self.edges, self.seconds, strict=True)]


@dataclass(frozen=True)
class Result:
    """One run of the benchmark."""

    scale: int
    edge_factor: int
    generation_s: float
    construction_s: float
    roots: list[int]
    kernels: dict[str, Searches]  # "bfs", and "sssp" where it was asked for


def run(scale: int, edge_factor: int, roots: int, seed: int, backend: Backend, sssp: bool = False,
        progress: Progress = lambda *_: None, devices: str = "auto") -> Result:
    """Generate, build, search and prove; the searches run on ``devices``, as --devices has them.
    WrongAnswer where a search's answer is not proved."""
    begin = time.perf_counter()
    raw = generate_edges("rmat", complete_params(
        "rmat", {"scale": scale, "edge_factor": edge_factor, "seed": seed}), backend.xp)
    degrees = backend.xp.bincount(raw.src, minlength=raw.n)  # an edge lies where it begins
    generated = time.perf_counter()
    graph = build_graph(raw.n, raw.src, raw.dst, xp=backend.xp, name=f"graph500-s{scale}", graph_hash="")
    int(graph.csr.row_offsets[-1])  # a GPU has done it by now
    built = time.perf_counter()
    del raw
    chosen = choose_sources(graph, "random", min(roots, int((graph.csr.degrees() > 0).sum())), seed)
    kernels = {"bfs": _search("bfs", graph, degrees, chosen, backend, progress, devices)}
    if sssp:
        weighted = with_weights(graph, WEIGHTS, "float32", seed)
        kernels["sssp"] = _search("sssp", weighted, degrees, chosen, backend, progress, devices)
    return Result(scale, edge_factor, generated - begin, built - generated + kernels["bfs"].cut_s, chosen,
                  kernels)


def _search(name: str, graph: Graph, degrees: Array, roots: list[int], backend: Backend,
            progress: Progress, devices: str) -> Searches:
    """A tree from each root, after one search that warms up."""
    primitive, certificate = get_primitive(name), certificate_of(get_primitive(name))
    assert certificate is not None
    options = with_defaults(primitive.options, {"mark_pred": True})
    execution = execution_of(primitive, graph, options, backend, RunOptions(devices=devices))
    found = Searches()

    def timed(what: str, work: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        done = work()
        found.cut_s += (time.perf_counter() - begin) * (what == "partition")
        return done

    execution.prepare(timed)
    program, problem = execution.program(), execution.problem()
    prover = Prover(certificate, graph, execution.options, backend)
    for number, root in enumerate([roots[0], *roots]):
        result = execution.run(program, problem, root)
        outputs = execution.outputs(problem)
        begin = time.perf_counter()
        verdict = prover.verdict(root, outputs, execution.evidence(problem))
        proof_s = time.perf_counter() - begin
        if verdict is None or verdict.verdict != "pass":
            raise WrongAnswer(f"{name} from {root}: {verdict.message if verdict else 'not proved'}")
        if number:
            found.seconds.append(result.ms / 1e3)
            found.edges.append(int(degrees[outputs["predecessors"] >= 0].sum()) + int(degrees[root]))
            found.proof_seconds.append(proof_s)
        progress(name, number, len(roots))
    return found


def keys(result: Result, processes: int = 1) -> dict[str, float]:
    """The result by the reference implementation's keys, in its order."""
    table: dict[str, float] = {
        "SCALE": result.scale, "edgefactor": result.edge_factor, "NBFS": len(result.roots),
        "graph_generation": result.generation_s, "num_mpi_processes": processes,
        "construction_time": result.construction_s}
    labels = {name: f"{name:5}" for name in result.kernels}
    for name, searches in result.kernels.items():
        table |= _statistics(labels[name], "time", searches.seconds)
    table |= _statistics("", "nedge", result.kernels["bfs"].edges)
    for name, searches in result.kernels.items():
        table |= _rates(labels[name], searches.seconds_per_edge())
    for name, searches in result.kernels.items():
        table |= _statistics(labels[name], "validate", searches.proof_seconds)
    return table


def _statistics(label: str, what: str, values: list[Any]) -> dict[str, float]:
    """Quartiles at (n + 1) p among the sorted values, mean and deviation."""
    array = np.array(values, float)
    found = {f"{label}{name}_{what}": float(np.quantile(array, p, method="weibull"))
             for name, p in QUARTILES.items()}
    found[f"{label}mean_{what}"] = float(array.mean())
    found[f"{label}stddev_{what}"] = float(array.std(ddof=1)) if len(array) > 1 else math.nan
    return found


def _rates(label: str, seconds_per_edge: list[float]) -> dict[str, float]:
    """Of traversed edges a second: quartiles, and the harmonic mean with its standard error. All are of
    the seconds per edge, turned over."""
    each = np.array(seconds_per_edge)
    found = {f"{label}{name}_TEPS": 1 / float(np.quantile(each, 1 - p, method="weibull"))
             for name, p in QUARTILES.items()}
    found[f"{label}harmonic_mean_TEPS"] = 1 / float(each.mean())
    found[f"{label}harmonic_stddev_TEPS"] = math.nan if len(each) < 2 else float(
        each.std(ddof=1) / (each.mean() ** 2 * math.sqrt(len(each) - 1)))
    return found


def as_text(table: dict[str, float]) -> str:
    """The result file: a key and its value on each line."""
    lines = []
    for key, value in table.items():
        mark = "!  " if key.endswith("harmonic_mean_TEPS") else ""
        digits = ".11g" if key.endswith("_nedge") else "g"
        width = 29 if mark else 32
        lines.append(f"{key + ':':{width}}{mark}{value:{digits}}")
    return "\n".join(lines) + "\n"
