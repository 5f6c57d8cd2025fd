"""Every declared option, found automatically, takes the same numbers on the command line and from
Python."""

from __future__ import annotations

import math
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import click
import numpy as np
import pytest

from gunrock_cli.cli.graph_options import cleaning_options
from gunrock_cli.cli.number_types import option_type
from gunrock_cli.errors import GunrockError, UsageError
from gunrock_cli.face.functions import function_of
from gunrock_cli.face.options import LOADING, MEASURING_OPTIONS, of_param
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.sources.generate.parameters import GENERATORS
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import checked
from gunrock_cli.primitives.run_options import RUN_OPTIONS

TEXTS = (
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1e308",
    "1e999",
    "-0.0",
    "0",
    "-1",
    "1",
    "2",
    "0.5",
    "1e-320",
    "5e-324",
    "1_0",
    " 1_0 ",
    "\uff11",
    "0x10",
    "True",
    "None",
    "",
    "1/2",
    "auto",
    "cost",
    str(2**31 - 1),
    str(2**31),
    str(2**64),
    "1" + "0" * 400,
)
NO_NUMBERS = (
    math.nan,
    math.inf,
    -math.inf,
    np.float64("nan"),
    Decimal("NaN"),
    Decimal("Infinity"),
    10**400,
    Fraction(10**400),
    True,
    np.True_,
    1j,
    b"1",
    [1],
    object(),
    " 1_0 ",
    "nan",
    "1e999",
)


def declared() -> Iterator[tuple[str, Option]]:
    for name in primitive_names():
        yield from ((name, option) for option in get_primitive(name).options)
    yield from (("every", option) for option in (*RUN_OPTIONS, *MEASURING_OPTIONS))


NUMBERS = [(name, option) for name, option in declared() if option.kind in (int, float)]


def on_the_command_line(option: Option, text: str) -> Any:
    """The parsed value of a text, or None if it is refused."""
    kind = option_type(option)
    assert kind is not None
    try:
        return kind.convert(text, None, None)
    except click.BadParameter:
        return None


def from_python(option: Option, value: Any) -> Any:
    try:
        return checked(option, value)
    except UsageError as error:
        said = str(error)
    assert said.startswith(f"{option.argument}=")
    assert "\n" not in said
    return None


def as_value(option: Option, text: str) -> Any:
    """A text as a program would write it, if it is a number of the option's kind."""
    try:
        return option.kind(text) if text.strip("-+.e0123456789infa") == "" else text
    except (OverflowError, ValueError):
        return text


@pytest.mark.parametrize(("name", "option"), NUMBERS, ids=[f"{n}-{o.name}" for n, o in NUMBERS])
def test_both_faces_take_the_same_numbers(name: str, option: Option) -> None:
    for text in TEXTS:
        there, here = on_the_command_line(option, text), from_python(option, as_value(option, text))
        assert repr(there) == repr(here), (text, there, here)
        if isinstance(there, float):
            assert math.isfinite(there)
            assert math.copysign(1, there) == 1 or there < 0, "a negative zero"
    for value in NO_NUMBERS:
        assert from_python(option, value) is None, value


@pytest.mark.parametrize(("name", "option"), NUMBERS, ids=[f"{n}-{o.name}" for n, o in NUMBERS])
def test_numbers_of_other_libraries_are_those_numbers(name: str, option: Option) -> None:
    least = option.minimum if option.minimum is not None and not option.min_open else 1
    plain = checked(option, option.kind(least))
    others = (
        (np.int64, np.uint8, np.array)
        if option.kind is int
        else (np.float64, np.array, Decimal, Fraction)
    )
    for other in others:
        found = checked(option, other(plain))
        assert (repr(found), type(found)) == (repr(plain), option.kind)


SMALL = load_graph(GraphSpec("path", params={"nodes": 9}), cache=False)
WEIGHED: tuple[Graph, ...] = (
    with_weights(SMALL, "random:1:64"),
    with_weights(SMALL, "random:0:1", "float32"),
)
ALONE = {
    ("bfs", "beta"): {"alpha": 15},
    ("bfs", "hybrid_threshold"): {"strategy": "hybrid"},
    ("sssp", "bound"): {"direction": "optimized"},
    ("ppr", "epsilon"): {"method": "push"},
}
"""Other options that an option needs to have an effect."""
OF_PRIMITIVES = [(name, option) for name, option in NUMBERS if name != "every"]


@pytest.mark.parametrize(
    ("name", "option"), OF_PRIMITIVES, ids=[f"{n}-{o.name}" for n, o in OF_PRIMITIVES]
)
def test_what_is_taken_runs_or_is_refused_for_a_reason(name: str, option: Option) -> None:
    """Values include the ends of its range, where sums overflow and nothing converges."""
    primitive: Primitive = get_primitive(name)
    call = function_of(primitive)
    for value in (0, -0.0, 1, 5e-324, 1e308, option.minimum, option.maximum, 2**31 - 1):
        taken = None if value is None else from_python(option, value)
        if taken is None:
            continue
        for graph in WEIGHED if primitive.needs.takes_weights else (SMALL,):
            how = {**ALONE.get((name, option.key), {}), option.key: taken}
            try:
                found = call(graph, backend="cpu", threads=1, max_steps=1000, **how)
            except GunrockError as error:
                said = str(error)
            else:
                assert all(
                    np.isfinite(array).all()
                    for key, array in found.outputs.items()
                    if array.dtype.kind == "f" and key != "distances"
                )
                continue
            assert "\n" not in said
            assert f"{option.argument}=" in said or "stopped after" in said


def test_what_load_takes_is_what_the_command_line_takes() -> None:
    command = click.command()(cleaning_options(lambda: None))
    there = {param.name: param for param in command.params}
    unset = command.make_context("any", []).params
    for option in LOADING:
        assert unset.get(option.key, option.default) == option.default, option.key
    for option in (each for each in LOADING if each.kind is int):
        for text in TEXTS:
            try:
                expected = there[option.key].type.convert(text, None, None)
            except click.BadParameter:
                expected = None
            assert from_python(option, as_value(option, text)) == expected, (option.key, text)


PARAMS = [(name, param) for name, generator in GENERATORS.items() for param in generator.params]


@pytest.mark.parametrize(("name", "param"), PARAMS, ids=[f"{n}-{p.key}" for n, p in PARAMS])
def test_generators_parameters_are_held_to_their_ranges(name: str, param: Any) -> None:
    option = of_param(param)
    if param.kind is bool:
        assert from_python(option, 1) is None
        return
    for value in NO_NUMBERS:
        assert from_python(option, value) is None, value
    assert param.minimum is not None
    assert from_python(option, param.kind(param.minimum)) == param.minimum
    assert from_python(option, param.minimum - 1) is None
