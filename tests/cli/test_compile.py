"""``gunrock compile``: kernels for any GPU, without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gunrock_cli.cli.main import main
from gunrock_cli.errors import BackendError
from gunrock_cli.toolchain.nvrtc import nvrtc

PAGE = Path(__file__).resolve().parents[2] / "docs" / "writing-a-primitive.md"


@pytest.fixture
def needs_nvrtc() -> None:
    try:
        nvrtc()
    except BackendError as error:
        pytest.skip(str(error))


def example(folder: Path, name: str = "k_hop") -> str:
    """Write a primitive of the guide to its own file."""
    page = PAGE.read_text()
    for suffix in (".cuh", ".py"):
        text = page.split(f"`{name}{suffix}`:\n```")[1].split("\n", 1)[1].split("```")[0]
        (folder / f"{name}{suffix}").write_text(text)
    return str(folder / f"{name}.py")


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(["compile", *words])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.usefixtures("needs_nvrtc")
def test_one_line_of_json_for_each_architecture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(
        [
            "compile",
            example(tmp_path),
            "--arch",
            "75",
            "--arch",
            "90",
            "--arch",
            "host",
            "--set",
            "hops=3",
            "--json",
        ]
    )
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(each["primitive"], each["arch"], each["kernel"]) for each in found] == [
        ("k_hop", 75, "k_hop.cuh"),
        ("k_hop", 90, "k_hop.cuh"),
        ("k_hop", "host", "k_hop.cuh"),
    ]
    for each in found:
        assert each["problem"] == [
            {"name": "seen", "type": "u32*", "offset": 0},
            {"name": "source", "type": "i64", "offset": 8},
            {"name": "hops", "type": "i64", "offset": 16},
        ]
        assert each["phases"] == ["hop"]
        assert all(entry["code_bytes"] > 0 for entry in each["entries"])
    for each in found[:2]:
        assert [entry["name"] for entry in each["entries"]] == ["gr_run"]
        assert all(entry["registers"] > 0 for entry in each["entries"])
        assert 0 < each["launch_shared_bytes"] <= 64 << 10 if each["arch"] == 75 else True
    assert found[0]["entries"][0]["digest"] != found[1]["entries"][0]["digest"]
    assert found[2]["entries"][0]["registers"] is None


@pytest.mark.usefixtures("needs_nvrtc")
def test_only_the_entry_of_the_loop_that_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["compile", example(tmp_path), "--arch", "90", "--set", "loop=host", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert [entry["name"] for entry in found["entries"]] == ["gr_step"]


@pytest.mark.usefixtures("needs_nvrtc")
def test_options_decide_the_code(capsys: pytest.CaptureFixture[str]) -> None:
    files, digests = [], set()
    for way in ("advance_mode=AUTO", "advance_mode=TM", "push=false"):
        main(["compile", "pagerank", "--arch", "80", "--set", "push=true", "--set", way, "--json"])
        found = json.loads(capsys.readouterr().out)
        files.append(found["kernel"])
        digests.add(found["entries"][0]["digest"])
    assert files == ["push.cuh", "push.cuh", "pull.cuh"]
    assert len(digests) == 3


def test_a_table_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["compile", example(tmp_path, "degree_distribution"), "--arch", "host"])
    table = capsys.readouterr().out
    assert "degree_distribution" in table
    assert "code B" in table


@pytest.mark.usefixtures("needs_nvrtc")
@pytest.mark.parametrize("arch", ["75", "host"])
def test_a_refusal_has_the_compilers_words(
    arch: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = example(tmp_path)
    kernel = tmp_path / "k_hop.cuh"
    kernel.write_text(kernel.read_text().replace("atomic_or", "atomic_perhaps"))
    told = refusal(capsys, file, "--arch", arch)
    assert told.startswith("gunrock: ")
    assert "atomic_perhaps" in told
    assert "k_hop.cuh" in told


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("bfs", "--arch", "10"), "--arch 10: give one of 75, 80, 86, "),
        (("bfs", "--arch", "sm_90"), "--arch sm_90: give one of 75, "),
        (("bfs", "--arch", "²"), "give one of 75, "),
        (("nothing", "--arch", "90"), "nothing is neither a primitive"),
        (("none.py", "--arch", "90"), "none.py: no such file"),
        (("bfs", "--arch", "host", "--set", "depth=3"), "--set depth=3: bfs has no such option"),
        (
            ("bfs", "--arch", "host", "--set", "direction=up"),
            "--set direction=up: give one of auto, push, pull",
        ),
        (
            ("bfs", "--arch", "host", "--set", "run-ahead=x"),
            "--set run-ahead=x: give a whole number from 1 to 1048576 or auto",
        ),
    ],
)
def test_mistakes_are_one_line(
    words: tuple[str, ...], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refusal(capsys, *words)
    assert complaint in told
    assert told.count("\n") == 1
