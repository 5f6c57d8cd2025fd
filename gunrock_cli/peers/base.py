"""The base of peers: other systems that run the same primitives on the same graph.

A peer is one module in this folder that defines ``PEER``; nothing else needs to change. It imports its
library inside its methods, converts the graph before the clock starts, and says what its clock covers."""

from __future__ import annotations

import importlib
import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from importlib import metadata
from types import MappingProxyType
from typing import Any, Self, TypeVar

import numpy as np

from gunrock_cli.errors import BackendError, UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.jsontypes import Json, Scalar
from gunrock_cli.primitives.base import Primitive, Validation
from gunrock_cli.primitives.options import Options

Array = np.ndarray[Any, Any]
Result = TypeVar("Result")
NO_ANSWER = Validation("skipped", "", "it gives no answer", method="none")


@dataclass(frozen=True)
class PeerResult:
    """Every run's time, and the last answer under the names of the primitive's outputs.

    ``labels`` are int32 with -1 for unreached vertices, ``distances`` float64 with infinity,
    ``components`` the smallest vertex of each component, ``ranks`` sum to 1, ``scores`` are the source's
    dependencies.

    If a program gives no such answer, ``outputs`` are empty, and ``verdict`` is the result of the checks
    that remain. ``phases_ms`` are other times, by name; ``printed`` is kept for answers that turn out
    wrong."""

    times_ms: list[float]
    outputs: dict[str, Array]
    iterations: int | None = None
    verdict: Validation = NO_ANSWER
    phases_ms: Mapping[str, float] = field(default_factory=dict)
    printed: str = ""


@dataclass(frozen=True)
class Settings:
    """The base of a primitive's options as other systems take them."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The primitive's resolved options that are set (0 is a value too), or the defaults."""
        given = {each.name: options.get(each.name) for each in fields(cls)}
        return cls(**{name: value for name, value in given.items() if value is not None})


class PeerFailure(BackendError):
    """Raised if a peer gave no times or no answer: its status in the record, and its output."""

    def __init__(self, message: str, *, status: str = "error", printed: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.printed = printed


class Peer:
    """Base of every peer; subclasses define a method with each primitive's name. A primitive of the
    user's brings its own (``Primitive.peers``)."""

    name: str
    title: str
    primitives: tuple[str, ...]
    times: str
    """The extent of the clock, in one sentence."""
    clock: str = "call"
    """"call" if that is the library's whole call, "kernel" if it is the algorithm alone."""
    more_work: Mapping[str, str] = MappingProxyType({})
    """Work that the library's call cannot leave out and gunrock's run does not do, by primitive."""
    module: str = ""
    """The Python module that must be importable."""
    distribution: str = ""
    """The package on the package index that contains it."""
    needs: str = ""
    """Other packages that pip must install besides the distribution."""
    backend: str = "cpu"

    def available(self) -> str | None:
        """None if the peer can run; otherwise why not, and how to get it."""
        if importlib.util.find_spec(self.module) is None:
            packages = f"{self.distribution} {self.needs}".strip()
            return f"{self.title} is not installed: pip install {packages}"
        return None

    def available_for(self, primitive: Primitive) -> str | None:
        """None if the peer can run this primitive; otherwise why not. UsageError for a question that it
        cannot be asked."""
        return self.available()

    def covered(self, primitive: Primitive) -> str:
        """The part of one primitive's runs that the clock covers."""
        return self.times

    def identity(self, primitive: Primitive) -> dict[str, Json]:
        """Metrics of a record that identify the program."""
        return {}

    def versions(self) -> dict[str, str]:
        """The versions of all software in the measurement."""
        return {self.distribution: metadata.version(self.distribution)}

    def runs(self, primitive: Primitive) -> bool:
        """True if it has this primitive: by a method of that name, or by a function of the
        primitive's."""
        return primitive.name in self.primitives or self.name in primitive.peers

    def run(
        self, primitive: Primitive, graph: Graph, options: Options, source: int | None, runs: int
    ) -> PeerResult:
        """Run once to warm up, then ``runs`` times on the clock, on a graph whose arrays are NumPy's.

        The method called gets the graph, the source if the primitive needs one, its shared options if
        it has some, and ``runs``."""
        if not self.runs(primitive):
            raise UsageError(f"{self.name} has no {primitive.name} (it has {', '.join(self.primitives)})")
        arguments: list[Any] = [graph]
        if primitive.source is not None:
            if source is None and primitive.reads_source(options):
                raise UsageError(f"{primitive.name} needs a source")
            arguments.append(source)
        if primitive.takes.shared_keys():
            arguments.append(shared_options(primitive, options))
        brought = primitive.peers.get(self.name)
        result: PeerResult = (brought or getattr(self, primitive.name))(*arguments, runs)
        return result


def shared_options(primitive: Primitive, options: Options) -> dict[str, Scalar]:
    """The values of the options that other systems follow as well, if they are set."""
    values = options.values()
    return {key: values[key] for key in primitive.takes.shared_keys() if values.get(key) is not None}


def has_dangling(graph: Graph) -> bool:
    """True if a vertex has no out-edge: some systems lose its rank, so that their ranks are right, up to
    a factor, only once they have converged."""
    return bool((np.diff(graph.csr.row_offsets) == 0).any())


def timed(work: Callable[[], Result], runs: int) -> tuple[list[float], Result]:
    """Run once to warm up, then ``runs`` times on a monotonic clock; return the times in ms and the last
    result."""
    result = work()
    times = []
    for _ in range(runs):
        begin = time.perf_counter_ns()
        result = work()
        times.append((time.perf_counter_ns() - begin) / 1e6)
    return times, result


def edge_weights(graph: Graph) -> Array:
    """The edge weights as float64, in the order of the columns."""
    if graph.csr.values is None:
        raise UsageError("sssp needs edge weights")
    return np.asarray(graph.csr.values, dtype=np.float64)


def one_direction(graph: Graph) -> tuple[Array, Array, Array | None]:
    """The edges as (sources, targets, weights); each edge of an undirected graph once."""
    csr = graph.csr
    sources = csr.sources()
    targets, weights = csr.column_indices, csr.values
    if not graph.undirected:
        return sources, targets, weights
    kept = sources <= targets
    return sources[kept], targets[kept], None if weights is None else weights[kept]
