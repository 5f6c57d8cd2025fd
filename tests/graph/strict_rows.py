"""The meaning of other systems' formats, a second time: slow readers, a number at a time. They share no
code with the package; each takes the bytes of a graph's files, by their names' endings."""

import re
import struct
from collections import Counter
from itertools import pairwise

from .strict import MOST_VERTICES, Meaning, Refused, integer, need, real


class Numbers:
    """A file of numbers, read from beginning to end."""

    def __init__(self, data):
        self.rest = data

    def take(self, code, count):
        form = struct.Struct(f"<{count}{code}") if count < 1 << 20 else None
        need(form is not None and len(self.rest) >= form.size)
        found, self.rest = form.unpack(self.rest[: form.size]), self.rest[form.size :]
        return list(found)

    def end(self):
        need(not self.rest)


def edges_of(offsets, columns, values, n):
    need(offsets[0] == 0 and offsets[-1] == len(columns))
    need(all(first <= last for first, last in pairwise(offsets)))
    need(all(0 <= column < n for column in columns))
    rows = [row for row in range(n) for _ in range(offsets[row], offsets[row + 1])]
    rest = [[]] * len(columns) if values is None else [[value] for value in values]
    return [(u, v, *w) for u, v, w in zip(rows, columns, rest, strict=True)]


def integers(values):
    return [integer(str(value)) for value in values]


def gap(files, weighted):
    data = Numbers(files[""])
    [directed], [m, n] = data.take("B", 1), data.take("q", 2)
    need(directed < 2 and n >= 0 and m >= 0 and n <= MOST_VERTICES)
    sides = []
    for _ in range(1 + directed):
        offsets, ends = data.take("q", n + 1), data.take("i", m * (1 + weighted))
        values = integers(ends[1::2]) if weighted else None
        sides.append(edges_of(offsets, ends[::2] if weighted else ends, values, n))
    data.end()
    need(Counter(sides[0]) == Counter((v, u, *w) for u, v, *w in sides[-1]))
    return Meaning(n, sides[0])


def egr(files):
    data = Numbers(files[""])
    n, m = data.take("i", 2)
    need(n >= 0 and m >= 0)
    offsets, columns = data.take("i", n + 1), data.take("i", m)
    values = integers(data.take("i", m)) if data.rest else None
    data.end()
    return Meaning(n, edges_of(offsets, columns, values, n))


def galois(files):
    data = Numbers(files[""])
    version, width, n, m = data.take("Q", 4)
    need(version == 1 and width in (0, 4) and n <= MOST_VERTICES)
    offsets, columns = [0, *data.take("Q", n)], data.take("I", m)
    data.take("I", m % 2)
    values = integers(data.take("i", m)) if width else None
    data.end()
    return Meaning(n, edges_of(offsets, columns, values, n))


def csr(files):
    data = Numbers(files[""])
    n, wide, m = data.take("i", 3)
    need(n == wide and n >= 0 and m >= 0)
    offsets, columns, values = data.take("i", n + 1), data.take("i", m), data.take("f", m)
    data.end()
    values = [real(str(value)) for value in values]
    if all(value == value // 1 and abs(value) < 2**31 for value in values):
        values = [int(value) for value in values]
    return Meaning(n, edges_of(offsets, columns, values, n))


def ligra(files):
    words = re.split(r"[ \t\r\n]+", files[""].decode("latin-1"))
    need(words[0] in ("AdjacencyGraph", "WeightedAdjacencyGraph"))
    if words[-1] == "":
        words.pop()
    need(len(words) >= 3 and all(re.fullmatch("(-(?=[1-9]))?[0-9]{1,18}", word) for word in words[1:]))
    n, m, *rest = map(int, words[1:])
    need(0 <= n <= MOST_VERTICES and m >= 0)
    weighted = words[0][0] == "W"
    need(len(rest) == n + m * (1 + weighted))
    values = integers(rest[n + m :]) if weighted else None
    return Meaning(n, edges_of([*rest[:n], m], rest[n : n + m], values, n))


def ligra_binary(files):
    found = re.fullmatch(
        r"[ \t\r\n]*([0-9]{1,18})([ \t\r\n]+([0-9]{1,18}))?[ \t\r\n]*", files[".config"].decode("latin-1")
    )
    need(found)
    n = int(found[1])
    need(n <= MOST_VERTICES)
    index, adjacency = files[".idx"], Numbers(files[".adj"])
    need(len(index) in (4 * n, 8 * n) and len(adjacency.rest) % 4 == 0)
    begins = Numbers(index).take("I" if len(index) == 4 * n else "Q", n)
    words = len(adjacency.rest) // 4
    m = int(found[3]) if found[3] else words
    need(found[3] or words % 2 or words == 0 or max(begins, default=0) > words // 2)
    need(words in (m, 2 * m))
    columns = adjacency.take("I", m)
    values = integers(adjacency.take("i", m)) if words > m else None
    return Meaning(n, edges_of([*begins, m], columns, values, n))


def gunrock1(files):
    about = {}
    lines = files[".meta"].decode("latin-1").split("\n")
    if lines[-1] == "":
        lines.pop()
    for line in lines:
        key, _, value = line.partition(" ")
        need(re.fullmatch("[a-z_]+", key) and re.fullmatch("[!-~]+", value) and key not in about)
        about[key] = value
    need("num_vertices" in about and "num_edges" in about)
    flags = [about.get(key, "false") for key in ("got_edge_values", "symmetric", "skew")]
    need(all(re.fullmatch("[0-9]{1,18}", about[key]) for key in ("num_vertices", "num_edges")))
    need(all(flag in ("true", "false") for flag in flags))
    n, m = int(about["num_vertices"]), int(about["num_edges"])
    need(n <= MOST_VERTICES)
    ends = typed(files[".coo_edge_pairs"], m, {0x105: "I", 0x106: "I"}, 2)
    need(all(1 <= end <= n for end in ends))
    values = [[]] * m
    if flags[0] == "true":
        items = typed(files[".coo_edge_values"], m, {5: "i", 6: "I", 0x12: "f"}, 1)
        values = [[real(str(item)) if isinstance(item, float) else integer(str(item))] for item in items]
    edges = [(u - 1, v - 1, *w) for u, v, w in zip(ends[::2], ends[1::2], values, strict=True)]
    if flags[1] == "true":
        sign = -1 if flags[2] == "true" else 1
        edges += [
            (v, u, *(sign * w for w in value)) for u, v, *value in edges if u != v or (sign < 0 and value)
        ]
    return Meaning(n, edges)


def typed(data, length, kinds, width):
    numbers = Numbers(data)
    count, kind = numbers.take("q", 2)
    need(count == length and kind & 0xFFF in kinds)
    found = numbers.take(kinds[kind & 0xFFF], length * width)
    numbers.end()
    return found


READERS = {
    "sg": lambda files: gap(files, False),
    "wsg": lambda files: gap(files, True),
    "egr": egr,
    "galois": galois,
    "csr": csr,
    "ligra": ligra,
    "ligra-binary": ligra_binary,
    "gunrock1": gunrock1,
}


def meaning(kind, files):
    """The meaning of a graph's files, or None."""
    try:
        return READERS[kind](files)
    except Refused:
        return None
