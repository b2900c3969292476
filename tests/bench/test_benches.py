"""Every benchmark runs, tiny: what it measures is asked by `make bench`, which has the peers."""

import os
import sys
from pathlib import Path

import pytest

from tests.bench import (
    bench_coin_in,
    bench_commit,
    bench_frames,
    bench_growth,
    bench_idle,
    bench_line,
    bench_rounds,
    bench_signed,
    bench_start,
    bench_web,
    bench_writes,
)
from tests.bench.contenders import Contender, alternately, running

A_FEW = {"presses": 3, "pause_ms": 0}


def test_coin_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_coin_in, "ROUNDS", 2)
    monkeypatch.setattr(bench_coin_in, "WARM_UP", 1)
    ways = {figure.name: figure.more for figure in bench_coin_in.measure()}
    assert {name: more["rounds"] for name, more in ways.items()} == {
        "coin_in.one_by_one": 2,
        "coin_in.one_by_one.sync_of_3_ms": 2,
        "coin_in.together": 2,
    }


def test_rounds_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rounds, "ROUNDS", {"without_syncs": 8, "with_syncs": 4})
    monkeypatch.setattr(bench_rounds, "TIMES", 3)
    figures = list(bench_rounds.measure())
    assert [figure.name.removeprefix("rounds.") for figure in figures] == [
        "calls",
        "without_syncs",
        "with_syncs",
    ]


def test_a_commit_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_commit, "ROUNDS", 3)
    monkeypatch.setattr(bench_commit, "WARM_UP", 1)
    assert list(bench_commit.measure())


def test_the_line_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_line, "NOISE", 20_000)
    monkeypatch.setattr(bench_line, "KEYS", dict(list(bench_line.KEYS.items())[:1]))
    monkeypatch.setattr(bench_line, "SESSION", bench_line.BEFORE[:1])
    assert {figure.name for figure in bench_line.measure()} >= {
        "line.session.worst",
        "line.noise.at_115200_baud",
    }


def test_signed_commits_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_signed, "COMMITS", 2)
    monkeypatch.setattr(bench_signed, "WARM_UP", 1)
    monkeypatch.setattr(bench_signed, "TIMES", 1)
    monkeypatch.setattr(bench_signed, "BACK_TO_BACK", A_FEW)
    assert [figure.name for figure in bench_signed.measure()] == ["signed.commit", "signed.edge"]


def test_writes_run(monkeypatch: pytest.MonkeyPatch) -> None:
    record = bench_writes.night(4)
    monkeypatch.setattr(bench_writes, "night", lambda: record)
    monkeypatch.setattr(bench_writes, "COMMITS", 5)
    monkeypatch.setattr(bench_writes, "TIMES", 1)
    assert list(bench_writes.measure())


def test_growth_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_growth, "SIZES", (3_000, 6_000))
    monkeypatch.setattr(bench_growth, "TIMES", 2)
    monkeypatch.setattr(bench_growth, "COMMITS", 3)
    assert list(bench_growth.measure())


def test_the_pages_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        bench_web, "CPU_GROUPS", [tmp_path / "none"]
    )  # an idle group gets nothing here
    monkeypatch.setattr(bench_web, "POLICY", os.SCHED_OTHER)
    monkeypatch.setattr(bench_web, "VIEWERS", 3)
    monkeypatch.setattr(bench_web, "TURNS", 1)
    monkeypatch.setattr(bench_web, "PACED", A_FEW)
    monkeypatch.setattr(bench_web, "CHANGES", 2)
    assert list(bench_web.measure())


def test_edges_run() -> None:
    """Of the peers only those that need no environment of their own."""
    with running(
        as_it_ships=Contender("table_edge", "5"),
        without_settling=Contender("table_edge", "0"),
        without_ledger=Contender("table_edge", "0", "unwritten"),
        gpiozero_events=Contender("peer_gpiozero_edge", "events"),
        gpiozero_source=Contender("peer_gpiozero_edge", "source"),
    ) as contenders:
        for name, (answer,) in alternately(contenders, 1, **A_FEW).items():
            assert answer["processor_us"] > 0, name


@pytest.mark.parametrize("what", [*bench_frames.CLEAN, *bench_frames.HOSTILE])
def test_frames_run(what: str) -> None:
    with running(banco=Contender("table_frames")) as contenders:
        assert contenders["banco"].ask(what=what, size=2_000)


def test_a_start_runs(tmp_path: Path) -> None:
    command = [sys.executable, "-c", bench_start.BANCO, "run", "--sim"]
    started = bench_start.start(command, tmp_path)
    assert started.resident_mb > 0
    assert started.line_s > 0


def test_an_idle_table_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_idle, "SETTLE_S", 2.0)
    monkeypatch.setattr(bench_idle, "SPAN_S", 0.5)
    assert [figure.name for figure in bench_idle.measure()] == [
        "idle.service",
        "idle.simulated",
        "idle.pages",
    ]
