"""The reading shoe as it is simulated, heard by its driver: it follows the coup by its own rule."""

from collections.abc import Iterator

import pytest

from devices.angel_eye_shoe import AngelEyeShoe
from devices.card_reports import (
    Card,
    CardBurnt,
    CardDrawn,
    CoupResult,
    Place,
    ResultReported,
    ShoeTrouble,
)
from devices.roles import Event
from devices.sim.reading_shoe import due
from firmware_bridge.angel_eye.framing import AngelEyeAnswer
from firmware_bridge.memory_line import MemoryLine, WireFaults
from tests.devices.shoe_table import ShoeTable

PUNTO, BANCO = Place.PUNTO, Place.BANCO


@pytest.fixture
def table() -> Iterator[ShoeTable]:
    table = ShoeTable("reading")
    table.start()
    table.cabinet.shoe.load()
    table.run()
    table.events.clear()
    yield table
    table.close()


def draw(table: ShoeTable, cards: str) -> list[Event]:
    """Draw these cards, one every 50 ms; what is told of them."""
    before = len(table.events)
    for card in cards.split():
        table.cabinet.shoe.draw(card)
        table.run()
    return table.events[before:]


def places(reported: list[Event]) -> str:
    return " ".join(
        f"{event.place.name[0]}{event.number}" for event in reported if isinstance(event, CardDrawn)
    )


# Four cards of PUNTO and BANCO in turn, then thirds; where the shoe gives them, and the result.
COUPS = [
    ("9H 2S TD 3C", "P1 B1 P2 B2", CoupResult.PUNTO),
    ("8H 2S TD 3C", "P1 B1 P2 B2", CoupResult.PUNTO),
    ("2H 9S 3D TC", "P1 B1 P2 B2", CoupResult.BANCO),
    ("6H 7S TD TC", "P1 B1 P2 B2", CoupResult.BANCO),
    ("7H 5S TD TC KS", "P1 B1 P2 B2 B3", CoupResult.PUNTO),
    ("5H 3S TD TC 8S", "P1 B1 P2 B2 P3", CoupResult.EGALITE),
    ("5H 3S TD TC 9S 6H", "P1 B1 P2 B2 P3 B3", CoupResult.BANCO),
    ("5H 6S TD TC AS", "P1 B1 P2 B2 P3", CoupResult.EGALITE),
    ("5H 6S TD TC 7S 9H", "P1 B1 P2 B2 P3 B3", CoupResult.BANCO),
]


@pytest.mark.parametrize(("cards", "where", "result"), COUPS)
def test_the_simulated_shoe_follows_the_rule(
    table: ShoeTable, cards: str, where: str, result: CoupResult
) -> None:
    reported = draw(table, cards)
    assert places(reported) == where
    assert [event.card.name for event in reported if isinstance(event, CardDrawn)] == cards.split()
    assert reported[-1] == ResultReported(result)
    assert len(reported) == len(cards.split()) + 1
    assert places(draw(table, "AS")) == "P1", "another coup"


