"""A set of made-up records that touches every table and figure."""

from __future__ import annotations

from typing import Any

from records_helper import failed_record, make_record

from gunrock_cli.bench.records.record import Record

TRAFFIC = {"read": 4_000_000, "written": 4_000_000, "passes": 1}
GPU = {"name": "NVIDIA Test GPU", "driver": "999.1", "memory_bytes": 1}
KRON = {"kind": "rmat", "edge_factor": 48, "a": 0.57, "b": 0.19, "c": 0.19, "undirected": True}


def on_gpu(primitive: str, graph: str, runs: tuple[float, ...], **fields: Any) -> Record:
    """A record with the given runs repeated ten times: at least the papers' ten."""
    origin = fields.pop("origin", {})
    record = make_record(primitive, graph, runs=10 * runs, backend="cuda", device=GPU, **fields)
    record.graph["origin"] = origin
    return record


GRID = {"kind": "grid2d", "width": 5000, "height": 5000}
LEVELS = [
    {
        "level": level,
        "vertices": 2**level,
        "edges": 4 * 2**level,
        "distinct_ends": 3 * 2**level,
        "queued_vertices": 3**level,
        "queued_edges": 4 * 3**level,
    }
    for level in range(5)
]


def merrill_records() -> list[Record]:
    """One record of each kind that the figures of the 2012 paper are made from."""

    def of(name: str, primitive: str, strategy: str, ms: float, **fields: Any) -> Record:
        options = {"strategy": strategy, **fields.pop("options", {})}
        sources = fields.pop("sources", list(range(10)))
        return on_gpu(
            primitive,
            "grid2d-5000x5000",
            (ms,),
            origin=GRID,
            sources=sources,
            id=name,
            mteps=1000 / ms,
            options=options,
            command=["gunrock", *primitive.split("-"), "--strategy", strategy],
            **fields,
        )

    missed = {"passed": 110, "false_negatives": 10, "false_negative_share": 0.064, "levels": 5}
    push = {"direction": "push", "mark_pred": False}
    return [
        of("gather-tm", "microbench-gather", "TM", 400.0, options={"advance_mode": "TM"}),
        of("gather-twc", "microbench-gather", "TWC", 0.04, options={"advance_mode": "TWC"}),
        of("lookup-mask", "microbench-lookup", "bitmask", 2.5, metrics=missed),
        of(
            "lookup-label",
            "microbench-lookup",
            "bitmask+label",
            300.0,
            metrics={**missed, "false_negative_share": 0.04},
        ),
        of(
            "fused-label",
            "microbench-fused",
            "bitmask+label",
            0.03,
            options={"advance_mode": "TWC"},
            metrics=missed,
        ),
        of("bfs-expand", "bfs", "expand-contract", 800.0, options=push),
        of("bfs-hybrid", "bfs", "hybrid", 0.05, options=push),
        of(
            "bfs-unculled",
            "bfs",
            "fused",
            4.0,
            options={**push, "idempotence": True, "cull": "none"},
            frontiers=LEVELS,
            counts={"redundant_expansion": 2.6},
        ),
        of(
            "bfs-counted",
            "bfs",
            "fused",
            4.5,
            options={**push, "idempotence": False},
            frontiers=LEVELS,
            metrics={"mean_depth": 4.5},
            sources=[1, 2],
        ),  # too few for Table 2
    ]


def several_records() -> list[Record]:
    """Records of one device and of two, on a graph that no table of the papers has."""

    def on(devices: int, ms: float, mark_pred: bool = False) -> Record:
        options = {"direction": "push", "mark_pred": mark_pred, "devices": str(devices)}
        record = on_gpu(
            "bfs",
            "random-7",
            (ms,),
            origin={"kind": "random"},
            sources=list(range(100)),
            id=f"bfs-on-{devices}-{mark_pred}",
            options=options,
            command=["gunrock", "bfs", "--direction", "push", "--devices", str(devices)],
        )
        if devices > 1:
            listed = [{"number": number, "name": GPU["name"]} for number in range(devices)]
            record.device = {**GPU, "devices": listed}
        return record

    return [on(2, 400.0, mark_pred=True), on(1, 400.0), on(2, 0.05)]


def sample_records() -> list[Record]:
    bfs = {"direction": "push", "idempotence": True, "advance_mode": "AUTO"}
    trace = [
        {
            "iteration": i,
            "phase": "push",
            "mode": "AUTO",
            "frontier_vertices": 4**i,
            "frontier_edges": 9**i,
            "ms": 0.01,
        }
        for i in range(5)
    ]
    return [
        *merrill_records(),
        *several_records(),
        on_gpu(
            "bfs",
            "soc-orkut",
            (2.0, 2.2, 2.1),
            id="bfs-soc",
            floor_ms=0.5,
            over_floor=4.2,
            traffic=TRAFFIC,
            model_ms=1.1,
            options=bfs,
        ),
        on_gpu(
            "bfs",
            "roadNet-CA",
            (1.5, 1.5),
            id="bfs-road",
            options=bfs,
            floor_ms=0.1,
            traffic=TRAFFIC,
            over_floor=15.0,
        ),
        on_gpu(
            "bfs",
            "roadNet-CA",
            (1.2, 1.2),
            id="bfs-road-tm",
            floor_ms=0.1,
            over_floor=12.0,
            traffic=TRAFFIC,
            options={**bfs, "advance_mode": "TM"},
            command=["gunrock", "bfs", "roadNet-CA", "--advance-mode", "TM"],
        ),
        on_gpu(
            "bfs",
            "roadNet-CA",
            (1.9, 1.9),
            id="bfs-road-exact",
            options={**bfs, "idempotence": False},
            command=["gunrock", "bfs", "roadNet-CA", "--no-idempotence"],
        ),
        on_gpu(
            "bfs",
            "rmat-s21",
            (0.4,),
            id="bfs-kron",
            origin={**KRON, "scale": 21, "edges": 48 << 21},
            trace=trace,
            options={**bfs, "direction": "optimized"},
        ),
        on_gpu(
            "bfs",
            "grid2d-5000x5000",
            (9.0,),
            id="bfs-grid",
            sources=list(range(10)),
            options={"mark_pred": True, "direction": "push"},
            command=["gunrock", "bfs", "grid2d", "--mark-pred", "--direction", "push"],
            origin={"kind": "grid2d", "width": 5000, "height": 5000},
        ),
        on_gpu("bfs", "USA-road-NE", (3.0,), id="bfs-ne"),
        on_gpu("pagerank", "hollywood-2009", (40.0,), id="pr-h09", iterations=20),
        failed_record(
            "OOM", "no memory for 12 GB", "bc", "indochina-2004", id="bc-i04", backend="cuda", device=GPU
        ),
        failed_record(
            "timeout",
            "took longer than 9 s",
            "cc",
            "roadNet-CA",
            id="cc-road",
            backend="cuda",
            device=GPU,
        ),
        failed_record(
            "wrong", "3 labels differ", "sssp", "roadNet-CA", id="sssp-road", backend="cuda", device=GPU
        ),
        make_record("bfs", "roadNet-CA", system="scipy", runs=10 * (24.0,), id="scipy-road"),
        make_record("bfs", "soc-orkut", system="scipy", runs=10 * (210.0,), id="scipy-soc"),
        make_record(
            "pagerank",
            "hollywood-2009",
            system="igraph",
            runs=10 * (300.0,),
            id="igraph-h09",
            iterations=None,
        ),
        on_gpu(
            "bfs",
            "roadNet-CA",
            (),
            id="profile-road",
            options=bfs,
            metrics={"warp_execution_efficiency": 0.9123},
        ),
    ]
