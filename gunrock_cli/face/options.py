"""Arguments of the face's functions besides a primitive's own options, declared in the same way."""

from __future__ import annotations

import os

from gunrock_cli.graph.sources.generate.parameters import Param
from gunrock_cli.graph.spec import FILE_KINDS
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.run_options import RUN_OPTIONS
from gunrock_cli.toolchain.threads import MOST_THREADS

GRAPH_OPTIONS = (
    Option(
        "n",
        None,
        kind=int,
        minimum=0,
        help="Vertices, where A is arrays of ends. Default: 1 + the largest end.",
    ),
    Option(
        "columns",
        None,
        kind=tuple,
        help="Where A is a frame of edges: names of its columns of sources, targets and, a third, "
        "weights. Default: source, target, and weight where there is one.",
    ),
    Option(
        "symmetrize",
        False,
        kind=bool,
        help="Add the reverse of every edge; of equal edges the lightest stays.",
    ),
)
BACKEND = Option(
    "backend",
    "auto",
    choices=("auto", "cuda", "cpu"),
    help="auto: the GPU where there is one, else the CPU.",
)
PLACE_OPTIONS = (
    Option("max-steps", None, kind=int, minimum=1, help="Give up a run that takes more steps."),
    BACKEND,
    Option(
        "threads",
        None,
        kind=int,
        minimum=1,
        maximum=MOST_THREADS,
        help="Threads of the cpu backend. Default: OMP_NUM_THREADS, or all.",
    ),
)
MEASURING_OPTIONS = (
    Option("runs", 1, kind=int, minimum=1, help="Timed runs, of each source."),
    Option("warmup", 0, kind=int, minimum=0, help="Runs before the clock counts."),
    Option(
        "check",
        False,
        kind=bool,
        help="Check the answer against an independent reference; WrongAnswer where it fails.",
    ),
    Option("trace", False, kind=bool, help="Keep what each step did and took."),
    *PLACE_OPTIONS,
)
PREPARED = (*GRAPH_OPTIONS, *PLACE_OPTIONS, *RUN_OPTIONS)
"""Arguments that hold for all runs of a prepared primitive."""
MEASURED = (*GRAPH_OPTIONS, *MEASURING_OPTIONS)
COMMON = (*MEASURED, *RUN_OPTIONS)
_NAME = Option("name", None, help="What the graph is called in records.")
_SEED = Option("seed", 0, kind=int, minimum=0, maximum=2**63 - 1, help="Of the generator.")
ROWS = (_NAME, BACKEND)
"""Arguments of ``from_csr``."""
MAKING = (
    *GRAPH_OPTIONS,
    *ROWS,
    Option("keep-self-loops", True, kind=bool, help="Keep edges from a vertex to itself."),
    Option("keep-duplicates", False, kind=bool, help="Keep edges that arrays repeat."),
    Option("weighted", True, kind=bool, help="A's values are weights."),
)
"""Arguments of ``as_graph``."""
LOADING = (
    Option("undirected", True, kind=bool, help="Add the reverse of every edge."),
    Option("keep-self-loops", False, kind=bool, help="Keep edges from a vertex to itself."),
    Option("keep-duplicates", False, kind=bool, help="Keep repeated edges."),
    Option("weights", None, help="none, unit, random or random:LOW:HIGH. Default: the file's."),
    Option("weight-type", None, choices=("int32", "float32"), help="The weights' type."),
    Option("weight-seed", 0, kind=int, minimum=0, maximum=2**63 - 1, help="Of random weights."),
    Option("format", None, choices=FILE_KINDS, help="A file's. Default: as its name tells."),
    Option("columns", None, kind=tuple, help="Those of a table: source, target, weight."),
    Option("named", False, kind=bool, help="A list of edges has names for vertices."),
    Option("vertex-names", None, kind=os.PathLike, help="A file of names, one per line."),
    _SEED,
    BACKEND,
    Option("cache", True, kind=bool, help="Read and write the cache of loaded graphs."),
)
"""Arguments of ``load``, besides the generators' parameters."""


def of_param(param: Param) -> Option:
    """Declare a generator's parameter like any option; None means not given."""
    return Option(
        param.flag.removeprefix("--"),
        None,
        param.help,
        kind=param.kind,
        minimum=param.minimum,
        maximum=param.maximum,
    )


TAKEN = frozenset({"A", "source", "previous", *(option.name for option in COMMON)})
"""Names that no primitive's option may have."""
