"""Loaded graphs in binary form under the user's cache folder, so that the next load is fast.

An entry is named by a hash of the file's content and every load option, and is read with its checksums: a
damaged entry is dropped, and made again from the file. The file is hashed at every load, on all cores.
Nothing quicker tells if a file is unchanged: a modification time can be set, a change time is a copy of
it on some network file systems, and neither moves if a program writes through a mapping. Entries appear
by rename, so any number of processes may load, write and clear at once.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import xxhash

from gunrock_cli.cachefolder import CacheFolder, delete
from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.hashing import PIECE, hash_of_pieces
from gunrock_cli.graph.sources.files import written
from gunrock_cli.graph.sources.files.readers import binary
from gunrock_cli.jsontypes import Json
from gunrock_cli.resources import cache_root

_VERSION = 6  # of a key's meaning: goes up when loading the same file gives another graph
_BLOCK = 1 << 18
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
    """The folder of cached graphs, and how its files are recognized."""
    return CacheFolder(graphs_dir(), r"[0-9a-f]{64}\.gcsr", (binary.MAGIC,))


def cache_key(content: list[str], options: Mapping[str, Json]) -> str:
    """The name of the entry for a graph's files, by their hashes, and its load options (format and
    cleaning)."""
    recipe = {"version": _VERSION, "content": content, "options": options}
    return hashlib.sha256(json.dumps(recipe, sort_keys=True).encode()).hexdigest()


def file_hashes(paths: Sequence[str]) -> list[str]:
    """XXH3-128 (hex) of the XXH3-128 of every 16 MiB of each file."""
    with ThreadPoolExecutor() as pool:  # reading and hashing release Python's lock
        return [_file_hash(path, pool) for path in paths]


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


def is_unweighted(key: str) -> bool:
    """True if there is an entry without weights."""
    try:
        return "csr.values" not in binary.read_header(str(_entry(key)))["arrays"]
    except (InputError, OSError):
        return False


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
        found.append(
            Entry(path, header["name"], header["n"], header["m"], source, stat.st_size, stat.st_mtime)
        )
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
    return count, freed + delete(graphs_folder().abandoned())[1]


def _entry(key: str) -> Path:
    return graphs_dir() / f"{key}{binary.SUFFIX}"


def _file_hash(path: str, pool: ThreadPoolExecutor) -> str:
    """Hash a file. The last piece goes on to its end, wherever that is: some file systems do not know
    sizes."""
    with open(path, "rb", buffering=0) as file:
        number = file.fileno()
        places = range(0, max(os.fstat(number).st_size, 1), PIECE)
        return hash_of_pieces(
            pool.map(
                lambda place: _piece_hash(number, place, None if place == places[-1] else place + PIECE),
                places,
            )
        )


def _piece_hash(number: int, place: int, end: int | None) -> bytes:
    """Hash an open file's bytes from ``place`` to ``end``, read in blocks that fit the processor's
    cache."""
    digest = xxhash.xxh3_128()
    while block := os.pread(number, _BLOCK if end is None else min(_BLOCK, end - place), place):
        digest.update(block)
        place += len(block)
    return digest.digest()
