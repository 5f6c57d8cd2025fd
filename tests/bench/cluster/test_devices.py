"""Locks on devices: which cells may run at the same time."""

from __future__ import annotations

from pathlib import Path

import pytest

from gunrock_cli.bench.sweeps.cluster.devices import held


class Taken(Exception):
    """Raised if a device is not free."""


def give_up() -> None:
    raise Taken


@pytest.mark.parametrize(
    ("first", "second", "together"),
    [
        ((("a",), False), (("b",), False), True),  # two GPUs of a host
        ((("a",), False), (("a",), False), False),
        ((("a", "b"), False), (("b",), False), False),
        (((), True), ((), True), False),  # the processor
        ((("a",), False), ((), True), False),  # which a cell on a GPU uses, too
        ((("a",), True), (("b",), False), False),  # a cell with peers
    ],
)
def test_no_two_cells_share_a_device(
    first: tuple[tuple[str, ...], bool],
    second: tuple[tuple[str, ...], bool],
    together: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with held(*first, give_up):
        if together:
            with held(*second, give_up):
                pass
        else:
            with pytest.raises(Taken), held(*second, give_up):
                pass
    with held(*second, give_up):  # free again
        pass
