"""The meaning of each format, a second time: slow readers, a line at a time, that accept nothing else.

They share no code with the package. A file is a ``Meaning`` or it raises ``Refused``.
"""

from __future__ import annotations

import gzip
import re
import struct
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

MOST_VERTICES = 2**31 - 1
NATURAL = r"[0-9]+"
NUMBER = r"([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"


class Refused(Exception):
    """The file is not of the format."""


@dataclass
class Meaning:
    """Directed edges (u, v) or (u, v, w), sorted, repeated where the file repeats them."""

    n: int
    edges: list[tuple[Any, ...]]

    def __post_init__(self) -> None:
        self.edges = sorted(self.edges)


def meaning(kind: str, data: bytes) -> Meaning:
    """The meaning of a text file, packed or not."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except Exception as error:
            raise Refused(str(error)) from error
    return READERS[kind](data.decode("latin-1"))


def need(condition: Any) -> None:
    if not condition:
        raise Refused


def lines_of(text: str) -> list[str]:
    """Lines without their ends, LF or CR LF."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def fields(line: str, blanks: str = " \t") -> list[str]:
    return [word for word in re.split(f"[{blanks}]", line) if word]


def integer(word: str) -> int:
    value = int(word)
    need(-(2**31) <= value < 2**31)
    return value


def real(word: str) -> float:
    value = float(word)
    limits = np.finfo(np.float32)
    need(value == 0 or float(limits.tiny) <= abs(value) <= float(limits.max))
    return float(np.float32(value))


def market(text: str) -> Meaning:
    lines = text.split("\n")
    at = next((at for at, line in enumerate(lines) if line.encode("latin-1").strip()), 0)
    banner = lines[at].lower().split()
    need(len(banner) == 5 and banner[0] in ("%%matrixmarket", "%matrixmarket"))
    need(banner[1:3] == ["matrix", "coordinate"])
    field, symmetry = banner[3:]
    form = {
        "pattern": None,
        "integer": f"-?{NATURAL}",
        "unsigned-integer": NATURAL,
        "real": f"-?{NUMBER}",
        "double": f"-?{NUMBER}",
    }
    need(field in form and symmetry in ("general", "symmetric", "skew-symmetric"))
    at += 1
    while at < len(lines) and lines[at].encode("latin-1").strip()[:1] in (b"", b"%"):
        at += 1
    need(at < len(lines))
    size = lines[at].encode("latin-1").split()
    need(len(size) == 3 and all(re.fullmatch(rb"[0-9]{1,18}", word) for word in size))
    n, columns, count = map(int, size)
    need(n == columns and n <= MOST_VERTICES)
    entries = []
    for line in lines[at + 1 :]:
        entry, comment, about = line.partition("%")
        words = fields(entry.rstrip(" \t\r"))
        if not words:
            need(not comment)
            continue
        need("\0" not in about and len(words) == (2 if field == "pattern" else 3))
        need(all(re.fullmatch(NATURAL, word) for word in words[:2]))
        u, v = int(words[0]), int(words[1])
        need(1 <= u <= n and 1 <= v <= n)
        if form[field] is None:
            entries.append((u - 1, v - 1))
        else:
            need(re.fullmatch(form[field], words[2]))
            value = integer(words[2]) if "integer" in field else real(words[2])
            entries.append((u - 1, v - 1, value))
    need(len(entries) == count)
    if symmetry != "general":
        sign = -1 if symmetry == "skew-symmetric" else 1
        entries += [
            (v, u, *(sign * w for w in value))
            for u, v, *value in entries
            if u != v or (sign < 0 and value)
        ]
    return Meaning(n, entries)


