"""Every option has an effect: each value of each option of each primitive either changes a run (its code,
its launch, its kernel's members) or is refused; and a record holds the given value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from option_plans import Plan, alike, code_of, contexts, graphs, plan_of, primitive_of, values_of

import gunrock_cli as gunrock
from gunrock_cli.cli.main import cli, main
from gunrock_cli.operators.advance import ADVANCE_MODES, LB_THRESHOLD, Advance
from gunrock_cli.primitives import primitive_names
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.code import HOST
from gunrock_cli.primitives.micro import micro_names
from gunrock_cli.primitives.resolve import advance_of, lacking
from gunrock_cli.primitives.run_options import RUN_OPTIONS

EVERY = [*primitive_names(), *micro_names()]
KINDS = ("mesh", "hub")
THRESHOLD = ("operators/balanced.cuh", "ctx.lb_threshold")
OF_WARPS = {"warp", "warp-hash"}
"""Culling within a warp, which is one lane on a core: there is nothing to cull (docs/bfs.md)."""
ON_A_CORE = {
    **dict.fromkeys(("SERIAL", "TWC", "WARP", "SCAN"), "TM"),  # one core walks every list by itself
    "place-by-warp": "place",
    **{f"bitmask+label+{warp}": "bitmask+label" for warp in OF_WARPS},
}
"""Strategies of microbenchmarks that equal others on a core: second names, and those that need warps."""
NEVER_REACHED = {("cc", "afforest"), ("bfs", "in_step"), ("bfs", "idempotent"), ("bfs", "unfused")}
"""Kernels that hold an advance which these options, or cores, never reach."""


def ways(primitive: Primitive, kind: str) -> Iterator[tuple[dict[str, Any], Advance, Plan]]:
    """A context for each of the primitive's kernels and each kind of advance."""
    graph, known = graphs(primitive)[kind], set()
    for own in contexts(primitive):
        plan = plan_of(primitive, graph, HOST, own)
        if plan is not None:
            has = advance_of(primitive, plan.variant)
            if (plan.unit.path, has) not in known:
                known.add((plan.unit.path, has))
                yield own, has, plan


@pytest.mark.sampled(12)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_a_mode_of_advance_changes_the_code_or_is_refused(name: str, kind: str) -> None:
    primitive = primitive_of(name)
    graph = graphs(primitive)[kind]
    for own, has, plan in ways(primitive, kind):
        found = [plan_of(primitive, graph, HOST, own, advance_mode=mode) for mode in ("AUTO", "TM")]
        assert (found[0] is None) == (found[1] is None)
        if found[0] is not None and found[1] is not None:
            assert code_of(found[0].unit) != code_of(found[1].unit), own
            assert [each.recorded["advance_mode"] for each in found if each] == ["AUTO", "TM"]
            continue
        assert has is Advance.NONE, own
        assert plan.recorded["advance_mode"] == plan.recorded.get("strategy" if name == "gather" else "")
        other = plan.unit.of(
            plan.unit.path, {**dict(plan.unit.defines), "GR_ADVANCE_MODE": "MODE_TM"}, plan.unit.constants
        )
        if name != "gather" and (name, plan.unit.path.stem) not in NEVER_REACHED:
            assert code_of(plan.unit) == code_of(other), own


@pytest.mark.sampled(12)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_a_threshold_is_read_or_refused(name: str, kind: str) -> None:
    primitive = primitive_of(name)
    graph = graphs(primitive)[kind]
    for own, has, plan in ways(primitive, kind):
        given = plan_of(primitive, graph, HOST, own, lb_threshold=7)
        assert plan_of(primitive, graph, HOST, own, lb_threshold=7, advance_mode="LB") is None
        assert (plan.recorded["lb_threshold"] == LB_THRESHOLD) == (has is Advance.BALANCED)
        if given is not None:
            assert code_of(given.unit) != code_of(given.unit, THRESHOLD), own
        elif (name, plan.unit.path.stem) not in NEVER_REACHED:
            assert code_of(plan.unit) == code_of(plan.unit, THRESHOLD), own


def is_known(first: Plan, second: Plan) -> bool:
    """True if they differ only in names of the same thing."""
    one, other = first.recorded, second.recorded
    differing = {key for key in one if one[key] != other.get(key)}
    if differing <= {"alpha", "beta"}:  # options that decide about switching are recorded
        return one["direction"] == other["direction"] == "push" and 0 in (one["alpha"], other["alpha"])
    if differing and differing <= {"strategy", "advance_mode"}:
        return len({ON_A_CORE.get(each["strategy"], each["strategy"]) for each in (one, other)}) == 1
    return differing == {"cull"} and {*one["cull"].split(",")} ^ {*other["cull"].split(",")} <= {
        *OF_WARPS,
        "none",
    }


def plans_of(primitive: Primitive, kind: str, only: list[dict[str, Any]]) -> list[Plan]:
    graph, found = graphs(primitive)[kind], []
    for own in only:
        for option in primitive.options:
            for value in values_of(option):
                plan = plan_of(primitive, graph, HOST, {**own, option.key: value})
                if plan is not None:
                    found.append(plan)
                    if value != option.default and option.key in plan.recorded:
                        assert is_recorded(value, plan.recorded[option.key]), (own, option.key, value)
    return found


def is_recorded(given: Any, recorded: Any) -> bool:
    """True if a record holds the given value; ``auto`` stands for anything, and on a mesh a search that
    may switch never does."""
    if given == "auto" or (given, recorded) == ("optimized", "push"):
        return True
    if isinstance(given, bool) or given == recorded:
        return bool(given == recorded)
    try:
        return float(given) == pytest.approx(float(recorded), abs=2**-20)
    except (TypeError, ValueError):
        return False


