"""The Graph500 benchmark (specification 2.0): an R-MAT graph, searches from random roots, each proved.

Traversed edges are those of the input, before loops and duplicates were dropped, with both ends in the
root's component; each counts once. A search's time is the enactor's alone, as in all of this tool's
figures. The result is the harmonic mean of the rates, with its deviation by Norris (1940), as the
specification requires. The result file's keys are those of the reference implementation.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gunrock_cli.bench.inputs.sources import choose_sources
from gunrock_cli.engine.backend import Backend
from gunrock_cli.engine.devices import Devices, device_numbers
from gunrock_cli.errors import WrongAnswer
from gunrock_cli.graph.drawn_parts import drawn_in_parts, raw_degrees
from gunrock_cli.graph.load import graph_name, load_graph
from gunrock_cli.graph.model.graph import Array, Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.parts.parted import sum_where
from gunrock_cli.graph.rows import native
from gunrock_cli.graph.rows.build import build_graph
from gunrock_cli.graph.sources.generate import complete_params, drawing_of, generate_edges
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import certificate_of
from gunrock_cli.primitives.certificates.parts import prover_of
from gunrock_cli.primitives.execution import execution_of
from gunrock_cli.primitives.run_options import RunOptions

WEIGHTS = "random:0:1"
"""The weights of kernel 3: uniform in [0, 1)."""
QUARTILES = {"min": 0.0, "firstquartile": 0.25, "median": 0.5, "thirdquartile": 0.75, "max": 1.0}
Progress = Callable[[str, int, int], None]


@dataclass
class Searches:
    """One kernel's searches: seconds, edges and seconds of the proof for each root; and seconds to cut
    the graph, if several devices share it, which count as part of its construction."""

    seconds: list[float] = field(default_factory=list)
    edges: list[int] = field(default_factory=list)
    proof_seconds: list[float] = field(default_factory=list)
    cut_s: float = 0.0

    def seconds_per_edge(self) -> list[float]:
        """Seconds per edge, for each root."""
        return [seconds / edges for edges, seconds in zip(self.edges, self.seconds, strict=True)]


@dataclass(frozen=True)
class Result:
    """One run of the benchmark."""

    scale: int
    edge_factor: int
    generation_s: float
    construction_s: float
    roots: list[int]
    kernels: dict[str, Searches]  # "bfs", and "sssp" if it was asked for


def run(
    scale: int,
    edge_factor: int,
    roots: int,
    seed: int,
    backend: Backend,
    sssp: bool = False,
    progress: Progress = lambda *_: None,
    devices: str = "auto",
) -> Result:
    """Generate, build, search and prove; the searches run on ``devices``, given as for --devices.
    WrongAnswer if a search's answer is not proved."""
    spec = GraphSpec("rmat", params={"scale": scale, "edge_factor": edge_factor, "seed": seed})
    places = Devices(backend, device_numbers(devices, backend))
    made = _in_parts(spec, places) if len(places) > 1 and not sssp else _whole(spec, backend)
    graph = made.graph
    chosen = choose_sources(graph, "random", min(roots, graph.csr.longer_than(0)), seed)
    kernels = {"bfs": _search("bfs", graph, made.edges, chosen, backend, progress, devices)}
    if sssp:
        weighted = with_weights(graph, WEIGHTS, "float32", seed)
        kernels["sssp"] = _search("sssp", weighted, made.edges, chosen, backend, progress, devices)
    construction_s = made.construction_s + kernels["bfs"].cut_s
    return Result(scale, edge_factor, made.generation_s, construction_s, chosen, kernels)


@dataclass(frozen=True)
class InputEdges:
    """The number of edges of the input that begin at each vertex. On several devices each counts those of
    its own vertices."""

    places: Devices
    pieces: list[Array]

    def among(self, reached: Array) -> int:
        """The number of edges that begin at the vertices for which ``reached`` is true."""
        return sum_where(self.places, self.pieces, reached)


@dataclass(frozen=True)
class Made:
    """The graph, and how long it took. If no list of edges is kept, each edge is drawn to be counted,
    which is the generation, and drawn again when rows are made of the edges, which is part of the
    construction."""

    graph: Graph
    edges: InputEdges
    generation_s: float
    construction_s: float


