"""Finds the reports by their files: to add one, add a module to ``tables/`` or ``figures/``.

A table's module defines ``NAME``, ``ORDER`` and ``build(data: ReportData) -> Table``; a figure's
``build`` returns a ``Figure``. ``ORDER`` is a number that sorts the reports; nothing else is needed."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.sources.progress import Progress, silent
from gunrock_cli.report import figures, tables

if TYPE_CHECKING:
    from gunrock_cli.report.evidence.data import ReportData
    from gunrock_cli.report.forms.cells import Table
    from gunrock_cli.report.forms.plot import Figure


@dataclass
class Reports:
    """The reports that were asked for, built."""

    tables: list[Table]
    figures: list[Figure]


def _modules(package: ModuleType) -> list[ModuleType]:
    found = [
        importlib.import_module(f"{package.__name__}.{module.name}")
        for module in pkgutil.iter_modules(package.__path__)
        if not module.name.startswith("_")
    ]
    return sorted(found, key=lambda module: module.ORDER)


def report_names() -> list[str]:
    """Names of all tables, then of all figures, in their order."""
    return [str(module.NAME) for package in (tables, figures) for module in _modules(package)]


def build(
    data: ReportData, only: Sequence[str] = (), progress: Progress = silent, *, everything: bool = True
) -> Reports:
    """Build the reports named in ``only``, or all. Without ``everything``, if there are records, those
    without any of them are left out, unless they are named."""
    known = report_names()
    for name in only:
        if name not in known:
            raise UsageError(f"no report is called {name!r}; there are {', '.join(known)}")

    ours = [system.label for system in data.systems if system.name == "gunrock"]
    keep_all = everything or bool(only) or not data.records

    def built(package: ModuleType) -> Iterator[Any]:
        for module in _modules(package):
            if not only or module.NAME in only:
                progress(f"building {module.NAME}", known.index(module.NAME) / len(known))
                yield module.build(data)

    found = Reports(list(built(tables)), list(built(figures)))
    for table in found.tables:
        table.lead(ours)
    if keep_all:
        return found
    return Reports(
        [table for table in found.tables if table.has_records],
        [figure for figure in found.figures if figure.points.has_records],
    )
