"""Large files with less memory than expected: for keys, for the stack of a thread."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model import memory
from gunrock_cli.graph.rows import native, native_library
from gunrock_cli.graph.spec import GraphSpec

needs_compiler = pytest.mark.skipif(native_library.library() is None, reason="no C++ compiler")
LIMITED = """
import resource, sys, threading, psutil
from gunrock_cli.graph.rows import native
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.spec import GraphSpec
native.WORTH_IT = 1
assert native.library() is not None
threading.stack_size(1 << 20)
limit = psutil.Process().memory_info().vms + (48 << 20)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print(load_graph(GraphSpec("market", path=sys.argv[1]), cache=False).hash)
"""


@pytest.fixture
def matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(native, "WORTH_IT", 1)
    ends = np.random.default_rng(3).integers(1, 900, (20_000, 2)).tolist()
    path = tmp_path / "g.mtx"
    path.write_text(
        f"%%MatrixMarket matrix coordinate pattern general\n900 900 {len(ends)}\n"
        + "".join(f"{u} {v}\n" for u, v in ends)
    )
    return path


@needs_compiler
@pytest.mark.parametrize("kind", ["market", "edge-list"])
def test_what_was_there_when_asked_and_is_gone_is_spared(
    kind: str, matrix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads that counted took the memory, or another program did: keys are sorted in passes
    then."""
    if kind == "edge-list":
        matrix.write_text("\n".join(matrix.read_text().splitlines()[2:]) + "\n")
    spec = GraphSpec(kind, path=str(matrix))
    expected = load_graph(spec, cache=False)
    asked: list[bool] = []
    is_short = native._is_short

    def seems_enough(*arguments: object) -> bool:
        assert not is_short(*arguments)  # type: ignore[arg-type]
        real = memory.require_host_memory

        def gone(needed: int, what: str) -> None:
            asked.append(True)
            monkeypatch.setattr("gunrock_cli.graph.rows.rows_job.require_host_memory", real)
            raise memory.OutOfMemory("not enough memory")

        monkeypatch.setattr("gunrock_cli.graph.rows.rows_job.require_host_memory", gone)
        return False

    monkeypatch.setattr(native, "_is_short", seems_enough)
    assert load_graph(spec, cache=False).hash == expected.hash
    assert asked == [True]


@needs_compiler
def test_no_room_for_a_threads_stack_ends_no_process(matrix: Path) -> None:
    """A second thread cannot start with 64 MiB per stack: the first does its part."""
    done = subprocess.run(
        ["bash", "-c", 'ulimit -s 65536 && exec "$0" -c "$1" "$2"', sys.executable, LIMITED, str(matrix)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == load_graph(GraphSpec("market", path=str(matrix)), cache=False).hash
