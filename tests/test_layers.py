"""The package's rooms form layers, and imports point down only.

Every import counts: at the top, inside functions, and for type checkers alone, as the reader of a module
must know the types that it names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = "gunrock_cli"
ROOT = Path(__file__).parents[1] / PACKAGE
BOTTOM = tuple(path.stem for path in ROOT.glob("*.py") if path.stem != "__init__")
"""The base of all rooms: the modules next to them."""
LAYERS = (
    (PACKAGE,),
    ("cli", "face"),
    ("report", "peers"),
    ("bench",),
    ("analysis",),
    ("primitives",),
    ("operators",),
    ("engine",),
    ("graph",),
    ("toolchain",),
    BOTTOM,
)
"""Layers from the top down. Rooms of one layer do not import each other. The package itself is the module
that Python imports: it passes on the names of ``face``."""
DEPTH = {room: depth for depth, rooms in enumerate(LAYERS) for room in rooms}
INSIDE = {
    "graph": (("",), ("parts", "sources"), ("rows",), ("model",)),
    "bench": (("studies", "sweeps"), ("protocol",), ("inputs", "ceilings"), ("records",)),
}
"""The layers of rooms that have folders; "" is a room's root, where a graph is asked for."""


def module_name(path: Path) -> str:
    return ".".join((PACKAGE, *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}
FOLDERS = {name for name, path in MODULES.items() if path.stem == "__init__"}


def imported(text: str) -> Iterator[str]:
    """The modules of the package that a text imports, wherever in it."""
    for node in ast.walk(ast.parse(text)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not in use here"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            while name and name not in MODULES:  # a name in a module, or from another package
                name = name.rpartition(".")[0]
            if name:
                yield name


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else PACKAGE


def folder(module: str) -> str:
    """The folder of a room that holds a module, or "" for its root."""
    parts = module.split(".")
    return parts[2] if len(parts) > 2 and ".".join(parts[:3]) in FOLDERS else ""


ARROWS = [
    (source, target)
    for source, path in MODULES.items()
    for target in dict.fromkeys(imported(path.read_text()))
    if target != source
]


def test_every_room_has_its_layer() -> None:
    assert {room(module) for module in MODULES} == set(DEPTH)


def test_imports_point_down() -> None:
    up = [
        f"{source} imports {target}"
        for source, target in ARROWS
        if room(source) != room(target)
        and DEPTH[room(target)] <= DEPTH[room(source)]
        and room(source) not in BOTTOM
    ]
    assert not up, "\n".join(up)


@pytest.mark.parametrize("name", INSIDE)
def test_imports_point_down_in_a_room(name: str) -> None:
    """A folder's root is either below all of its rooms or above them."""
    depth = {part: number for number, parts in enumerate(INSIDE[name]) for part in parts}
    within = [(source, target) for source, target in ARROWS if room(source) == room(target) == name]
    up = [
        f"{source} imports {target}"
        for source, target in within
        if folder(source) != folder(target) and depth[folder(target)] <= depth[folder(source)]
    ]
    assert within
    assert not up, "\n".join(up)


def test_what_all_stand_on_knows_no_room() -> None:
    up = [
        f"{source} imports {target}"
        for source, target in ARROWS
        if room(source) in BOTTOM and room(target) not in BOTTOM
    ]
    assert not up, "\n".join(up)


def test_no_file_imports_itself_by_way_of_others() -> None:
    after: dict[str, set[str]] = {module: set() for module in MODULES}
    for source, target in ARROWS:
        after[source].add(target)
    try:
        TopologicalSorter(after).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_imports_are_seen_wherever_they_stand() -> None:
    text = """
import gunrock_cli.errors
from gunrock_cli.graph.model import rng
from gunrock_cli.cli.main import main as start
if TYPE_CHECKING:
    from gunrock_cli.bench.records.record import Record
def later():
    from gunrock_cli import resources
    import numpy
"""
    assert sorted(imported(text)) == [
        f"{PACKAGE}.{name}"
        for name in ("bench.records.record", "cli.main", "errors", "graph.model.rng", "resources")
    ]
