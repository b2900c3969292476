"""`retention_years`: `banco ledger archive` says until when an archive is to be kept."""

from pathlib import Path

import pytest

from console.command_line.main import main
from tests.console.running_table import configuration
from tests.console.table import table_in

NIGHT = (
    *("press GAME_OVER", "token 1", "press COIN_IN", "press GAME_OVER", "press COIN_IN"),
    *("declare tray 1", "wait 1m"),
)


@pytest.fixture
def nights(tmp_path: Path) -> Path:
    """Closed nights, over a snapshot; the last two stay."""
    with table_in(tmp_path) as table:
        table.play(*NIGHT * 60)
        return table.machine.disk.folder


def archive_before(ledger: Path, config: Path) -> int:
    return main(["ledger", "archive", str(ledger), "--before", "99999", "--config", str(config)])


def test_the_archive_says_until_when_it_is_kept(
    nights: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configuration(nights / "table.toml", table="simulated")
    assert archive_before(nights, config) == 0
    assert "keep it until" not in capsys.readouterr().out
    text = config.read_text("utf-8")
    config.write_text(f"retention_years = 5\n{text}", "utf-8")
    assert archive_before(nights, config) == 0
    last_line = capsys.readouterr().out.splitlines()[-1]
    last_day, until = last_line.split("its last day is ")[1][:10], last_line[-10:]
    assert last_line == f"its last day is {last_day}; retention_years = 5: keep it until {until}"
    assert until == f"{int(last_day[:4]) + 5}{last_day[4:]}"
