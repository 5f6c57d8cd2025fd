"""The configurations of an ablation, for every primitive that ships and for made-up ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from records_helper import make_record

from gunrock_cli.bench.records.record import Record
from gunrock_cli.bench.studies.ablation import (
    RUN_AXES,
    Ablation,
    Configuration,
    Variant,
    base_options,
    panels,
)
from gunrock_cli.cli.settings import parse_settings
from gunrock_cli.errors import UsageError
from gunrock_cli.graph.load import load_graph
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.graph.model.weights import with_weights
from gunrock_cli.graph.spec import GraphSpec
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.frontier import NO_FRONTIER, Frontier
from gunrock_cli.primitives.options import Options, option
from gunrock_cli.primitives.variant import Variant as Planned

MESH = GraphSpec("grid2d", params={"width": 9, "height": 8})
HUBS = GraphSpec("rmat", params={"scale": 7})


@dataclass(frozen=True)
class ToyOptions(Options):
    idempotence: bool = option(False, "", panel="Together")
    cull: bool = option(True, "", panel="Together", under={"idempotence": True})
    direction: Literal["auto", "push", "pull"] = option("auto", "")
    mark: bool = option(False, "", changes_answer=True)
    alias: bool | None = option(None, "")
    alpha: float = option(2.0, "", minimum=0.0, maximum=9.0)


class Toy(Primitive):
    name = "toy"
    takes = ToyOptions
    frontier = NO_FRONTIER

    def plan(self, graph: Graph, asked: ToyOptions) -> Planned[ToyOptions]:
        if asked.direction == "pull" and asked.idempotence:
            raise UsageError("pull is exact")
        return Planned(graph, replace(asked, direction="push") if asked.direction == "auto" else asked)


def measured(calls: list[Configuration]) -> Any:
    def measure(configurations: list[Configuration]) -> list[Record]:
        calls.extend(configurations)
        return [make_record("toy", options={**run, **options}) for options, run in configurations]

    return measure


def labels(found: list[Variant]) -> list[str]:
    return [variant.label for variant in found]


def test_panels_come_from_the_options() -> None:
    found = panels(Toy(), {})
    assert [panel.title for panel in found] == ["Together", "Direction", "Loop"]
    assert labels(found[0].variants) == [
        "idempotence=false",
        "idempotence=true",
        "cull=false",
        "cull=true",
    ]
    assert labels(found[1].variants) == ["direction=push", "direction=pull"]
    assert found[0].variants[2].options["idempotence"] is True


def test_a_new_option_appears_by_itself() -> None:
    @dataclass(frozen=True)
    class More(ToyOptions):
        new_way: Literal["a", "b"] = option("a", "")

    class Grown(Toy):
        takes = More
        frontier = Frontier(advance_under={"direction": "push"})

    found = {panel.title: panel.variants for panel in panels(Grown(), {})}
    assert labels(found["New way"]) == ["new_way=a", "new_way=b"]
    assert len(found["Workload mapping"]) == 8
    assert all(variant.options["direction"] == "push" for variant in found["Workload mapping"])


def test_equal_configurations_are_measured_once() -> None:
    calls: list[Configuration] = []
    ablation = Ablation(Toy(), load_graph(MESH), {}, measured(calls))
    default, rows = ablation.default(), list(ablation.rows())
    assert len(calls) == len(ablation.configurations) == 5
    assert calls[0] == ablation.split(ablation.base)
    shown = {(row.panel, row.variant.label): row for row in rows}
    assert ("Together", "cull=true") not in shown  # idempotence=true, which is shown there
    assert shown["Direction", "direction=push"].record is default  # the meaning of auto
    assert shown["Loop", "loop=device"].record is default
    assert ablation.also_changed(shown["Together", "cull=false"].variant) == ["idempotence=true"]


def test_what_the_user_set_stands_and_refusals_are_told() -> None:
    calls: list[Configuration] = []
    given = {"idempotence": True, "alpha": 3.0}
    ablation = Ablation(Toy(), load_graph(MESH), given, measured(calls))
    ablation.default()
    refused = [row for row in ablation.rows() if row.record is None]
    assert [(row.variant.label, row.refusal) for row in refused] == [("direction=pull", "pull is exact")]
    assert {call[0]["alpha"] for call in calls} == {3.0}


@pytest.mark.parametrize("spec", [MESH, HUBS], ids=["mesh", "hubs"])
@pytest.mark.parametrize("name", primitive_names())
def test_an_axis_changes_nothing_else(name: str, spec: GraphSpec) -> None:
    """Figure 8 requires this of its records. (Blocks that run ahead have their own delta, a push has no
    bound, hook-jump has nothing to link or to sample, and links by random ranks do not begin at a hub;
    hubs' neighbors are too many to be polled, or for classes.)"""
    primitive = get_primitive(name)
    graph = load_graph(spec)
    if primitive.needs.weights:
        graph = with_weights(graph, "random:1:64")
    ablation = Ablation(primitive, graph, {}, measured([]))
    for panel in ablation.panels:
        rests: dict[str, set[str]] = {}
        for variant in panel.variants:
            if variant.value in ("polled", "by-class", "by-number") and spec is HUBS:
                with pytest.raises(UsageError, match=variant.value):
                    ablation.resolve(variant.options)
                continue
            resolved = ablation.resolve(variant.options)
            rest = {key: value for key, value in resolved.items() if key != variant.axis}
            rests.setdefault(variant.axis, set()).add(str(rest))
            assert resolved[variant.axis] == variant.value
        for axis, found in rests.items():
            assert len(found) == 1 or (name, axis) in {
                ("sssp", "run_ahead"),
                ("sssp", "direction"),
                ("cc", "variant"),
                ("cc", "linking"),
            }


def test_bfs_has_the_figures_panels() -> None:
    titles = [panel.title for panel in panels(get_primitive("bfs"), {})]
    assert titles == [
        "Workload mapping",
        "Idempotent operations",
        "Forward or direction-optimized",
        "Strategy",
        "Fusion",
        "Loop",
    ]


def test_settings() -> None:
    texts = ("alpha=3", "idempotence=true", "direction=pull", "advance-mode=twc", "--loop=host")
    assert parse_settings(Toy(), texts) == {
        "alpha": 3.0,
        "idempotence": True,
        "direction": "pull",
        "advance_mode": "TWC",
        "loop": "host",
    }
    assert base_options(Toy(), {"alpha": 3.0})["advance_mode"] is None  # not given
    assert set(RUN_AXES) <= set(base_options(Toy(), {}))


@pytest.mark.parametrize(
    "text",
    [
        "alpha",
        "alpha=",
        "alpha=x",
        "alpha=nan",
        "alpha=10",
        "nosuch=1",
        "idempotence=maybe",
        "direction=up",
        "loop=on",
    ],
)
def test_bad_settings(text: str) -> None:
    with pytest.raises(UsageError, match="--set"):
        parse_settings(Toy(), (text,))
