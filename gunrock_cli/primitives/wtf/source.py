"""The users to whom the options recommend."""

from __future__ import annotations

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.vertex_list import by_number, listed_vertices
from gunrock_cli.primitives.question import Source
from gunrock_cli.primitives.wtf.options import WtfOptions


class User(Source):
    """Runs start from users, one each; a batch is one run, for all of its own."""

    def is_read(self, options: WtfOptions) -> bool:
        return options.batch is None

    def named(self, graph: Graph, options: WtfOptions) -> list[int]:
        user, users = options.user, options.users
        if user is not None and users is not None:
            raise UsageError("--user names one, --users several: leave one of them out")
        if users is not None:
            return listed_vertices(graph, users, "--users", repeated=True)
        return [] if user is None else listed_vertices(graph, by_number(str(user)), "--user")
