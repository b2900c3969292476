"""A linked table keeps what follows of a reading, and has no record of one that changes nothing.

docs/dev/decisions/0010-link.md; docs/reference/link-rules.md 1.4, 3.1.
"""

from pathlib import Path

from console.configuration.table_plan import TablePlan
from console.office.ledger.verify import find_replay_problems
from console.rules.link import Shown
from console.rules.link_state import LinkShown, LinkState
from console.rules.records import SNAPSHOT
from devices.roles import Button, ButtonPressed
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import SNAPSHOT_EVERY
from jackpot.money.amounts import Cents
from tests.console.service.test_busy_disk import busy_table
from tests.console.table import Table, table_in

MINUTES = 10


def play_elsewhere(table: Table, seconds: int) -> None:
    """So many seconds pass; in each another table stakes, so that each beat brings more."""
    for _ in range(seconds):
        table.play("elsewhere open 1", "wait 1s")


def without_snapshots(table: Table) -> list[Record]:
    return [record for record in table.records if record.kind != SNAPSHOT]


def reading_on_record(table: Table) -> Cents | None:
    """What a start would read."""
    found = None
    for record in table.records:
        changes = record.body.get("changes", {})
        if isinstance(changes, dict) and "link" in changes:
            found = Cents(changes["link"]["reading"])
    return found


def test_an_idle_table_records_no_readings(tmp_path: Path) -> None:
    """LINK 1.4.1: the last reading is shown, and is no record of its own"""
    with table_in(tmp_path, "link house") as table:
        table.play("expect shown 10000.00")
        before = len(table.records)
        play_elsewhere(table, 60 * MINUTES)
        table.play("expect shown 10840.00")
        assert len(table.records) == before


def test_the_next_record_holds_the_reading_that_was_shown(tmp_path: Path) -> None:
    with table_in(tmp_path, "link house") as table:
        play_elsewhere(table, 5)
        before = len(without_snapshots(table))
        table.play("expect shown 10007.00", "press FLUSH")
        (record,) = without_snapshots(table)[before:]
        assert record.kind == "button"
        assert record.body["reading"] == 1_000_700
        assert reading_on_record(table) == 1_000_700
        table.play("press FLUSH")
        assert "reading" not in table.records[-1].body, "it is on record already"
        assert find_replay_problems(table.machine.disk.folder) == []


def test_a_fall_since_the_reading_that_was_shown_is_refused(tmp_path: Path) -> None:
    """LINK 3.1.4: a tenth below what is shown, though no record of its own held that"""
    with table_in(tmp_path, "link house", "jackpot 1000.00", "base 1000.00") as table:
        table.play("press GAME_OVER", "token 1")
        play_elsewhere(table, 100)
        table.play("expect shown 1140.00", "elsewhere claim STRAIGHT_FLUSH")
        table.play("expect centre 1026.00", "press COIN_IN")
        table.play("expect refused JACKPOT_CHANGED", "expect shown 1026.00")
        table.play("press COIN_IN", "expect phase PLAYING")
        assert find_replay_problems(table.machine.disk.folder) == []


def test_a_small_fall_since_the_reading_that_was_shown_is_not(tmp_path: Path) -> None:
    """LINK 3.1.4: compared is what is shown, not what stood in the last record"""
    with table_in(tmp_path, "link house", "jackpot 1000.00", "base 1000.00") as table:
        table.play("press GAME_OVER", "token 1", "expect shown 1000.00")
        for _ in range(4):
            table.play("elsewhere open", "elsewhere claim FOUR_OF_A_KIND", "elsewhere agree")
            table.play("wait 1s")

        table.play("press COIN_IN", "expect phase PLAYING")
        assert find_replay_problems(table.machine.disk.folder) == []


def test_snapshots_and_a_start_agree_with_readings_between(tmp_path: Path) -> None:
    """TABLE 7.10: whichever record comes after a reading, the journal leads to the state"""
    with table_in(tmp_path, "link house") as table:
        for _ in range(SNAPSHOT_EVERY // 2):
            table.play("elsewhere open 1", "wait 4s", "press FLUSH", "press FLUSH")
        assert [record.kind for record in table.records].count(SNAPSHOT) > 0
        assert find_replay_problems(table.machine.disk.folder) == []
        link = table.state.link
        assert isinstance(link, LinkState)
        assert reading_on_record(table) == link.reading
        table.play("elsewhere open 1", "wait 1s", "elsewhere open 1", "wait 1s", "link off")
        table.play(
            "power off",
            "wait 1s",
            "power on",
            "expect shown none",
            "link on",
            "wait 2s",
            "expect link up",
        )
        assert find_replay_problems(table.machine.disk.folder) == []


def test_a_snapshot_waits_while_a_reading_is_newly_shown(tmp_path: Path) -> None:
    """TABLE 7.10: a beat that is answered while the disk writes comes after the last record"""
    press = ButtonPressed(Button.JPOT)
    with busy_table(tmp_path, TablePlan(link="house")) as busy:
        service = busy.table.simulated_table.service
        for more in range(SNAPSHOT_EVERY):
            busy.hold()
            for _ in range(1 + more % 3):  # the first is written; what follows waits
                service.report(press)
            service.report(LinkShown(Shown(Cents(1_000_000 + more))))
            busy.let_go()
        assert [record.kind for record in busy.table.records].count(SNAPSHOT) > 0
        assert find_replay_problems(busy.table.machine.disk.folder) == []
