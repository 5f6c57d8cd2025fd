"""The compiled code's description of itself, against its sources, and the host's use of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from arches import compiled
from planned import planned
from updated_helper import updated

from gunrock_cli.bench.protocol.runner import Protocol, measure
from gunrock_cli.engine.backend import choose_backend
from gunrock_cli.engine.contract import Contract, Member
from gunrock_cli.engine.program import Program
from gunrock_cli.errors import BackendError
from gunrock_cli.graph.model.graph import Graph
from gunrock_cli.operators.advance import ADVANCE_MODES, mode_constant
from gunrock_cli.primitives import get_primitive, primitive_names
from gunrock_cli.primitives.all_sources import ALL_SOURCES
from gunrock_cli.primitives.base import Primitive
from gunrock_cli.primitives.bfs.variants import STRATEGIES
from gunrock_cli.primitives.code import HOST, compile_for, kernel_unit, small_graph
from gunrock_cli.primitives.compile import compile_primitive, compile_variant
from gunrock_cli.primitives.external import load_primitive
from gunrock_cli.primitives.parts.base import OnSeveralDevices
from gunrock_cli.primitives.run_options import RUN_OPTIONS, RunOptions
from gunrock_cli.toolchain.unit import Unit

PAGE = Path(__file__).resolve().parents[2] / "docs" / "writing-a-primitive.md"
EXAMPLES = dict(re.findall(r"`(\w+\.(?:cuh|py))`:\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL))
NAMES = [*primitive_names(), *(name for name in EXAMPLES if name.endswith(".py"))]
MANY_SOURCES: list[dict[str, Any]] = [{"searches": "together"}, {"searches": "apart"}]
WAYS: dict[str, list[dict[str, Any]]] = {
    **dict.fromkeys(("closeness", "eccentricity"), MANY_SOURCES),
    "distances": [*MANY_SOURCES, {"nearest": 2}],
    "bfs": [
        {},
        {"run_ahead": "16", "direction": "push"},
        {"idempotence": True},
        {"fusion": "off"},
        *({"strategy": strategy} for strategy in STRATEGIES),
    ],
    "bc": [{}, {"run_ahead": "16"}, {"variant": "edges"}, {"weighted": True}],
    "sssp": [{"run_ahead": "on"}, {"run_ahead": "off", "redundancy": "bitmap", "mark_pred": True}],
    "cc": [{}, {"variant": "hook-jump"}],
    "hits": [{}, {"precision": "float64"}, {"weighted": True}],
    "salsa": [{}, {"seeds": "0"}, {"variant": "edges"}],
    "pagerank": [
        {"precision": "float64"},
        {"precision": "float32", "push": True},
        {"precision": "float32", "weighted": True},
    ],
    "mis": [{}],
    "color": [
        {"waiting": "in-order"},
        {"waiting": "by-class"},
        {"waiting": "polled"},
        {"waiting": "by-number"},
        {"method": "independent-sets"},
    ],
    "louvain": [{}],
    "ppr": [{}, {"batch": 2}, {"method": "push"}, {"method": "walks"}, {"weighted": True}],
    "wtf": [{}, {"batch": 2}],
}
"""Options that lead to every kernel file, by primitive; other primitives need no more than the
defaults."""
IN_PARTS: dict[str, list[dict[str, Any]]] = {
    "bfs": [{"run_ahead": "64"}, {"run_ahead": "1"}],
    "sssp": [
        {"run_ahead": "on"},
        {"run_ahead": "off", "direction": "push"},
        {"run_ahead": "off", "direction": "optimized"},
    ],
    "bc": [{"run_ahead": "4"}, {"run_ahead": "1"}],
    "cc": [{"sampling": "on"}, {"sampling": "hub"}],
}
"""Options that lead to every kernel file on several devices."""
BESIDE: dict[str, list[Primitive]] = {"bc": [ALL_SOURCES]}
"""Primitives without a command, by the one in whose folder their kernels are."""
KERNELS = {"leiden": "louvain"}
"""Kernels that have the name of another primitive, whose kernel they are too."""
BACKENDS = ["cpu", pytest.param("cuda", marks=pytest.mark.gpu)]
BASE = "struct Problem {\n  i32* labels;  // one\n  const u32* bits;\n  double alpha;\n};\n"
ENACTOR = """
struct Enactor {
  struct State : LoopState {};
  GR_DEVICE static bool fits_block(const State&) { return false; }
  GR_DEVICE static bool step(Context& ctx, const Problem&, Control&, State&) {
    ctx.show(SHOWN, 0, 1, 0);
    return false;
  }
};
"""
FILE = """import numpy as np
from gunrock_cli.primitives.own import Primitive, Variant

