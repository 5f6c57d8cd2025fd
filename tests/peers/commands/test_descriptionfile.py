"""Files that describe a peer: valid ones are read, others are refused in one line."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from fuzzing import cases

from gunrock_cli.cli.main import main
from gunrock_cli.errors import GunrockError, InputError
from gunrock_cli.peers import get_peer, ready_names
from gunrock_cli.peers.commands.description import FileAnswer, OwnCheck, PrintedAnswer
from gunrock_cli.peers.commands.descriptionfile import read

GOOD = """
name = "gap"
primitive = "bfs"
command = ["bfs", "-f", "{graph}", "-r", "{source}", "-n", "{runs}"]
format = "sg"
time = { pattern = "Trial Time: +([0-9.]+)", unit = "s", drop = 1 }
clock = "the kernel, wall clock, graph in memory"
version = "b5e3e19"
timeout = 60
env = { OMP_PROC_BIND = "close" }
"""


def described(folder: Path, text: str) -> Path:
    path = folder / "own.toml"
    path.write_text(text)
    return path


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    found = read(described(tmp_path, GOOD))
    program = found.programs["bfs"]
    assert (found.name, found.version, found.backend) == ("gap", "b5e3e19", "cpu")
    assert program.command[:3] == ("bfs", "-f", "{graph}")
    assert (program.format, program.timeout, program.env) == ("sg", 60.0, {"OMP_PROC_BIND": "close"})
    assert (program.time.unit, program.time.drop, program.repeats) == ("s", 1, True)
    assert (program.answer, program.check) == (None, None)


def test_sections_add_to_what_is_said_for_all(tmp_path: Path) -> None:
    found = read(
        described(
            tmp_path,
            """
name = "two"
format = "sg"
time = { pattern = "([0-9]+) us", unit = "us" }
env = { A = "1", B = "{threads}" }

[primitive.bfs]
command = ["x/bfs", "{graph}", "{source}", "{answer}"]
answer = { type = "int32", unreached = [-1, 99] }

[primitive.cc]
command = ["x/cc", "{graph}", "{{literal}}"]
env = { A = "2" }
timeout = 5
answer = { pattern = "components: ([0-9]+)", is = "components" }

