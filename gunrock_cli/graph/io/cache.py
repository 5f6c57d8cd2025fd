"""Loaded graphs in binary form under the user's cache folder, so that the next load is fast.

An entry is named by a hash of the file's content (XXH3-128) and every load option, and is read with its
checksums: a damaged entry is dropped, and made again from the file. As hashing a large file takes longer
than reading the entry, a file's hash is remembered by its path, size, inode and modification time (not
while the file is younger than two seconds: it could still change within the clock's resolution). Entries
appear by rename, so any number of processes may load, write and clear at once.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import xxhash

from gunrock_cli.cachefolder import CacheFolder, delete
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.io import written
from gunrock_cli.graph.io.readers import binary
from gunrock_cli.graph.model import Graph
from gunrock_cli.resources import cache_root

_VERSION = 3  # of a key's meaning: goes up when loading the same file gives another graph
_SETTLED = 2.0  # seconds
_log = logging.getLogger("gunrock")


@dataclass(frozen=True)
class Entry:
    """One cached graph. ``bytes`` on disk, ``used`` as seconds since 1970."""

    path: Path
    name: str
    n: int
    m: int
    source: str
    bytes: int
    used: float


def graphs_dir() -> Path:
    """The folder of cached graphs."""
    return cache_root() / "graphs"


def graphs_folder() -> CacheFolder:
    """The same folder, and how its files are recognized."""
    return CacheFolder(graphs_dir(), r"[0-9a-f]{64}\.gcsr", (binary.MAGIC,))


def digests_folder() -> CacheFolder:
    """Where files' hashes are remembered."""
    return CacheFolder(graphs_dir() / "digests", r"[0-9a-f]{64}\.json", (b'{"looks"',))


def cache_key(paths: Sequence[str], options: dict[str, Any]) -> str:
    """The name of the entry for a file (or for the files of one graph) and its load options (format and
    cleaning)."""
    content = [_content_digest(Path(path)) for path in paths]
    recipe = {"version": _VERSION, "content": content if len(content) > 1 else content[0],
              "options": options}
    return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()


def fetch(key: str) -> Graph | None:
    """The cached graph, on the host, or None. A damaged entry is dropped."""
    path = _entry(key)
    try:
        if not path.exists():
            return None
        graph = binary.read(str(path), verify="sums")
    except InputError as error:
        _log.warning("gunrock: dropping a damaged cache entry: %s", error)
        with suppress(OSError):  # not ours to write
            path.unlink(missing_ok=True)
        return None
    except OSError:  # cleared by another process meanwhile, or not ours to read
        return None
    with suppress(OSError):
        os.utime(path)  # shown as the time of last use
    return graph


def store(key: str, graph: Graph) -> None:
    """Keep a graph; a cache that cannot be written costs a warning, not the run."""
    graphs_folder().mark()
    try:
        with atomic_write(_entry(key)) as file:
            binary.write(graph, file)
    except InputError as error:
        _log.warning("gunrock: the graph was not cached: %s", error)


def entries() -> list[Entry]:
    """Every readable entry, the most recently used first."""
    found = []
    for path in graphs_folder().files():
        try:
            header, stat = binary.read_header(str(path)), path.stat()
        except (InputError, OSError):
            continue
        source = str(header["origin"].get("path", header["origin"].get("kind", "")))
        found.append(Entry(path, header["name"], header["n"], header["m"], source,
                           stat.st_size, stat.st_mtime))
    return sorted(found, key=lambda entry: -entry.used)


def clear(name: str | None = None) -> tuple[int, int]:
    """Delete all cached graphs, or those called ``name``, and the files written of them for other
    systems; returns the number of graphs and the bytes freed."""
    written_bytes = written.clear(name)
    if name is not None:
        count, freed = delete(entry.path for entry in entries() if entry.name == name)
        return count, freed + written_bytes
    count, freed = delete(graphs_folder().files())
    freed += written_bytes
    for rest in (graphs_folder().abandoned(), digests_folder().files(), digests_folder().abandoned()):
        freed += delete(rest)[1]
    return count, freed


def _entry(key: str) -> Path:
    return graphs_dir() / f"{key}{binary.SUFFIX}"


def _content_digest(path: Path) -> str:
    """XXH3-128 of a file's bytes, remembered while the file looks the same."""
    stat = path.stat()
    looks: list[Any] = [str(path.resolve()), stat.st_size, stat.st_mtime_ns, stat.st_ino]
    memo = digests_folder().path / f"{hashlib.sha256(os.fsencode(looks[0])).hexdigest()}.json"
    try:
        known = json.loads(memo.read_text())
        if known["looks"] == looks:
            return str(known["xxh3_128"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, xxhash.xxh3_128).hexdigest()
    if time.time() - stat.st_mtime > _SETTLED:
        graphs_folder().mark()
        digests_folder().mark()
        try:
            with atomic_write(memo) as out:
                out.write(json.dumps({"looks": looks, "xxh3_128": digest}).encode())
        except InputError as error:
            _log.debug("digest not kept: %s", error)
    return digest
