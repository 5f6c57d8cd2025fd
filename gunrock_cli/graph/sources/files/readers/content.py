"""Recognize a file by how it begins, whatever its name or an option says.

A comment in one format can be the banner of another, and a web page is text, too: such a file is refused
by its proper name before a reader misreads it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gunrock_cli.errors import InputError
from gunrock_cli.graph.sources.files.readers import text

_HEAD = 1 << 16
_SHOWN = 30
_TEXTS = ("market", "edge-list", "table", "dimacs", "metis", "ligra", "")
"""Kinds of text; "" is a file whose name tells no kind."""
_LEAD = re.compile(rb"(?:[ \t\r]*+(?:[#%][^\n]*+)?+\n)*+")
"""Blank lines, and lines that are comments in most formats."""
_UNPACK = "unpack it, and name the file in it that is the graph"
_CONVERT = "which is not read: write its edges as a list, two vertices in each line"
_ANNOUNCED = re.compile(
    rb"^[ \t]*[#%%].*?\b(?:%s)"
    % (rb"(?:nodes|vertices)\s*[:=]\s*([0-9]{1,18})\b|([0-9]{1,18})\s+(?:nodes|vertices)\b"),
    re.I | re.M,
)
_KONECT = re.compile(
    rb"^[ \t]*%[ \t]*(?:sym|asym)\b[^\n]*+\n"
    rb"%[ \t]*[0-9]+[ \t]+([0-9]{1,18})\b",
    re.I | re.M,
)


@dataclass(frozen=True)
class Sign:
    """``pattern`` recognizes ``what`` a file is; ``remedy`` says what to do with it. ``kind`` reads such
    a file, or is None. ``banner``: the pattern is sought in any line of the comments at the head, else
    behind them. ``everywhere``: it is sought in binary formats, too."""

    what: str
    pattern: bytes
    remedy: str = _CONVERT
    kind: str | None = None
    banner: bool = False
    everywhere: bool = False

    def found(self, lead: bytes, body: bytes) -> bytes | None:
        """The bytes that match, or None."""
        look = re.search if self.banner else re.match
        sign = look(self.pattern, lead if self.banner else body, re.I | re.M)
        return None if sign is None else sign[0]

    def refusal(self, found: bytes, path: str) -> InputError:
        """The error for a file with this sign."""
        remedy = self.remedy if self.kind is None else f"read it with --{self.kind}"
        begins = found.decode("latin-1").strip().partition("\n")[0][:_SHOWN]
        says = f", as its {begins!r} says" if begins.isascii() and begins.isprintable() else ""
        return InputError(
            f"this is {self.what}{says}{', ' if remedy == _CONVERT else ': '}{remedy}", path=path
        )


_SIGNS = (
    Sign(
        "a Git LFS pointer",
        rb"version https?://[a-z0-9.-]+/spec/v",
        "git lfs pull fetches the file",
        everywhere=True,
    ),
    Sign(
        "a git-annex pointer",
        rb"[./]*+(?:git)?/annex/objects/",
        "git annex get fetches the file",
        everywhere=True,
    ),
    Sign(
        "a web page",
        rb"(?:<\?xml[^<]*+)?+<(?:!doctype\s+html|html|head|body|title|meta|script|!--)",
        "an error or a login page, perhaps, in the place of the file; fetch that anew",
        everywhere=True,
    ),
    Sign("a NumPy archive", rb"PK\x03\x04(?s:.{26})[a-z_]+\.npy", kind="npz"),
    Sign("a zip archive", rb"PK(?:\x03\x04|\x05\x06)", _UNPACK),
    Sign("a tar archive", rb"(?s:.{257})ustar", _UNPACK),
    Sign("a 7z archive", rb"7z\xbc\xaf\x27\x1c", _UNPACK),
    Sign("a RAR archive", rb"Rar!\x1a\x07", _UNPACK),
    Sign("a file packed by compress", rb"\x1f\x9d", "unpack it (gzip -d does)"),
    Sign("a Matrix Market file", rb"^[ \t]*%%?MatrixMarket\b", kind="market", banner=True),
    Sign(
        "a list of two sides by KONECT",
        rb"^[ \t]*%[ \t]*bip\b",
        "sources and targets count from 1 each, so that one number means two vertices; give the targets "
        "numbers of their own (those of the sources added), and take this line out",
        banner=True,
    ),
    Sign(
        "an adjacency list by NetworkX",
        rb"^# GMT [A-Z][a-z]{2} [A-Z][a-z]{2} .*",
        "a line of it is a vertex and its neighbours; write_edgelist's are read",
        banner=True,
    ),
    Sign("a PDF or PostScript document", rb"^(?:%PDF-|%!PS)", "give the file of the graph", banner=True),
    Sign(
        "a DIMACS file",
        rb"(?:c(?:[ \t][^\n]*+)?\r?\n\s*+)*+p[ \t]+[a-z]+(?:[ \t]+[0-9]+){2}[ \t\r]*$",
        kind="dimacs",
    ),
    Sign("a Ligra graph", rb"(?:Weighted)?AdjacencyGraph\b", kind="ligra"),
    Sign("a Parquet or Arrow table", rb"PAR1|ARROW1", kind="table"),
    Sign("a binary graph of gunrock's", rb"GUNROCK", kind="binary"),
    Sign("a NumPy array", rb"\x93NUMPY"),
    Sign("a MATLAB file", rb"MATLAB 5\.0 MAT-file"),
    Sign("an HDF5 file", rb"\x89HDF\r\n"),
    Sign("a Python pickle", rb"\x80[\x02-\x05]"),
    Sign("GraphML", rb"(?s:<\?xml.*?)?<graphml\b"),
    Sign("GEXF", rb"(?s:<\?xml.*?)?<gexf\b"),
    Sign("XML", rb"<\?xml\b|<error>", "give the file of the graph, or write its edges as a list"),
    Sign("JSON", rb"\{\s*\"|\[\s*[\[{]|\{\s*\}"),
    Sign("a Pajek network", rb"\*(?:vertices|network|arcs|edges|arcslist|edgeslist|matrix)\b.*"),
    Sign("a UCINET or NetDraw file", rb"\*(?:node|tie) (?:data|properties)|dl[ \t]+(?:n|nr|nm|format)\b"),
    Sign("GML", rb"(?:(?:creator|version|comment|label|directed)\b[^\n]*+\n\s*+)*+graph\s*+\["),
    Sign(
        "a DOT graph",
        rb"(?:/\*(?s:.*?)\*/\s*+|//[^\n]*+\n\s*+)*+"
        rb"(?:strict\s+)?(?:di)?graph\b[^\n\[{]*+\s*+\{",
    ),
    Sign("a LEDA graph", rb"LEDA\.GRAPH\b"),
    Sign("GDF", rb"nodedef>"),
    Sign("graph6 or sparse6", rb">>[a-z0-9_]+<<"),
    Sign(
        "UTF-16 text",
        rb"\xff\xfe|\xfe\xff|(?:[\t\n\r -~]\0){4}|(?:\0[\t\n\r -~]){4}",
        "write it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    ),
)


def check_content(kind: str, path: str) -> None:
    """Raise InputError for a file that the reader of ``kind`` would misread: another format, an archive,
    a web page, a pointer to the file. "" is a kind that reads nothing."""
    head = _head(path)
    lead, body = _parts(head)
    for sign in _SIGNS:
        found = sign.found(lead, body) if sign.everywhere or kind in _TEXTS else None
        if found is None:
            continue
        if sign.kind == kind:
            return
        raise sign.refusal(found, text.display_path(path))


def announced_vertices(path: str) -> int | None:
    """The number of vertices in the comments at the head of a list of edges, as SNAP and KONECT write it;
    None if they give none."""
    lead, _ = _parts(_head(path))
    found = _KONECT.search(lead) or _ANNOUNCED.search(lead)
    return None if found is None else int(next(filter(None, found.groups())))


def _head(path: str) -> bytes:
    return text.first_bytes(path, _HEAD).removeprefix(text.BYTE_ORDER_MARK)


def _parts(head: bytes) -> tuple[bytes, bytes]:
    """The comments at the head with the line after them, and the text after the comments."""
    lead = _LEAD.match(head)
    begin = 0 if lead is None else lead.end()
    end = head.find(b"\n", begin)
    return head[: end if end >= 0 else len(head)], head[begin:].lstrip()
