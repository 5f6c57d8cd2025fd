"""A function for each primitive; its signature and help come from the primitive's declarations."""

from __future__ import annotations

import inspect
import os
import textwrap
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import Any, Literal

from gunrock_cli.errors import UsageError
from gunrock_cli.face.arguments import by_key, in_python, in_pythons_words
from gunrock_cli.face.near import nearest
from gunrock_cli.face.options import COMMON, LOADING, MEASURED, TAKEN
from gunrock_cli.face.result import Result
from gunrock_cli.face.solve import solve
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Primitive, SumsSources
from gunrock_cli.primitives.external import load_primitive
from gunrock_cli.primitives.guarded import guarded
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.resolve import offered

_A = (
    "A: a SciPy or CuPy sparse matrix of any format (entry (i, j) is the edge from i to j), a pair of "
    "arrays (source, target), three with weights, a frame of edges (pandas, Arrow), a NetworkX graph, "
    "a DynamicGraph, or a graph of load(), as_graph() or from_csr()."
)
_WEIGHTS = "Weights are A's values; every edge weighs 1 where it has none, or booleans."
_RETURNS = (
    "Returns a Result: the outputs as attributes, NumPy or CuPy as A is, record, trace, and "
    "to_frame(). Raises errors.GunrockError in one line."
)
_PREVIOUS = (
    "previous: where A is a DynamicGraph, a Result for an earlier state of it, from the same source; the "
    "run goes on from there. Default: from scratch."
)
_SOURCE = (
    "source: the vertex to start from, by its name where the vertices have names, or 'largest-degree', "
    "the one with the most edges out."
)
_SOURCES = f"{_SOURCE} A list of several adds up their answers."


def function_of(primitive: Primitive) -> Callable[..., Result]:
    """``primitive`` as a function of A, the source if it has one, and options by keyword."""

    def from_source(A: Any, source: Any = 0, **options: Any) -> Result:
        with in_pythons_words((*primitive.options, *COMMON, *LOADING), {**options, "source": source}):
            return solve(primitive, A, source, options)

    def on_all(A: Any, **options: Any) -> Result:
        given = by_key(primitive.options, options)
        with in_pythons_words((*primitive.options, *COMMON, *LOADING), given):
            return solve(primitive, A, None, given)

    call = from_source if primitive.source is not None else on_all
    call.__name__ = call.__qualname__ = primitive.name
    call.__module__ = __package__.rpartition(".")[0]  # where users find it
    call.__doc__ = _text(primitive)
    signature = _signature(primitive)
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__annotations__ = {
        **{name: parameter.annotation for name, parameter in signature.parameters.items()},
        "return": Result,
    }
    return call


def run(primitive: str | os.PathLike[str] | Primitive, A: Any, **how: Any) -> Result:
    """Run a primitive of your own on A.

    ``primitive`` is its file (FILE.py, with its kernel next to it, see docs/writing-a-primitive.md), the
    object itself, or the name of one that ships. Everything else is as for the functions: ``source=`` if
    it needs one, its own options and the common ones by keyword. Returns a Result with arrays of A's
    kind; raises one-line errors.GunrockError."""
    return function_of(primitive_of(primitive))(A, **how)


def primitive_of(primitive: str | os.PathLike[str] | Primitive) -> Primitive:
    """Return a primitive that ships, by its name, or a user's own, by its file; UsageError for an unknown
    name, InputError for an invalid file."""
    if isinstance(primitive, Primitive):
        ships = type(primitive).__module__.startswith("gunrock_cli.")
        return primitive if ships else guarded(copy(primitive), type(primitive).__name__)
    named = os.fspath(primitive)
    if named in primitive_names():
        return get_primitive(named)
    if not named.endswith(".py"):
        known = nearest(named, primitive_names())
        raise UsageError(f"no primitive {named!r}: {known}, and those of a FILE.py")
    return load_primitive(named, TAKEN)


def _signature(primitive: Primitive) -> inspect.Signature:
    first = inspect.Parameter("A", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Any)
    parameters = [first]
    if primitive.source is not None:
        one = int | str
        several = one | Iterable[int]
        kind = several if isinstance(primitive, SumsSources) else one
        parameters.append(first.replace(name="source", default=0, annotation=kind))
    if primitive.goes_on_from:
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters.append(inspect.Parameter("previous", keyword, default=None, annotation=Result | None))
    for option in (*primitive.options, *MEASURED, *offered(primitive)):
        parameters.append(
            inspect.Parameter(
                option.argument,
                inspect.Parameter.KEYWORD_ONLY,
                default=option.default,
                annotation=_type(option),
            )
        )
    return inspect.Signature(parameters, return_annotation=Result)


def _type(option: Option) -> Any:
    kind: Any = option.kind
    if option.choices:
        kind = Literal[option.choices]
    elif option.lists_vertices:
        kind = str | Iterable[int]
    elif option.takes_list:
        kind = str | int | Iterable[int]
    elif option.words:
        kind = kind | Literal[option.words]
    elif kind is str:
        kind = str | float  # a count or a list
    return kind if option.default is not None else kind | None


def _text(primitive: Primitive) -> str:
    known = (*primitive.options, *COMMON)
    weighs = primitive.needs.takes_weights
    parts = [primitive.summary, _A + (f" {_WEIGHTS}" if weighs else "")]
    if primitive.source is not None:
        parts.append(_SOURCES if isinstance(primitive, SumsSources) else _SOURCE)
    parts += [
        *([_PREVIOUS] if primitive.goes_on_from else []),
        _RETURNS,
        *_described(f"Options of {primitive.name}:", primitive.options, known),
        *_described("Options of every primitive:", (*MEASURED, *offered(primitive)), known),
    ]
    filled = [textwrap.fill(part, 100) if "\n" not in part else part for part in parts[1:]]
    summary = in_python(primitive.summary, known)
    return "\n\n".join((summary, *filled))  # the first line stays a single line


def _described(title: str, options: Iterable[Option], known: Iterable[Option]) -> Iterator[str]:
    lines = [
        textwrap.fill(
            f"{option.argument}={option.default!r}: {in_python(option.help, known)}"
            f"{_choices(option)}{_unset(option)}",
            100,
            initial_indent="    ",
            subsequent_indent="        ",
        )
        for option in options
    ]
    if lines:
        yield "\n".join((title, *lines))


def _choices(option: Option) -> str:
    return f" One of {', '.join(option.choices)}." if option.choices else ""


def _unset(option: Option) -> str:
    return "" if option.unset is None else f" Default: {option.unset}."