@pytest.mark.sampled(8)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_what_is_recorded_otherwise_is_otherwise(name: str, kind: str) -> None:
    primitive = primitive_of(name)
    named = [
        {},
        dict(primitive.frontier.advance_under or {}),
        *(dict(each.under) for each in primitive.options),
    ]
    for first, second in alike(plans_of(primitive, kind, named)):
        assert is_known(first, second), (first.label, second.label)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", EVERY)
def test_so_it_is_beside_any_value_of_another_option(name: str, kind: str) -> None:
    primitive = primitive_of(name)
    for first, second in alike(plans_of(primitive, kind, contexts(primitive))):
        assert is_known(first, second), (first.label, second.label)


@pytest.mark.parametrize("name", EVERY)
def test_every_option_matters_on_some_graph_beside_some_others(name: str) -> None:
    primitive = primitive_of(name)
    left = {option.key for option in primitive.options}
    for graph in graphs(primitive).values():
        for own in contexts(primitive) if left else ():
            without = plan_of(primitive, graph, HOST, own)
            for option in (each for each in primitive.options if each.key in left and without):
                for value in values_of(option):
                    plan = plan_of(primitive, graph, HOST, {**own, option.key: value})
                    if plan and without and (plan.given, plan.unit) != (without.given, without.unit):
                        left.discard(option.key)
    assert not left


@pytest.mark.parametrize("name", primitive_names())
def test_what_a_primitive_lacks_is_refused_and_not_offered(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    primitive = primitive_of(name)
    text = CliRunner().invoke(cli, [name, "--help-all"]).stdout
    known = getattr(gunrock, name).__signature__.parameters
    for option in RUN_OPTIONS:
        flag, lacks = f"--{option.name}", option.key in lacking(primitive)
        offers = re.search(f"^  {flag} ", text, re.MULTILINE) is not None
        assert (offers, option.key in known) == (not lacks, not lacks)
        if not lacks:
            continue
        value = {"advance_mode": "TM", "partition": "random", "devices": "2"}.get(option.key, 3)
        for words in ([flag, str(value)], [f"{flag}={value}"]):
            with pytest.raises(SystemExit) as ended:
                main([name, "grid2d", "--width", "4", "--height", "4", *words])
            assert ended.value.code == 2
            said = capsys.readouterr().err
            assert said.count("\n") == 1
            assert f"{flag}: {name} " in said
        ends = (np.array([0, 1]), np.array([1, 2]))
        with pytest.raises(gunrock.GunrockError, match=re.escape(f"{option.key}={value!r}")):
            getattr(gunrock, name)(ends, symmetrize=True, backend="cpu", **{option.key: value})


@pytest.mark.parametrize(
    ("name", "own", "words"),
    [
        ("bfs", {"run_ahead": "16", "direction": "push"}, "direction='push' run_ahead=1"),
        ("sssp", {"run_ahead": "on"}, "run_ahead='off'"),
        ("pagerank", {}, "push=True"),
        ("ppr", {}, "method='push'"),
        ("salsa", {}, "variant='edges'"),
        ("bc", {"run_ahead": "5"}, "run_ahead=1"),
        ("cc", {"variant": "hook-jump"}, "leave it out"),
        ("wtf", {"batch": 2}, ""),
    ],
)
def test_the_refusal_says_where_a_mode_has_an_effect(name: str, own: dict[str, Any], words: str) -> None:
    ends = (np.arange(9), np.arange(9) + 1)
    wanted = f"advance_mode='TM': {name} calls no advance.* {words}"
    with pytest.raises(gunrock.GunrockError, match=wanted):
        getattr(gunrock, name)(ends, symmetrize=True, backend="cpu", advance_mode="TM", **own)


@pytest.mark.parametrize(
    "given", [{"lb_threshold": 7}, *({"advance_mode": mode} for mode in ADVANCE_MODES)], ids=str
)
@pytest.mark.parametrize("name", ["bfs", "bc", "sssp"])
def test_on_a_mesh_all_blocks_keep_step_where_a_mode_is_given(name: str, given: dict[str, Any]) -> None:
    primitive = primitive_of(name)
    graph, in_step = graphs(primitive)["mesh"], {"bfs": 1, "bc": 1, "sssp": "off"}[name]
    own = {
        "bfs": {"run_ahead": "16", "direction": "push"},
        "bc": {"run_ahead": "16"},
        "sssp": {"run_ahead": "on"},
    }[name]
    seen, ahead = plan_of(primitive, graph, HOST, {}), plan_of(primitive, graph, HOST, own)
    told = plan_of(primitive, graph, HOST, {}, **given)
    assert seen is not None
    assert ahead is not None
    assert told is not None
    assert (seen.recorded["run_ahead"], told.recorded["run_ahead"]) == ("auto", in_step)
    assert told.variant.successor is None
    assert (seen.recorded["advance_mode"], seen.recorded["lb_threshold"]) == ("AUTO", LB_THRESHOLD)
    assert (ahead.recorded["advance_mode"], ahead.recorded["lb_threshold"]) == (None, None)


@pytest.mark.parametrize("name", EVERY)
def test_what_is_not_given_is_the_papers_mode(name: str) -> None:
    primitive = primitive_of(name)
    plan = plan_of(primitive, graphs(primitive)["hub"], HOST, {})
    assert plan is not None
    mode = dict(plan.unit.defines)["GR_ADVANCE_MODE"]
    assert mode == ("MODE_TWC" if name == "gather" else "MODE_AUTO")


def test_a_partition_needs_several_devices() -> None:
    ends = (np.array([0, 1]), np.array([1, 2]))
    with pytest.raises(gunrock.GunrockError, match="partition='random' is for several devices"):
        gunrock.bfs(ends, backend="cpu", devices="1", partition="random")
