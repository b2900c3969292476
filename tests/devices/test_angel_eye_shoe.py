"""The shoe that reads: cards, places, results, errors, and reports that are missed."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from devices.angel_eye_shoe import BOARDS, AngelEyeShoe
from devices.boards import BoardFound
from devices.card_reports import (
    Card,
    CardBurnt,
    CardDrawn,
    CoupResult,
    CutCardOut,
    Place,
    ReportsMissed,
    ResultReported,
    ShoeLoaded,
    ShoeTrouble,
)
from devices.device import Device
from devices.drivers import ANGEL_EYE_BAUD
from devices.roles import DeviceLost, DeviceUp, Event
from devices.sim.cabinet import SimulatedCabinet
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.angel_eye.framing import AngelEyeAnswer, ShoeReport
from firmware_bridge.memory_line import memory_wire
from firmware_bridge.serial_line import SerialLine
from tests.devices.real_time import run_until

PUNTO, BANCO = Place.PUNTO, Place.BANCO


class Wire:
    """The driver on a bare wire."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        line, self.end = memory_wire(self.loop)
        self.shoe = AngelEyeShoe(self.loop, line)
        self.events: list[Event] = []
        self.shoe.start(self.events.append)
        self.loop.run_for(0.01)
        self.events.clear()
        self.seq = 0

    def say(self, *texts: str) -> list[Event]:
        """Reports such as `D 01 44`, each with a SEQ of its own; what is told of them at once."""
        before = len(self.events)
        for text in texts:
            letter, *data = text.split()
            self.seq += 1
            self.end.send(
                ShoeReport(str(self.seq % 10), letter, bytes.fromhex("".join(data))).to_bytes()
            )
        self.loop.run_for(0.01)
        return self.events[before:]

    def close(self) -> None:
        self.shoe.close()
        self.loop.close()


@pytest.fixture
def wire() -> Iterator[Wire]:
    wire = Wire()
    yield wire
    wire.close()


SAID: list[tuple[str, Event]] = [
    ("D 01 44", CardDrawn(PUNTO, 1, Card("4H"))),
    ("D 13 1d", CardDrawn(BANCO, 3, Card("KD"))),
    ("D 21 44", CardBurnt()),
    ("D 40 44", CardBurnt()),
    ("D 50 44", CardBurnt()),
    ("d 01 44", CardBurnt()),
    ("R 01 44", CardDrawn(PUNTO, 1, Card("4H"))),
    ("C", CutCardOut()),
    ("G 10", ResultReported(CoupResult.PUNTO)),
    ("G 43", ResultReported(CoupResult.BANCO)),
    ("G 20", ResultReported(CoupResult.EGALITE)),
    ("G 70", ResultReported(CoupResult.FORCED)),
    ("E 42", ShoeTrouble(2, "overdraw")),
    ("e 02", ShoeTrouble(2, "overdraw", over=True)),
    ("E 1f", ShoeTrouble(31, "unknown error")),
]


@pytest.mark.parametrize(("text", "event"), SAID)
def test_each_report_is_told(wire: Wire, text: str, event: Event) -> None:
    assert wire.say(text) == [event]


@pytest.mark.parametrize("text", ["P", "L 01", "L 00", "M 31 30 30 30 30 31", "Z 01"])
def test_what_concerns_nobody_is_not_told(wire: Wire, text: str) -> None:
    assert wire.say(text) == []


def test_a_card_that_is_not_understood_is_a_card_missed(wire: Wire) -> None:
    assert wire.say("D 04 44", "d 01 00", "G 00") == [ReportsMissed()] * 2


def test_a_card_sent_again_is_told_only_if_it_was_not(wire: Wire) -> None:
    first = CardDrawn(PUNTO, 1, Card("4H"))
    assert wire.say("D 01 44", "R 01 44", "R 01 44") == [first]
    assert wire.say("R 11 45") == [CardDrawn(BANCO, 1, Card("5H"))]
    assert wire.say("R 01 46") == [CardDrawn(PUNTO, 1, Card("6H"))]
    assert len(wire.say("G 10")) == 1
    assert wire.say("R 01 46") == [], "still of the coup that has ended"
    assert wire.say("R 01 44", "R 03 44") == [first, CardDrawn(PUNTO, 3, Card("4H"))]
    wire.say("G 10")
    assert wire.say("D 01 44", "R 01 44", "R 03 44") == [first, CardDrawn(PUNTO, 3, Card("4H"))]
    assert wire.say("S", "R 03 44") == [ShoeLoaded(None), CardDrawn(PUNTO, 3, Card("4H"))]