class Labelling(Variant):
    @property
    def constants(self):
        return CONSTANTS

    def members(self):
        labels = self.graph.xp.zeros(4, np.int32)
        return VALUES

    def outputs(self, problem):
        return {}

class Mine(Primitive):
    name = "mine"
    summary = "Mine."
    variant = Labelling
    source = None

PRIMITIVE = Mine()
"""


@pytest.fixture
def primitive(tmp_path: Path) -> Callable[[str], Primitive]:
    def found(name: str) -> Primitive:
        if name in primitive_names():
            return get_primitive(name)
        for file, text in EXAMPLES.items():
            (tmp_path / file).write_text(text)
        return load_primitive(str(tmp_path / name))

    return found


@pytest.fixture
def mine(tmp_path: Path) -> Callable[..., Primitive]:
    """A primitive of a test's own, from the given parts."""

    def written(
        problem: str = BASE,
        phases: str = "enum Phase { BEGIN, FAR_PILE = 7 };\n",
        shown: str = "FAR_PILE",
        more: str = "",
        constants: str = "{}",
        values: str = '{"labels": labels, "bits": None, "alpha": 2.5}',
    ) -> Primitive:
        (tmp_path / "mine.cuh").write_text(
            f'#pragma once\n#include "core/enactor.cuh"\n{more}{problem}{phases}'
            + ENACTOR.replace("SHOWN", shown)
        )
        (tmp_path / "mine.py").write_text(FILE.replace("CONSTANTS", constants).replace("VALUES", values))
        return load_primitive(str(tmp_path / "mine.py"))

    return written


def graph_for(primitive: Primitive, backend: str, options: Mapping[str, Any] | None = None) -> Graph:
    return small_graph(primitive, options).to(choose_backend(backend).xp)


def ways_and_graphs(primitive: Primitive, backend: str) -> Iterator[tuple[dict[str, Any], Graph]]:
    """Options that lead to every kernel file, and the graphs on which they do."""
    for way in WAYS.get(primitive.name, [{}]):
        yield way, graph_for(primitive, backend, way)
    if primitive.goes_on_from:
        yield {}, updated(primitive, small_graph(primitive), deletes=False).to(choose_backend(backend).xp)


def contract_of(
    primitive: Primitive,
    backend: str,
    options: Mapping[str, Any] | None = None,
    graph: Graph | None = None,
) -> Contract:
    graph = graph or graph_for(primitive, backend, options)
    return compile_primitive(
        primitive, graph, options or {}, choose_backend(backend, 1), RunOptions()
    ).contract


def run(primitive: Primitive, backend: str = "cpu", trace: bool = False) -> list[dict[str, Any]]:
    protocol = Protocol(runs=1, warmup=0, check="none", trace=trace)
    measured = measure(
        primitive, graph_for(primitive, backend), {}, [], choose_backend(backend, 1), protocol
    )
    if measured.failure is not None:
        raise measured.failure
    return measured.record.trace


# --- all primitives -----------------------------------------------------------------------------
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", NAMES)
def test_the_host_gives_what_the_code_asks_for(
    name: str, backend: str, primitive: Callable[[str], Primitive]
) -> None:
    """Each of a primitive's kernels gets every member by its name and in its type."""
    found = primitive(name)
    for way, graph in ways_and_graphs(found, backend):
        contract = contract_of(found, backend, way, graph)
        values = planned(found, graph, way).allocate()
        packed = np.zeros((), contract.dtype("Problem"))
        contract.pack("Problem", packed, values)
        for member in contract.members():
            value: Any = values[member.name]
            if not member.pointer:
                assert packed[member.name] == pytest.approx(value)
            elif value is None or value.size:  # an empty array may lie nowhere
                assert (packed[member.name] == 0) == (value is None)


