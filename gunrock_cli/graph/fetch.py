"""Get a data set of the catalogue: downloaded and unpacked, generated, or a stand-in.

NAME/NAME.mtx is the graph, NAME/NAME.json the record of its origin: the source's address, size and
SHA-256 (and whether that was checked against the publisher's or only recorded), or the generator, and
``stand_in``.
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write, write_error
from gunrock_cli.graph.sources.downloads.datasets import DataSet, dataset_path
from gunrock_cli.graph.sources.downloads.download import DownloadError, download
from gunrock_cli.graph.sources.downloads.unpack import unpack
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.jsontypes import Json, Scalar

_log = logging.getLogger("gunrock")


def fetch(
    data: DataSet,
    folder: Path | None = None,
    *,
    stand_in: bool = False,
    force: bool = False,
    progress: Progress = silent,
    **transfer: Any,
) -> Path:
    """Fetch a data set if it is missing, and return its path.

    ``stand_in`` allows a generated substitute if the download fails; without it an earlier substitute
    counts as missing. ``force`` fetches again. ``transfer`` goes to ``download``. Raises InputError.
    """
    target = dataset_path(data.name, folder)
    with _only_one(target):
        record = read_record(target)
        if target.exists() and not force and (stand_in or not record.get("stand_in")):
            return target
        if data.generate:
            _generate(data, data.generate, target, False, progress)
            return target
        try:
            _download(data, target, {} if force else record, progress, transfer)
        except DownloadError as error:
            if not stand_in:
                raise DownloadError(f"{error}{_instead(data)}") from error
            _log.warning("gunrock: %s; generating a stand-in", error)
            _generate(data, data.stand_in, target, True, progress)
    return target


def read_record(target: Path) -> Mapping[str, Json]:
    """The record stored with a data set; empty without one."""
    try:
        record = json.loads(target.with_suffix(".json").read_text())
    except (OSError, ValueError):
        return {}
    return record if isinstance(record, dict) else {}


def _instead(data: DataSet) -> str:
    """The alternatives to a download that failed."""
    return "; --stand-in (STANDIN=1 with make) generates a graph of its class" if data.stand_in else ""


def _download(
    data: DataSet, target: Path, record: Mapping[str, Json], progress: Progress, transfer: dict[str, Any]
) -> None:
    if data.url is None:
        raise DownloadError(f"{data.name} cannot be downloaded ({data.title})")
    archive = target.parent / (data.url.rsplit("/", 1)[-1] + ".download")
    known = None if record.get("stand_in") else record.get("sha256")
    expected = data.sha256 or (known if isinstance(known, str) else None)
    digest = download(data.url, archive, size=data.bytes, sha256=expected, progress=progress, **transfer)
    size = archive.stat().st_size
    progress(f"unpacking {archive.name}", None)
    try:
        unpack(archive, data.member, target)
    finally:
        # A good archive is no longer needed, and a bad one must not pass for a good one.
        archive.unlink(missing_ok=True)
    checked = "publisher" if data.sha256 else "first download" if expected else "none: recorded"
    _write_record(
        target,
        {
            "dataset": data.name,
            "stand_in": False,
            "url": data.url,
            "bytes": size,
            "sha256": digest,
            "checked_against": checked,
        },
    )
    if not expected:
        _log.warning(
            "gunrock: %s: the publisher gives no checksum; recorded SHA-256 %s", data.name, digest
        )


def _generate(
    data: DataSet, recipe: Mapping[str, Scalar], target: Path, stand_in: bool, progress: Progress
) -> None:
    from gunrock_cli.graph.device import graph_array_module
    from gunrock_cli.graph.load import load_graph
    from gunrock_cli.graph.sources.files.writers import write_graph
    from gunrock_cli.graph.spec import GraphSpec

    if not recipe:
        raise InputError(f"no stand-in is known for {data.name}")
    params = {key: value for key, value in recipe.items() if key != "generator"}
    spec = GraphSpec(str(recipe["generator"]), params=params, name=data.name)
    graph = load_graph(spec, graph_array_module(), progress=progress)
    progress(f"writing {target.name}", None)
    # The record goes first: a stand-in is never on disk without being called one.
    if target.exists():
        target.unlink()
    _write_record(target, {"dataset": data.name, "stand_in": stand_in, "generator": graph.origin})
    write_graph(graph, str(target))


def _write_record(target: Path, record: Mapping[str, Json]) -> None:
    record = {**record, "at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())}
    with atomic_write(target.with_suffix(".json")) as file:
        file.write(json.dumps(record, indent=1).encode() + b"\n")


@contextlib.contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Hold the data set's lock: a second process waits, and then finds the work done."""
    import fcntl

    lock = target.parent / ".lock"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError as error:
        raise write_error(target, error) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
