"""What a table may end by itself, and what only the centre knows."""

from msgspec import UNSET, UnsetType

from console.configuration.table_plan import TablePlan
from console.rules.acts import (
    Adopted,
    Started,
)
from console.rules.centre_orders import link_orders, terms_of
from console.rules.codes import Fault, Phase, Refusal
from console.rules.correction import Corrected
from console.rules.link import Barred, Beat, MemberHello, Shown, Welcome
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkState,
)
from console.rules.round.linked.outbox import MOST_CALLS
from console.rules.state import TableState
from devices.board_rail import TRAITS
from devices.device import Device
from devices.roles import (
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    KeyFound,
    KeyMoved,
    KeyPosition,
)
from firmware_bridge.board_session.protocol import BoardKind
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Account
from jackpot.money.prizes import Combination, PrizeTable
from tests.console.link.model.centre import OperatedCentre
from tests.console.table import PureTable

HEAD = Head(1, "the same")
FLUSH = ButtonPressed(Button.COMBINATION_5)
JPOT = ButtonPressed(Button.JPOT)
TO_RUN = KeyMoved(KeyPosition.R)


class LinkedPureTable(PureTable):
    """The rules alone, at a linked table, with the model of the centre at hand."""

    @property
    def link(self) -> LinkState:
        assert isinstance(self.state.link, LinkState)
        return self.state.link

    def join(self, plan: TablePlan) -> None:
        self.centre = OperatedCentre(terms_of(self.rules), plan.money.opening, plan.money.base)
        self.calls = self.centre.member(plan.table)
        self.do(Started(), Adopted(plan.settings()), KeyFound(KeyPosition.R), DeviceUp(Device.RAIL))
        self.greet()
        self.answer()
        self.beat()

    def greet(self) -> None:
        link = self.link
        terms = terms_of(self.rules)
        hello = MemberHello(link.epoch, terms, link.answered, link.answer_hash, HEAD)
        welcome = self.calls.hello(hello)
        assert isinstance(welcome, Welcome)
        self.session = welcome.session

    def answer(self) -> None:
        """Everything in the outbox is answered."""
        while self.link.outbox:
            call = self.link.outbox[0]
            answer = self.calls.call(self.session, call, self.link.act, HEAD)
            self.do(LinkAnswered(answer, call))

    def beat(self) -> None:
        orders = link_orders(self.state)
        assert orders is not None
        self.do(LinkShown(self.calls.beat(self.session, orders.beat, orders.act)))

    def play_to_award(self) -> None:
        """Two tokens, a flush, and its claim answered."""
        self.rail()
        self.press(ButtonPressed(Button.GAME_OVER))
        self.rail(1, 2)
        self.press(ButtonPressed(Button.COIN_IN))
        self.answer()
        self.rail(drops={1: 1, 2: 1}, tray=2)
        self.answer()
        self.do(FLUSH, KeyMoved(KeyPosition.JPL), JPOT)
        self.answer()
        assert self.link.fixed


def make_table(prizes: PrizeTable | UnsetType = UNSET) -> LinkedPureTable:
    plan = TablePlan(link="house", prizes=prizes)
    table = LinkedPureTable(plan.rules(TRAITS[BoardKind.SLOT_RAIL]), TableState())
    table.join(plan)
    return table


def test_a_fixed_award_is_final_at_once_and_booked_once() -> None:
    """LINK 3.4.1: the centre's own act is skipped"""
    table = make_table()
    table.play_to_award()
    table.do(DeviceLost(Device.LINK, "silent"))
    step = table.do(TO_RUN)
    assert table.state.phase is Phase.PLAYING
    assert [one.identity for one in step.transactions] == ["simulated/round-1/award-1/final"]
    paid = table.state.balances.paid
    table.answer()
    assert table.state.balances.paid == paid > 0
    assert table.link.settled == ()


def test_a_fixed_award_whose_agreement_is_under_way_is_not_cancelled_at_once() -> None:
    """LINK 3.8.1: it may be final at the centre, and then it stays final"""
    table = make_table()
    table.play_to_award()
    step = table.do(Started(), KeyFound(KeyPosition.JPL), TO_RUN)
    assert step.state.phase is Phase.AWARDING
    table.do(DeviceUp(Device.LINK))
    assert table.do(FLUSH).state.phase is Phase.AWARDING
    table.answer()
    assert table.state.award is None
    assert table.state.balances.paid > 0
    assert table.state.balances.pending == 0
    assert table.state.notice is not None
    assert table.state.notice.code is Refusal.AWARD_FINAL