@pytest.mark.parametrize("name", NAMES)
def test_phases_are_those_of_the_source(name: str, primitive: Callable[[str], Primitive]) -> None:
    found = primitive(name)
    for way, graph in ways_and_graphs(found, "cpu"):
        contract = contract_of(found, "cpu", way, graph)
        unit = kernel_unit(found, HOST, way, graph=graph)
        names = re.search(r"enum Phase[^{]*\{([^}]*)\}", unit.path.read_text())
        assert names is not None
        assert [each.strip() for each in names[1].split(",")] == list(contract.enum("Phase"))
        for number, shown in contract.phases.items():
            assert contract.enum("Phase")[shown.upper().replace(" ", "_")] == number


@pytest.mark.parametrize("name", primitive_names())
def test_every_kernel_file_is_reached(name: str) -> None:
    """No variant may escape the tests above."""
    primitive = get_primitive(name)
    reached = {
        kernel_unit(primitive, HOST, way, graph=graph).path
        for way, graph in ways_and_graphs(primitive, "cpu")
    }
    if isinstance(primitive, OnSeveralDevices):
        reached |= {
            kernel_unit(primitive, HOST, way, RunOptions(devices="2")).path
            for way in IN_PARTS.get(name, [{}])
        }
    reached |= {kernel_unit(other, HOST, {}).path for other in BESIDE.get(name, [])}
    folder = next(iter(reached)).parent
    in_folder = folder.name in primitive_names()  # its own, or that of distances
    file = KERNELS.get(name, name)
    own = folder.glob("*.cuh" if in_folder else f"{file}.cuh")
    kernels = {path for path in own if "struct Problem" in path.read_text()}
    assert reached <= kernels if in_folder and folder.name != name else reached == kernels


@pytest.mark.parametrize("backend", BACKENDS)
def test_types_follow_the_options(backend: str) -> None:
    for precision, dtype in (("float32", np.float32), ("float64", np.float64)):
        for push in (False, True):
            contract = contract_of(
                get_primitive("pagerank"), backend, {"precision": precision, "push": push}
            )
            assert contract.element("Problem", "ranks") == dtype


def test_modes_are_those_of_the_option() -> None:
    contract = contract_of(get_primitive("cc"), "cpu")
    assert set(contract.enum("Mode")) == set(map(mode_constant, ADVANCE_MODES))
    (mode,) = (option for option in RUN_OPTIONS if option.key == "advance_mode")
    assert list(mode.constants) == list(map(mode_constant, mode.choices))


def test_both_compilers_tell_the_same() -> None:
    """They differ only where they must: in the size of a block, the memory that it shares, and the layout
    of memory that cores write to, with a word of the barrier that only they have."""
    for name in ("sssp", "bc"):
        primitive = get_primitive(name)
        codes = [
            compile_for(HOST, kernel_unit(primitive, HOST)).contract,
            *(compiled(arch, kernel_unit(primitive, arch)).contract for arch in (75, 90)),
        ]
        for struct in ("Args", "Graph", "Csr", "Queue", "Workspace", "TraceRow", "Problem"):
            assert len({codes[0].dtype(struct), *(code.dtype(struct) for code in codes)}) == 1
        host, *devices = (code.dtype("Control") for code in codes)
        assert devices[0] == devices[1]
        assert devices[0].names == host.names
        assert all(host[name] == devices[0][name] for name in set(host.names) - {"barrier"})
        assert host["barrier"].base == devices[0]["barrier"]
        for enum in ("Status", "Mode", "Phase"):
            assert codes[0].enum(enum) == codes[1].enum(enum) == codes[2].enum(enum)
        assert (codes[0].constant("BLOCK"), codes[2].constant("BLOCK") % 32) == (1, 0)


