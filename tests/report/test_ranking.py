"""The table of ranking primitives: a row for each way, and no claim that a paper has it."""

from __future__ import annotations

from records_helper import failed_record, make_record

from gunrock_cli.report.evidence.data import ReportData
from gunrock_cli.report.forms.cells import Table
from gunrock_cli.report.registry import build

OURS = "gunrock, Test"


def table(*records: object) -> Table:
    return build(ReportData(list(records)), ["ranking"]).tables[0]  # type: ignore[arg-type]


def test_every_way_has_a_row_of_its_own() -> None:
    options = {"method": "power", "batch": None, "seeds": None}
    found = table(
        make_record("ppr", runs=(8.0, 8.0), options=options, metrics={"iteration_ms": 2.0}),
        make_record(
            "ppr",
            runs=(40.0,),
            options={**options, "batch": 32, "seeds": "1,2"},
            metrics={"iteration_ms": 10.0},
        ),
        make_record("ppr", runs=(1.0,), options={**options, "method": "push"}),
        make_record("wtf", runs=(9.0,), options={"circle": 500}, metrics={"ppr_ms": 5.0}),
        make_record("salsa", runs=(6.0,), options={"variant": "gather", "seeds": None}),
        make_record("salsa", runs=(7.0,), options={"variant": "gather", "seeds": "0,1"}),
        make_record("salsa", runs=(60.0,), options={"variant": "edges", "seeds": None}),
        make_record("pagerank", runs=(3.0,)),
    )
    values = {(row, column[1]): cell.value for row, column, cell in found.each() if column[0] == OURS}
    label = "Personalized PageRank"
    assert values == {
        ((label, "", "g"), "run"): 8.0,
        ((label, "", "g"), "iteration"): 2.0,
        ((label, "batch=32", "g"), "run"): 40.0,
        ((label, "batch=32", "g"), "iteration"): 10.0,
        ((label, "method=push", "g"), "run"): 1.0,
        (("Who to follow", "", "g"), "run"): 9.0,
        (("SALSA", "", "g"), "run"): 6.0,
        (("SALSA", "personalized", "g"), "run"): 7.0,
        (("SALSA", "variant=edges", "g"), "run"): 60.0,
    }


def test_a_layout_by_degree_is_marked_as_elsewhere() -> None:
    laid_out = {"renumber_ms": 5.0}
    found = table(
        *(
            make_record(name, runs=(8.0,), metrics=metrics)
            for name, metrics in (("hits", laid_out), ("salsa", laid_out), ("ppr", {}))
        )
    )
    signs = {
        row[0]: {mark.sign for mark in cell.marks}
        for row, column, cell in found.each()
        if column == (OURS, "run")
    }
    assert {label for label, found in signs.items() if "⇅" in found} == {"HITS", "SALSA"}


def test_peers_stand_beside_and_failures_say_how() -> None:
    found = table(
        make_record("ppr", runs=(8.0,), metrics={"iteration_ms": 2.0}),
        make_record("ppr", runs=(80.0,), system="igraph", iterations=None),
        failed_record("OOM", "too large", "wtf"),
    )
    row = ("Personalized PageRank", "", "g")
    assert found.cell(row, ("igraph, Test", "run")).value == 80.0
    assert ("igraph, Test", "iteration") not in found.columns
    assert found.cell(("Who to follow", "", "g"), (OURS, "run")).text == "OOM"


def test_it_says_that_it_is_none_of_the_papers() -> None:
    empty = table()
    assert "none of the papers' tables" in empty.title
    assert "ranking-test.sh" in empty.missing
    assert not empty.has_published
