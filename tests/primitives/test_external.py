"""``gunrock run FILE.py``: any error in the file is reported in one line that names it."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fuzzing import cases

import gunrock_cli as gunrock
from gunrock_cli.bench.records.file import RecordSet, read_file
from gunrock_cli.cli.main import main
from gunrock_cli.errors import InputError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.primitives import get_primitive
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.external import load_primitive, recorded_name, short_name

GOOD = """import dataclasses
from typing import Literal
from gunrock_cli.primitives.own import Frontier, Needs, Options, Primitive, Shown, Variant, option

@dataclasses.dataclass(frozen=True)
class Asked(Options):
    depth: int = option(3, "How deep.", minimum=0)
    way: Literal["here", "there"] = option("here", "Where to.")
    quick: bool = option(False, "Or not.")

class Going(Variant):
    pass

class Mine(Primitive):
    name = "mine"
    summary = "Mine."
    source = None
    takes = Asked
    variant = Going

PRIMITIVE = Mine()
"""


def write(folder: Path, text: str) -> str:
    (folder / "mine.cuh").touch()
    (folder / "mine.py").write_text(text)
    return str(folder / "mine.py")


def test_a_good_file_is_loaded(tmp_path: Path) -> None:
    found = load_primitive(write(tmp_path, GOOD))
    assert found.name == "mine"
    assert found.variant is not None
    assert found.variant.file() == tmp_path / "mine.cuh"


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("class Mine(", "class Mine[", r":14: cannot be imported: SyntaxError"),
        ("PRIMITIVE = Mine()", "PRIMITIVE = 1 // 0", r":21: cannot be imported: ZeroDivisionError"),
        ("PRIMITIVE = Mine()", "raise SystemExit(0)", r":21: cannot be imported: SystemExit"),
        ("import dataclasses", "import no_such_module", r":1: cannot be imported: ModuleNotFoundError"),
        (
            "PRIMITIVE = Mine()",
            "PRIMITIVE = Mine",
            r"PRIMITIVE is a class: make one, PRIMITIVE = Mine\(\)",
        ),
        ("PRIMITIVE = Mine()", "PRIMITIVE = 'mine'", "PRIMITIVE is a str, no Primitive"),
        ("PRIMITIVE = Mine()", "", "defines no PRIMITIVE"),
        ('name = "mine"', "name = 3", "PRIMITIVE.name must be text"),
        ('name = "mine"', "", "PRIMITIVE.name must be text"),
        ('name = "mine"', 'name = "../x"', "must be letters, digits"),
        ("source = None", "source = 'no'", "PRIMITIVE.source must be a Source or None"),
        ("source = None", "frontier = Frontier(queued=2)", "frontier.queued must be True or False"),
        ("pass", "kernel = __import__('pathlib').Path('none.cuh')", "its kernel is not there: none.cuh"),
        ("pass", "kernel = 3", "kernel must be a pathlib.Path"),
        ("variant = Going", "variant = Going(None, None)", "variant must be a class"),
        ("variant = Going", "variant = int", "variant must be a class, a subclass of Variant"),
        ("variant = Going", "", "PRIMITIVE.variant must be a Variant"),
        ("takes = Asked", "takes = int", "PRIMITIVE.takes must be a dataclass of options"),
        (
            "source = None",
            "needs = Needs(undirected=1)",
            "PRIMITIVE.needs.undirected must be True or False",
        ),
        ("source = None", "needs = True", "PRIMITIVE.needs must be a Needs"),
        ("source = None", 'shows = Shown(rows=("source",))', "PRIMITIVE.shows.rows must be a dictionary"),
        (
            "source = None",
            'shows = Shown(columns="cores")',
            "PRIMITIVE.shows.columns must be a tuple of names",
        ),
        ("source = None", 'shows = Shown(vertices="cores")', "shows.vertices must be a tuple of names"),
        ("source = None", "shows = Shown(nearest_first=1)", "shows.nearest_first must be True or False"),
        ("source = None", "needs = Needs(directed=1)", "PRIMITIVE.needs.directed must be True or False"),
        ("source = None", 'peers = {"igraph": 3}', "peers must be a dictionary of functions"),
        ("source = None", "peers = ()", "peers must be a dictionary of functions"),
        ("source = None", "frontier = Frontier(advance_under=3)", "advance_under must be a dictionary"),
        ("option(3", "option('three'", "default 'three' is no int"),
        ("depth: int", "Depth: int", "option 'Depth': a name is small letters"),
        ("depth: int", "iterations: int", "there is another --iterations"),
        ("depth: int", "graph: int", "there is another --graph"),
        ("depth: int", "no_quick: int", "option 'quick': there is another"),
        ("depth: int", "depth: list", "kind must be str, int, float or bool"),
        ('"here", "Where', '"away", "Where', "its default is none of its choices"),
        ("minimum=0", "minimum='a'", "minimum and maximum must be numbers"),
        ("minimum=0", "under=3", "under must be a dictionary"),
        ('"How deep."', "4", "help must be text"),
    ],
)
def test_mistakes_are_told(
    tmp_path: Path, old: str, new: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert old in GOOD
    name = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(SystemExit) as ended:
        main(["run", name, "path"])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith(f"gunrock: {name}")
    assert told.count("\n") == 1
    with pytest.raises(InputError, match=complaint):
        load_primitive(name, frozenset({"iterations", "graph"}))


@pytest.mark.parametrize(
    "content",
    [b"\0", b"\xff\xfe", b"a = '\xff'", b"(" * 500, b"x = " + b"-" * 100_000 + b"1", b"\x7fELF"],
    ids=range(6),
)
def test_what_is_no_python_is_told(tmp_path: Path, content: bytes) -> None:
    name = write(tmp_path, "")
    Path(name).write_bytes(content)
    with pytest.raises(InputError, match="cannot be imported"):
        load_primitive(name)


def test_files_that_are_not_there_or_of_another_kind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        load_primitive(str(tmp_path / "none.py"))
    (tmp_path / "mine.cuh").touch()
    with pytest.raises(InputError, match=r"a primitive is a Python file \(.py\)"):
        load_primitive(str(tmp_path / "mine.cuh"))
    (tmp_path / "alone.py").write_text(GOOD)
    with pytest.raises(InputError, match=r"its kernel is not there: .*alone\.cuh"):
        load_primitive(str(tmp_path / "alone.py"))


@pytest.mark.fuzz
@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_mutated_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mutated files reach the help of the command that they make, which asks for all declarations."""
    chance = random.Random(7)
    pieces = [
        "",
        "None",
        "1",
        "'a'",
        "(",
        ")",
        ",",
        "=",
        "float('nan')",
        "[]",
        "{}",
        "lambda: 0",
        "\n",
        " ",
        ":",
        "Mine",
        "Option",
        "object()",
        "\x00",
        "-",
        "True",
        "2**70",
        "...",
    ]
    for _ in range(cases(150)):
        place, length = chance.randrange(len(GOOD)), chance.choice((0, 1, 2, 4, 8))
        name = write(tmp_path, GOOD[:place] + chance.choice(pieces) + GOOD[place + length :])
        code = 0
        try:
            main(["run", name, chance.choice(("-h", "--help", "--help-all"))])
        except SystemExit as ended:
            code = int(ended.code or 0)
        told = capsys.readouterr().err
        assert code in (0, 2)
        assert (told.startswith("gunrock: ") and told.count("\n") == 1) == (code == 2), told


