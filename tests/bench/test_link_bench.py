"""The benchmark of linked tables runs, tiny, on real servers."""

import pytest

from tests.bench import bench_link, link_load
from tests.bench.test_benches import A_FEW
from tests.console.link.crowd import Playing


def test_the_link_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tables apart and two more beside them, and two desks, for a second each."""
    for module in (bench_link, link_load):
        monkeypatch.setattr(module, "CLIENTS", 2)
    monkeypatch.setattr(link_load, "WARM_UP_S", 0)
    monkeypatch.setattr(bench_link, "TABLES", 2)
    monkeypatch.setattr(bench_link, "ALL_TABLES", 4)
    monkeypatch.setattr(bench_link, "EDGES", 1)
    monkeypatch.setattr(bench_link, "PACED", A_FEW)
    monkeypatch.setattr(bench_link, "TIMES", 1)
    monkeypatch.setattr(bench_link, "SECONDS", 1)
    monkeypatch.setattr(bench_link, "COIN_IN", Playing(seconds=2, round_s=1, beat_s=1, seed=1))
    of_all = Playing(seconds=2, round_s=2, beat_s=1, seed=1)
    monkeypatch.setattr(bench_link, "A_ROUND_A_MINUTE", of_all)
    monkeypatch.setattr(bench_link, "TOKENS_BEFORE", 2)
    assert [figure.name for figure in bench_link.measure()][-1] == "link.answered_again.4"
