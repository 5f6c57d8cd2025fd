"""Remedies name a command that works where it is printed."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from gunrock_cli import installation
from gunrock_cli.installation import install_extra, requirements

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]


def test_in_a_checkout_its_path_is_named() -> None:
    *words, target = shlex.split(install_extra("cuda13"))
    assert words == ["pip", "install", "-e"]
    folder, extra = target.removesuffix("]").split("[")
    assert (Path(folder), extra) == (ROOT, "cuda13")


def of_extra(text: str, name: str) -> str:
    """A requirement as the metadata of an installed package has it."""
    needed, _, marker = text.partition(";")
    return f'{needed}; {f"({marker.strip()}) and " if marker else ""}extra == "{name}"'


@pytest.mark.parametrize("extra", ["cuda13", "cuda12", "parquet", "cluster", "peers"])
def test_elsewhere_the_requirements_themselves_are_named(
    extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(installation, "_CHECKOUT", tmp_path)
    monkeypatch.setattr(
        metadata,
        "requires",
        lambda _: (
            ["click>=8.1"] + [of_extra(text, name) for name, texts in EXTRAS.items() for text in texts]
        ),
    )
    names = [re.split("[<>=]", word)[0] for word in shlex.split(install_extra(extra))[2:]]
    assert names == [re.split("[<>=]", text)[0] for text in EXTRAS[extra]]


def test_without_any_metadata_the_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", missing)
    assert requirements("cuda13") == ["gunrock-cli[cuda13]"]


def test_no_text_sends_to_an_index_that_does_not_have_the_package() -> None:
    pages = [*(ROOT / "gunrock_cli").rglob("*.py"), ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    sends = re.compile(r"install ['\"]?gunrock-cli")
    assert [str(page) for page in pages if sends.search(page.read_text())] == []
