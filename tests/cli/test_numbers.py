"""Every number of every command, found automatically: anything else is reported in one line, exit code
2."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from gunrock_cli.cli.main import cli, main
from gunrock_cli.cli.number_types import MOST, Real, Whole
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.primitives import get_primitive, primitive_names

NO_NUMBERS = ("nan", "inf", "-inf", "1e999", "\u00b2", "", "0x10", "1,5", "five", "1_0", "\uff11")


def commands(group: click.Group, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, *words, name)
        else:
            yield (*words, name), found


def options() -> Iterator[tuple[tuple[str, ...], click.Command, click.Option]]:
    for words, found in commands(cli):
        yield from ((words, found, param) for param in found.params if isinstance(param, click.Option))


NUMERIC = [
    (words, found, option) for words, found, option in options() if isinstance(option.type, (Whole, Real))
]


RANGES = {
    (type(option.type), *sorted(vars(option.type).items())): (found, option)
    for _, found, option in NUMERIC
}
"""An option for each type and range: options that share them parse alike."""


def refused(capsys: pytest.CaptureFixture[str], words: list[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(words)
    shown = capsys.readouterr()
    assert ended.value.code == 2, shown
    assert shown.err.startswith("gunrock: ")
    assert shown.err.count("\n") == 1
    return shown.err


def test_no_option_has_clicks_own_type_of_number() -> None:
    own = [
        (words, option.name)
        for words, _, option in options()
        if isinstance(option.type, (click.types.IntParamType, click.types.FloatParamType))
        and not isinstance(option.type, (Whole, Real))
    ]
    assert own == []
    assert len(NUMERIC) > 100


@pytest.mark.parametrize(
    ("found", "option"),
    RANGES.values(),
    ids=["-".join((found.name or "", option.opts[0].strip("-"))) for found, option in RANGES.values()],
)
def test_what_is_no_number_is_refused(found: click.Command, option: click.Option) -> None:
    """Parsed as Click does, without the rest of the command line, once for each type and range."""
    flag = option.opts[0]
    bad = [*NO_NUMBERS, str(2**64), "9" * 5000]
    if isinstance(option.type, Whole):
        bad += ["1.5", "1e3"]
    if isinstance(option.type, Real):
        bad.remove(str(2**64))
    if option.type.min is not None:
        bad.append(str(int(option.type.min) - 1))
    for text in bad:
        with pytest.raises(click.BadParameter) as caught:
            option.type.convert(text, option, click.Context(found))
        assert text in caught.value.message or "range" in caught.value.message, flag


@pytest.mark.parametrize(
    "words",
    [
        ("bfs", "rmat", "--threads", "20000"),
        ("bfs", "rmat", "--iterations", str(2**64)),
        ("pagerank", "rmat", "--damping", "nan"),
        ("pagerank", "rmat", "--tolerance", "inf"),
        ("bfs", "rgg", "--radius", "inf"),
        ("bfs", "rgg", "--threshold-factor", "nan"),
        ("stats", "rmat", "--edges", str(2**64)),
        ("generate", "rmat", "--scale", str(2**64)),
        ("sweep", "--graph", "rmat", "--primitive", "bfs", "--time-limit", "inf"),
        ("sweep", "--graph", "rmat", "--primitive", "bfs", "--time-limit", "1e300"),
        ("compare-modes", "pagerank", "rmat", "--set", "damping=nan"),
        ("compare-modes", "pagerank", "rmat", "--set", f"max_iterations={2**64}"),
    ],
    ids=" ".join,
)
def test_on_the_command_line(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, list(words))


TEXTS = [
    (name, option)
    for name in primitive_names()
    for option in get_primitive(name).options
    if (option.kind is str and not option.choices) or option.words
]


@pytest.mark.parametrize(
    ("name", "option"), TEXTS, ids=[f"{name}-{option.name}" for name, option in TEXTS]
)
@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e999", "\u00b2", "", "9" * 5000, "5e"])
def test_numbers_that_may_be_auto(
    name: str, option: object, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (name, text) == ("sample", "-1"):
        text = "-2"  # of a fan-out -1 means all
    flag = f"--{option.name}"  # type: ignore[attr-defined]
    assert flag in refused(
        capsys,
        [
            name,
            "path",
            "--nodes",
            "9",
            "--backend",
            "cpu",
            "--no-cache",
            *(("--weights", "unit") if name == "sssp" else ()),
            flag,
            text,
        ],
    )


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "1e9", str(2**64), "\u00b2", "9" * 5000, "0x1"])
def test_sources(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--src" in refused(
        capsys, ["bfs", "path", "--nodes", "9", "--backend", "cpu", "--no-cache", "--src", text]
    )


@pytest.mark.parametrize(
    "text",
    [
        "random:nan:1",
        "random:1:inf",
        f"random:1:{2**64}",
        "random:-:1",
        "random:\u00b2:3",
        "random:1:" + "9" * 5000,
    ],
)
def test_bounds_of_weights(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--weights" in refused(
        capsys, ["bfs", "path", "--backend", "cpu", "--no-cache", "--weights", text]
    )


@pytest.mark.parametrize("text", ["nan", "inf", "-1", "5%%", "\u00b2%", "", "1e999"])
def test_shares(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    refused(capsys, ["compare", str(tmp_path), str(tmp_path), "--fail-over", text])


def test_ends_of_ranges() -> None:
    assert Whole(0).convert(str(MOST), None, None) == MOST
    with pytest.raises(click.BadParameter, match=f"at most {MOST}"):
        Whole(0).convert(str(MOST + 1), None, None)
    assert Whole(0, 2**63 - 1).convert(str(2**63 - 1), None, None) == 2**63 - 1
    assert Real(0).convert("1e308", None, None) == 1e308


def test_generators_that_share_a_parameter_share_its_range() -> None:
    """The command line has one option for all of them."""
    ranges: dict[str, set[tuple[object, ...]]] = {}
    for generator in GENERATORS.values():
        for param in generator.params:
            ranges.setdefault(param.key, set()).add((param.kind, param.minimum, param.maximum))
    assert [key for key, found in ranges.items() if len(found) > 1] == []