def _in_parts(spec: GraphSpec, places: Devices) -> Made:
    begin = time.perf_counter()
    graph = drawn_in_parts(spec, places)
    built = time.perf_counter()
    pieces = raw_degrees(spec, places, graph.partition.bounds)
    places.synchronize()
    return Made(graph, InputEdges(places, pieces), time.perf_counter() - built, built - begin)


def _whole(spec: GraphSpec, backend: Backend) -> Made:
    params, xp = complete_params(spec.kind, spec.params), backend.xp
    place = Devices(backend, device_numbers("auto", backend))
    drawing = drawing_of(spec.kind, params)
    begin = time.perf_counter()
    if drawing is not None and (xp is not np or native.draws(drawing)):
        pieces = raw_degrees(spec, place, (0, drawing.n))
        place.synchronize()
        generated = time.perf_counter()
        graph = load_graph(spec, xp)
    else:
        raw = generate_edges(spec.kind, params, xp)
        pieces = [xp.bincount(raw.src, minlength=raw.n)]
        generated = time.perf_counter()
        graph = build_graph(raw.n, raw.src, raw.dst, xp=xp, name=graph_name(spec), graph_hash="")
    int(graph.csr.row_offsets[-1])  # waits until a GPU is done
    return Made(graph, InputEdges(place, pieces), generated - begin, time.perf_counter() - generated)


def _search(
    name: str,
    graph: Graph,
    edges: InputEdges,
    roots: list[int],
    backend: Backend,
    progress: Progress,
    devices: str,
) -> Searches:
    """Search from each root, after one search to warm up."""
    primitive, certificate = get_primitive(name), certificate_of(get_primitive(name))
    assert certificate is not None
    options = primitive.asked({"mark_pred": True})
    execution = execution_of(primitive, graph, options, backend, RunOptions(devices=devices))
    found = Searches()

    def timed(what: str, work: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        done = work()
        found.cut_s += (time.perf_counter() - begin) * (what == "partition")
        return done

    execution.prepare(timed)
    program, problem = execution.program(), execution.problem()
    prover = prover_of(certificate, graph, execution.options, backend)
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
            reached = outputs["predecessors"] >= 0
            reached[root] = True
            found.edges.append(edges.among(reached))
            found.proof_seconds.append(proof_s)
        progress(name, number, len(roots))
    return found


def keys(result: Result, processes: int = 1) -> dict[str, float]:
    """The result by the reference implementation's keys, in its order."""
    table: dict[str, float] = {
        "SCALE": result.scale,
        "edgefactor": result.edge_factor,
        "NBFS": len(result.roots),
        "graph_generation": result.generation_s,
        "num_mpi_processes": processes,
        "construction_time": result.construction_s,
    }
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
    """Quartiles, mean and deviation."""
    array = np.array(values, float)
    found = {f"{label}{name}_{what}": _quartile(array, p) for name, p in QUARTILES.items()}
    found[f"{label}mean_{what}"] = float(array.mean())
    found[f"{label}stddev_{what}"] = float(array.std(ddof=1)) if len(array) > 1 else math.nan
    return found


def _quartile(values: np.ndarray[Any, Any], p: float) -> float:
    """The quartile of the reference implementation: the value at n p among the sorted values, or, if that
    is between two, their mean."""
    return float(np.quantile(values, p, method="averaged_inverted_cdf"))


def _rates(label: str, seconds_per_edge: list[float]) -> dict[str, float]:
    """Traversed edges per second: quartiles, and the harmonic mean with its standard error. All are
    reciprocals of values for the seconds per edge."""
    each = np.array(seconds_per_edge)
    found = {f"{label}{name}_TEPS": 1 / _quartile(each, 1 - p) for name, p in QUARTILES.items()}
    found[f"{label}harmonic_mean_TEPS"] = 1 / float(each.mean())
    found[f"{label}harmonic_stddev_TEPS"] = (
        math.nan
        if len(each) < 2
        else float(each.std(ddof=1) / (each.mean() ** 2 * math.sqrt(len(each) - 1)))
    )
    return found


def as_text(table: dict[str, float]) -> str:
    """The result file: a key and its value per line."""
    lines = []
    for key, value in table.items():
        mark = "!  " if key.endswith("harmonic_mean_TEPS") else ""
        digits = ".11g" if key.endswith("_nedge") else "g"
        width = 29 if mark else 32
        lines.append(f"{key + ':':{width}}{mark}{value:{digits}}")
    return "\n".join(lines) + "\n"
