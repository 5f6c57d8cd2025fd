"""Command lines of Gunrock 1.x: translated to today's names, or refused with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from gunrock_cli.cli.invocation import invoked_command
from gunrock_cli.cli.main import main
from gunrock_cli.cli.old_spellings import OLD
from gunrock_cli.cli.primitive_command import primitive_command
from gunrock_cli.errors import UsageError
from gunrock_cli.primitives import primitive_names

PAGE = Path(__file__).resolve().parents[2] / "docs" / "gunrock-1.md"


def parsed(primitive: str, words: str) -> dict[str, Any]:
    """The values that the command would run with."""
    with primitive_command(primitive).make_context(primitive, words.split()) as context:
        return context.params


@pytest.mark.parametrize(("primitive", "old", "today"), [
    ("bfs", "rmat --traversal-mode=TWC", "rmat --advance-mode TWC"),
    ("bfs", "rmat --traversal_mode 0", "rmat --advance-mode LB"),
    ("sssp", "rmat --iteration-num=7 --quick", "rmat --iterations 7 --check=none"),
    ("cc", "rmat --num-runs 7 --quick=false", "rmat --iterations 7"),
    ("bfs", "rmat --mark_pred --direction-optimized", "rmat --mark-pred --direction-optimized"),
    ("bfs", "rmat --mark-pred=true --idempotence=false --direction-optimized=0",
     "rmat --mark-pred --no-idempotence --no-direction-optimized"),
    ("bfs", "rmat --undirected=false", "rmat --directed"),
    ("sssp", "rmat --delta_factor=32", "rmat --delta-factor 32"),
    ("pagerank", "rmat --delta=0.9 --max-iter 3", "rmat --damping 0.9 --max-iterations 3"),
    ("sssp", "rmat --delta=3", "rmat --delta 3"),
    ("bc", "rmat --src=largestdegree", "rmat --src largest-degree"),
    ("bc", "rmat --src randomize --validation=none", "rmat --src random --check=none"),
    ("bfs", "--graph-type market --graph-file g.mtx", "--market g.mtx"),
    ("bfs", "market g.mtx --src=3", "--market g.mtx --src 3"),
    ("bfs", "--graph-type=rmat --rmat_scale=5 --rmat_edgefactor=8 --rmat_a=.5 --rmat_seed 2",
     "rmat --scale 5 --edge-factor 8 --a 0.5 --seed 2"),
    ("bfs", "rgg --rgg_scale=5 --rgg_thfactor=0.6", "rgg --scale 5 --threshold-factor 0.6"),
    ("bfs", "smallworld --sw_k=4 --sw_p=0.1", "smallworld --neighbors 4 --rewire 0.1"),
    ("bfs", "rmat --jsonfile=r.jsonl", "rmat --output r.jsonl"),
    ("bfs", "rmat --jsondir=out", "rmat --output out/bfs.jsonl"),
])  # fmt: skip
def test_what_means_the_same_is_done_with_a_word(
    primitive: str, old: str, today: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = parsed(primitive, today)
    capsys.readouterr()
    assert parsed(primitive, old) == expected
    told = capsys.readouterr().err.splitlines()
    assert all(line.startswith("gunrock: ") and line.endswith(" today") for line in told)
    flags = {word.partition("=")[0] for word in today.split() if word.startswith("--")}
    kept = {word.partition("=")[0] for word in old.split()}
    assert all(any(flag in line for line in told) for flag in flags - kept)


@pytest.mark.parametrize(
    "words",
    [
        "rmat --scale 5 --src 3 --advance-mode TWC --mark-pred --no-idempotence --json --alpha auto",
        "--market=a,b.mtx --save a,b.npy --output c,d --against scipy,igraph",
        "rmat --src=-1",
        "-- rmat",
    ],
)
def test_todays_line_says_nothing(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    parsed("bfs", words)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("line", "recorded"),
    [
        ("bfs rmat --traversal-mode TWC --quick", "bfs rmat --advance-mode=TWC --check=none"),
        ("bfs rmat --debug --num-runs=2", "bfs rmat --iterations=2"),
        ("bfs rmat --debug --iterations 2", "bfs rmat --debug --iterations 2"),
    ],
)
def test_records_have_todays_command(line: str, recorded: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports tell plain runs from those that try an option by the command."""
    monkeypatch.setattr("sys.argv", ["gunrock", *line.split()])
    words = [word for word in line.split()[1:] if word != "--debug"]
    with primitive_command("bfs").make_context("bfs", words):
        assert invoked_command() == ["gunrock", *recorded.split()]