# --- the behavior of its methods ------------------------------------------------------------------------
BEHAVED = """import numpy as np
from gunrock_cli.primitives.own import Options, Primitive, Room, Validation, Variant, Work

class Counting(Variant):
    @property
    def defines(self):
        return {}
    @property
    def constants(self):
        return {"COUNT": 0}
    def members(self):
        return {"found": Room(1, np.int32)}
    def start(self, problem, source):
        problem["found"].fill(0)
    def outputs(self, problem):
        return {"found": problem["found"]}

class Mine(Primitive):
    name = "mine"
    summary = "Mine."
    source = None
    def plan(self, graph, asked):
        return Counting(graph, asked)
    def work(self, graph, options, outputs):
        return Work()
    def validate(self, graph, options, source, outputs):
        return Validation("pass", "numpy")

PRIMITIVE = Mine()
"""
KERNEL = """#pragma once
#include "core/enactor.cuh"
#include "operators/compute.cuh"
struct Problem { i32* found; };
enum Phase { COUNT };
struct Enactor : WholeGridEnactor {
  GR_DEVICE static bool step(Context&, const Problem& p, Control&, State& s) {
    if (s.step > 0) return false;
    atomic_add(&p.found[0], 1);
    return true;
  }
};
"""


def measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *changes: str
) -> tuple[int, str, list[Any]]:
    """The exit code, stderr and the kept records, with other lines in the file."""
    text = BEHAVED
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text
        text = text.replace(old, new)
    name, kept = write(tmp_path, text), tmp_path / "records.jsonl"
    (tmp_path / "mine.cuh").write_text(KERNEL)
    try:
        main(
            [
                "run",
                name,
                "path",
                "--nodes",
                "3",
                "--backend",
                "cpu",
                "--threads",
                "1",
                "--runs",
                "1",
                "--output",
                str(kept),
                "-q",
            ]
        )
        code = 0
    except SystemExit as ended:
        code = int(ended.code or 0)
    found = read_file(kept) if kept.exists() else RecordSet()
    assert not found.problems
    return code, capsys.readouterr().err, found.records


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("np.int64(3)", 3),
        ("np.float32(0.5)", 0.5),
        ("float('nan')", None),
        ("-np.inf", None),
        ("np.arange(2)", [0, 1]),
        ("(1, np.True_)", [1, True]),
        ("{np.int64(1): {2}}", {"1": [2]}),
        ("10**30", 1e30),
        ("10**400", None),
        ("1e-300", 0.0),
        ("b'x'", "a bytes"),
        ("1j", "a complex"),
        ("object()", "a object"),
        ("np.nan * np.ones(1)", [None]),
        ("'\\udc80'", "\\udc80"),
    ],
)
def test_no_metric_costs_a_record(
    value: str, kept: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, records = measured(tmp_path, capsys, "Work()", f"Work(metrics={{'x': {value}}})")
    assert (code, said) == (0, "")
    assert records[0].metrics["x"] == kept


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('return {"found": Room(1, np.int32)}', "return None", "members() returned nothing"),
        ('return {"found": Room(1, np.int32)}', "return [1]", "members() returned a list"),
        ('problem["found"].fill(0)', "raise KeyError(3)", ":14: start() failed: KeyError: 3"),
        ("return Counting(graph, asked)", "return None", "plan() returned nothing, not a Variant"),
        ("return {}", "return {'A B': 1}", "defines returned 'A B'"),
        ("return {}", "return {'A': None}", "defines returned nothing as A"),
        ("return {}", "raise KeyError(3)", ":7: defines failed: KeyError: 3"),
        ('return {"COUNT": 0}', "return {'A': 1.5}", "constants returned 1.5 as 'A'"),
    ],
)
def test_what_fails_before_the_runs_is_one_line(
    old: str, new: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, records = measured(tmp_path, capsys, old, new)
    assert (code, records) == (2, [])
    assert said.startswith(f"gunrock: {tmp_path}/mine.py")
    assert complaint in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('return {"found": problem["found"]}', "return None", "outputs() returned nothing"),
        (
            'return {"found": problem["found"]}',
            "return {'found': [1]}",
            "outputs() returned a list as found",
        ),
        ("return Work()", "return None", "work() returned nothing"),
        ("return Work()", "return Work(metrics=None)", "work() returned nothing"),
        ("return Work()", "return Work(depth=float('nan'))", "work() returned a Work whose depth is nan"),
        ("return Work()", "return 1 // 0", "work() failed: ZeroDivisionError"),
        ('return Validation("pass", "numpy")', "return None", "validate() returned nothing"),
        (
            'return Validation("pass", "numpy")',
            "return Validation(True, 3)",
            "the verdict True, not one of",
        ),
    ],
)
def test_what_fails_after_the_runs_keeps_the_record(
    old: str, new: str, complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, said, records = measured(tmp_path, capsys, old, new)
    assert code == 2
    assert complaint in said
    assert said.count("\n") == 1
    assert (records[0].status, len(records[0].runs_ms)) == ("error", 1)
    assert complaint in str(records[0].error)


def test_counts_of_numpy_are_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    counts = "Work(vertices_visited=np.int64(3), depth=np.uint8(2), iterations=np.float64(4))"
    _, _, records = measured(tmp_path, capsys, "Work()", counts)
    assert (records[0].vertices_visited, records[0].depth, records[0].iterations) == (3, 2, 4)


def test_the_parts_of_a_question_are_held_to_their_word_too(tmp_path: Path) -> None:
    text = GOOD.replace(
        "class Mine",
        "class Rows(Shown):\n    def row_columns(self, options):\n        return {}[0]\n\nclass Mine",
    )
    found = load_primitive(
        write(tmp_path, text.replace("source = None", "shows = Rows(nearest_first=True)"))
    )
    assert found.shows.nearest_first
    with pytest.raises(InputError, match=r"mine\.py:16: row_columns\(\) failed: KeyError: 0"):
        found.shows.row_columns(None)


@pytest.mark.parametrize("define", ["define='A B'", "define=3", "define=''"])
@pytest.mark.parametrize("kind", ["str", "float"])
def test_what_cannot_be_a_macro_is_refused_at_once(define: str, kind: str, tmp_path: Path) -> None:
    text = GOOD.replace(
        'depth: int = option(3, "How deep.", minimum=0)',
        f"depth: {kind} | None = option(None, '', {define})",
    )
    with pytest.raises(InputError, match=r"option 'depth': .*macro"):
        load_primitive(write(tmp_path, text))


def test_an_object_is_held_to_its_word_too() -> None:
    class Forgetful(Primitive):
        name = "forgetful"
        summary = "Returns nothing."
        source = None

        def plan(self, graph: Graph, asked: Any) -> Any:
            return None

    with pytest.raises(InputError, match=r"plan\(\) returned nothing"):
        gunrock.run(Forgetful(), ([0], [1]), backend="cpu")


def test_a_kernel_that_crashes_says_so(tmp_path: Path) -> None:
    name = write(tmp_path, BEHAVED)
    (tmp_path / "mine.cuh").write_text(KERNEL.replace("p.found[0], 1", "p.found[i64(1) << 45], 1"))
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "gunrock_cli.cli.main",
            "-q",
            "run",
            name,
            "path",
            "--nodes",
            "3",
            "--backend",
            "cpu",
            "--threads",
            "2",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -signal.SIGSEGV
    assert done.stdout == ""
    assert done.stderr.startswith("gunrock: the kernel ")
    assert done.stderr.count("\n") == 1


OWN_BFS = """from gunrock_cli.primitives.bfs import Bfs

class Mine(Bfs):
    pass

PRIMITIVE = Mine()
"""
IMPORTED = "from gunrock_cli.primitives.bfs import PRIMITIVE\n"
MADE = "from gunrock_cli.primitives.bfs import Bfs\n\nPRIMITIVE = Bfs()\n"


@pytest.mark.parametrize(("text", "own"), [(OWN_BFS, "bfs (user's)"), (IMPORTED, "bfs"), (MADE, "bfs")])
def test_records_tell_a_users_primitive_from_one_that_ships(
    tmp_path: Path, text: str, own: str, capsys: pytest.CaptureFixture[str]
) -> None:
    ours = get_primitive("bfs")
    for words, name in ((["run", write(tmp_path, text)], own), (["bfs"], "bfs")):
        main(
            [
                *words,
                "path",
                "--nodes",
                "4",
                "--backend",
                "cpu",
                "--iterations",
                "1",
                "--json",
                "--against",
                "scipy",
            ]
        )
        records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [(record["primitive"], record["system"]) for record in records] == [
            (name, "gunrock"),
            (name, "scipy"),
        ]
    assert recorded_name(ours) == "bfs"


@pytest.mark.parametrize("name", ["bfs", "microbench-lookup"])
def test_no_name_makes_a_primitive_one_that_ships(tmp_path: Path, name: str) -> None:
    found = load_primitive(write(tmp_path, GOOD.replace('name = "mine"', f'name = "{name}"')))
    assert recorded_name(found) == f"{name} (user's)"
    assert recorded_name(load_primitive(write(tmp_path, GOOD))) == "mine"


def test_cells_of_a_users_file_have_a_name_of_their_own() -> None:
    names = [short_name(name) for name in ("bfs", "my/bfs.py", "my/own.py")]
    assert names == ["bfs", "bfs (user's)", "own"]