def test_a_load_is_told_once_with_its_cards(wire: Wire) -> None:
    assert wire.say("S", "P", "L 00", "M 39 30 30 33 31 32") == [ShoeLoaded(312)]
    wire.loop.run_for(1)
    assert wire.events == [ShoeLoaded(312)]


def test_a_load_without_its_cards_is_told_a_little_later_or_before_what_follows(wire: Wire) -> None:
    assert wire.say("S") == []
    wire.loop.run_for(0.3)
    assert wire.events == [ShoeLoaded(None)]
    assert wire.say("S", "P", "L 00", "D 21 44") == [ShoeLoaded(None), CardBurnt()]


def test_a_load_of_which_only_the_cards_were_heard_is_a_load(wire: Wire) -> None:
    assert wire.say("M 39 30 30 33 30 30") == [ShoeLoaded(300)]
    assert wire.say("M 39 30 58 58 58 58") == []


def test_half_a_report_is_not_joined_to_what_comes_after_an_interruption(wire: Wire) -> None:
    report = ShoeReport("1", "D", bytes((0x01, 0x44))).to_bytes()
    wire.end.send(report[:5])
    wire.loop.run_for(0.01)
    wire.end.unplug()
    wire.loop.run_for(0.1)
    wire.end.plug()
    wire.loop.run_for(0.5)
    wire.end.send(report[5:])
    wire.loop.run_for(0.1)
    assert wire.events == [BoardFound(Device.SHOE, BOARDS), ReportsMissed()]


@pytest.mark.parametrize(("absent_s", "lost"), [(2, False), (6, True)])
def test_a_shoe_found_late_may_have_said_something_before(absent_s: int, lost: bool) -> None:
    late = Wire()
    late.shoe.close()
    line, end = memory_wire(late.loop)
    end.unplug()
    AngelEyeShoe(late.loop, line).start(late.events.append)
    late.loop.run_for(absent_s)
    end.plug()
    late.loop.run_for(1)
    found = [BoardFound, DeviceUp, ReportsMissed]
    assert [type(event) for event in late.events] == ([DeviceLost, *found] if lost else found)
    late.close()


def test_each_interruption_is_told_as_reports_missed(wire: Wire) -> None:
    wire.end.unplug()
    wire.loop.run_for(0.3)
    wire.end.plug()
    wire.loop.run_for(1)
    assert wire.events == [BoardFound(Device.SHOE, BOARDS), ReportsMissed()]
    wire.end.unplug()
    wire.loop.run_for(2)
    wire.end.plug()
    wire.loop.run_for(1)
    after = [type(event) for event in wire.events[2:]]
    assert after == [DeviceLost, BoardFound, DeviceUp, ReportsMissed]


def test_after_a_loss_the_same_bytes_are_another_report(wire: Wire) -> None:
    wire.say("G 10")
    wire.end.unplug()
    wire.loop.run_for(2)
    wire.end.plug()
    wire.loop.run_for(1)
    wire.seq = 0
    assert wire.say("G 10") == [ResultReported(CoupResult.PUNTO)]


def test_over_a_pseudo_terminal_it_is_heard_lost_and_found_again(tmp_path: Path) -> None:
    loop = asyncio.new_event_loop()
    cabinet = SimulatedCabinet(loop, rail=None, inspector_fitted=False, shoe="reading")
    events: list[Event] = []
    path = cabinet.serve_pty(Device.SHOE, tmp_path)
    shoe = AngelEyeShoe(loop, SerialLine(str(path), ANGEL_EYE_BAUD, loop=loop))
    shoe.start(events.append)

    def wait_for(last: Event | type[Event]) -> None:
        run_until(loop, lambda: bool(events) and last in (events[-1], type(events[-1])))

    wait_for(DeviceUp(Device.SHOE))
    cabinet.shoe.load()
    wait_for(ShoeLoaded(312))
    cabinet.shoe.burn(100)
    run_until(loop, lambda: events.count(CardBurnt()) == 100)
    cabinet.unplug(Device.SHOE)
    wait_for(DeviceLost)
    cabinet.plug(Device.SHOE)
    wait_for(ReportsMissed())
    shoe.close()
    cabinet.close()
    loop.close()


def test_a_command_without_a_shoe_is_answered_by_nobody(wire: Wire) -> None:
    answers: list[AngelEyeAnswer | None] = []
    wire.shoe.lock(True, answers.append)
    wire.end.unplug()
    wire.loop.run_for(0.1)
    assert answers == [None]
