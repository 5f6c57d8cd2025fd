"""Values of options from a program are checked against their declarations."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gunrock_cli.errors import UsageError
from gunrock_cli.primitives.option import Option
from gunrock_cli.primitives.option_values import checked, with_defaults

FLAG = Option("mark-pred", False, kind=bool, help="")
UNSET = Option("direction-optimized", None, kind=bool, help="")
CHOICE = Option("advance-mode", "AUTO", choices=("TM", "AUTO"), help="")
WORD = Option("alpha", "auto", help="")
WHOLE = Option("lb-threshold", 4096, kind=int, minimum=0, help="")
REAL = Option("damping", 0.85, kind=float, minimum=0.0, maximum=0.999, help="")
FREE = Option("shift", 0.0, kind=float, help="")


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (FLAG, True, True),
        (FLAG, np.True_, True),
        (UNSET, None, None),
        (UNSET, False, False),
        (CHOICE, "tm", "TM"),
        (WORD, "auto", "auto"),
        (WORD, 15, "15"),
        (WORD, np.float32(0.5), "0.5"),
        (WHOLE, np.int64(7), 7),
        (WHOLE, 2**31 - 1, 2**31 - 1),
        (REAL, 0, 0.0),
        (REAL, np.float64(0.5), 0.5),
    ],
)
def test_what_fits_is_taken_as_the_option_s_type(option: Option, value: Any, expected: Any) -> None:
    found = checked(option, value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        (FLAG, 1, "mark_pred=1: give True or False"),
        (FLAG, None, "mark_pred=None: give True or False"),
        (CHOICE, "LBX", "advance_mode='LBX': give one of TM, AUTO"),
        (CHOICE, 3, "advance_mode=3: give one of TM, AUTO"),
        (WORD, True, "alpha=True: give text"),
        (WORD, [1], r"alpha=\[1\]: give text"),
        (WHOLE, -1, "lb_threshold=-1: give a whole number from 0 to 2147483647"),
        (WHOLE, 2**31, "lb_threshold=2147483648: give a whole number from 0 to 2147483647"),
        (WHOLE, 1.5, "lb_threshold=1.5: give a whole number"),
        (WHOLE, True, "lb_threshold=True: give a whole number"),
        (REAL, 1.0, "damping=1.0: give a finite number from 0 to 0.999"),
        (REAL, float("nan"), "damping=nan: give a finite number"),
        (FREE, float("inf"), "shift=inf: give a finite number$"),
        (FREE, 10**400, "shift=1000"),
        (REAL, "0.5", "damping='0.5': give a finite number"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(option: Option, value: Any, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{message}") as refused:
        checked(option, value)
    assert "\n" not in str(refused.value)


def test_what_is_not_given_is_the_default() -> None:
    assert with_defaults((FLAG, WHOLE), {"lb_threshold": 3, "other": 1}) == {
        "mark_pred": False,
        "lb_threshold": 3,
    }


@pytest.mark.parametrize("given", ["3,5", [3, 5], (3, 5), range(3, 6, 2), np.array([3, 5])], ids=str)
def test_vertices_may_be_a_list(given: Any) -> None:
    assert checked(Option("seeds", None, help="", lists_vertices=True), given) == "3,5"


def test_one_vertex_is_a_list_of_one() -> None:
    assert checked(Option("seeds", None, help="", lists_vertices=True), 3) == "3"


LEVELS = Option("run-ahead", "auto", kind=int, words=("auto",), minimum=1, maximum=64, help="")
RATE = Option("alpha", "auto", kind=float, words=("auto", "cost"), minimum=0.0, min_open=True, help="")


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        (LEVELS, "AUTO", "auto"),
        (LEVELS, 3, 3),
        (LEVELS, "16", 16),
        (LEVELS, np.uint8(3), 3),
        (RATE, "cost", "cost"),
        (RATE, "1.5e1", 15.0),
        (RATE, Fraction(1, 2), 0.5),
        (RATE, 2, 2.0),
        (REAL, Decimal("0.5"), 0.5),
        (REAL, -0.0, 0.0),
        (REAL, np.array(0.5), 0.5),
        (FREE, 1e308, 1e308),
    ],
)
def test_numbers_of_other_kinds_and_words(option: Option, value: Any, expected: Any) -> None:
    found = checked(option, value)
    assert (repr(found), type(found)) == (repr(expected), type(expected))


WHOLE_NUMBER, FINITE = "a whole number from 1 to 64 or auto", "a finite number above 0 or auto or cost"


@pytest.mark.parametrize(
    ("option", "values", "reason"),
    [
        (
            LEVELS,
            (0, 65, 3.0, " 3", "1_0", "\uff13", "9" * 5000, None, True, Decimal(3), 10**5000, [3]),
            WHOLE_NUMBER,
        ),
        (
            RATE,
            (
                0,
                -0.0,
                "0",
                "1e999",
                math.nan,
                math.inf,
                "nan",
                " 1_0 ",
                Decimal("NaN"),
                Decimal("sNaN"),
                Fraction(10**400),
                Decimal("1e-400"),
                10**400,
                1j,
                b"1",
                "",
                True,
                None,
                np.timedelta64(1, "s"),
            ),
            FINITE,
        ),
    ],
)
def test_what_is_no_number_of_the_option_s_is_refused(
    option: Option, values: tuple[Any, ...], reason: str
) -> None:
    for value in values:
        with pytest.raises(UsageError, match=f"^{option.key}=.*: give {reason}$") as refused:
            checked(option, value)
        assert len(str(refused.value)) < 200
