"""How far blocks run ahead where the user leaves it to the tool."""

import pytest
from graph_helper import generated

from gunrock_cli.errors import UsageError
from gunrock_cli.graph.model import Graph
from gunrock_cli.operators.advance_ahead import LEVELS, levels_ahead
from gunrock_cli.operators.lists import has_many_levels


def resolved(graph: Graph, text: str = "auto", able: bool = True) -> int:
    return levels_ahead(text, graph, able, "--direction push")


@pytest.mark.parametrize(("generator", "how", "levels"), [
    ("grid2d", {"width": 30, "height": 30}, LEVELS),
    ("grid3d", {"width": 9, "height": 9, "depth": 9}, LEVELS),
    ("random", {"nodes": 2000, "edges": 64000}, 1),  # without hubs, but all is reached in three levels
    ("rmat", {"scale": 10, "edge_factor": 8}, 1),  # hubs
])
def test_by_itself_only_where_many_levels_are_expected(generator: str, how: dict[str, int],
                                                       levels: int) -> None:
    graph = generated(generator, **how)
    assert resolved(graph) == levels
    assert has_many_levels(graph) == (levels > 1)
    assert resolved(graph, able=False) == 1


def test_as_told_on_every_graph() -> None:
    graph = generated("random", nodes=2000, edges=64000)
    assert resolved(graph, "7") == 7
    with pytest.raises(UsageError, match="--run-ahead 7 needs --direction push"):
        resolved(graph, "7", able=False)
