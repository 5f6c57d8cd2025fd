"""The data sets that the papers used: ``datasets/catalogue.toml``, and the places of their files."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from gunrock_cli.errors import InputError, UsageError
from gunrock_cli.jsontypes import Scalar
from gunrock_cli.resources import datasets_dir

SUITESPARSE = "https://sparse.tamu.edu"
_SUITESPARSE_NAME = re.compile(r"[A-Za-z0-9_-]+/[A-Za-z0-9_-][A-Za-z0-9_.+-]*")
TABLES = ("ppopp16", "arxiv15", "merrill12")


@dataclass(frozen=True)
class DataSet:
    """One entry of the catalogue; the file itself explains each field."""

    name: str
    title: str
    graph_class: str
    tables: tuple[str, ...]
    page: str
    licence: str
    vertices: int | None = None
    edges: int | None = None
    url: str | None = None
    member: str | None = None
    bytes: int | None = None
    sha256: str | None = None
    small: bool = False
    generate: Mapping[str, Scalar] = field(default_factory=dict)
    stand_in: Mapping[str, Scalar] = field(default_factory=dict)


@cache
def read_catalogue(path: Path | None = None) -> dict[str, DataSet]:
    """Every data set by name, in the order of the file."""
    with (path or datasets_dir() / "catalogue.toml").open("rb") as file:
        entries = tomllib.load(file)
    return {name: _data_set(name, entry) for name, entry in entries.items()}


def get_dataset(name: str) -> DataSet:
    """A data set of the catalogue, or a matrix of the SuiteSparse collection by GROUP/NAME; UsageError
    for an unknown name."""
    found = read_catalogue().get(name) or suitesparse(name)
    if found is None:
        raise UsageError(
            f"no data set is called {name!r}; there are "
            f"{', '.join(read_catalogue())}, and GROUP/NAME of the SuiteSparse collection"
        )
    return found


def suitesparse(name: str) -> DataSet | None:
    """The matrix GROUP/NAME in the SuiteSparse Matrix Collection, from the catalogue if it is there; None
    for a name of another form. Only its download tells if the matrix exists."""
    if not _SUITESPARSE_NAME.fullmatch(name):
        return None
    page = f"{SUITESPARSE}/{name}"
    for data in read_catalogue().values():
        if data.page == page:
            return data
    matrix = name.rpartition("/")[2]
    return DataSet(
        name,
        f"{matrix} (SuiteSparse Matrix Collection)",
        "",
        (),
        page,
        "CC BY 4.0 (SuiteSparse Matrix Collection)",
        url=f"{SUITESPARSE}/MM/{name}.tar.gz",
        member=f"{matrix}/{matrix}.mtx",
    )


def download_dir() -> Path:
    """The folder of data sets: ``$GUNROCK_DATASETS``, else the user's data folder."""
    asked = os.environ.get("GUNROCK_DATASETS")
    if asked:
        return Path(asked)
    import platformdirs

    return Path(platformdirs.user_data_dir("gunrock", appauthor=False)) / "datasets"


def dataset_path(name: str, folder: Path | None = None) -> Path:
    """The place of a data set's graph: FOLDER/NAME/NAME.mtx, for a SuiteSparse matrix
    FOLDER/GROUP/NAME/NAME.mtx."""
    return (folder or download_dir()) / name / f"{name.rpartition('/')[2]}.mtx"


def find_dataset(name: str) -> Path:
    """The file of a data set that is there; otherwise an InputError that says how to get it."""
    path = dataset_path(get_dataset(name).name)
    if not path.exists():
        substitute = " (with --stand-in: a generated one)" if get_dataset(name).stand_in else ""
        raise InputError(
            f"the data set {name} is not here ({path}); get it with "
            f"'gunrock datasets fetch {name}'{substitute}"
        )
    return path


def _data_set(name: str, entry: dict[str, Any]) -> DataSet:
    fields = dict(entry)
    fields["graph_class"] = fields.pop("class")
    fields["tables"] = tuple(fields["tables"])
    return DataSet(name=name, **fields)
