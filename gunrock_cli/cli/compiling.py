"""A first run: its kernel is compiled while its graph is made, which needs other code compiled."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from gunrock_cli.cli.graph_progress import graph_progress
from gunrock_cli.errors import GunrockError

if TYPE_CHECKING:
    from gunrock_cli.engine.backend import Backend
    from gunrock_cli.graph.model.graph import Graph
    from gunrock_cli.graph.spec import GraphSpec
    from gunrock_cli.primitives.base import Primitive
    from gunrock_cli.primitives.run_options import RunOptions
    from gunrock_cli.primitives.warm import Job


@contextmanager
def compiling_meanwhile(
    primitive: Primitive, options: Mapping[str, Any], run: RunOptions, backend: Backend, spec: GraphSpec
) -> Iterator[Callable[[Graph], dict[str, float]]]:
    """Compile kernels while the code that builds graphs is compiled, if it still has to be, as both take
    equally long: kernels for the kinds of graphs that this one may be. Yields a function to call with the
    graph: it waits for that graph's kernel and ends the others, so that none disturbs the rest, and
    returns the milliseconds waited as a phase of the record, if any."""
    under_way: list[tuple[Job, subprocess.Popen[str]]] = []
    try:
        with suppress(GunrockError):  # contradictory options: the run will say so
            for job in _worth_it(primitive, options, run, backend, spec):
                under_way.append((job, job.start()))
        yield lambda graph: _settle(under_way, primitive, graph)
    finally:
        for _, process in under_way:
            _end(process)


def _worth_it(
    primitive: Primitive, options: Mapping[str, Any], run: RunOptions, backend: Backend, spec: GraphSpec
) -> list[Job]:
    from gunrock_cli.graph.rows import native_library
    from gunrock_cli.graph.spec import FILE_KINDS
    from gunrock_cli.primitives import primitive_names

    if backend.name == "cuda" and spec.kind not in FILE_KINDS:
        return []  # the GPU draws it at once, without the host's code
    if primitive.name not in primitive_names() or _is_small(spec) or native_library.is_ready():
        return []
    from gunrock_cli.primitives.run_options import RunOptions
    from gunrock_cli.primitives.warm import jobs_of

    alone = RunOptions(**{each.name: getattr(run, each.name) for each in fields(RunOptions)})
    jobs = jobs_of(primitive, target_of(backend), options, alone)
    spare = max(1, len(os.sched_getaffinity(0)) - 1)  # cores besides the other compiler's
    return [job for job in jobs if not job.is_done()][:spare]


def _is_small(spec: GraphSpec) -> bool:
    """True if the graph is too small for the code that builds graphs to be used."""
    from gunrock_cli.graph.load import FEW_EDGES
    from gunrock_cli.graph.rows.native import WORTH_IT
    from gunrock_cli.graph.sources.generate import complete_params
    from gunrock_cli.graph.sources.generate.sizes import expected_edges
    from gunrock_cli.graph.spec import FILE_KINDS

    if spec.kind not in FILE_KINDS:  # generators that leave their number to chance draw few, too
        return expected_edges(spec.kind, complete_params(spec.kind, spec.params)) <= FEW_EDGES
    if spec.path is None:
        return False
    try:
        return os.stat(spec.path).st_size < WORTH_IT  # less than a byte per edge of WORTH_IT edges
    except OSError:  # a stream; otherwise loading says what is wrong
        return False


def target_of(backend: Backend) -> int | str:
    """The target for which kernels are compiled to run on a backend: a compute capability, or
    ``HOST``."""
    from gunrock_cli.primitives.code import HOST

    if backend.name == "cpu":
        return HOST
    from gunrock_cli.engine.cuda import compute_capability

    return compute_capability()


def _settle(
    under_way: Sequence[tuple[Job, subprocess.Popen[str]]], primitive: Primitive, graph: Graph
) -> dict[str, float]:
    if not under_way:
        return {}
    from gunrock_cli.primitives.code import kernel_unit
    from gunrock_cli.primitives.warm import finish

    begun = time.perf_counter()
    any_job = under_way[0][0]
    with suppress(GunrockError):  # the run itself compiles it, and reports the error
        wanted = kernel_unit(primitive, any_job.arch, any_job.options, any_job.run, graph=graph)
        for job, process in under_way:
            if job.unit != wanted:
                _end(process)
        for job, process in under_way:
            if job.unit == wanted:
                with graph_progress() as report:
                    report(f"compiling {job.label}", None)
                    finish(process)
    return {"compile": 1e3 * (time.perf_counter() - begun)}


def _end(process: subprocess.Popen[str]) -> None:
    from gunrock_cli.primitives.warm import end

    if process.poll() is None:
        end(process)
        process.communicate()