@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_a_module_tells_what_its_file_does(name: str, primitive: Callable[[str], Primitive]) -> None:
    """The contract read from the GPU's memory is the one in the cubin."""
    found = primitive(name)
    loaded = contract_of(found, "cuda", WAYS.get(name, [{}])[0])
    file = compile_for(90, kernel_unit(found, 90, WAYS.get(name, [{}])[0])).contract
    assert loaded.dtype("Args") == file.dtype("Args")
    assert loaded.phases == file.phases


# --- what does not fit ----------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        (
            {"values": '{"labels": labels, "bits": None}'},
            r"^mine\.cuh: Problem needs alpha; problem\(\) has to return them$",
        ),
        (
            {"values": '{"labels": labels, "bits": None, "alpha": 1, "beta": 2}'},
            r"^mine\.cuh: Problem has no member beta; it has labels, bits, alpha$",
        ),
        (
            {"values": '{"labels": labels.astype(np.int64), "bits": None, "alpha": 1}'},
            r"^mine\.cuh: Problem\.labels is i32\*, not int64; give an array of int32$",
        ),
        (
            {"values": '{"labels": 3, "bits": None, "alpha": 1}'},
            r"^mine\.cuh: Problem\.labels is i32\*; give an array of int32, or None$",
        ),
        (
            {"values": '{"labels": labels[::2], "bits": None, "alpha": 1}'},
            r"^mine\.cuh: Problem\.labels is i32\*, and must be contiguous; give a copy$",
        ),
        (
            {"values": '{"labels": labels, "bits": None, "alpha": labels}'},
            r"^mine\.cuh: Problem\.alpha is a f64, no pointer; give a number$",
        ),
        (
            {"problem": BASE.replace("double alpha", "char alpha")},
            r"^mine\.cuh: Problem\.alpha has a type that the host cannot give; use u8, u16, i32, ",
        ),
        (
            {"problem": BASE.replace("double alpha", "double alpha[2]")},
            r"mine\.cuh: cannot read the Problem member 'double alpha\[2\]'; write 'type name;'",
        ),
        (
            {"problem": BASE.replace("double alpha", "double alpha, beta")},
            r"mine\.cuh: cannot read the Problem member 'double alpha, beta'",
        ),
        (
            {
                "problem": "struct Base {\n  i64 hidden;\n};\n"
                + BASE.replace("Problem {", "Problem : Base {")
            },
            r"mine\.cuh: no 'struct Problem \{ \.\.\. \};' with one member per line",
        ),
        (
            {
                "problem": BASE.replace("  double", "  // i64 hidden;\n  GR_HIDDEN\n  double"),
                "more": "#define GR_HIDDEN i64 hidden;\n",
            },
            r"cannot read the Problem member",
        ),
        (
            {"problem": BASE.replace("double alpha", "double " + "a" * 48)},
            r"the name a{48} is longer than 47 letters; give it a shorter one",
        ),
        (
            {"phases": "struct Inner {\n  enum Phase { FAR_PILE };\n};\n", "shown": "0"},
            r"mine\.cuh: enum Phase stands inside of another declaration; put it before struct Enactor$",
        ),
        (
            {"more": "constexpr i64 NONE = 5;\n", "constants": '{"NONE": 7}'},
            r"^mine\.cuh: NONE is 5, and constants\(\) of mine says 7; make them the same$",
        ),
    ],
    ids=range(14),
)
def test_what_does_not_fit_is_one_line(
    parts: dict[str, str], complaint: str, mine: Callable[..., Primitive]
) -> None:
    with pytest.raises(BackendError, match=complaint) as caught:
        run(mine(**parts))
    assert "\n" not in str(caught.value)


def test_an_unlisted_member_is_noticed(mine: Callable[..., Primitive], tmp_path: Path) -> None:
    """The compiler's offsets and sizes tell if the source is read wrongly."""
    unit = kernel_unit(mine(), HOST)
    for name, complaint in (
        ("bits", r"what lies before Problem\.alpha is not known"),
        ("alpha", r"the Problem has 24 bytes, its members end at 16"),
    ):
        text = unit.text.replace(f" X({name})", "", 1)
        with pytest.raises(BackendError, match=complaint):
            compile_for(HOST, _Given(unit.path, unit.defines, text=text))


