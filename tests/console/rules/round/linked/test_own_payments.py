"""What a linked table pays itself, where its round, its life or its stay at the centre ends.

docs/reference/prizes.md, 2.16 and 2.17.
"""

import pytest

from console.rules.acts import HandVoid, Started
from console.rules.codes import Phase, Refusal
from console.rules.link import Barred, Leave
from console.rules.link_state import LinkBarred, LinkRejoined
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceUp, KeyFound, KeyMoved, KeyPosition
from jackpot.money.prize_file import parse_prizes
from tests.console.rules.round.linked.test_awards import (
    FLUSH,
    JPOT,
    TO_RUN,
    LinkedPureTable,
    make_table,
)
from tests.console.rules.round.linked.test_membership import rejoin

OF_THE_HOUSE = ButtonPressed(Button.COMBINATION_4)
PRIZES = """
[[prize]]
combination = "ROYAL_FLUSH"
share = "100"
key = "JPH"
[[prize]]
combination = "STRAIGHT_FLUSH"
share = "10"
key = "JPH"
[[prize]]
combination = "FOUR_OF_A_KIND"
share = "5"
key = "JPL"
[[prize]]
combination = "FULL_HOUSE"
amount = "50.00"
from = "house"
envy = "5.00"
key = "JPL"
[[prize]]
combination = "FLUSH"
share = "1"
from = "house"
envy = "3.00"
key = "JPL"
"""
ENVY = 300 * 10_000


def seat_table() -> LinkedPureTable:
    return make_table(parse_prizes(PRIZES, "prizes.toml"))


def play_to_own_award() -> LinkedPureTable:
    """A flush is final; then the house's own prize is pending."""
    table = seat_table()
    table.play_to_award()
    table.do(TO_RUN)
    table.answer()
    table.do(OF_THE_HOUSE, KeyMoved(KeyPosition.JPL), JPOT)
    assert table.state.award is not None
    assert table.link.award is None
    return table


@pytest.mark.parametrize("ends", ["final", "cancelled"])
def test_the_envy_of_a_table_that_rejoins_follows_its_award_at_the_centre(ends: str) -> None:
    """PRIZES 2.17: what became of it while this card was away"""
    table = seat_table()
    table.play_to_award()
    before = table.state
    pending = before.balances.pending
    table.do(TO_RUN if ends == "final" else FLUSH)
    table.answer()
    after = table.state.balances
    table.state = before
    table.do(LinkRejoined(rejoin(table)))
    assert table.state.balances.pending == pending, "the centre has not said it yet"
    table.greet()
    table.beat()
    assert table.state.balances == after
    assert (after.pending, after.paid) == (0, pending if ends == "final" else 0)


def test_a_void_round_returns_what_is_wholly_the_house_s() -> None:
    """PRIZES 2.16: a table that rejoins pays by the centre's word alone"""
    table = play_to_own_award()
    paid = table.state.balances.paid
    step = table.do(LinkRejoined(rejoin(table)))
    assert [one.identity for one in step.transactions] == [
        "simulated/round-1/award-2/house-cancelled"
    ]
    assert (table.state.phase, table.state.award) == (Phase.PAUSED, None)
    assert (table.state.balances.pending, table.state.balances.paid) == (0, paid)


def test_a_table_asked_to_leave_ends_its_own_award_first() -> None:
    """PRIZES 2.16, LINK 3.14"""
    table = play_to_own_award()
    table.centre.ask_to_leave("simulated")
    table.beat()
    assert not table.link.outbox
    table.do(TO_RUN)
    assert not any(isinstance(call, Leave) for call in table.link.outbox)
    table.rail(tray=2)
    table.press(ButtonPressed(Button.GAME_OVER))
    table.answer()
    table.press(ButtonPressed(Button.COIN_IN))
    assert any(isinstance(call, Leave) for call in table.link.outbox)
    assert table.state.balances.pending == 0


def test_an_older_card_pays_nothing_of_the_house_twice() -> None:
    """PRIZES 2.16: neither before the first hello, nor while the centre does not know it"""
    table = play_to_own_award()
    for act in (TO_RUN, OF_THE_HOUSE):
        assert table.do(LinkBarred(Barred.FORKED), act).refusal is Refusal.LINK_LOST
        assert table.state.balances.pending > 0
    table = play_to_own_award()
    table.do(Started(), KeyFound(KeyPosition.JPL))
    assert table.do(TO_RUN).refusal is Refusal.LINK_LOST
    table.do(DeviceUp(Device.LINK), KeyMoved(KeyPosition.JPL), TO_RUN)
    assert (table.state.phase, table.state.balances.pending) == (Phase.PLAYING, 0)


def test_a_seat_that_is_promised_to_a_winner_is_not_voided() -> None:
    table = play_to_own_award()
    assert table.do(HandVoid(1, returned=False, who="anna")).refusal is Refusal.AWARD_PENDING


def test_one_winner_more_leaves_no_seat_for_envy_and_its_pending_money_returns() -> None:
    """PRIZES 2.17: with two seats, k is 1 and then 0"""
    table = seat_table()
    table.play_to_award()
    assert table.link.envy
    pending = table.state.balances.pending
    table.do(JPOT)
    table.answer()
    award = table.state.award
    assert award is not None
    assert award.envy is None
    assert table.state.balances.pending == award.total * 10_000
    assert table.state.balances.pending > pending - ENVY
    table.do(TO_RUN)
    table.answer()
    assert table.state.balances.pending == 0
    assert not table.link.envy
