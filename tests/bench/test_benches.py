"""The benchmarks that need no peer run, tiny: what they measure is asked by `make bench`."""

import pytest

from tests.bench import bench_coin_in, bench_commit, bench_rounds


def test_coin_in_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_coin_in, "ROUNDS", 2)
    monkeypatch.setattr(bench_coin_in, "WARM_UP", 1)
    ways = {figure.name: figure.more for figure in bench_coin_in.measure()}
    assert {name: more["rounds"] for name, more in ways.items()} == {
        "coin_in.one_by_one": 2,
        "coin_in.together": 2,
    }


def test_rounds_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_rounds, "ROUNDS", {"without_syncs": 8, "with_syncs": 4})
    monkeypatch.setattr(bench_rounds, "TIMES", 3)
    figures = list(bench_rounds.measure())
    assert [figure.name for figure in figures] == ["rounds.without_syncs", "rounds.with_syncs"]


def test_a_commit_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_commit, "ROUNDS", 3)
    monkeypatch.setattr(bench_commit, "WARM_UP", 1)
    assert list(bench_commit.measure())
