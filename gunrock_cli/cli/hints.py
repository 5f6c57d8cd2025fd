"""What an error says of a command or an option that there is not: what was probably meant, who has it, or
that it is missing."""

from __future__ import annotations

from collections.abc import Sequence

import click

from gunrock_cli.nearest import bare, did_you_mean
from gunrock_cli.primitives import get_primitive, primitive_names

COMMANDS = {
    "pr": "pagerank",
    "betweenness": "bc",
    "betweennesscentrality": "bc",
    "components": "cc",
    "connectedcomponents": "cc",
    "wcc": "cc",
    "dijkstra": "sssp",
    "bellmanford": "sssp",
    "deltastepping": "sssp",
    "shortestpath": "sssp",
    "shortestpaths": "sssp",
    "coloring": "color",
    "communities": "louvain",
    "personalizedpagerank": "ppr",
    "spanningtree": "mst",
    "msf": "mst",
    "independentset": "mis",
    "trianglecount": "triangles",
    "trianglecounting": "triangles",
    "tc": "triangles",
    "lcc": "clustering",
    "clusteringcoefficient": "clustering",
    "transitivity": "clustering",
    "core": "kcore",
    "cores": "kcore",
    "corenumber": "kcore",
    "corenumbers": "kcore",
    "truss": "ktruss",
    "clique": "cliques",
    "kcliques": "cliques",
    "trussness": "ktruss",
    "topologicalsort": "toposort",
    "labelpropagation": "cdlp",
    "lp": "cdlp",
    "lpa": "cdlp",
    "strongcomponents": "scc",
    "stronglyconnectedcomponents": "scc",
    "bcc": "biconnected",
    "biconnectedcomponents": "biconnected",
    "articulationpoints": "biconnected",
    "cutvertices": "biconnected",
    "bridges": "biconnected",
    "apsp": "distances",
    "allpairs": "distances",
    "multisourcebfs": "distances",
    "msbfs": "distances",
    "closenesscentrality": "closeness",
    "harmonic": "closeness",
    "harmoniccentrality": "closeness",
    "eccentricities": "eccentricity",
    "radius": "eccentricity",
    "bench": "sweep",
    "benchmark": "sweep",
    "ablation": "compare-modes",
}
"""Words of other tools for what there is."""
MISSING = {
    "astar": "A*",
    "dfs": "depth-first search",
    "maxflow": "maximum flow",
    "mincut": "minimum cut",
    "jaccard": "similarity of vertices",
    "randomwalk": "random walks",
    "rw": "random walks",
    "node2vec": "random walks",
    "katz": "Katz centrality",
    "subgraph": "subgraph matching",
    "sm": "subgraph matching",
    "geo": "geolocation",
    "spmv": "sparse matrix products",
    "spgemm": "sparse matrix products",
}
"""Primitives of other systems that are not here."""
OPTIONS = {
    "source": "--src",
    "root": "--src",
    "start": "--src",
    "trials": "--iterations",
    "repeat": "--iterations",
    "repetitions": "--iterations",
    "verify": "--check",
    "gpu": "--backend",
    "gpus": "--devices",
    "file": "--market",
    "input": "--market",
    "graph": "--market",
    "compare": "--against",
    "peers": "--against",
    "out": "--output",
    "predecessors": "--mark-pred",
    "parents": "--mark-pred",
    "symmetrize": "--undirected",
    "alpha": "--damping",
}
"""Words of other tools for options. A command that has an option of such a name never asks here."""


EVERY_PRIMITIVE = "primitives"
"""The owners of an option that every primitive has: of those, only a sweep's --set takes any."""


def no_such_command(name: str, commands: Sequence[str]) -> str:
    """One line about a command that there is not."""
    what = MISSING.get(bare(name))
    if what is not None:
        return (
            f"{name} ({what}) is missing here; docs/writing-a-primitive.md shows how to add a primitive"
        )
    return _asked(f"No such command '{name}'", did_you_mean(name, commands, COMMANDS))


def no_such_option(problem: click.NoSuchOption, command: click.Command) -> str:
    """One line about an option that a command has not: what was meant, or which primitives have it."""
    flag = problem.option_name
    options = [param for param in command.params if isinstance(param, click.Option)]
    known = [name for param in options for name in (*param.opts, *param.secondary_opts)]
    if OPTIONS.get(bare(flag)) not in known and (owners := _owners(flag)):
        called = problem.ctx.info_name if problem.ctx else command.name
        takes_settings = any(param.name == "settings" for param in options)
        if takes_settings and (owners != EVERY_PRIMITIVE or called == "sweep"):
            return f"{flag}: write --set {flag.lstrip('-')}=VALUE"
        return f"{flag}: {called} has no use for it; it is an option of {owners}"
    words = [name for name in known if len(name) > len("--a")]
    return _asked(f"No such option '{flag}'", did_you_mean(flag, words, OPTIONS))


def _asked(told: str, question: str) -> str:
    return f"{told}. {question[0].upper()}{question[1:]}" if question else told


def _owners(flag: str) -> str:
    """The primitives that ship and have the option."""
    from gunrock_cli.cli.primitive_command import common_options

    name = flag.removeprefix("--")
    if name in common_options():
        return EVERY_PRIMITIVE
    own = [
        each
        for each in primitive_names()
        if any(option.name == name.removeprefix("no-") for option in get_primitive(each).options)
    ]
    return ", ".join(own)