def edge_list(text: str) -> Meaning:
    edges: list[tuple[Any, ...]] = []
    shape, reals = None, False
    for line in lines_of(text):
        edge, _, about = line.replace("%", "#").partition("#")
        need("\0" not in about)
        edge = edge.strip(" \t")
        if not edge:
            continue
        comma = "," in edge
        words = [word.strip(" \t") for word in edge.split(",")] if comma else fields(edge)
        shape = shape or (comma, len(words))
        need(shape == (comma, len(words)) and len(words) >= 2)
        need(all(re.fullmatch("[0-9]{1,10}", word) for word in words[:2]))
        u, v = int(words[0]), int(words[1])
        need(max(u, v) < MOST_VERTICES)
        if len(words) == 2:
            edges.append((u, v))
        else:
            need(re.fullmatch(f"[+-]?{NUMBER}", words[2]))
            need(all(re.fullmatch(r"[^\s#%,\0]+", word, re.ASCII) for word in words[3:]))
            reals = reals or bool(re.search("[.eE]", words[2]))
            edges.append((u, v, float(words[2])))
    need(edges)
    n = max(max(edge[:2]) for edge in edges) + 1
    return Meaning(n, weighed(edges, reals))


def weighed(edges: list[tuple[Any, ...]], reals: bool) -> list[tuple[Any, ...]]:
    """Weights in 32 bits: whole numbers if all are, which then must fit unless some are written as
    ``reals``; else floats."""
    if len(edges[0]) == 2:
        return edges
    whole = all(w == w // 1 for _, _, w in edges)
    fits = all(-(2**31) <= w < 2**31 for _, _, w in edges)
    need(not whole or fits or reals)
    return [(u, v, int(w) if whole and fits else real(str(w))) for u, v, w in edges]


def dimacs(text: str) -> Meaning:
    lines = text.split("\n")
    at = 0
    while at < len(lines) and (
        not lines[at].strip("\t\n\r\x0b\f ") or lines[at].lstrip("\t\n\r\x0b\f ").startswith("c")
    ):
        at += 1
    need(at < len(lines))
    header = re.fullmatch(r"p\s+(sp|edge|col)\s+([0-9]{1,10})\s+([0-9]{1,15})\s*", lines[at], re.ASCII)
    need(header)
    weighted, n, arcs = header[1] == "sp", int(header[2]), int(header[3])
    need(n <= MOST_VERTICES)
    edges: list[tuple[Any, ...]] = []
    for line in lines_of(text)[at + 1 :]:
        plain = line.strip(" \t")
        if plain.startswith("c"):
            need("\0" not in line)
        elif plain:
            words = fields(plain)
            need(words[0] == ("a" if weighted else "e") and len(words) == (4 if weighted else 3))
            need(all(re.fullmatch("[0-9]{1,10}", word) and 1 <= int(word) <= n for word in words[1:3]))
            need(not weighted or re.fullmatch(NUMBER, words[3]))
            edges.append((int(words[1]) - 1, int(words[2]) - 1, *map(float, words[3:])))
    need(len(edges) == arcs)
    if weighted and all(w == w // 1 for _, _, w in edges):
        edges = [(u, v, integer(str(int(w)))) for u, v, w in edges]
    elif weighted:
        edges = [(u, v, real(str(w))) for u, v, w in edges]
    return Meaning(n, edges)


def metis(text: str) -> Meaning:
    lines = [line for line in text.removesuffix("\n").split("\n") if not line.startswith("%")]
    need(lines)
    header = lines[0].encode("latin-1").split()
    need(2 <= len(header) <= 4 and all(re.fullmatch(rb"[0-9]{1,15}", word) for word in header))
    need(len(header) < 3 or re.fullmatch(b"[01]{1,3}", header[2]))
    n, count = int(header[0]), int(header[1])
    need(n <= MOST_VERTICES and len(lines) > n)
    need(not any(fields(line.removesuffix("\r")) for line in lines[n + 1 :]))
    form = (header[2].decode() if len(header) > 2 else "0").zfill(3)
    constraints = int(header[3]) if len(header) > 3 else 1
    need(constraints >= 1)
    skipped = (form[0] == "1") + constraints * (form[1] == "1")
    edges: list[tuple[Any, ...]] = []
    for vertex, line in enumerate(lines[1 : n + 1]):
        words = fields(line.removesuffix("\r"))
        need(all(re.fullmatch("[0-9]{1,18}", word) for word in words) and len(words) >= skipped)
        need(all(int(word) < 2**31 for word in words[form[0] == "1" : skipped]))
        numbers = [int(word) for word in words[skipped:]]
        if form[2] == "1":
            need(len(numbers) % 2 == 0)
            edges += [
                (vertex, v - 1, integer(str(w))) for v, w in zip(numbers[::2], numbers[1::2], strict=True)
            ]
        else:
            edges += [(vertex, v - 1) for v in numbers]
    need(all(0 <= edge[1] < n for edge in edges) and len(edges) == 2 * count)
    need(Counter(edges) == Counter((v, u, *w) for u, v, *w in edges))
    return Meaning(n, edges)


READERS = {"market": market, "edge-list": edge_list, "dimacs": dimacs, "metis": metis}


def npz(arrays: dict[str, Any]) -> Meaning:
    """The meaning of the arrays that SciPy keeps of a sparse matrix."""
    need("format" in arrays and arrays["format"].shape == ())
    form = arrays["format"][()]
    form = form.decode("latin-1") if isinstance(form, bytes) else str(form)
    names = {"coo": ("row", "col"), "csr": ("indptr", "indices"), "csc": ("indptr", "indices")}
    need(form in names)
    need(
        all(
            name in arrays and arrays[name].ndim == 1 and arrays[name].dtype.kind in "iu"
            for name in ("shape", *names[form])
        )
    )
    need("data" in arrays and arrays["data"].ndim == 1 and arrays["data"].dtype.kind in "biuf")
    shape = arrays["shape"].tolist()
    need(len(shape) == 2 and shape[0] == shape[1] and 0 <= shape[0] <= MOST_VERTICES)
    n, data = shape[0], arrays["data"]
    first, second = (arrays[name].tolist() for name in names[form])
    if form == "coo":
        rows, columns = first, second
    else:
        need(len(first) == n + 1 and first[0] == 0 and first[-1] == len(second))
        need(all(a <= b for a, b in pairwise(first)))
        rows = [row for row in range(n) for _ in range(first[row], first[row + 1])]
        columns = second
    if form == "csc":
        rows, columns = columns, rows
    need(len(rows) == len(columns) == len(data))
    need(all(0 <= end < n for end in (*rows, *columns)))
    ends = zip(rows, columns, strict=True)
    if data.dtype.kind == "b":
        return Meaning(n, list(ends))
    convert = integer if data.dtype.kind in "iu" else real
    return Meaning(n, [(u, v, convert(str(w))) for (u, v), w in zip(ends, data.tolist(), strict=True)])


def binary(header: dict[str, Any], content: bytes) -> Meaning:
    """The meaning of a finished graph whose arrays' places and checksums are right."""
    n, m = header["n"], header["m"]
    sides = ["csr"] if header["undirected"] else ["csr", "reverse"]
    found = [_binary_side(header["arrays"], side, content, n, m) for side in sides]
    need(Counter(found[0]) == Counter((v, u, *w) for u, v, *w in found[-1]))
    return Meaning(n, found[0])


def _binary_side(arrays: Any, side: str, content: bytes, n: int, m: int) -> list[tuple[Any, ...]]:
    def items(name: str) -> list[Any]:
        place = arrays[f"{side}.{name}"]
        code = {"<i4": "i", "<i8": "q", "<f4": "f"}[place["dtype"]]
        form = struct.Struct(f"<{place['length']}{code}")
        need(0 <= place["offset"] <= len(content) - form.size)
        return list(form.unpack_from(content, place["offset"]))

    offsets, columns = items("row_offsets"), items("column_indices")
    need(len(offsets) == n + 1 and len(columns) == m)
    need(offsets[0] == 0 and offsets[-1] == m)
    need(all(a <= b for a, b in pairwise(offsets)))
    need(all(0 <= column < n for column in columns))
    values = [[]] * m
    if f"{side}.values" in arrays:
        values = [[value] for value in items("values")]
        need(len(values) == m and all(abs(value) < float("inf") for [value] in values))
        need(all(value >= -(2**31) for [value] in values))
    rows = [row for row in range(n) for _ in range(offsets[row], offsets[row + 1])]
    return [(u, v, *w) for u, v, w in zip(rows, columns, values, strict=True)]
