"""Other systems, measured side by side; found by their files (see ``base``)."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from gunrock_cli.errors import UsageError
from gunrock_cli.peers.base import Peer


@cache
def peer_names() -> tuple[str, ...]:
    """Names of all peers, sorted; imports none of them."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.removesuffix("_peer") for name in found if name.endswith("_peer")))


@cache
def get_peer(name: str) -> Peer:
    """The peer of that name; UsageError where there is none."""
    if name not in peer_names():
        raise UsageError(f"no peer is called {name!r}; there are {', '.join(peer_names())}")
    module = importlib.import_module(f"{__name__}.{name}_peer")
    peer: Peer = module.PEER
    return peer
