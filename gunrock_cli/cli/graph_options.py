"""The options that choose a graph, shared by every command that needs one.

``@graph_options`` adds them to a Click command and calls the function with

- ``graph_spec``: a GraphSpec (``graph.load.load_graph`` turns it into a Graph),
- ``use_cache``: False with ``--no-cache``,
- ``seed``: the command's only ``--seed``, for generators and for random sources alike.

Usage errors (two graphs, no graph, a parameter that the generator does not take) are raised as one-line
UsageErrors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import click

from gunrock_cli.cli.help_groups import Group, Level, option
from gunrock_cli.cli.number_types import MOST, Real, Whole
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.sources.files.readers.formats import KINDS
from gunrock_cli.graph.sources.generate.parameters import GENERATORS, Param
from gunrock_cli.graph.spec import FILE_KINDS, GraphSpec, spec_from_name

NO_GRAPH = (
    "no graph given: name a generator (rmat --scale 20), a file (--market FILE.mtx) or a "
    "data set (gunrock datasets list)"
)


COMMON_FILES = ("market", "edge-list", "table")
COMMON_PARAM = "scale"
"""The files and the generators' parameter that everyone's help shows."""


class GraphName(click.ParamType):
    """A generator, a file or a data set; completes generators and data sets."""

    name = "graph"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        from gunrock_cli.graph.sources.downloads.datasets import read_catalogue

        names = [*GENERATORS, *read_catalogue()]
        found = [
            click.shell_completion.CompletionItem(name) for name in names if name.startswith(incomplete)
        ]
        return found or [click.shell_completion.CompletionItem(incomplete, type="file")]


def generator_params() -> dict[str, dict[str, Param]]:
    """Every generator parameter except the seed: its form in each generator that takes it."""
    found: dict[str, dict[str, Param]] = {}
    for generator in GENERATORS.values():
        for param in generator.params:
            if param.key != "seed":
                found.setdefault(param.key, {})[generator.name] = param
    return found


def generator_options(function: Callable[..., Any], *, brief: bool = False) -> Callable[..., Any]:
    """Add the generators' parameters, each None if not given. ``brief``: help only names them, and
    without --help-all only the most common one."""
    for key, takers in reversed(generator_params().items()):
        param = next(iter(takers.values()))
        flag = f"{param.flag}/--no-{key.replace('_', '-')}" if param.kind is bool else param.flag
        function = option(
            Group.GENERATOR,
            flag,
            key,
            level=Level.SOME if brief and key != COMMON_PARAM else Level.EVERYONE,
            takers=tuple(takers) if brief else (),
            type=_param_type(param),
            default=None,
            show_default=False,
            help=param.help if brief else f"[{', '.join(takers)}] {param.help}{_defaults(takers)}",
        )(function)
    return function


def _param_type(param: Param) -> Any:
    """A type that checks for a number; the generator checks its range."""
    if param.kind is int:
        return Whole(most=max(MOST, int(param.maximum or 0)))
    return Real() if param.kind is float else param.kind


def _defaults(takers: dict[str, Param]) -> str:
    values = {param.default for param in takers.values()}
    if values == {None}:
        return ""
    if len(values) == 1:
        return f" Default {values.pop()}."
    each = [f"{param.default} for {name}" for name, param in takers.items() if param.default is not None]
    return f" Default {', '.join(each)}."


def cleaning_options(
    function: Callable[..., Any], *, directed: bool = False, weighted: bool = True
) -> Callable[..., Any]:
    """Add the options that decide how edges become a graph, and their weights. ``directed``: keep
    directions unless told otherwise. ``weighted``: everyone's help shows --weights."""
    for add in reversed(
        (
            option(
                Group.EDGES,
                "--undirected/--directed",
                level=Level.EVERYONE,
                default=not directed,
                help="Add the reverse of every edge, or keep directions.",
            ),
            option(Group.EDGES, "--keep-self-loops", is_flag=True, help="Do not drop self loops."),
            option(
                Group.EDGES,
                "--keep-duplicates",
                is_flag=True,
                help="Do not drop repeated edges (else the lightest stays, for matching the heaviest).",
            ),
            option(
                Group.EDGES,
                "--weights",
                level=Level.EVERYONE if weighted else Level.SOME,
                metavar="SPEC",
                help="Edge weights: none, unit, random (1 to 64) or random:LOW:HIGH. "
                "Without it, those of the file.",
            ),
            option(
                Group.EDGES,
                "--weight-type",
                type=click.Choice(["int32", "float32"]),
                help="Type of the weights; without it the file's, int32 when random.",
            ),
            option(
                Group.EDGES,
                "--weight-seed",
                type=Whole(0, most=2**63 - 1),
                default=0,
                help="Seed of random weights.",
            ),
            option(
                Group.GENERATOR,
                "--seed",
                type=Whole(0, most=2**63 - 1),
                default=0,
                help="Seed of the generator, and of random sources.",
            ),
        )
    ):
        function = add(function)
    return function


