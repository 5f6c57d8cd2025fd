"""A pytest plugin for NetworkX's own tests: counts how often each function of the backend answered."""

from __future__ import annotations

import functools
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gunrock_cli.face import networkx_backend

answered: Counter[str] = Counter()


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        result = function(*arguments, **named)  # NotImplementedError does not count as an answer
        answered[name] += 1
        return result

    return call


def pytest_configure() -> None:
    for name in networkx_backend.__all__:
        if not name.startswith("convert_"):
            setattr(networkx_backend, name, counted(name, getattr(networkx_backend, name)))


def pytest_sessionfinish() -> None:
    Path(os.environ["GUNROCK_TEST_CALLS"]).write_text(json.dumps(answered))
