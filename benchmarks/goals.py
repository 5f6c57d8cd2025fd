"""The project's speed goals: every primitive on the graphs of docs/decisions/README.md, in one process.

    python benchmarks/goals.py [--primitives bfs,sssp] [--graphs rmat21,lattice | --graphs large]
                               [--data FOLDER] [--records FILE] [--no-validate] [--set key=value ...]
                               [--check certificate] [--devices 2]

Prints a row for each measurement (time, floor, model, goal, verdict, quality), then how many goals are
met and by how much each of the others is missed. ``large`` are R-MAT 25 and 26 of edge factor 16. Run it
on an idle GPU; ratios between rows of one run mean something, absolute times only on the GPU named.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.bench.records.record import append_record
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import spec_from_name
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.certificates import CHECKS

GRAPHS: dict[str, tuple[str, dict[str, Any], str]] = {
    "rmat21": ("rmat", {"scale": 21}, "largest"),
    "rmat20": ("rmat", {"scale": 20}, "largest"),
    "lattice": ("grid2d", {"width": 1414, "height": 1414}, "0"),
    "road-NE": ("USA-road-NE.gcsr", {}, "0"),
    "rgg24": ("rgg", {"scale": 24}, "0"),
    "cnr": ("cnr-2000.gcsr", {}, "largest"),
}
LARGE: dict[str, tuple[str, dict[str, Any], str]] = {
    "rmat25": ("rmat", {"scale": 25, "edge_factor": 16}, "largest"),
    "rmat26": ("rmat", {"scale": 26, "edge_factor": 16}, "largest"),
}
GOALS_MS = {
    "bfs": {
        "rmat21": 0.12,
        "rmat20": 0.09,
        "lattice": 2.9,
        "road-NE": 1.4,
        "rgg24": 7,
        "cnr": 0.14,
        "rmat25": 1.8,
        "rmat26": 3.4,
    },
    "sssp": {
        "rmat21": 2.3,
        "rmat20": 1.2,
        "lattice": 6,
        "road-NE": 3.5,
        "rgg24": 30,
        "cnr": 0.8,
        "rmat25": 20,
    },
    "bc": {
        "rmat21": 1.8,
        "rmat20": 0.9,
        "lattice": 8,
        "road-NE": 3.6,
        "rgg24": 18,
        "cnr": 1.0,
        "rmat25": 22,
    },
    "cc": {"rmat21": 0.15, "rmat20": 0.10, "lattice": 0.08, "road-NE": 0.06, "rgg24": 1.0, "cnr": 0.07},
    "pagerank": {
        "rmat21": 1.1,
        "rmat20": 0.54,
        "lattice": 0.02,
        "road-NE": 0.012,
        "rgg24": 0.45,
        "cnr": 0.04,
        "rmat25": 8.5,
        "rmat26": 19,
    },
    "mst": {"rmat21": 8, "rmat20": 3.5, "lattice": 1, "road-NE": 0.5, "rgg24": 10, "cnr": 3},
    "mis": {"rmat21": 0.6, "rmat20": 0.35, "lattice": 0.08, "road-NE": 0.06, "rgg24": 2, "cnr": 0.12},
    "color": {"rmat21": 25, "rmat20": 12, "lattice": 0.1, "road-NE": 0.06, "rgg24": 4, "cnr": 2.5},
    "matching": {"rmat21": 3, "rmat20": 1.5, "lattice": 0.4, "road-NE": 0.3, "rgg24": 5, "cnr": 1},
    "triangles": {"rmat21": 165, "rmat20": 60, "lattice": 0.75, "road-NE": 0.15, "rgg24": 9, "cnr": 0.3},
    "kcore": {"rmat21": 50, "rmat20": 30, "lattice": 4, "road-NE": 0.3, "rgg24": 5, "cnr": 2.5},
    "louvain": {"rmat21": 300, "rmat20": 180, "lattice": 15, "road-NE": 10, "rgg24": 120, "cnr": 35},
}
"""The goals; PageRank's is for an iteration, that of triangles for their number and with orientation."""
RANKINGS = ("hits", "salsa", "ppr")  # held to the goal of PageRank's iteration
QUALITY = ("weight", "size", "colors", "modularity", "communities")