[primitive.sssp]
command = ["x/sssp", "{graph}", "{source}"]
format = "wsg"
check = { pass = "PASS", fail = "FAIL" }
""",
        )
    )
    bfs, cc, sssp = (found.programs[name] for name in ("bfs", "cc", "sssp"))
    assert bfs.answer == FileAnswer("int32", (-1, 99))
    assert isinstance(cc.answer, PrintedAnswer)
    assert (cc.env, cc.timeout, bfs.timeout) == ({"A": "2", "B": "{threads}"}, 5.0, 600.0)
    assert isinstance(sssp.check, OwnCheck)
    assert (sssp.format, bfs.format, bfs.repeats) == ("wsg", "sg", False)


def without(key: str) -> str:
    return "\n".join(line for line in GOOD.splitlines() if not line.startswith(f"{key} ="))


def replaced(key: str, text: str) -> str:
    return f"{without(key)}\n{key} = {text}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "no TOML"),
        ("a = " + "[" * 3000, "no TOML"),
        (without("name"), "needs name"),
        (without("primitive"), "needs primitive"),
        (without("command"), "command is missing"),
        (without("format"), "format is missing"),
        (without("time"), "time is missing"),
        (GOOD + "colour = 3", "unknown keys: colour"),
        (GOOD + '"\\u001b" = 3', "unknown keys: \\x1b"),
        (replaced("name", '"all"'), "cannot be a peer's"),
        (replaced("name", '"gunrock"'), "cannot be a peer's"),
        (replaced("name", '"a b"'), "cannot be a peer's"),
        (replaced("name", '"scipy"'), "scipy is a peer of another kind"),
        (replaced("primitive", "3"), "primitive: must be text"),
        (replaced("primitive", '"-x"'), "not the name of a primitive"),
        (replaced("primitive", "{}"), "a section per primitive"),
        (replaced("primitive", "{ bfs = 3 }"), "primitive.bfs: must be a section"),
        (replaced("primitive", "{ bfs = { colour = 1 } }"), "primitive.bfs has unknown keys: colour"),
        (replaced("command", '"bfs {graph}"'), "command: must be a list"),
        (replaced("command", "[]"), "command: must be a list"),
        (replaced("command", "[3]"), "command: must be text"),
        (replaced("command", '["", "{graph}", "{source}"]'), "must begin with the program's name"),
        (replaced("command", '["{graph}", "{graph}", "{source}"]'), "must begin with the program's name"),
        (replaced("command", '["bfs", "{graph}", "{source}", "{nodes}"]'), "unknown placeholder {nodes}"),
        (replaced("command", '["bfs", "{graph}", "{source}", "{}"]'), "braces that are no placeholder"),
        (replaced("command", '["bfs", "{graph!r}", "{source}"]'), "braces that are no placeholder"),
        (replaced("command", '["bfs", "{graph:9}", "{source}"]'), "braces that are no placeholder"),
        (replaced("command", '["bfs", "{graph", "{source}"]'), "expected '}'"),
        (replaced("command", '["bfs", "{source}"]'), "names no {graph}"),
        (replaced("command", '["bfs", "{graph}"]'), "names no {source}"),
        (replaced("command", '["bfs", "{graph}", "{source}", "{answer}"]'), "no answer tells"),
        (replaced("command", '["bfs", "{graph}", "{source}", "a\\nb"]'), "control characters"),
        (replaced("format", '"sgg"'), "no format is called 'sgg' (there are"),
        (replaced("format", "1"), "format: must be text"),
        (replaced("time", '"x"'), "time: must be a table"),
        (replaced("time", '{ pattern = "([0-9]+)" }'), "time needs unit"),
        (replaced("time", '{ pattern = "([0-9]+)", unit = "h" }'), "'h' is not one of s, ms, us, ns"),
        (replaced("time", '{ pattern = "([0-9]+)", unit = [1] }'), "time.unit: [1] is not one of"),
        (replaced("time", '{ pattern = "[0-9]+", unit = "s" }'), "must have 1 group, has 0"),
        (replaced("time", '{ pattern = "(a)(b)", unit = "s" }'), "must have 1 group, has 2"),
        (replaced("time", '{ pattern = "(", unit = "s" }'), "is no regular expression"),
        (
            replaced("time", '{ pattern = "(a)", unit = "s", drop = -1 }'),
            "time.drop: must be a whole number",
        ),
        (replaced("time", '{ pattern = "(a)", unit = "s", drop = true }'), "time.drop: must be a whole"),
        (replaced("time", f'{{ pattern = "({"a" * 600})", unit = "s" }}'), "longer than 500 characters"),
        (replaced("timeout", "0"), "timeout: must be a number of seconds"),
        (replaced("timeout", "nan"), "timeout: must be a number of seconds"),
        (replaced("timeout", '"60"'), "timeout: must be a number of seconds"),
        (replaced("env", '{ "A=B" = "1" }'), "'A=B' is not the name of a variable"),
        (replaced("env", "{ A = 1 }"), "env.A: must be text"),
        (replaced("env", '{ A = "{nodes}" }'), "unknown placeholder {nodes}"),
        (GOOD + 'backend = "tpu"', "'tpu' is not one of cpu, cuda"),
        (GOOD + "undirected = 1", "undirected: must be true or false"),
        (GOOD + 'answer = { type = "int32" }', "the command names no {answer}"),
        (GOOD + 'answer = { type = "int31" }', "'int31' is not one of"),
        (GOOD + "answer = { unreached = -1 }", "answer needs type"),
        (GOOD + 'answer = { pattern = "(a)", is = "components" }', "'components' is no answer of bfs"),
        (
            replaced("command", '["bfs", "{graph}", "{source}", "{answer}"]')
            + '\nanswer = { type = "int32" }\ncheck = { pass = "a", fail = "b" }',
            "check: is of no use",
        ),
        (GOOD + 'check = { pass = "PASS" }', "check needs fail"),
        (GOOD + 'check = { pass = "(PASS)", fail = "FAIL" }', "must have 0 groups, has 1"),
        (GOOD + 'check = { pass = "a", fail = "b", command = ["bfs", "{graph}"] }', "names no {source}"),
        (
            GOOD + 'check = { pass = "a", fail = "b", command = ["bfs", "{nodes}"] }',
            "placeholder {nodes}",
        ),
        (
            GOOD + 'check = { pass = "a", fail = "b", command = ["cc", "{graph}", "{source}"] }',
            "check.command: must begin with 'bfs' too",
        ),
        (GOOD + "fixed = { damping = 0.5 }", "fixed.damping is no option"),
        (replaced("primitive", '"pagerank"').replace(', "-r", "{source}"', ""), "has the option damping"),
        (replaced("primitive", '"cc"'), "names {source}, and cc has none"),
        (replaced("primitive", '"sssp"'), "sssp needs weights, which the format sg has not"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    path = described(tmp_path, text)
    with pytest.raises(InputError) as caught:
        get_peer(str(path))
    message = str(caught.value)
    assert says in message
    assert message.startswith(str(path))
    assert len(message.splitlines()) == 1


PIECES = [
    '""',
    '"x"',
    "-1",
    "1e400",
    "nan",
    "true",
    "[]",
    "{}",
    "[[1]]",
    "1979-05-27",
    '"{graph}"',
    '"{"',
    '"\\u0000"',
    "9" * 30,
    '"("',
    '"[[a]"',
    '{ pattern = "(a)", unit = "s" }',
    '{ type = "int32" }',
    '{ type = "int32", unreached = [-1, nan, "x"] }',
    "{ pass = 1, fail = 2 }",
]


@pytest.mark.fuzz
@pytest.mark.filterwarnings("error")
def test_damaged_files_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    random = Random(1)
    folder = Path(read.__code__.co_filename).parent
    texts = [(folder / f"{name}.toml").read_text() for name in ready_names()]
    said = []
    for _ in range(cases(300)):
        lines = random.choice(texts).splitlines()
        for _ in range(random.randint(1, 3)):
            at = random.randrange(len(lines))
            place = random.randrange(len(lines[at]) + 1)
            lines[at] = random.choice(
                [
                    f"{lines[at].partition('=')[0]}= {random.choice(PIECES)}",
                    "",
                    random.choice(lines),
                    lines[at][:place] + random.choice('{}[]"\\=,\0é()*+?') + lines[at][place + 1 :],
                ]
            )
        try:
            get_peer(str(described(tmp_path, "\n".join(lines))))
        except GunrockError as error:
            said.append(str(error))
    assert len(said) > cases(300) / 2
    assert [message for message in said if not message.isprintable()] == []


@pytest.mark.parametrize("name", ["gone.toml", "folder.toml", "bytes.toml"])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.toml").mkdir()
    (tmp_path / "bytes.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(GunrockError, match=name):
        get_peer(str(tmp_path / name))


def test_the_command_line_refuses_it_before_it_makes_a_graph(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = described(tmp_path, replaced("format", '"sgg"'))
    with pytest.raises(SystemExit) as caught:
        main(["bfs", "rmat", "--scale", "29", "--against", str(path)])
    assert caught.value.code == 2
    text = capsys.readouterr().err
    assert text.startswith(f"gunrock: {path}: bfs: no format is called 'sgg'")
    assert text.count("\n") == 1


@pytest.mark.parametrize("name", ready_names())
def test_ready_descriptions_are_whole(name: str) -> None:
    path = Path(read.__code__.co_filename).parent / f"{name}.toml"
    found = read(path)
    assert found.name == name
    assert found.title
    assert len(found.version) == 7
    for sentence in (found.built, found.wrong):
        assert sentence.endswith(".")
        assert len(sentence) > 40
    assert found.version in found.built
    assert all(program.clock != "the program's own clock" for program in found.programs.values())
    assert all("/" in program.command[0] for program in found.programs.values()), (
        "a bare name such as cc might be another program of the system's"
    )


def test_there_is_a_ready_description_of_each() -> None:
    assert set(ready_names()) == {
        "adds",
        "blest",
        "ecl-cc",
        "ecl-gc",
        "ecl-mis",
        "ecl-mst",
        "galois",
        "gap",
        "gswitch",
        "gunrock-1.2",
        "ligra",
    }
    assert set(get_peer("gap").primitives) == {"bfs", "sssp", "bc", "cc", "pagerank", "triangles"}
    assert set(get_peer("gunrock-1.2").primitives) == {"bfs", "sssp", "bc", "pagerank"}
