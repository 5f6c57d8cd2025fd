"""The commands of README and docs: each exists with its options, and all run as they are typed."""

from __future__ import annotations

import lzma
import os
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click
import pytest
from docs.commands import ELSEWHERE, PAGES, spans_of
from records_helper import make_record

from gunrock_cli.cli.main import cli

GRAPH = "%%MatrixMarket matrix coordinate integer symmetric\n4 4 4\n2 1 3\n3 2 1\n4 3 2\n4 1 9\n"
DIMACS = "p sp 3 4\na 1 2 7\na 2 1 7\na 2 3 5\na 3 2 5\n"
PROPERTIES = "".join(
    f"graph.example-directed.{line}\n"
    for line in (
        "vertex-file = example-directed.v",
        "edge-file = example-directed.e",
        "meta.vertices = 3",
        "meta.edges = 3",
        "directed = true",
        "edge-properties.names = weight",
        "edge-properties.types = real",
        "algorithms = bfs, wcc",
        "bfs.source-vertex = 1",
    )
)
FILES = {
    **dict.fromkeys(("graph.mtx", "file.mtx", "g.mtx", "road.mtx", "wiki.mtx"), GRAPH),
    **dict.fromkeys(("seeds.txt", "users.txt"), "3\n5\n9\n"),
    **dict.fromkeys(("roads.gr", "USA-road-NE.gr"), DIMACS),
    "wiki_nodename.txt": "Ada\nBob\nCid\nDan\n",
    "roads.csv": "from,to,km\nBerlin,Bonn,598\nBonn,Rome,1400\n",
    "follows.txt": "ann bob\nbob cid\n",
    "some-users.txt": "ann\ncid\n",
    "changes.log": "+ 0 99\n- 0 1\n\n+ 5 700\n",
    "plan.toml": '[[run]]\nprimitives = ["bfs"]\ngraphs = ["grid2d"]\n',
    "data/roadNet-CA/roadNet-CA.mtx": GRAPH,
    "example-directed.v": "1\n2\n3\n",
    "example-directed.e": "1 2 0.5\n2 3 0.3\n3 1 0.1\n",
    "example-directed-BFS": "1 0\n2 1\n3 2\n",
    "example-directed.properties": PROPERTIES,
    **{
        name: make_record(id=name[0] * 4).to_json() + "\n"
        for name in (
            "a.jsonl",
            "b.jsonl",
            "old.jsonl",
            "new.jsonl",
            "scaling.jsonl",
            "results/ppopp16/r.jsonl",
        )
    },
}
LINES = [line for lines in PAGES.values() for line in lines]


def test_all_pages_with_commands_are_found() -> None:
    assert {"README.md", "docs/graphs.md", "docs/classics.md", "docs/ranking.md"} <= PAGES.keys()
    assert len(LINES) > 50


def test_what_others_have_is_where_the_table_says() -> None:
    """Check commands and options of the column `here`, in the page for users of other tools."""
    commands = [
        each
        for each in (
            cli.get_command(click.Context(cli), name) for name in cli.list_commands(click.Context(cli))
        )
        if each
    ]
    commands += [
        each for group in commands if isinstance(group, click.Group) for each in group.commands.values()
    ]
    known = {
        option
        for each in (cli, *commands)
        for param in each.params
        for option in (*param.opts, *param.secondary_opts)
    }
    spans = spans_of("docs/coming-from.md", 1)
    assert len(spans) > 50
    flags = {span.split()[0].partition("=")[0] for span in spans if span.startswith("-")}
    assert flags - known == set()
    for span in spans:
        if span.startswith("gunrock ") and "--help" not in span:
            test_the_command_exists_with_its_options(span)


@pytest.mark.parametrize("line", LINES)
def test_the_command_exists_with_its_options(line: str) -> None:
    words = iter(shlex.split(line.partition(" | ")[2] or line, comments=True)[1:])
    command: click.Command | None = cli
    while isinstance(command, click.Group):
        command = command.get_command(click.Context(cli), next(words))
    assert command is not None
    if line.startswith("gunrock run ") or "market g.mtx" in line:  # a file's own options; Gunrock 1.x's
        return
    known = {
        name
        for each in (cli, command)
        for param in each.params
        for name in (*param.opts, *param.secondary_opts)
    }
    assert {word for word in words if word.startswith("-") and len(word) > 1} <= known


@pytest.mark.long
@pytest.mark.timeout(2400)
@pytest.mark.skipif(shutil.which("xzcat") is None, reason="apt-get install xz-utils")
@pytest.mark.parametrize("page", sorted(PAGES.keys() - ELSEWHERE.keys()))
def test_the_lines_of_a_page_run_as_they_are_typed(page: str, tmp_path: Path) -> None:
    """Lines run in order, in a folder with the files that they name. A peer that is not installed fails
    its line: `make test` installs them all."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for name in ("file.mtx", "roads.gr"):
        target = tmp_path / f"{'file.gr' if name == 'roads.gr' else name}.xz"
        target.write_bytes(lzma.compress(FILES[name].encode()))
    gunrock = tmp_path / "bin" / "gunrock"
    gunrock.parent.mkdir()
    gunrock.write_text(f'#!/bin/sh\nexec {sys.executable} -m gunrock_cli.cli.main "$@"\n')
    gunrock.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{gunrock.parent}:{os.environ['PATH']}",
        "GUNROCK_DATASETS": str(tmp_path / "data"),
        "SLURM_SUBMIT_DIR": str(tmp_path),
    }
    failed = {}
    with dask_at_its_port() if page == "docs/cluster.md" else nullcontext():
        for line in PAGES[page]:
            done = subprocess.run(
                ["bash", "-c", line],
                cwd=tmp_path,
                env=environment,
                text=True,
                capture_output=True,
                check=False,
            )
            if done.returncode:
                failed[line] = f"{done.returncode}: {done.stderr[-300:]}"
    assert failed == {}


@contextmanager
def dask_at_its_port() -> Iterator[None]:
    """Start the scheduler that the lines name, with a worker, reached by every name of this host."""
    distributed = pytest.importorskip("distributed", reason="pip install -e '.[cluster]'")
    with socket.socket() as port:
        port.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            port.bind(("", 8786))
        except OSError as error:
            pytest.skip(f"port 8786, which the page names: {error}")
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, host="0.0.0.0", scheduler_port=8786, dashboard_address=None
    ):
        yield
