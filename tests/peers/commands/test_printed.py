"""Output of programs is searched line by line, within limits, and kept in part."""

from __future__ import annotations

import re

import pytest

from gunrock_cli.errors import BackendError
from gunrock_cli.peers.commands import matcher, printed
from gunrock_cli.peers.commands.printed import Printed, decoded


def test_streams_are_searched_one_after_the_other() -> None:
    """A number is never made of parts of both, or cut in two by the other."""
    both = Printed("time: 1.5\r\ntime: 2 time: 3\n", "time: 4\nwarning\n")
    found = both.find({"time": re.compile("time: ([0-9.]+)"), "pass": re.compile("warn")})
    assert found == {"time": ["1.5", "2", "3", "4"], "pass": ["warn"]}


def test_an_expression_sees_one_line_and_no_more_than_its_beginning() -> None:
    text = Printed("a\nb\n" + "x" * printed.LONGEST_LINE + "far\n")
    found = text.find({"both": re.compile(r"a\sb"), "far": re.compile("far"), "lines": re.compile("^.")})
    assert found == {"both": [], "far": [], "lines": ["a", "b", "x"]}


def test_expressions_that_take_forever_are_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printed, "MOST_SECONDS", 1.0)
    text = Printed("a" * 200 + "b\n")
    with pytest.raises(BackendError, match="expressions for time took longer than 1 s"):
        text.find({"time": re.compile("((?:a+)+)$")})


def test_what_is_found_is_bounded() -> None:
    assert len(matcher.find("(x)", ["x" * 2000] * 60)) == matcher.MOST_FOUND


def test_what_is_kept_is_the_end_with_nothing_hidden_in_it() -> None:
    kept = decoded(b"first\n" * 1000 + b"last \x1b[31mred\xff\n", b"oh\x07\n").kept
    assert kept.startswith("... ")
    assert kept.endswith("last \\x1b[31mred\ufffd\n[standard error]\noh\\x07")
    assert len(kept) < 3 * printed.KEPT
    assert decoded(b"", b"").kept == ""


def test_the_last_line_is_that_of_errors_where_there_are_some() -> None:
    assert Printed("one\ntwo\n\n").last == "two"
    assert Printed("one\n", "why\n \n").last == "why"
    assert Printed("x" * 900).last == "x" * 200
    assert Printed().last == ""