def test_under_a_forked_link_not_even_a_fixed_award_ends() -> None:
    """LINK 4.11"""
    for barred, fault in ((Barred.FORKED, Fault.LINK_FORKED), (Barred.BEHIND, Fault.LINK_BEHIND)):
        for act in (TO_RUN, FLUSH):
            table = make_table()
            table.play_to_award()
            table.do(LinkBarred(barred), act)
            assert fault in table.state.faults
            assert table.state.phase is Phase.AWARDING
            assert table.state.balances.paid == 0
            assert table.state.balances.pending > 0


def test_other_settings_than_the_jackpots_are_no_play_but_a_fixed_award_ends() -> None:
    """LINK 4.11"""
    table = make_table()
    table.play_to_award()
    table.do(LinkBarred(Barred.SETTINGS), TO_RUN)
    assert Fault.LINK_SETTINGS in table.state.faults
    assert table.state.phase is Phase.PLAYING


def test_an_answer_that_comes_twice_has_no_effect() -> None:
    table = make_table()
    table.play_to_award()
    before = table.state
    table.do(find_last_answer(table))
    assert table.state == before


def find_last_answer(table: LinkedPureTable) -> LinkAnswered:
    """The last answer, as the centre has stored it."""
    row = table.centre.row_of("simulated")
    stored = row.entries[row.epoch, row.n].call
    return LinkAnswered(table.calls.call(table.session, stored, 0, HEAD), stored)


def test_a_change_that_comes_again_with_another_answer_is_not_booked_again() -> None:
    """LINK 3.3.5"""
    table = make_table()
    table.play_to_award()
    balances = table.state.balances
    table.do(LinkShown(table.calls.beat(table.session, make_beat(table), 0)))
    assert table.state.balances == balances


def make_beat(table: LinkedPureTable) -> Beat:
    orders = link_orders(table.state)
    assert orders is not None
    return orders.beat


def test_claims_that_wait_are_bounded() -> None:
    table = make_table()
    table.play_to_award()
    table.do(TO_RUN)
    table.do(DeviceLost(Device.LINK, "silent"))
    for _ in range(MOST_CALLS):
        table.do(FLUSH, KeyMoved(KeyPosition.JPL), JPOT)
        table.do(FLUSH)
    assert len(table.link.outbox) <= MOST_CALLS + 1
    table.do(FLUSH)
    assert table.do(JPOT).refusal is Refusal.LINK_LOST


def test_a_locked_table_books_no_answer() -> None:
    table = make_table()
    table.play_to_award()
    table.do(JPOT)
    call = table.link.outbox[0]
    answer = table.calls.call(table.session, call, table.link.act, HEAD)
    table.state = table.with_fault(Fault.LEDGER_FAULT)
    locked = table.state
    orders = link_orders(locked)
    assert orders is not None
    assert orders.calls == ()
    table.do(LinkAnswered(answer, call), LinkShown(Shown(answer.reading)))
    assert table.state == locked


def test_corrections_are_made_at_the_centre() -> None:
    """LINK 3.9.1"""
    table = make_table()
    wrong = Corrected(1, Account.HOUSE, Account.JACKPOT, 100, "counted twice", "anna", "bruno")
    assert table.do(wrong).refusal is Refusal.LINKED


def test_a_claim_of_a_round_that_was_ended_at_the_centre_is_refused() -> None:
    """LINK 3.3.2: PLAYING, and the choice is as before JPOT"""
    table = make_table()
    table.play_to_award()
    table.do(TO_RUN)
    table.answer()
    table.centre.end_round("simulated")
    balances = table.state.balances
    table.do(FLUSH, KeyMoved(KeyPosition.JPL), JPOT)
    table.answer()
    assert table.state.phase is Phase.PLAYING
    assert table.state.choice == Combination.FLUSH
    assert table.state.balances == balances
    assert table.state.notice is not None
    assert table.state.notice.code is Refusal.ROUND_CLOSED


def test_one_winner_more_than_the_centre_knows_stakes_of_leaves_the_award_as_it_stands() -> None:
    """LINK 3.3.3"""
    table = make_table()
    table.play_to_award()
    table.do(JPOT)
    stored = table.centre.row_of("simulated").round
    assert stored is not None
    stored.stakes = 1
    table.answer()
    assert table.link.award is not None
    assert table.link.award.winners == 1
    assert table.state.notice is not None
    assert table.state.notice.code is Refusal.NOBODY_ELIGIBLE
    table.do(TO_RUN)
    assert table.state.award is None
