"""Arrays of NumPy's archives (``np.savez``), which may be damaged or made to mislead.

NumPy allocates before it reads: here a header is compared with the size of its array first.
"""

from __future__ import annotations

import lzma
import tokenize
import zipfile
import zlib
from typing import Any

import numpy as np

DAMAGED = (
    ValueError,
    KeyError,
    TypeError,
    IndexError,
    AttributeError,
    OSError,
    EOFError,
    SyntaxError,
    tokenize.TokenError,
    RecursionError,
    OverflowError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
)
"""The exceptions of NumPy and zipfile, and of these functions, for a damaged archive."""

Form = tuple[tuple[int, ...], np.dtype[Any]]
"""The shape and the dtype of an array."""


def form_of(archive: zipfile.ZipFile, name: str) -> Form:
    """The shape and the dtype of an array by its header; ValueError if it has another size, or Python
    objects."""
    entry = archive.getinfo(f"{name}.npy")
    with archive.open(entry) as file:
        shape, dtype = _header(file)
        claimed = file.tell() + dtype.itemsize * int(np.prod(shape, dtype=object))
    if dtype.hasobject or any(length < 0 for length in shape) or claimed != entry.file_size:
        raise ValueError(f"{name} holds {entry.file_size} bytes, but its header says {claimed}")
    return shape, dtype


def read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray[Any, Any]:
    """An array; ValueError if its header does not tell its size, or it has Python objects."""
    form_of(archive, name)
    with archive.open(f"{name}.npy") as file:
        array: np.ndarray[Any, Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array


def _header(file: Any) -> Form:
    version = np.lib.format.read_magic(file)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(file)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(file)
    else:
        raise ValueError(f"an array in version {version} of NumPy's format")
    return shape, dtype