BANCO_DRAWS = {0: "0123456789", 3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
"""By BANCO's points: PUNTO's third cards on which it draws (docs/reference/rules.md, section 9)."""


def test_the_simulated_shoe_knows_the_whole_rule() -> None:
    for points in range(8):
        drawn_on = BANCO_DRAWS[points if points > 2 else 0]
        banco = ["TS", f"{'TA234567'[points]}S"]
        for third, card in enumerate("TA23456789"):
            wanted = BANCO if str(third) in drawn_on else None
            assert due(["2H", "3H", f"{card}H"], banco) is wanted, (points, third)
        assert due(["2H", "5H"], banco) is (BANCO if points < 6 else None)
        for punto in range(6):
            assert due(["TH", f"{'TA2345'[punto]}H"], banco) is PUNTO


def test_a_card_that_leaves_without_power_is_in_no_coup(table: ShoeTable) -> None:
    draw(table, "2H")
    table.cabinet.cut_power()
    table.cabinet.shoe.draw("3H")
    table.run(2)
    table.cabinet.restore_power()
    table.run(5)
    assert places(draw(table, "4H")) == "B1"


def test_a_fourth_card_has_no_place(table: ShoeTable) -> None:
    draw(table, "5H 3S TD TC 9S")
    table.cabinet.reading_shoe.draw_to(PUNTO, "2H")
    table.run()
    assert table.events[-2:] == [CardBurnt(), ShoeTrouble(2, "overdraw")]
    assert places(draw(table, "6H")) == "B3"


def test_a_card_for_the_wrong_place_is_told_as_given(table: ShoeTable) -> None:
    table.cabinet.reading_shoe.draw_to(BANCO, "4H")
    table.run()
    assert table.events == [CardDrawn(BANCO, 1, Card("4H"))]
    assert places(draw(table, "9H 9S TD")) == "P1 P2 B2"


def test_an_overdraw_is_told_until_the_next_coup(table: ShoeTable) -> None:
    draw(table, "6H 5S TD TC")
    table.cabinet.reading_shoe.draw_to(PUNTO, "2H")
    table.run()
    assert table.events[-2:] == [CardDrawn(PUNTO, 3, Card("2H")), ShoeTrouble(2, "overdraw")]
    assert draw(table, "TS")[-1] == ResultReported(CoupResult.PUNTO), "without the card too many"
    assert draw(table, "AS")[0] == ShoeTrouble(2, "overdraw", over=True)


def test_a_coup_can_be_ended_by_force(table: ShoeTable) -> None:
    table.cabinet.reading_shoe.end_coup()
    draw(table, "6H 5S")
    table.cabinet.reading_shoe.end_coup()
    table.run()
    assert table.events[-1] == ResultReported(CoupResult.FORCED)
    assert len(table.events) == 3
    assert places(draw(table, "AS")) == "P1"


def test_any_card_is_drawn_where_none_is_named(table: ShoeTable) -> None:
    table.cabinet.shoe.draw()
    table.run()
    (drawn,) = table.events_of(CardDrawn)
    assert (drawn.place, drawn.number) == (PUNTO, 1)


FAULTS = [
    WireFaults(byte_at_a_time=True),
    WireFaults(garbage=0.5, seed=1),
    WireFaults(repeat=0.5, seed=2),
    WireFaults(drop=0.1, seed=3),
    WireFaults(cut=0.1, seed=4),
]


@pytest.mark.parametrize("faults", FAULTS, ids=str)
def test_on_a_bad_wire_each_card_is_told_once(faults: WireFaults) -> None:
    table = ShoeTable("reading")
    line = table.cabinet.shoe.cable.line()
    assert isinstance(line, MemoryLine)
    line.device.inject(to_host=faults)
    AngelEyeShoe(table.loop, line).start(table.events.append)
    table.run()
    table.cabinet.shoe.load()
    table.run()
    for _ in range(40):
        draw(table, "6H 7S TD TC")
    assert places(table.events) == " ".join(["P1 B1 P2 B2"] * 40)
    assert len(table.events_of(ResultReported)) == 40
    table.close()


def test_the_shoe_obeys_its_commands(table: ShoeTable) -> None:
    shoe = table.start()
    assert isinstance(shoe, AngelEyeShoe)
    reported: list[AngelEyeAnswer | None] = []
    shoe.lock(True, reported.append)
    table.run()
    table.events.clear()
    assert draw(table, "9H") == [CardBurnt()], "locked, a card is outside the game"
    shoe.lock(False, reported.append)
    shoe.clear_error(reported.append)
    table.run()
    assert reported == [AngelEyeAnswer()] * 3
    assert places(draw(table, "9H")) == "P1"


def test_the_shoe_refuses_a_wrong_check_and_the_other_is_kept(table: ShoeTable) -> None:
    shoe = table.start()
    assert isinstance(shoe, AngelEyeShoe)
    shoe.commander.check_from_stx = False
    reported: list[AngelEyeAnswer | None] = []
    shoe.lock(True, reported.append)
    table.run()
    assert reported == [AngelEyeAnswer()]
    assert shoe.commander.check_from_stx
