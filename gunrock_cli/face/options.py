"""What every function of the face takes besides its primitive's own options, declared in the same
way."""

from __future__ import annotations

from gunrock_cli.primitives.base import Option
from gunrock_cli.primitives.run_options import RUN_OPTIONS
from gunrock_cli.toolchain.threads import MOST_THREADS

GRAPH_OPTIONS = (
    Option("n", None, kind=int, minimum=0,
           help="Vertices, where A is arrays of ends. Default: 1 + the largest end."),
    Option("columns", None, kind=tuple,
           help="Where A is a frame of edges: names of its columns of sources, targets and, a third, "
           "weights. Default: source, target, and weight where there is one."),
    Option("symmetrize", False, kind=bool,
           help="Add the reverse of every edge; of equal edges the lightest stays."),
)
PLACE_OPTIONS = (
    Option("max-steps", None, kind=int, minimum=1, help="Give up a run that takes more steps."),
    Option("backend", "auto", choices=("auto", "cuda", "cpu"),
           help="auto: the GPU where there is one, else the CPU."),
    Option("threads", None, kind=int, minimum=1, maximum=MOST_THREADS,
           help="Threads of the cpu backend. Default: OMP_NUM_THREADS, or all."),
)
MEASURING_OPTIONS = (
    Option("runs", 1, kind=int, minimum=1, help="Timed runs, of each source."),
    Option("warmup", 0, kind=int, minimum=0, help="Runs before the clock counts."),
    Option("check", False, kind=bool,
           help="Check the answer against an independent reference; WrongAnswer where it fails."),
    Option("trace", False, kind=bool, help="Keep what each step did and took."),
    *PLACE_OPTIONS,
)
PREPARED = (*GRAPH_OPTIONS, *PLACE_OPTIONS, *RUN_OPTIONS)
"""Those that hold for all runs of a prepared primitive."""
COMMON = (*GRAPH_OPTIONS, *MEASURING_OPTIONS, *RUN_OPTIONS)
TAKEN = frozenset({"A", "source", *(option.name for option in COMMON)})
"""Names that no primitive's option may have."""
