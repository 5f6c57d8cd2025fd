"""Build generated graphs without a list of edges: compiled code draws each edge again in every pass over
the vertices, if drawing is cheaper than keeping.

The CPU does this for large graphs if there is a C++ compiler, the GPU for all graphs.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from gunrock_cli.graph.model.graph import Csr, offset_dtype
from gunrock_cli.graph.model.memory import require_memory
from gunrock_cli.graph.model.rows import Rows
from gunrock_cli.graph.rows import native
from gunrock_cli.graph.rows.drawing import Drawing
from gunrock_cli.graph.sources.generate import GENERATORS, complete_params, drawing_of
from gunrock_cli.graph.sources.generate.parameters import label
from gunrock_cli.graph.sources.progress import Progress
from gunrock_cli.graph.spec import GraphSpec

_LEAST_BESIDE = 0.05
"""The least memory that building takes besides the graph, as a share of the graph's."""


def drawn_rows(spec: GraphSpec, xp: ModuleType, report: Progress) -> Rows | None:
    """The rows of a spec's generator, in the memory of ``xp``; None for files, and for generators whose
    edges are not each a function of their number. Raises OutOfMemory before anything is drawn if the
    graph will not fit."""
    if spec.kind not in GENERATORS:
        return None
    params = complete_params(spec.kind, spec.params)
    drawing = drawing_of(spec.kind, params)
    if drawing is None or (xp is np and not native.draws(drawing)):
        return None
    both = spec.undirected or drawing.symmetric
    sides = 1 if both or not spec.reverse else 2
    name = spec.name or label(spec.kind, params)
    _require_room(drawing, spec, both, sides, name, xp)
    made = [_drawn(drawing, spec, both, side == 1, name, xp, report) for side in range(sides)]
    if made[0] is None:
        return None
    return Rows(
        made[0],
        both,
        made[1] if sides == 2 else None,
        changes=made[0].changes(both, spec.undirected and not drawing.symmetric).of_drawn(),
    )


def _drawn(
    drawing: Drawing,
    spec: GraphSpec,
    both: bool,
    turned: bool,
    name: str,
    xp: ModuleType,
    report: Progress,
) -> Csr | None:
    what = f"generating {name}"
    report(what, None)
    if xp is np:
        from gunrock_cli.graph.rows.native import rows_from_drawing
    else:
        from gunrock_cli.graph.rows.device_rows import rows_from_drawing
    return rows_from_drawing(
        drawing,
        both_directions=both,
        keep_self_loops=spec.keep_self_loops,
        keep_duplicates=spec.keep_duplicates,
        turned=turned,
        name=name,
        report=lambda fraction: report(what, fraction),
    )


def _require_room(
    drawing: Drawing, spec: GraphSpec, both: bool, sides: int, name: str, xp: ModuleType
) -> None:
    """Raise OutOfMemory, with the memory needed and available, if the graph does not fit."""
    edges = drawing.expected(both, spec.keep_self_loops, spec.keep_duplicates)
    weight = 0 if spec.weights in (None, "none") else 4
    offset = np.dtype(offset_dtype(np, edges)).itemsize
    graph = sides * (offset * (drawing.n + 1) + (4 + weight) * edges)
    beside = (8 if xp is not np else 0) * drawing.n + int(_LEAST_BESIDE * graph / sides)
    require_memory(xp, graph + beside, f"{name}: {drawing.n} vertices and up to {edges} directed edges")
