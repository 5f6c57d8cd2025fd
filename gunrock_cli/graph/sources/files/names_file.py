"""Files that map vertices to names: one per line, in the vertices' order, like SuiteSparse's
``_nodename.txt``. They go with formats that have only numbers, and with answers without room for
names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from gunrock_cli.errors import InputError
from gunrock_cli.files import atomic_write
from gunrock_cli.graph.model.names import index_of_words
from gunrock_cli.graph.sources.files.readers import text, words

if TYPE_CHECKING:
    import pandas as pd


def names_file(path: Path) -> Path:
    """The place of the names for a file that has the vertices' numbers."""
    return path.with_name(f"{path.name}.names")


def read_names(path: str, n: int) -> pd.Index[Any]:
    """The names of n vertices; InputError with the line if they are not n different ones."""
    where = text.display_path(path)
    found: dict[str, int] = {}
    try:
        with text.open_binary(path) as stream:
            for number, line in enumerate(stream, 1):
                name = line.decode().rstrip("\r\n")
                words.check_name(name, where, number)
                if found.setdefault(name, number) != number:
                    raise InputError(
                        f"the name {name!r} is that of line {found[name]}, too", path=where, line=number
                    )
    except UnicodeDecodeError:
        raise InputError("this is no UTF-8 text", path=where, line=len(found) + 1) from None
    except text.BROKEN as error:
        raise InputError(f"cannot be read: {error}", path=where) from error
    if len(found) != n:
        raise InputError(f"{len(found)} names, and the graph has {n} vertices", path=where)
    return index_of_words(list(found))


def write_names(path: Path, names: pd.Index[Any]) -> Path:
    """Write the map for the file ``path``, and return its path."""
    target = names_file(path)
    with atomic_write(target) as file:
        put_names(file, names)
    return target


def put_names(file: BinaryIO, names: pd.Index[Any]) -> None:
    """Write one name per line."""
    for name in names:
        file.write(f"{name}\n".encode())
