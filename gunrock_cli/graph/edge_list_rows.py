"""Read large edge lists straight into rows, without a list of edges in memory.

It does what ``readers.edge_list`` and ``build`` do in turn, for files whose only comments are at their
head. Other files, and error messages, are left to those two.
"""

from __future__ import annotations

import os

from gunrock_cli.graph.model.rows import Rows
from gunrock_cli.graph.rows.native import reads_edge_list, rows_from_edge_list
from gunrock_cli.graph.sources.files.readers import edge_list, text
from gunrock_cli.graph.sources.files.readers.formats import stem
from gunrock_cli.graph.sources.progress import Progress
from gunrock_cli.graph.spec import GraphSpec

_COLUMNS = (2, 3)
_UNPACKED = 8  # bytes that one byte of a packed file usually becomes


def edge_list_rows(spec: GraphSpec, report: Progress) -> Rows | None:
    """The rows of a spec's file, on the host, or None for most files."""
    path = spec.path
    if spec.kind != "edge-list" or path is None or spec.named:
        return None
    size = os.stat(text.local(path)).st_size
    if not reads_edge_list(_UNPACKED * size if text.packed_by(path) else size):
        return None
    shape = edge_list.first_edge(path)
    if shape.comma or shape.attributes or shape.columns not in _COLUMNS:
        return None
    where = text.display_path(path)
    report(f"reading {where}", None)
    try:
        with text.unpacked(path) as plain:
            csr = rows_from_edge_list(
                plain,
                shape.begin,
                shape.columns,
                shape.columns > 2 and spec.weights is None,
                whole=spec.weight_type == "int32",
                both_directions=spec.undirected,
                keep_self_loops=spec.keep_self_loops,
                keep_duplicates=spec.keep_duplicates,
                heaviest=spec.heaviest,
                name=spec.name or stem(path),
                report=lambda fraction: report(f"reading {where}", fraction),
            )
    except OSError:  # no room to unpack it
        return None
    return (
        None
        if csr is None
        else Rows(csr, spec.undirected, changes=csr.changes(spec.undirected, spec.undirected))
    )