def graphs(names: str, data: Path, xp: Any) -> Iterator[tuple[str, Graph, int]]:
    """The available graphs of a list of names separated by commas, each with its name and its source."""
    for name in names.split(","):
        kind, params, source_kind = (GRAPHS | LARGE)[name]
        path = data / kind
        if kind.endswith(".gcsr") and not path.exists():
            print(f"{name}: {path} is not there")
            continue
        begin = time.perf_counter()
        graph = load_graph(spec_from_name(str(path) if params == {} else kind, params), xp)
        print(
            f"# {name}: {graph.n:,} vertices, {graph.m:,} edges, built in "
            f"{time.perf_counter() - begin:.2f} s",
            flush=True,
        )
        yield name, graph, int(graph.csr.degrees().argmax()) if source_kind == "largest" else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--primitives", default=",".join([*GOALS_MS, *RANKINGS]))
    parser.add_argument("--graphs", default=",".join(GRAPHS))
    parser.add_argument("--data", type=Path, default=Path(), help="folder of the .gcsr files")
    parser.add_argument("--records", type=Path)
    parser.add_argument("--backend", default="auto")
    parser.add_argument("--mode")
    parser.add_argument("--loop", default="device")
    parser.add_argument("--devices", default="auto", help="GPUs that share a run, or teams of threads")
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--no-validate", action="store_true")
    parser.add_argument("--check", default="certificate", choices=CHECKS)
    parser.add_argument("--set", action="append", default=[], help="an option of the primitive")
    args = parser.parse_args()
    backend = choose_backend(args.backend)
    print(backend.why)
    met, missed = 0, []
    wanted = ",".join(LARGE) if args.graphs == "large" else args.graphs
    for name, graph, source in graphs(wanted, args.data, backend.xp):
        for primitive_name in args.primitives.split(","):
            goal = GOALS_MS.get(primitive_name, {}).get(name)
            if name in LARGE and goal is None:
                continue
            primitive = get_primitive(primitive_name)
            options = {option.key: option.default for option in primitive.options}
            for pair in args.set:
                key, value = pair.split("=")
                if key in options:
                    kind_of = next(o.kind for o in primitive.options if o.key == key)
                    options[key] = value == "1" if kind_of is bool else kind_of(value)
            weighted = with_weights(graph, "random:1:64") if primitive.needs.weights else graph
            try:
                measured = measure(
                    primitive,
                    weighted,
                    options,
                    [source],
                    backend,
                    Protocol(
                        runs=args.runs,
                        check="none" if args.no_validate else args.check,
                        advance_mode=args.mode,
                        loop=args.loop,
                        devices=args.devices,
                    ),
                )
                record = measured.record
            except Exception as error:
                print(
                    f"{primitive_name:9} {name:8} {type(error).__name__}: {str(error)[:300]}", flush=True
                )
                continue
            if args.records:
                append_record(args.records, record)
            if measured.failure is not None:
                raise measured.failure
            shown = record.metrics.get("iteration_ms", record.time_ms.mean)
            if goal is not None and shown <= goal:
                met += 1
            elif goal is not None:
                missed.append(f"{primitive_name} {name} {shown / goal - 1:.1%}")
            quality = " ".join(f"{key} {record.metrics[key]}" for key in QUALITY if key in record.metrics)
            floor, model = (f"{ms:.4f}" if ms else "-" for ms in (record.floor_ms, record.model_ms))
            print(
                f"{primitive_name:9} {name:8} {shown:10.4f} ms (min {record.time_ms.min:.4f}, "
                f"sd {record.time_ms.stddev:.4f}) floor {floor} model {model} goal {goal} steps "
                f"{record.iterations} {record.validation['verdict']} {quality} "
                f"{record.validation['message'][:150]}",
                flush=True,
            )
    print(f"{met} of {met + len(missed)} goals met; missed by: {', '.join(missed) or 'none'}")


if __name__ == "__main__":
    main()
