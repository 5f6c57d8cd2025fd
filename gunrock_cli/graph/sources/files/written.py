"""Graphs in the formats of other systems, kept in the user's cache folder so that each is written once.

An entry is one file or several, ``KEY`` with the format's endings (``KEY.config``), and ``KEY.json``,
which is written last and names every file with its size and XXH3-128. KEY is a hash of the graph's arrays
and the format. An entry is used only if everything matches KEY.json; damaged or incomplete entries are
written again. Nobody works on the cache's own files: callers get links to them in their own folder, so
that others may clear the cache meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import xxhash

from gunrock_cli.cachefolder import CacheFolder, delete
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.hashing import content_hash
from gunrock_cli.graph.sources.files.writers import write_graph
from gunrock_cli.resources import cache_root

_VERSION = 1  # of the writers: goes up when one writes the same graph differently
_MANIFEST = ".json"
_NAME = r"[0-9a-f]{64}(?:\.[a-z0-9_.]{1,40})?"
_log = logging.getLogger("gunrock")


def written_folder() -> CacheFolder:
    """The folder, and how its files are recognized: by their names, if the folder is marked as ours."""
    return CacheFolder(cache_root() / "written", _NAME, ())


def written_graph(graph: Graph, format_name: str, folder: Path) -> Path:
    """The graph in a format, as ``folder/graph.FORMAT`` with the format's endings; written if it is not
    cached. The path is the one to give to a program."""
    key, path = _key(graph, format_name), folder / f"graph.{format_name}"
    if _linked(key, path) or (_store(key, graph, format_name) and _linked(key, path)):
        return path
    write_graph(graph, path, format_name)
    return path


def clear(name: str | None = None) -> int:
    """Delete all entries, or those of the graphs called ``name``; returns the bytes freed."""
    files = list(written_folder().files())
    if name is None:
        return delete([*files, *written_folder().abandoned()])[1]
    keys = {
        path.name.removesuffix(_MANIFEST)
        for path in files
        if path.suffix == _MANIFEST and _manifest(path).get("graph") == name
    }
    return delete(path for path in files if path.name.partition(".")[0] in keys)[1]


def _key(graph: Graph, format_name: str) -> str:
    recipe = {
        "version": _VERSION,
        "format": format_name,
        "arrays": content_hash(graph.csr),
        "undirected": graph.undirected,
    }
    return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()


def _linked(key: str, name: Path) -> bool:
    """Link a sound entry's files to ``name`` with the format's endings, and return whether there is one.
    An entry that is not sound is dropped."""
    manifest = written_folder().path / f"{key}{_MANIFEST}"
    said = _manifest(manifest)
    if not said:
        return False
    for ending, known in said["files"].items():
        link = name.with_name(f"{name.name}{ending}")
        try:
            _link(written_folder().path / f"{key}{ending}", link)
            sound = [link.stat().st_size, _digest(link)] == known
        except OSError:  # cleared by another process meanwhile
            return False
        if not sound:
            _log.warning("gunrock: dropping a damaged graph of the cache: %s", manifest)
            with suppress(OSError):  # not ours to write
                manifest.unlink(missing_ok=True)
            return False
    with suppress(OSError):
        os.utime(manifest)
    return True


def _link(path: Path, link: Path) -> None:
    """Give a file of the cache a name in the folder; it outlives the cache's own name if both are on one
    disk."""
    link.unlink(missing_ok=True)
    try:
        os.link(path, link)
    except OSError:
        link.symlink_to(path)


def _store(key: str, graph: Graph, format_name: str) -> bool:
    """Write an entry, and return whether that worked: a failure costs a warning, not the run."""
    place = written_folder()
    place.mark()
    try:
        known: dict[str, list[Any]] = {}
        for path in write_graph(graph, place.path / key, format_name):
            path.chmod(0o444)  # programs get links to it
            known[path.name.removeprefix(key)] = [path.stat().st_size, _digest(path)]
        with atomic_write(place.path / f"{key}{_MANIFEST}") as file:
            file.write(json.dumps({"graph": graph.name, "format": format_name, "files": known}).encode())
    except (OSError, InputError) as error:
        _log.warning("gunrock: the graph was not cached as %s: %s", format_name, error)
        return False
    return True


def _manifest(path: Path) -> dict[str, Any]:
    """The facts of an entry's files; empty if there is no such entry, or it makes no sense."""
    try:
        said = json.loads(path.read_bytes())
        files = {
            str(ending): [int(size), str(digest)] for ending, (size, digest) in said["files"].items()
        }
        if not all("/" not in ending for ending in files):
            return {}
        return {"graph": str(said["graph"]), "files": files}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, xxhash.xxh3_128).hexdigest()
