"""Other systems, measured side by side; found by their files (see ``base``), or described by a file
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
"""The ending of the name of a file that describes a peer."""
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
    """Names of all peers, sorted; imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removesuffix("_peer") for name in found if name.endswith("_peer")))


@cache
def ready_names() -> tuple[str, ...]:
    """Names of the peers described by our own files, sorted; reads none of these files."""
    return tuple(sorted(path.name.removesuffix(DESCRIPTION) for path in _READY.glob(f"*{DESCRIPTION}")))


def known_names() -> tuple[str, ...]:
    """The names of all peers that need no file of the user's."""
    return (*peer_names(), *ready_names())


def get_peer(name: str) -> Peer:
    """The peer of that name, or the one that a FILE.toml describes; UsageError if there is none,
    InputError for a file that is not as it must be."""
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
    """Read again each time: the file may have changed."""
    from gunrock_cli.peers.commands.descriptionfile import read
    from gunrock_cli.peers.commands.peer import CommandPeer

    description = read(path)
    if description.name in peer_names():
        raise InputError(f"name: {description.name} is a peer of another kind", path=str(path))
    return CommandPeer(description, None if ready else path.parent)
