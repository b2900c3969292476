"""`make year` at its smallest."""

from pathlib import Path

from tests.console.link.servers import Server
from tests.console.link.year import play_year


def test_days_are_put_away_by_the_month_and_all_come_back(server: Server, tmp_path: Path) -> None:
    figures = play_year(server, tmp_path, days=7, tables=2, month=3)
    assert figures["days"] == 7
    for work in ("detach s", "attach s", "MB after each detach"):
        found = figures[work]
        assert isinstance(found, list)
        assert len(found) == 2
