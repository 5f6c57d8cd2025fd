"""The command that installs an optional part of the tool here: the package itself may not be on any
index."""

from __future__ import annotations

import shlex
from pathlib import Path

PACKAGE = "gunrock-cli"
_CHECKOUT = Path(__file__).resolve().parent.parent


def install_extra(extra: str) -> str:
    """``pip install ...`` for one of the extras of pyproject.toml: from the checkout if the tool runs
    from one, else by the requirements that the installed package names."""
    if (_CHECKOUT / "pyproject.toml").is_file():
        return f"pip install -e {shlex.quote(f'{_CHECKOUT}[{extra}]')}"
    return f"pip install {' '.join(map(shlex.quote, requirements(extra)))}"


def requirements(extra: str) -> list[str]:
    """The requirements of the installed package for an extra; the package itself if it is not installed,
    as there is nothing better to name."""
    from importlib import metadata

    from packaging.requirements import Requirement

    try:
        found = [Requirement(text) for text in metadata.requires(PACKAGE) or []]
    except metadata.PackageNotFoundError:
        found = []
    wanted = [
        one
        for one in found
        if one.marker is not None
        and one.marker.evaluate({"extra": extra})
        and not one.marker.evaluate({"extra": ""})
    ]
    return [f"{one.name}{one.specifier}" for one in wanted] or [f"{PACKAGE}[{extra}]"]