class _Given(Unit):
    """A unit with another text than its own."""

    def __init__(self, path: Path, defines: tuple[tuple[str, str], ...], text: str) -> None:
        super().__init__(path, defines)
        object.__setattr__(self, "_given", text)

    @property
    def text(self) -> str:
        given: str = vars(self)["_given"]
        return given


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_phase_is_shown_by_its_name(backend: str, mine: Callable[..., Primitive]) -> None:
    assert [row["phase"] for row in run(mine(), backend, trace=True)] == ["far pile"]
    classed = mine(phases="enum class Phase : i32 { ONE, TWO, };\n", shown="i32(Phase::TWO)")
    assert [row["phase"] for row in run(classed, backend, trace=True)] == ["two"]


def test_a_phase_that_has_no_name_is_told(mine: Callable[..., Primitive]) -> None:
    for parts in ({"shown": "3"}, {"shown": "3", "phases": ""}):
        with pytest.raises(
            BackendError,
            match=r"^mine\.cuh: ctx\.show was given phase 3, which enum "
            r"Phase lacks; add it there$",
        ):
            run(mine(**parts), trace=True)


def test_constants_are_compared_as_words(mine: Callable[..., Primitive]) -> None:
    run(mine(more="constexpr u64 NONE = ~u64(0);\n", constants='{"NONE": 2**64 - 1}'))


def test_a_problem_may_be_empty(mine: Callable[..., Primitive]) -> None:
    run(mine(problem="struct Problem {};\n", values="{}"))


def test_distances_begin_with_the_kernels_own_mark() -> None:
    """Distances are filled with SSSP's mark of a vertex not reached."""
    primitive = get_primitive("sssp")
    graph = small_graph(primitive)
    contract = compile_for(HOST, kernel_unit(primitive, HOST)).contract
    variant = planned(primitive, graph)
    problem = variant.allocate()
    variant.reset(problem, 0)
    assert problem["distances"].tolist() == [0, *[contract.constant("UNREACHED")] * 2]


# --- what a run packs -----------------------------------------------------------------------------
def search(graph: Graph) -> tuple[Program, dict[str, Any], Callable[[dict[str, Any], int], Any]]:
    """A compiled breadth-first search, its arrays, and a function that runs it on given arrays from a
    source."""
    bfs = get_primitive("bfs")
    variant = planned(bfs, graph)
    program = compile_variant(bfs, variant, choose_backend("cpu"), RunOptions())
    return (
        program,
        variant.allocate(),
        lambda problem, source: program.run(problem, lambda: variant.reset(problem, source)),
    )


@pytest.fixture
def packed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that are examined and packed."""
    names: list[str] = []
    pack = Contract._pack_member

    def noting(self: Contract, struct: str, member: Member, target: Any, value: Any) -> None:
        names.append(member.name)
        pack(self, struct, member, target, value)

    monkeypatch.setattr(Contract, "_pack_member", noting)
    return names


def test_a_later_run_packs_what_has_changed(packed: list[str]) -> None:
    _, problem, run = search(small_graph(get_primitive("bfs")))
    packed.clear()
    run(problem, 0)
    assert sorted(packed) == sorted(problem)
    packed.clear()
    run(problem, 1)
    assert packed == ["source"]
    assert problem["labels"][1] == 0
    before, problem["labels"] = problem["labels"].copy(), np.empty_like(problem["labels"])
    packed.clear()
    run(problem, 1)
    assert packed == ["labels"]
    assert (problem["labels"] == before).all()


def test_nothing_of_a_problem_that_was_refused_stays() -> None:
    _, problem, run = search(small_graph(get_primitive("bfs")))
    run(problem, 0)
    expected = problem["labels"].tolist()
    other = {**problem, "labels": np.empty_like(problem["labels"])}
    other["bitmap_stride" if "bitmap_stride" in problem else "run_ahead"] = None
    with pytest.raises(BackendError, match="give a number"):
        run(other, 0)
    other["labels"][...] = -1
    run(problem, 0)
    assert problem["labels"].tolist() == expected
    assert (other["labels"] == -1).all()
