"""Text from outside, made fit to be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gunrock_cli.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rgg_n_2_24_s0", "rgg_n_2_24_s0"),
        ("Straße ‡ 東京", "Straße ‡ 東京"),
        ("", ""),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\x9b2J", "\\x9b2J"),
        ("a\u202eb\u2028", "a\\u202eb\\u2028"),
        ("\ud800", "\\ud800"),
        ("\0", "\\x00"),
    ],
)
def test_what_does_not_print_is_spelled(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(st.characters()))
def test_always_one_printable_line_that_a_file_can_hold(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    shown.encode()
    assert visible(shown) == shown