def graph_options(
    function: Callable[..., Any] | None = None,
    *,
    required: bool = True,
    directed: bool = False,
    weighted: bool = True,
) -> Callable[..., Any]:
    """Add every graph option; the module's docstring says what the function receives.

    Used bare, or as ``@graph_options(required=False)``: then ``graph_spec`` is None if no graph was
    given. ``directed``: edges keep their directions unless told otherwise. ``weighted``: everyone's help
    shows --weights.
    """
    if function is None:
        return functools.partial(graph_options, required=required, directed=directed, weighted=weighted)
    inner = function

    @functools.wraps(inner)
    def with_graph(*args: Any, **kwargs: Any) -> Any:
        spec, use_cache = _take_spec(kwargs, required)
        return inner(*args, graph_spec=spec, use_cache=use_cache, **kwargs)

    wrapped: Callable[..., Any] = with_graph
    wrapped = option(
        Group.FILE, "--no-cache", is_flag=True, help="Neither read nor write the cache of loaded graphs."
    )(wrapped)
    wrapped = generator_options(wrapped, brief=True)
    wrapped = cleaning_options(wrapped, directed=directed, weighted=weighted)
    wrapped = _naming_options(wrapped)
    for kind in reversed(FILE_KINDS):
        wrapped = option(
            Group.FILE,
            f"--{kind}",
            _file_key(kind),
            level=Level.EVERYONE if kind in COMMON_FILES else Level.SOME,
            metavar="FILE",
            help=KINDS[kind].help,
        )(wrapped)
    return click.argument("graph", required=False, type=GraphName())(wrapped)


class _ColumnNames(click.ParamType):
    """Names separated by commas."""

    name = "names"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        found = tuple(word.strip() for word in value.split(",")) if isinstance(value, str) else value
        if len(found) not in (2, 3) or not all(found):
            self.fail(
                f"{value}: name the source's and the target's, and where there are weights the weight's",
                param,
                ctx,
            )
        return found


def _naming_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how the file names its vertices."""
    for add in reversed(
        (
            option(
                Group.FILE,
                "--columns",
                type=_ColumnNames(),
                metavar="SRC,DST[,WEIGHT]",
                help="Columns of a --table; without it source, target and, where there is one, weight.",
            ),
            option(
                Group.FILE,
                "--named",
                is_flag=True,
                help="The ends in an --edge-list are names: words, or numbers of any size.",
            ),
            option(
                Group.FILE,
                "--vertex-names",
                metavar="FILE",
                help="Names for the vertices of a graph that has none, a line each.",
            ),
        )
    ):
        function = add(function)
    return function


def check_graph(values: Mapping[str, Any]) -> None:
    """Refuse graph options, as parsed by Click, that contradict each other; the input need not exist
    yet."""
    name = values["graph"]
    if name in GENERATORS or name is None or names_a_file(values):
        _take_spec(dict(values), required=True)


def graph_spec_of(values: Mapping[str, Any]) -> GraphSpec:
    """The spec of the graph that these options choose."""
    spec, _ = _take_spec(dict(values), required=True)
    assert spec is not None
    return spec


def names_a_file(values: Mapping[str, Any]) -> bool:
    """True if any of the options for files is given."""
    return any(values[_file_key(kind)] is not None for kind in FILE_KINDS)


def _file_key(kind: str) -> str:
    return f"file_{kind.replace('-', '_')}"


def _take_spec(kwargs: dict[str, Any], required: bool) -> tuple[GraphSpec | None, bool]:
    """Take the graph options out of ``kwargs``; the seed stays."""
    graph = kwargs.pop("graph")
    files = {kind: kwargs.pop(_file_key(kind)) for kind in FILE_KINDS}
    params = {key: kwargs.pop(key) for key in generator_params()}
    use_cache = not kwargs.pop("no_cache")
    cleaning = {
        key: kwargs.pop(key)
        for key in (
            "undirected",
            "keep_self_loops",
            "keep_duplicates",
            "weights",
            "weight_type",
            "weight_seed",
            "columns",
            "named",
            "vertex_names",
        )
    }
    given = [(kind, path) for kind, path in files.items() if path is not None]
    if (graph is not None) + len(given) > 1:
        raise UsageError(
            "more than one graph given: "
            + ", ".join(
                ([graph] if graph is not None else []) + [f"--{kind} {path}" for kind, path in given]
            )
        )
    if graph is not None:
        return spec_from_name(graph, params, kwargs["seed"], **cleaning), use_cache
    stray = [key for key, value in params.items() if value is not None]
    if stray:
        flags = ", ".join("--" + key.replace("_", "-") for key in stray)
        raise UsageError(f"{flags}: only generators take this, not files")
    if not given:
        if required:
            raise UsageError(NO_GRAPH)
        return None, use_cache
    kind, path = given[0]
    if path == "-" and KINDS[kind].parts:
        raise UsageError(f"--{kind} -: such a graph lies in several files, so it cannot come from stdin")
    return GraphSpec(kind=kind, path=path, **cleaning), use_cache
