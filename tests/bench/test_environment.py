"""The machine and the software in a record."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import pytest

from gunrock_cli import __version__
from gunrock_cli.bench.records.environment import (
    _version_of,
    device_info,
    installed_versions,
    library_versions,
    project_version,
)
from gunrock_cli.engine.backend import choose_backend


def test_the_cpu() -> None:
    found = device_info(choose_backend("cpu", 3))
    assert found["threads"] == 3
    assert found["cores"] >= 1
    assert found["name"]


@pytest.mark.parametrize(("threads", "teams", "ran"), [(6, 3, 6), (7, 3, 6), (1, 3, 3), (2, 5, 5)])
def test_threads_that_teams_have(threads: int, teams: int, ran: int) -> None:
    found = device_info(choose_backend("cpu", threads), range(teams))
    assert found["threads"] == ran
    assert len(found["devices"]) == teams


@pytest.mark.gpu
def test_the_gpu() -> None:
    found = device_info(choose_backend("cuda"))
    assert found["memory_bytes"] > 1 << 30
    assert found["compute_capability"] >= 60
    assert {"cuda_runtime", "cuda_driver", "nvrtc"} <= library_versions("cuda").keys()


def test_versions() -> None:
    assert project_version()["version"] == __version__
    assert {"python", "numpy", "scipy", "compiler"} <= library_versions("cpu").keys()


def test_libraries_are_of_the_version_that_they_say() -> None:
    found = installed_versions()
    assert {"numpy", "scipy", "pandas"} <= found.keys()
    assert found == {name: metadata.version(name) for name in found}


@pytest.mark.parametrize(
    "text",
    [
        "Metadata-Version: 2.1\nName: one\nVersion: 1.2rc3+local\nLicense: of\n  Version: "
        "9\n\nVersion: 7\n",
        "Name: one\nVersion:1.2rc3+local",
    ],
)
def test_the_version_is_a_header(text: str) -> None:
    class One(metadata.Distribution):
        def read_text(self, filename: str) -> str | None:
            return text if filename == "METADATA" else None

        def locate_file(self, path: object) -> Any:
            raise NotImplementedError

    assert _version_of(One()) == One().version == "1.2rc3+local"
