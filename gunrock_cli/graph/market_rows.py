"""Read large Matrix Market files straight into rows, without a list of edges.

It does what ``readers.market`` and ``build`` do in turn, in about the time that SciPy's ``mmread`` alone
takes. A packed file is first unpacked to a temporary one. Small files, and files with anything unusual or
wrong in them, are left to those two, which also say what is wrong.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gunrock_cli.graph.model.rows import Rows
from gunrock_cli.graph.rows.native import reads_market, rows_from_market
from gunrock_cli.graph.sources.files.readers import market, text
from gunrock_cli.graph.sources.files.readers.formats import stem
from gunrock_cli.graph.sources.progress import Progress
from gunrock_cli.graph.spec import GraphSpec

_INTEGERS, _REALS = np.dtype(np.int32), np.dtype(np.float32)
_VALUES = {"pattern": None, "integer": _INTEGERS, "real": _REALS, "double": _REALS}


def market_rows(spec: GraphSpec, report: Progress) -> Rows | None:
    """The rows of a spec's file, on the host, or None for most files."""
    path = spec.path
    if spec.kind != "market" or path is None:
        return None
    with text.open_binary(path) as stream:
        header = market.read_header(stream, path)
    market.check_entries_fit(path, header)
    both = spec.undirected or header.symmetry != "general"
    file_weights = spec.weights is None
    mirrored = header.symmetry == "skew-symmetric" and file_weights and not spec.undirected
    converted = spec.weight_type == "int32" and _VALUES.get(header.field) == _REALS and file_weights
    if header.field not in _VALUES or mirrored or converted or not reads_market(header.entries):
        return None
    where = text.display_path(path)
    report(f"reading {where}", None)
    try:
        with text.unpacked(path) as plain:
            csr = rows_from_market(
                plain,
                header.n,
                header.entries,
                header.body,
                _VALUES[header.field],
                both_directions=both,
                keep_self_loops=spec.keep_self_loops,
                keep_duplicates=spec.keep_duplicates,
                heaviest=spec.heaviest,
                name=spec.name or stem(path),
                report=lambda fraction: report(f"reading {where}", fraction),
            )
    except OSError:  # no room to unpack it
        return None
    if csr is None:
        return None
    changes = csr.changes(both, both and header.symmetry == "general")
    return Rows(csr if file_weights else replace(csr, values=None), both, changes=changes)