def test_what_is_said_of_strange_values_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with primitive_command("bfs").make_context("bfs", ["rmat", "--graph-file", "a\nb\x1b[2J"]):
        told = capsys.readouterr().err
    assert told == r"gunrock: --graph-file=a\nb\x1b[2J is --market=a\nb\x1b[2J today" + "\n"


def test_values_of_todays_options_are_theirs() -> None:
    assert parsed("bfs", "rmat --save --quick --check none")["save"] == Path("--quick")


@pytest.mark.parametrize(("primitive", "words", "advice"), [
    ("bfs", "rmat --do_a=0.001", "--alpha"), ("bfs", "rmat --do-b 0.2", "--beta"),
    ("bfs", "rmat --traversal-mode=LB_CULL", "--advance-mode takes LB, TWC"),
    ("cc", "rmat --in-sizing 2", "leave it out"),
    ("pagerank", "rmat --error=0.01", "--tolerance"), ("sssp", "rmat --random-edge-values", "--weights"),
    ("bfs", "rmat --validation=each", "--check"), ("bfs", "rmat --device=1", "CUDA_VISIBLE_DEVICES"),
    ("bfs", "rmat --device=0,1", "--devices 0,1 several for one run"),
    ("bfs", "--graph-type=grmat", "generators go by their names"),
    ("bfs", "rmat --instrumented", "--trace"),
    ("bfs", "rmat --quick=maybe", "true or false"), ("bfs", "rmat --mark-pred=2", "true or false"),
    ("bfs", "rmat --advance-mode=LB,TWC", "gunrock sweep --set advance-mode=LB,TWC"),
    ("bfs", "rmat --traversal-mode LB,TWC", "gunrock sweep --set advance-mode=LB,TWC"),
    ("bfs", "rmat --traversal-mode LB,LB_CULL", "--advance-mode takes LB, TWC"),
    ("bfs", "rmat --idempotence=false,true", "gunrock sweep --set idempotence=false,true"),
    ("bfs", "rmat --num-runs=3,5", "gunrock sweep --set iterations=3,5"),
    ("sssp", "rmat --delta_factor=16,32", "gunrock sweep --set delta-factor=16,32"),
])  # fmt: skip
def test_what_means_something_else_is_refused(
    primitive: str, words: str, advice: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([primitive, *words.split()])
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert told.startswith("gunrock: --")
    assert told.count("\n") == 1
    assert advice in told


@pytest.mark.parametrize(
    ("primitive", "words"),
    [
        ("cc", "rmat --do_a=1"),
        ("cc", "rmat --delta=0.9"),
        ("bfs", "rmat --nonsense=1"),
        ("cc", "rmat --mark_pred"),
        ("bfs", "rmat --max-iter"),
        ("bfs", "rmat --iteration-num"),
    ],
)
def test_what_no_command_of_either_time_has_stays_unknown(primitive: str, words: str) -> None:
    with pytest.raises(click.NoSuchOption):
        parsed(primitive, words)


def test_the_advised_sweep_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError) as refused:
        parsed("bfs", "rmat --traversal-mode=LB,TWC")
    words = str(refused.value).partition("gunrock sweep ")[2].split()[:2]
    main(["sweep", "--graph", "rmat --scale 5", "--primitive", "bfs", *words, "--dry-run"])
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_every_old_option_leads_to_one_of_today() -> None:
    flags = {
        flag
        for name in primitive_names()
        for param in primitive_command(name).params
        for flag in (*param.opts, *param.secondary_opts)
    }
    for old in OLD.values():
        assert not old.today or old.today in flags
        assert all(
            words.partition("=")[0] in flags for words in old.values.values() if words.startswith("--")
        )


def test_the_page_has_every_old_option() -> None:
    assert [name for name in OLD if f"`{name}" not in PAGE.read_text()] == []
