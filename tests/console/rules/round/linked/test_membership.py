"""A table leaves its linked jackpot, joins again, rejoins.

docs/reference/link-rules.md, 3.12, 3.14.
"""

import pytest
from msgspec import to_builtins

from console.configuration.table_plan import TablePlan
from console.link.rejoin_list import RejoinList
from console.rules.acts import Adopted, Elapsed, Started
from console.rules.centre_orders import link_orders, terms_of
from console.rules.codes import Fault, Phase, Refusal
from console.rules.link import CentreBars, Deliver, Join, Leave, MemberHello, Rejoined, Shown
from console.rules.link_state import (
    LeftLink,
    LinkRejoined,
    LinkShown,
    RecallBegan,
    RecallEnded,
)
from console.rules.round.tokens import STUCK_AFTER_MS
from devices.board_rail import TRAITS
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceUp, KeyFound, KeyPosition
from firmware_bridge.board_session.protocol import BoardKind
from jackpot.money.accounts import Account
from tests.console.rules.round.linked.test_awards import (
    HEAD,
    TO_RUN,
    LinkedPureTable,
    make_table,
)

GAME_OVER = ButtonPressed(Button.GAME_OVER)
COIN_IN = ButtonPressed(Button.COIN_IN)
ALONE = TablePlan()
LINKED = TablePlan(link="house")


def adopt(table: LinkedPureTable, plan: TablePlan) -> None:
    """It is started with this configuration."""
    table.rules = plan.rules(TRAITS[BoardKind.SLOT_RAIL])
    table.do(Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R), DeviceUp(Device.RAIL))


def play_round(table: LinkedPureTable) -> None:
    """A round with two tokens, all of it answered."""
    table.rail()
    table.press(GAME_OVER)
    table.rail(1, 2)
    table.press(COIN_IN)
    table.answer()
    table.rail(drops={1: 1, 2: 1}, tray=2)
    table.answer()


def pause(table: LinkedPureTable) -> None:
    """GAME OVER, and COIN IN without a token."""
    table.rail(tray=2)
    table.press(GAME_OVER)
    table.answer()
    table.press(COIN_IN)
    assert table.state.phase is Phase.PAUSED


def leave(table: LinkedPureTable) -> None:
    """It is asked to leave, and does."""
    table.centre.ask_to_leave("simulated")
    table.beat()
    table.answer()
    assert table.link.left is not None


def test_it_leaves_when_it_is_paused() -> None:
    """LINK 3.14: with nothing pending, and the outbox empty"""
    table = make_table()
    play_round(table)
    table.centre.ask_to_leave("simulated")
    table.beat()
    assert not table.link.outbox
    pause(table)
    assert [type(call) for call in table.link.outbox] == [Leave]
    before = table.state.balances
    table.answer()
    after = table.state.balances
    assert (after.jackpot, after.reserve) == (0, 0)
    assert after.house - before.house == before.jackpot + before.reserve > 0
    assert table.centre.total.of(Account.JACKPOT) > before.jackpot


def test_it_opens_no_round_while_it_leaves() -> None:
    table = make_table()
    table.rail()
    table.centre.ask_to_leave("simulated")
    table.beat()
    assert table.press(GAME_OVER).refusal is Refusal.LINK_ASKED
    table.answer()
    assert table.press(GAME_OVER).refusal is Refusal.LINK_LOST
    assert Fault.LINK_LOST in table.state.faults


def test_a_table_that_has_left_calls_nothing_until_it_is_started_without_the_link() -> None:
    table = make_table()
    leave(table)
    orders = link_orders(table.state)
    assert orders is not None
    assert (orders.calls, orders.reading, orders.beat.shown) == ((), None, None)
    left = table.state
    table.do(LinkShown(Shown(table.centre.reading)))
    adopt_again = table.state
    assert adopt_again == left
    table.do(Started())
    assert Fault.LINK_LOST in table.state.faults
    assert table.state.balances == adopt_again.balances


def test_a_table_that_has_left_tells_a_centre_that_was_set_back_and_stays_without_the_link() -> (
    None
):
    """LINK 3.13.6"""
    table = make_table()
    leave(table)
    faults = table.state.faults
    table.do(RecallBegan(1, 0))
    assert Fault.LINK_BEHIND in table.state.faults
    table.do(RecallEnded())
    table.do(LinkShown(Shown(table.centre.reading)))
    assert table.state.faults == faults
    assert Fault.LINK_LOST in faults


def test_started_without_the_link_it_plays_for_its_own_jackpot() -> None:
    table = make_table()
    play_round(table)
    pause(table)
    leave(table)
    adopt(table, ALONE)
    assert isinstance(table.state.link, LeftLink)
    assert Fault.LINK_LOST not in table.state.faults
    table.rail(tray=2)
    table.press(GAME_OVER)
    table.rail(3, tray=2)
    table.press(COIN_IN)
    assert table.state.phase is Phase.COLLECTING
    assert table.state.jackpot_reading == 0


