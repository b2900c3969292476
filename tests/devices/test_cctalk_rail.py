"""A ccTalk rail: what is credited, what is returned, and what is said when it cannot be known."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from devices.cctalk_rail import CcTalkRail
from devices.roles import SEATS, Device, Event, LinkLost, LinkUp, RailOrders, RailSeen
from devices.sim.cctalk import SimulatedAcceptor, SimulatedCcTalkRail
from devices.sim.memory import CabinetMemory
from tests.devices.table import Table

OPEN = RailOrders(open=frozenset(SEATS))
CLOSED = RailOrders()


class CcTalkTable(Table):
    """A table with a ccTalk rail; `rail` is its driver, once started."""

    def __init__(self, memory: CabinetMemory | None = None) -> None:
        super().__init__("cctalk", memory=memory)
        self.on_up: Callable[[], None] = lambda: None

    def tell(self, event: Event) -> None:
        self.events.append(event)
        if isinstance(event, LinkUp):
            self.on_up()

    def start(
        self,
        serials: tuple[int | None, ...] | None = None,
        *,
        resume: RailSeen | None = None,
        orders: RailOrders = OPEN,
    ) -> CcTalkRail:
        rail = CcTalkRail(
            self.loop, self.cabinet.cctalk_line(), self.cabinet.rail_line(), serials=serials
        )
        rail.resume(resume)
        rail.show(orders)
        rail.start(self.tell)
        self.run()
        return rail

    @property
    def physics(self) -> SimulatedCcTalkRail:
        assert self.cabinet.cctalk is not None
        return self.cabinet.cctalk

    def acceptor(self, seat: int) -> SimulatedAcceptor:
        return self.physics.acceptors[seat]

    def put(self, *seats: int) -> None:
        for seat in seats:
            self.cabinet.put_token(seat)
            self.run()

    @property
    def drops(self) -> tuple[int, ...]:
        return self.rail_seen.drops


@pytest.fixture
def table() -> Iterator[CcTalkTable]:
    table = CcTalkTable()
    yield table
    table.close()


def credits(**by_seat: int) -> tuple[int, ...]:
    return tuple(by_seat.get(f"seat{seat}", 0) for seat in range(1, 8))


# Taken, and returned


def test_a_token_is_swallowed_and_credited_within_50_ms(table: CcTalkTable) -> None:
    table.start()
    table.put(3, 3, 7)
    assert table.drops == credits(seat3=2, seat7=1)
    assert table.cabinet.tray_count == 3


def test_a_closed_rail_returns_tokens(table: CcTalkTable) -> None:
    table.start(orders=CLOSED)
    table.put(3)
    assert (table.drops, table.cabinet.tray_count) == (credits(), 0)


def test_it_opens_and_closes_within_50_ms(table: CcTalkTable) -> None:
    rail = table.start(orders=CLOSED)
    rail.show(OPEN)
    table.run()
    table.put(*range(1, 8))
    rail.show(CLOSED)
    table.run()
    table.put(*range(1, 8))
    assert (table.drops, table.cabinet.tray_count) == ((1,) * 7, 7)


def test_a_token_credited_late_is_found_by_the_next_poll(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(2).note(1, 1)
    table.run(0.2)
    assert table.drops == credits(seat2=1)


def test_a_blocked_acceptor_says_so_and_takes_nothing(
    table: CcTalkTable, caplog: pytest.LogCaptureFixture
) -> None:
    table.start()
    table.cabinet.jam(4)
    table.run(0.2)
    table.put(4)
    assert "seat 4: sensor blocked" in caplog.text
    assert (table.drops, table.cabinet.tray_count) == (credits(), 0)
    table.cabinet.unjam(4)
    table.put(4)
    assert table.drops == credits(seat4=1)


def test_a_coin_that_is_no_token_is_not_counted_as_one(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(5).note(2, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.unknown) == (credits(), 1)


# The counter


def test_five_at_once_are_five(table: CcTalkTable) -> None:
    table.start()
    for _ in range(5):
        table.acceptor(1).note(1, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat1=5), 0)


def test_six_at_once_are_unknown_and_never_five(table: CcTalkTable) -> None:
    table.start()
    for _ in range(6):
        table.acceptor(1).note(1, 1)
    table.run(0.2)
    assert (table.drops, table.rail_seen.unknown) == (credits(), 1)
    table.put(1)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat1=1), 1)


def test_a_thousand_tokens_are_a_thousand(table: CcTalkTable) -> None:
    table.start()
    table.put(*[6] * 1000)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat6=1000), 0)


def test_one_reset_while_it_may_take_tokens_is_unknown_and_opened_again(
    table: CcTalkTable,
) -> None:
    table.start()
    table.put(2)
    table.physics.reset(2)
    table.run(0.6)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat2=1), 1)
    table.put(2)
    assert table.drops == credits(seat2=2)
    assert not table.told(LinkLost)


def test_one_reset_while_it_was_closed_has_lost_nothing(table: CcTalkTable) -> None:
    rail = table.start()
    table.put(2)
    rail.show(CLOSED)
    table.run(0.5)
    table.physics.reset(2)
    table.run(0.6)
    rail.show(OPEN)
    table.run()
    table.put(2)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat2=2), 0)


def test_one_reset_that_has_reached_its_old_counter_is_seen(table: CcTalkTable) -> None:
    table.start()
    table.put(2)
    table.physics.reset(2)
    table.acceptor(2).note(0, 40)
    table.run(0.6)
    table.put(2)
    assert (table.drops, table.rail_seen.unknown) == (credits(seat2=2), 1)


def test_one_reset_that_leaves_no_trace_is_opened_with_the_next_round(table: CcTalkTable) -> None:
    rail = table.start()
    table.physics.reset(2)
    table.run(0.6)
    rail.show(CLOSED)
    table.run()
    rail.show(OPEN)
    table.run()
    table.put(2)
    assert table.drops == credits(seat2=1)


# Lost and found


def test_one_silent_acceptor_is_a_lost_rail_after_1_s(table: CcTalkTable) -> None:
    table.start()
    table.acceptor(4).silent = True
    table.run(0.7)
    assert not table.told(LinkLost)
    table.run(0.4)
    (lost,) = table.told(LinkLost)
    assert lost == LinkLost(Device.RAIL, "acceptor of seat 4: silent")


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
    assert [type(event) for event in table.events] == [RailSeen, LinkUp]
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
    assert (table.drops, table.told(LinkLost)) == (credits(seat4=20), [])


def test_without_the_slot_board_it_is_lost_and_takes_nothing(table: CcTalkTable) -> None:
    table.start()
    table.physics.cable.connect(False)
    table.run(1.2)
    assert table.told(LinkLost) == [LinkLost(Device.RAIL, "slot board: unplugged")]
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
    assert (table.drops, table.rail_seen.unknown) == (credits(seat5=1), 0)


def test_a_short_interruption_is_no_loss_and_all_is_seen_again(table: CcTalkTable) -> None:
    table.start()
    table.events.clear()
    table.physics.cable.connect(False)
    table.run(0.3)
    table.physics.cable.connect(True)
    table.run(0.5)
    assert [type(event) for event in table.events] == [RailSeen]


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
    table.on_up = lambda: open_then.extend(one.is_open for one in rail.acceptors)
    table.cabinet.plug(Device.RAIL)
    table.run(2)
    assert open_then == [True] * 7


# Who it is


def test_it_says_who_answers_so_that_it_can_be_enrolled(table: CcTalkTable) -> None:
    rail = table.start()
    assert rail.serials == (1001, 1002, 1003, 1004, 1005, 1006, 1007)
    assert rail.acceptors[0].identity.manufacturer == "SIM"
    assert rail.acceptors[0].identity.product == "TOKEN"


def test_the_enrolled_are_no_change(table: CcTalkTable) -> None:
    table.start((1001, 1002, 1003, 1004, 1005, 1006, 1007))
    table.put(2)
    assert (table.rail_seen.changed, table.drops) == (frozenset(), credits(seat2=1))


def test_another_than_the_enrolled_is_told_and_stays_closed(table: CcTalkTable) -> None:
    table.start((1001, 5555, None, None, None, None, None))
    assert table.is_up(Device.RAIL)
    assert table.rail_seen.changed == frozenset((2,))
    table.put(2, 3)
    table.run(2)
    assert (table.drops, table.cabinet.tray_count) == (credits(seat3=1), 1)


def test_one_changed_while_it_has_no_power_is_found_out(table: CcTalkTable) -> None:
    table.start((1001, 1002, 1003, 1004, 1005, 1006, 1007))
    table.put(6, 6)
    table.physics.reset(6)
    table.acceptor(6).serial = 666
    table.run(1)
    assert table.rail_seen.changed == frozenset((6,))
    table.put(6)
    assert (table.drops, table.cabinet.tray_count) == (credits(seat6=2), 2)
    table.physics.reset(6)
    table.acceptor(6).serial = 1006
    table.run(1)
    assert table.rail_seen.changed == frozenset()
    table.put(6)
    assert table.drops == credits(seat6=3)


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
    assert (table.rail_seen.boot, table.rail_seen.unknown) == (journal.boot, 0)
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
    journal = replace(table.rail_seen, drops=(65535,) * 7, unknown=3)
    table.put(1)
    table.start(resume=journal)
    assert table.drops == (0, *[65535] * 6)
    assert table.rail_seen.unknown == 3


def test_a_journal_that_is_six_behind_cannot_know(table: CcTalkTable) -> None:
    table.start()
    journal = table.rail_seen
    table.put(*[1] * 6)
    table.start(resume=journal)
    assert (table.drops, table.rail_seen.unknown) == (credits(), 1)


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
    assert (table.drops, table.rail_seen.unknown) == (credits(seat1=1, seat3=1), 0)
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
    assert (table.drops, table.rail_seen.unknown) == (credits(seat1=1, seat3=1), 1)


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
    assert (again.drops, again.rail_seen.unknown) == (credits(seat2=3), 0)
    again.close()
