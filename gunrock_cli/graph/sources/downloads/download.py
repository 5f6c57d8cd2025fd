"""Downloads that survive interruption: they are resumed, checked, and never leave half a file under its
name.

The transfer goes to ``TARGET.part``; ``TARGET.part.json`` keeps the version of the file (size, ETag,
Last-Modified), so that a resumed transfer never joins two versions.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import socket
import time
import urllib.error
import urllib.request
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write, file_sha256, sync_folder, write_all, write_error
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.version import __version__

_BLOCK = 1 << 20
TIMEOUT = 30.0  # seconds without a byte
ATTEMPTS = 5
WAIT = 1.0  # seconds before the second attempt, doubled before each further one


class DownloadError(InputError):
    """A transfer that failed; data that has arrived is kept for the next try if it is good."""


@dataclass(frozen=True)
class Version:
    """The identity of one version of a remote file, if the server gives it."""

    url: str
    total: int | None
    etag: str | None
    modified: str | None

    @property
    def validator(self) -> str | None:
        """The value for ``If-Range``: a strong ETag, else the date."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.modified


def download(
    url: str,
    target: Path,
    *,
    size: int | None = None,
    sha256: str | None = None,
    progress: Progress = silent,
    attempts: int = ATTEMPTS,
    wait: float = WAIT,
) -> str:
    """Fetch ``url`` to ``target`` and return its SHA-256 (hex).

    Broken transfers are resumed, at most ``attempts`` times without progress between them. ``size``
    (bytes) and ``sha256``, if given, are checked before the file gets its name. Raises DownloadError.
    """
    part = target.with_name(target.name + ".part")
    failures = 0
    while True:
        before = _size(part)
        try:
            _transfer(url, part, size, progress)
            break
        except _Broken as error:
            if error.final:
                raise DownloadError(f"{url}: {error}") from error
            failures = 1 if _size(part) > before else failures + 1
            if failures >= attempts:
                kept = f"; {_size(part)} bytes are kept for the next try" if _size(part) else ""
                raise DownloadError(f"{url}: {error}{kept}") from error
            time.sleep(wait * 2 ** (failures - 1))
    digest = file_sha256(part)
    if (sha256 is not None and digest != sha256) or (size is not None and _size(part) != size):
        found = _size(part)
        _forget(part)
        raise DownloadError(
            f"{url}: {found} bytes with SHA-256 {digest} came, expected "
            f"{size if size is not None else 'any number of'} bytes with "
            f"{sha256 or 'any checksum'}; they were thrown away"
        )
    try:
        with part.open("rb+") as file:
            os.fsync(file.fileno())  # the whole file is on disk before it gets its name
        part.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise write_error(target, error) from error
    _forget(part)
    return digest


class _Broken(Exception):
    """A failed attempt; ``final`` if trying again is pointless."""

    def __init__(self, message: str, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


def _transfer(url: str, part: Path, size: int | None, progress: Progress) -> None:
    """Make one attempt to append the missing bytes to ``part``, which is whole on return."""
    known = _remembered(part, url)
    have = _size(part) if known is not None else 0
    if known is not None and have and known.total == have:
        return
    headers = {"User-Agent": f"gunrock-cli/{__version__}", "Accept-Encoding": "identity"}
    if have and known is not None:
        headers["Range"] = f"bytes={have}-"
        if known.validator:
            headers["If-Range"] = known.validator
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=TIMEOUT
        ) as answer:
            _receive(answer, url, part, have, known, size, progress)
    except urllib.error.HTTPError as error:
        if error.code == 416:  # nothing beyond our bytes: it was another version
            _forget(part)
            raise _Broken("the server has no such range") from error
        gone = 400 <= error.code < 500 and error.code not in (408, 425, 429)
        raise _Broken(f"the server answers {error.code} {error.reason}", gone) from error
    except urllib.error.URLError as error:
        unknown = isinstance(error.reason, socket.gaierror) and (error.reason.errno == socket.EAI_NONAME)
        raise _Broken(f"no connection: {error.reason}", final=unknown) from error
    except (http.client.HTTPException, OSError) as error:
        raise _Broken(f"the transfer broke off: {error or type(error).__name__}") from error
    except ValueError as error:  # from an address that the server redirects to
        raise _Broken(f"the server's answer cannot be followed: {error}", final=True) from error


def _receive(
    answer: Any,
    url: str,
    part: Path,
    have: int,
    known: Version | None,
    size: int | None,
    progress: Progress,
) -> None:
    resumed = answer.status == 206
    total = None if resumed else _length(answer.headers.get("Content-Length"))
    if resumed:
        found = re.fullmatch(
            r"bytes ([0-9]{1,18})-[0-9]{1,18}/([0-9]{1,18}|\*)", answer.headers.get("Content-Range") or ""
        )
        total = int(found[2]) if found and found[2] != "*" else None
        if not found or int(found[1]) != have or (known and known.total not in (None, total)):
            _forget(part)
            raise _Broken("the server sent another range than was asked for")
    else:
        have = 0
    if size is not None and total not in (None, size):
        raise _Broken(f"the server has {total} bytes, expected {size}", final=True)
    version = Version(
        url, total, _told(answer.headers.get("ETag")), _told(answer.headers.get("Last-Modified"))
    )
    got = have
    try:
        if not resumed:
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(b"")
            _remember(part, version)
        out = part.open("ab", buffering=0)  # nothing left for closing to write
    except OSError as error:
        raise write_error(part, error) from error
    with out:
        while block := answer.read(_BLOCK):
            try:
                write_all(out, block)
            except OSError as error:
                raise write_error(part, error) from error
            got += len(block)
            progress(f"downloading {url}", got / total if total else None)
    if total is not None and got < total:
        raise _Broken(f"the transfer broke off after {got} of {total} bytes")


def _length(text: str | None) -> int | None:
    if text is None or re.fullmatch(r"[0-9]{1,18}", text):
        return None if text is None else int(text)
    raise _Broken(f"the server sends no number as Content-Length: {ascii(text)[:60]}", final=True)


def _told(text: Any) -> str | None:
    """Text that can be sent back to the server; None for anything else."""
    return text if isinstance(text, str) and text.isascii() and text.isprintable() else None


def _remember(part: Path, version: Version) -> None:
    try:
        with atomic_write(_memory(part)) as memory:
            memory.write(json.dumps(asdict(version)).encode())
    except InputError:
        _forget(part)  # empty, and could be mistaken for a part of something else
        raise


def _memory(part: Path) -> Path:
    return part.with_name(part.name + ".json")


def _remembered(part: Path, url: str) -> Version | None:
    try:
        noted = Version(**json.loads(_memory(part).read_text()))
    except (OSError, ValueError, TypeError, RecursionError):
        return None
    version = Version(url, noted.total, _told(noted.etag), _told(noted.modified))
    is_number = noted.total is None or (type(noted.total) is int and noted.total >= 0)
    return version if noted == version and is_number and part.exists() else None


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _forget(part: Path) -> None:
    part.unlink(missing_ok=True)
    _memory(part).unlink(missing_ok=True)