def test_joining_again_it_brings_what_it_has_made_since() -> None:
    """LINK 3.14: its six balances, less those it left with"""
    table = make_table()
    play_round(table)
    pause(table)
    leave(table)
    left = table.state.balances
    before = table.centre.total
    adopt(table, ALONE)
    table.rail(tray=2)
    table.press(GAME_OVER)
    table.rail(3, tray=2)
    table.press(COIN_IN)
    table.rail(drops={3: 1}, tray=3)
    pause_alone(table)
    made = table.state.balances.jackpot - left.jackpot
    assert made > 0
    table.centre.admit("simulated")
    adopt(table, LINKED)
    (join,) = table.link.outbox
    assert isinstance(join, Join)
    assert join.balances.jackpot == made
    assert sum(join.balances.to_dict().values()) == 0
    table.greet()
    with pytest.raises(CentreBars):
        table.answer()
    asked = {"member": "simulated", "balances": to_builtins(join.balances)}
    assert table.centre.approve("join", asked) is None
    table.answer()
    table.beat()
    assert table.centre.total.jackpot - before.jackpot == made
    assert table.centre.total.tray == table.state.balances.tray
    table.rail(tray=3)
    table.press(GAME_OVER)
    assert table.state.phase is Phase.BETTING


def pause_alone(table: LinkedPureTable) -> None:
    table.rail(tray=3)
    table.press(GAME_OVER)
    table.press(COIN_IN)
    assert table.state.phase is Phase.PAUSED


def rejoin(table: LinkedPureTable) -> Rejoined:
    """Two operators let it rejoin; what the centre says to its hello."""
    waits = [call for call in table.link.outbox if isinstance(call, Deliver)]
    tokens = tuple(one for call in waits for one in call.transactions)
    handled = tuple(one.identity for one in tokens)
    known = table.centre.know("simulated")
    assert table.centre.rejoin("simulated", RejoinList(1, HEAD, tokens, handled, known, 0)) is None
    link = table.link
    terms = terms_of(table.rules)
    greeting = table.calls.hello(
        MemberHello(link.epoch, terms, link.answered, link.answer_hash, HEAD)
    )
    assert isinstance(greeting, Rejoined)
    return greeting


def test_rejoined_a_round_that_was_running_is_void_and_its_tokens_stay() -> None:
    """LINK 3.12: what waited in the outbox is at the centre"""
    table = make_table()
    table.rail()
    table.press(GAME_OVER)
    table.rail(1, 2)
    table.press(COIN_IN)
    table.answer()
    table.rail(drops={1: 1, 2: 1}, tray=2)
    assert table.link.outbox
    before = table.state.balances
    table.do(LinkRejoined(rejoin(table)))
    assert (table.state.phase, table.link.epoch, table.link.outbox) == (Phase.PAUSED, 2, ())
    assert table.state.balances == before
    assert table.centre.total.tray == before.tray
    table.greet()
    table.beat()
    table.rail(tray=2)
    table.press(GAME_OVER)
    assert table.state.phase is Phase.BETTING


def test_rejoined_a_token_that_did_not_drop_is_awaited_no_more() -> None:
    table = make_table()
    table.rail()
    table.press(GAME_OVER)
    table.rail(1, 2)
    table.press(COIN_IN)
    table.answer()
    table.rail(2, drops={1: 1}, tray=1)
    table.now += STUCK_AFTER_MS
    table.do(Elapsed())
    assert Fault.TOKEN_STUCK in table.state.faults
    table.do(LinkRejoined(rejoin(table)))
    assert Fault.TOKEN_STUCK not in table.state.faults


def test_rejoined_a_token_that_came_after_the_list_is_delivered() -> None:
    table = make_table()
    table.rail()
    table.press(GAME_OVER)
    table.rail(1, 2)
    table.press(COIN_IN)
    table.answer()
    greeting = rejoin(table)
    table.rail(drops={1: 1, 2: 1}, tray=2)
    table.do(LinkRejoined(greeting))
    (call,) = table.link.outbox
    assert isinstance(call, Deliver)
    assert (call.n, len(call.transactions)) == (2, 2)
    table.greet()
    table.answer()
    assert table.centre.total.tray == table.state.balances.tray


def test_rejoined_its_next_round_is_one_that_the_centre_has_never_seen() -> None:
    table = make_table()
    table.do(LinkRejoined(Rejoined(2, 1, "00", 40, ())))
    assert table.state.round == 40
    table.do(LinkRejoined(Rejoined(2, 1, "00", 90, ())))
    assert table.state.round == 40


def test_rejoined_it_books_what_became_of_its_award_at_the_centre() -> None:
    """LINK 3.12: awards stand as at the centre"""
    table = make_table()
    table.play_to_award()
    award = table.link.award
    assert award is not None
    state = table.state
    table.do(TO_RUN)
    table.answer()
    final = table.state.balances
    table.state = state
    greeting = rejoin(table)
    table.do(LinkRejoined(greeting))
    assert table.state.award is None
    assert table.state.balances.pending > 0
    table.greet()
    table.beat()
    assert table.state.balances == final
    assert table.state.balances.pending == 0


def test_a_gate_that_is_open_shuts_before_the_round_is_void() -> None:
    table = make_table()
    table.rail()
    table.press(GAME_OVER)
    table.rail(1)
    table.press(COIN_IN)
    table.answer()
    assert table.state.seats.collecting
    table.do(LinkRejoined(Rejoined(2, 1, "00", 1, ())))
    assert table.link.epoch == 1
