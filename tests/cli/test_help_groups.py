"""Help as a user reads it: options in groups, one line per generator, examples everywhere."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from click.testing import CliRunner

from gunrock_cli.cli.graph_options import generator_params
from gunrock_cli.cli.help_groups import Group, GroupedCommand, GroupedOption, Level, option
from gunrock_cli.cli.main import cli
from gunrock_cli.cli.primitive_command import primitive_command
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.primitives import get_primitive, primitive_names

COMMANDS = cli.list_commands(click.Context(cli))


def help_of(*words: str, flag: str = "--help") -> str:
    """As on a terminal of 80 columns, of which click leaves two free."""
    done = CliRunner().invoke(cli, [*words, flag], prog_name="gunrock", terminal_width=78)
    assert done.exit_code == 0, done.output
    return done.output


def sections(text: str) -> dict[str, str]:
    """The sections by title, in order."""
    found = re.findall(r"^([A-Z][a-z ]+):\n(.*?)(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    return dict(found)


@pytest.mark.parametrize("name", primitive_names())
def test_a_primitive_shows_its_groups_in_order(name: str) -> None:
    found = list(sections(help_of(name, flag="--help-all")))
    wanted = [
        str(group)
        for group in Group
        if group is not Group.SOURCE or get_primitive(name).source is not None
    ]
    assert found == [*wanted, "For experts", "Other"]


@pytest.mark.parametrize("name", primitive_names())
@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_fits_a_screen_and_begins_with_the_graph(name: str, flag: str) -> None:
    lines = help_of(name, flag=flag).splitlines()
    assert len(lines) < 50
    assert max(map(len, lines)) <= 80
    assert next(iter(sections("\n".join(lines)))) == "Graph and source"
    assert len([line for line in lines if line.startswith("    gunrock ")]) == 3


@pytest.mark.parametrize("name", primitive_names())
def test_help_shows_all_that_is_for_everyone_and_nothing_else(name: str) -> None:
    text = help_of(name)
    for param in primitive_command(name).params:
        if isinstance(param, GroupedOption):
            shown = re.search(rf"^  (?:-\w, )?{param.opts[0]}\b(?!-)", text, re.MULTILINE) is not None
            assert shown == (param.level is Level.EVERYONE), param.opts


def test_experts_options_come_last() -> None:
    found = sections(help_of("bfs", flag="--help-all"))
    experts = [option.name for option in get_primitive("bfs").options if option.expert]
    assert experts
    for name in experts:
        assert re.search(rf"^  --{name}\b", found["For experts"], re.MULTILINE), name


@pytest.mark.parametrize(
    ("group", "flag"),
    [
        ("Algorithm", "--direction "),
        ("For experts", "--lb-threshold"),
        ("Source", "--src"),
        ("Measuring", "--iterations"),
        ("Output", "--json"),
        ("Graph file", "--market"),
        ("Edges and weights", "--weights"),
        ("Generator", "--seed"),
        ("Other", "--help"),
    ],
)
def test_an_option_stands_in_its_group(group: str, flag: str) -> None:
    row = re.compile(rf"^  (?:-\w, )?{flag}", re.MULTILINE)
    found = sections(help_of("bfs", flag="--help-all"))
    assert [title for title, text in found.items() if row.search(text)] == [group]


@pytest.mark.parametrize("name", primitive_names())
def test_every_option_of_a_primitive_is_shown_once(name: str) -> None:
    text = help_of(name, flag="--help-all")
    for param in primitive_command(name).params:
        if isinstance(param, GroupedOption) and not param.takers:
            names = ", ".join(name for name in param.opts if name.startswith("--"))
            rows = re.findall(rf"^  (?:-\w, )?{names}\b(?!-)", text, re.MULTILINE)
            assert len(rows) == 1, param.opts
        assert isinstance(param, GroupedOption | click.Argument), param.name


def test_generators_are_a_line_each_with_what_they_take() -> None:
    text = sections(help_of("bfs", flag="--help-all"))["Generator"]
    for generator in GENERATORS.values():
        line = re.search(rf"^  {generator.name} +(.*)$", text, re.MULTILINE)
        assert line is not None, generator.name
        assert set(line[1].split()) == {param.flag for param in generator.params if param.key != "seed"}
    assert len(text.splitlines()) <= len(GENERATORS) + 5


def test_generate_explains_what_the_others_only_name() -> None:
    text = " ".join(help_of("generate").split())
    for key, takers in generator_params().items():
        assert f"--{key.replace('_', '-')}" in text
        assert " ".join(next(iter(takers.values())).help.split()) in text


@pytest.mark.parametrize(
    "words",
    [["bfs", "rmat"], ["compare-modes", "bfs", "rmat"], ["graphalytics", "run", "g.properties"]],
    ids=" ".join,
)
def test_runs_are_called_runs_as_from_python_and_in_records(words: list[str]) -> None:
    command: click.Command | None = cli
    context = click.Context(cli, info_name="gunrock")
    while isinstance(command, click.Group):
        name, *words = words
        command = command.get_command(context, name)
    assert command is not None
    for flag in ("--runs", "--iterations"):
        assert command.make_context(name, [*words, flag, "3"]).params["runs"] == 3


def test_options_without_a_group_come_first() -> None:
    @click.command(cls=GroupedCommand)
    @option(Group.OUTPUT, "--json", is_flag=True)
    @click.option("--own", help="Of this command.")
    def command(**_: object) -> None: ...

    found = sections(CliRunner().invoke(command, ["--help-all"]).output)
    assert list(found) == ["Options", "Output", "Other"]
    assert "--own" in found["Options"]


def test_no_range_without_an_end_is_shown() -> None:
    assert "None" not in help_of("generate")


@pytest.mark.parametrize(
    "words",
    [[], ["cache"], ["datasets"], ["graphalytics"], ["microbench"], ["peers"], ["results"]],
    ids=" ".join,
)
def test_summaries_of_commands_are_shown_whole(words: list[str]) -> None:
    """A summary is a sentence, not its beginning."""
    text = sections(help_of(*words))["Commands"]
    rows = re.split(r"^  (?=\S)", text.partition("\n\n")[0], flags=re.MULTILINE)[1:]
    assert rows
    assert [row for row in rows if not re.search(r"[^.]\.$", row.strip())] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_examples(name: str) -> None:
    text = help_of(name)
    shown = re.findall(r"^ +gunrock (\S+)(.*)$", text.partition("Examples:")[2], re.MULTILINE)
    assert shown
    assert any(word == name for word, _ in shown)


def examples() -> list[list[str]]:
    """The words of every example that is one command."""
    found = [
        re.findall(r"^ +gunrock (.+)$", help_of(name).partition("Examples:")[2], re.MULTILINE)
        for name in COMMANDS
    ]
    return [shlex.split(line, comments=True) for lines in found for line in lines]


@pytest.mark.parametrize("words", examples(), ids=" ".join)
def test_examples_name_options_that_there_are(words: list[str]) -> None:
    command: click.Command | None = cli
    context = click.Context(cli, info_name="gunrock")
    rest = iter(words)
    while isinstance(command, click.Group):
        command = command.get_command(context, next(rest))
    assert command is not None
    if command.context_settings.get("ignore_unknown_options"):
        return  # it passes them on: to a user's file, to the profiled run
    known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
    assert {word for word in rest if word.startswith("-")} <= known | {"--help", "--help-all"}
