"""The Boost Graph Library, as in the papers: a small C++ driver, compiled when it is first used."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from gunrock_cli.errors import BackendError, OutOfMemory
from gunrock_cli.graph.model.graph import Csr, Graph
from gunrock_cli.peers.base import Peer, PeerResult, edge_weights, has_dangling
from gunrock_cli.peers.pagerank import PageRankSettings
from gunrock_cli.primitives.mst import lightest_pairs
from gunrock_cli.primitives.references import smallest_vertices

FLAGS = ("-std=c++17", "-O3", "-DNDEBUG", "-march=native", "-w")
INSTALL = "Boost's graph headers are missing: apt-get install libboost-graph-dev, or set BOOST_ROOT"


class BoostGraph(Peer):
    name = "bgl"
    title = "Boost Graph Library"
    primitives = ("bfs", "sssp", "bc", "cc", "pagerank", "mst")
    clock = "kernel"
    times = "the algorithm on a compressed_sparse_row_graph, one thread; not building the graph"

    def available(self) -> str | None:
        if _compiler() is None:
            return "no C++ compiler: apt-get install g++, or set CXX"
        return None if _boost_version() else INSTALL

    def versions(self) -> dict[str, str]:
        return {"boost": _boost_version() or ""}

    def bfs(self, graph: Graph, source: int, runs: int) -> PeerResult:
        return self._drive(graph, "bfs", "labels", np.int32, runs, source=source)

    def sssp(self, graph: Graph, source: int, runs: int) -> PeerResult:
        return self._drive(graph, "sssp", "distances", np.float64, runs, source=source)

    def bc(self, graph: Graph, source: int, runs: int) -> PeerResult:
        return self._drive(graph, "bc", "scores", np.float64, runs, source=source)

    def cc(self, graph: Graph, runs: int) -> PeerResult:
        found = self._drive(graph, "cc", "components", np.int32, runs)
        return PeerResult(found.times_ms, {"components": smallest_vertices(found.outputs["components"])})

    def pagerank(self, graph: Graph, options: Mapping[str, Any], runs: int) -> PeerResult:
        settings = PageRankSettings.of(options)
        found = self._drive(
            graph,
            "pagerank",
            "ranks",
            np.float64,
            runs,
            damping=settings.damping,
            tolerance=settings.tolerance,
            limit=settings.max_iterations,
        )
        iterations = found.iterations or 0
        if iterations >= settings.max_iterations and has_dangling(graph):
            raise settings.cut_short(self.title)
        ranks = found.outputs["ranks"]
        # Boost loses the ranks of vertices without an edge: the result is right up to a factor.
        return PeerResult(found.times_ms, {"ranks": ranks / ranks.sum()}, iterations)

    def mst(self, graph: Graph, runs: int) -> PeerResult:
        sources, targets, weights = lightest_pairs(graph)
        rows = np.searchsorted(sources, np.arange(graph.n + 1))
        once = replace(graph, csr=Csr(rows, targets, weights), reverse=None)
        return self._drive(once, "mst", "weights", np.float64, runs)

    def _drive(
        self,
        graph: Graph,
        primitive: str,
        output: str,
        dtype: Any,
        runs: int,
        *,
        source: int = 0,
        damping: float = 0.0,
        tolerance: float = 0.0,
        limit: int = 0,
    ) -> PeerResult:
        program = _build()
        with tempfile.TemporaryDirectory(prefix="gunrock-bgl-") as name:
            folder = Path(name)
            csr = graph.csr
            csr.row_offsets.astype(np.int64).tofile(folder / "offsets")
            csr.column_indices.astype(np.int32).tofile(folder / "columns")
            if primitive in ("sssp", "mst"):
                edge_weights(graph).tofile(folder / "weights")
            command = [
                str(program),
                name,
                primitive,
                str(graph.n),
                str(graph.m),
                str(source),
                str(runs),
                str(damping),
                str(tolerance),
                str(limit),
                str(int(graph.undirected)),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                error = done.stderr.strip() or f"exit code {done.returncode}"
                raise (OutOfMemory if "bad_alloc" in error else BackendError)(f"bgl: {error}")
            *times, iterations = done.stdout.split()
            answer = np.fromfile(folder / "answer", dtype)
        return PeerResult([float(word) for word in times], {output: answer}, int(iterations) or None)


def _compiler() -> str | None:
    return shutil.which(os.environ.get("CXX", "c++")) or shutil.which("g++")


def _include_flags() -> list[str]:
    root = os.environ.get("BOOST_ROOT")
    return [f"-I{root}/include", f"-I{root}"] if root else []


@cache
def _boost_version() -> str | None:
    """The version of Boost; the compiler, which knows where headers are, tells it."""
    compiler = _compiler()
    if compiler is None:
        return None
    probe = "#include <boost/graph/graph_traits.hpp>\n#include <boost/version.hpp>\nV BOOST_VERSION\n"
    done = subprocess.run(
        [compiler, "-x", "c++", "-E", "-P", *_include_flags(), "-"],
        input=probe,
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"^V (\d+)$", done.stdout, re.MULTILINE)
    if done.returncode != 0 or found is None:
        return None
    number = int(found.group(1))
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


@cache
def _build() -> Path:
    """The compiled driver, from the user's cache if it was built before."""
    from gunrock_cli.toolchain.binaries import cached_binary
    from gunrock_cli.toolchain.host_compiler import compiler_version
    from gunrock_cli.toolchain.processor import processor_words

    source = (resources.files("gunrock_cli.peers") / "bgl_driver" / "driver.cpp").read_text("utf-8")
    compiler = _compiler()
    if compiler is None or _boost_version() is None:
        raise BackendError(INSTALL)
    command = [compiler, *FLAGS, *_include_flags(), "-x", "c++", "-", "-o"]
    made_by = (compiler, compiler_version(compiler), processor_words())
    key = hashlib.sha256(repr((source, made_by, FLAGS, _boost_version())).encode()).hexdigest()

    def build(target: Path) -> None:
        done = subprocess.run(
            [*command, str(target)], input=source, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            first = next((line for line in done.stderr.splitlines() if "error" in line), "no reason")
            raise BackendError(f"the Boost driver did not compile: {first}")
        target.chmod(0o755)

    return cached_binary(f"bgl-{key}", "", build)[0]


PEER = BoostGraph()
