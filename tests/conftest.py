"""What all tests share: GPU tests are skipped, with the reason, where there is no GPU."""

from __future__ import annotations

import pytest


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not any(item.get_closest_marker("gpu") for item in items):
        return
    from gunrock_cli.toolchain.available import why_no_cuda

    reason = why_no_cuda()
    if reason is not None:
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(pytest.mark.skip(reason=reason))
