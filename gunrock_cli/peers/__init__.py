"""Other systems, measured side by side: modules here (see ``base``), or programs described by a file
(``commands``)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.nearest import did_you_mean
from gunrock_cli.peers.base import Peer

DESCRIPTION = ".toml"
"""The suffix of a file that describes a peer."""
SENSES = {
    "boost": "bgl",
    "gapbenchmarksuite": "gap",
    "lagraph": "graphblas",
    "nxcugraph": "cugraph",
    "rapids": "cugraph",
    "suitesparse": "graphblas",
}
"""Other names of systems."""
_READY = Path(__file__).parent / "commands"


@cache
def peer_names() -> tuple[str, ...]:
    """The names of all peers, sorted. No module is imported."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removesuffix("_peer") for name in found if name.endswith("_peer")))


@cache
def ready_names() -> tuple[str, ...]:
    """The names of the peers described by our own files, sorted. No file is read."""
    return tuple(sorted(path.name.removesuffix(DESCRIPTION) for path in _READY.glob(f"*{DESCRIPTION}")))


def known_names() -> tuple[str, ...]:
    """The names of all peers that need no file from the user."""
    return (*peer_names(), *ready_names())


def get_peer(name: str) -> Peer:
    """Return the peer of that name, or the one that a FILE.toml describes; UsageError if there is none,
    InputError for an invalid file."""
    if name.endswith(DESCRIPTION):
        return _described(Path(name), ready=False)
    if name in peer_names():
        return _module_peer(name)
    if name in ready_names():
        return _described(_READY / f"{name}{DESCRIPTION}", ready=True)
    if question := did_you_mean(name, known_names(), SENSES):
        raise UsageError(f"no peer is called {name!r}; {question} (gunrock peers list)")
    raise UsageError(
        f"no peer is called {name!r}; there are {', '.join(known_names())}, and files that "
        f"describe others (NAME{DESCRIPTION}, see docs/peers.md)"
    )


@cache
def _module_peer(name: str) -> Peer:
    module = importlib.import_module(f"{__name__}.{name}_peer")
    peer: Peer = module.PEER
    return peer


def _described(path: Path, ready: bool) -> Peer:
    """Read a description, each time again, as the file may have changed."""
    from gunrock_cli.peers.commands.descriptionfile import read
    from gunrock_cli.peers.commands.peer import CommandPeer

    description = read(path)
    if description.name in peer_names():
        raise InputError(f"name: {description.name} is a peer of another kind", path=str(path))
    return CommandPeer(description, None if ready else path.parent)
