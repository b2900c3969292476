"""A ccTalk rail lost and found, over a restart too: no token is lost, and none is doubled."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from console.rules.structs import replace
from devices.boards import BoardFound
from devices.device import Device
from devices.roles import DeviceLost, DeviceUp, RailSeen
from devices.sim.memory import CabinetMemory
from tests.devices.cctalk.simulated_rail import CcTalkTable, credits


@pytest.fixture
def table() -> Iterator[CcTalkTable]:
    table = CcTalkTable()
    yield table
    table.close()


# Lost and found


def test_one_silent_acceptor_is_a_lost_rail_after_1_s(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(4).silent = True
    table.run(0.7)
    assert not table.events_of(DeviceLost)
    table.run(0.4)
    (lost,) = table.events_of(DeviceLost)
    assert lost == DeviceLost(Device.RAIL, "acceptor of seat 4: silent")


def test_a_lost_rail_takes_no_token(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(4).silent = True
    table.run(1.5)
    table.put(3)
    assert table.cabinet.tray_count == 0


def test_the_silent_one_is_found_again_and_the_rail_opened(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(4).silent = True
    table.run(3)
    table.acceptor(4).silent = False
    table.events.clear()
    table.run(1.5)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen, DeviceUp]
    table.put(4)
    assert table.drops == credits(seat4=1)


def test_an_answer_lost_now_and_then_loses_no_rail_and_no_token(table: CcTalkTable) -> None:
    table.start()
    for _ in range(20):
        table.acceptor(4).silent = True
        table.run(0.19)
        table.acceptor(4).silent = False
        table.run(0.5)
        table.put(4)
    assert (table.drops, table.events_of(DeviceLost)) == (credits(seat4=20), [])


def test_without_the_slot_board_it_is_lost_and_takes_nothing(table: CcTalkTable) -> None:
    table.start()
    table.physics.cable.connect(False)
    table.run(1.2)
    assert table.events_of(DeviceLost) == [DeviceLost(Device.RAIL, "slot board: unplugged")]
    table.put(3)
    assert table.cabinet.tray_count == 0


def test_a_token_swallowed_behind_an_unplugged_cable_is_counted_when_it_is_back(
    table: CcTalkTable,
) -> None:
    table.start()
    table.cabinet.unplug(Device.RAIL)
    table.put(5)
    assert table.cabinet.tray_count == 1
    table.run(1)
    table.put(5)  # not asked for a second, it takes nothing more
    table.cabinet.plug(Device.RAIL)
    table.run(2)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat5=1), 0)


def test_a_short_interruption_is_no_loss_and_all_is_seen_again(table: CcTalkTable) -> None:
    table.start()
    table.events.clear()
    table.physics.cable.connect(False)
    table.run(0.3)
    table.physics.cable.connect(True)
    table.run(0.5)
    assert [type(event) for event in table.events] == [BoardFound, RailSeen]


def test_a_board_that_is_back_without_the_acceptors_is_no_rail(table: CcTalkTable) -> None:
    table.start()
    table.cabinet.unplug(Device.RAIL)
    table.run(2)
    table.events.clear()
    table.physics.cable.connect(True)
    table.run(2)
    assert table.events == []


def test_it_is_up_only_when_it_is_open_again(table: CcTalkTable) -> None:
    rail = table.start()
    table.cabinet.unplug(Device.RAIL)
    table.run(2)
    open_then: list[bool | None] = []
    table.on_up = lambda: open_then.extend(one.is_accepting for one in rail.acceptors)
    table.cabinet.plug(Device.RAIL)
    table.run(2)
    assert open_then == [True] * 7


# Over a restart of the service


def test_a_restarted_service_counts_on_and_nothing_is_lost_or_doubled(
    table: CcTalkTable,
) -> None:
    old = table.start()
    table.put(1, 1, 4)
    journal = table.rail_seen
    old.close()
    table.put(4)  # nobody asks any more, but for a second it still takes tokens
    table.run(2)
    table.start(resume=journal)
    assert table.drops == credits(seat1=2, seat4=2)
    assert (table.rail_seen.boot, table.rail_seen.credits_lost) == (journal.boot, 0)
    assert sum(table.drops) == table.cabinet.tray_count


def test_an_older_journal_counts_what_it_does_not_know_yet(table: CcTalkTable) -> None:
    table.start()
    table.put(1)
    journal = table.rail_seen
    table.put(1, 1)
    table.start(resume=journal)
    assert table.drops == credits(seat1=3)


def test_what_was_not_known_before_is_still_counted(table: CcTalkTable) -> None:
    table.start()
    journal = replace(table.rail_seen, drops=(65535,) * 7, credits_lost=3)
    table.put(1)
    table.start(resume=journal)
    assert table.drops == (0, *[65535] * 6)
    assert table.rail_seen.credits_lost == 3


def test_a_journal_that_is_six_behind_cannot_know(table: CcTalkTable) -> None:
    table.start()
    journal = table.rail_seen
    table.put(*[1] * 6)
    table.start(resume=journal)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(), 1)


def test_after_a_power_cut_what_was_counted_stays_and_nothing_is_missing(
    table: CcTalkTable,
) -> None:
    table.start()
    table.put(1, 3)
    journal = table.rail_seen
    table.cabinet.cut_power()
    table.run(1)
    table.cabinet.restore_power()
    table.start(resume=journal)
    table.run(1)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat1=1, seat3=1), 0)
    table.put(3)
    assert table.drops == credits(seat1=1, seat3=2)


def test_one_that_alone_was_reset_meanwhile_cannot_be_known(table: CcTalkTable) -> None:
    old = table.start()
    table.put(1, 3)
    journal = table.rail_seen
    old.close()
    table.physics.reset(3)
    table.run(1)
    table.start(resume=journal)
    assert (table.drops, table.rail_seen.credits_lost) == (credits(seat1=1, seat3=1), 1)


def test_a_first_start_credits_nothing_that_was_there_before(table: CcTalkTable) -> None:
    table.start()
    table.put(1, 3)
    table.start()
    assert table.drops == credits()
    table.put(3)
    assert table.drops == credits(seat3=1)


def test_a_killed_cabinet_remembers_its_acceptors(tmp_path: Path) -> None:
    table = CcTalkTable(CabinetMemory(tmp_path / "cabinet.json"))
    table.start()
    table.put(2, 2)
    journal = table.rail_seen
    table.loop.close()
    again = CcTalkTable(CabinetMemory(tmp_path / "cabinet.json"))
    again.start(resume=journal)
    again.put(2)
    assert (again.drops, again.rail_seen.credits_lost) == (credits(seat2=3), 0)
    again.close()
