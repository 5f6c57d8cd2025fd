"""A Dask scheduler: an existing one, by its address, or a temporary one on this host."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from gunrock_cli.bench.sweeps.cluster.machine import visible_gpus
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.installation import install_extra

if TYPE_CHECKING:
    from distributed import Client

MOST_LOCAL = 256
_LOCAL = re.compile(r"local:([0-9]{1,9})", re.ASCII)
_HEEDLESS = "import signal; signal.signal(signal.SIGINT, lambda *_: None)"
"""Run by each worker of this host: Ctrl-C goes to all processes of a terminal, and home ends its own
workers."""
_ADDRESS = re.compile(r"((tcp|tls)://)?([^\s/:\[\]]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", re.ASCII)


def check(cluster: str) -> None:
    """UsageError if ``--cluster`` names no scheduler, or Dask is not installed to reach it."""
    local = _LOCAL.fullmatch(cluster)
    if local and not 1 <= int(local[1]) <= MOST_LOCAL:
        raise UsageError(f"--cluster {cluster}: give local:1 to local:{MOST_LOCAL}")
    address = _ADDRESS.fullmatch(cluster)
    if not local and not (address and 1 <= int(address[4]) <= 65535):
        raise UsageError(
            f"--cluster {cluster}: give a Dask scheduler's address (tcp://HOST:PORT), or "
            "local:N for N workers on this host"
        )
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise UsageError(f"--cluster needs Dask ({install_extra('cluster')})") from None


@contextmanager
def connected(cluster: str) -> Iterator[Client]:
    """Yield a client of that scheduler; workers made for it end with it."""
    from distributed import Client

    _quiet()
    if cluster.startswith("tls://"):
        _check_certificates(cluster)
    local = _LOCAL.fullmatch(cluster)
    with ExitStack() as stack:
        address: Any = stack.enter_context(_local(int(local[1]))) if local else cluster
        try:
            client = stack.enter_context(Client(address, set_as_default=False))
        except (OSError, ValueError) as error:
            told = " ".join(str(error).split())
            raise GunrockError(f"--cluster {cluster}: no Dask scheduler answers ({told})") from error
        yield client


def _check_certificates(cluster: str) -> None:
    """Raise UsageError if Dask's configuration names no certificates, as Dask would print a traceback and
    not end."""
    from distributed.security import Security

    if Security().get_connection_args("client")["ssl_context"] is None:
        raise UsageError(
            f"--cluster {cluster}: tls needs certificates; name them in Dask's "
            "configuration (distributed.comm.tls), or give a tcp:// address"
        )


@contextmanager
def _local(count: int) -> Iterator[Any]:
    """Start workers on this host, each with its own GPU if there are enough."""
    from distributed import Nanny, Scheduler, SpecCluster

    gpus = visible_gpus()
    here = {"host": "127.0.0.1", "dashboard": False, "dashboard_address": ":0"}
    workers = {}
    for number in range(count):
        mine = {"CUDA_VISIBLE_DEVICES": gpus[number % len(gpus)]} if gpus else {}
        workers[number] = {
            "cls": Nanny,
            "options": {
                **here,
                "nthreads": 1,
                "memory_limit": 0,
                "env": mine,
                "preload": [_HEEDLESS],
                "silence_logs": logging.CRITICAL,
            },
        }
    before = dict(os.environ)
    with SpecCluster(
        scheduler={"cls": Scheduler, "options": {**here, "port": 0}},
        workers=workers,
        silence_logs=logging.CRITICAL,
    ) as cluster:
        for name in os.environ.keys() - before.keys():  # set by Dask for its workers, here too
            del os.environ[name]
        os.environ.update(before)
        yield cluster


def _quiet() -> None:
    """Silence Dask's log: home itself reports lost workers and connections, one line each."""
    for name in ("distributed", "distributed.client", "distributed.nanny", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
