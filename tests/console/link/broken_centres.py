"""Each protecting rule of the centre, and how it is broken: the schedules must find it."""

from collections.abc import Callable
from typing import Any

import pytest

from console.rules.link import Agree, Answer, AnyCall, AwardState, Cancel, CentreRefusal, Claim
from console.simulation.centre.awards import CentreAwards, finish_part
from console.simulation.centre.books import CentreBooks, MemberRow, SharedAward
from console.simulation.centre.centre import Centre
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents, to_cents
from tests.console.link.lossy_wire import NoAnswer
from tests.console.link.model import recovery
from tests.console.link.model.books import OperatedBooks
from tests.console.link.model.centre import OperatedCentre
from tests.console.link.model.operators import CentreOperators
from tests.console.link.players import Player

Break = Callable[[pytest.MonkeyPatch], None]


def leave_out(owner: type, method: str, instead: object = None) -> Break:
    """The method does nothing, and returns this."""

    def do_nothing(*_: Any) -> object:
        return instead

    return lambda patch: patch.setattr(owner, method, do_nothing)


def freeze_without_lock(patch: pytest.MonkeyPatch) -> None:
    """The last stake of another table falls between the reading and its answer."""
    freeze = CentreAwards._freeze

    def freeze_too_little(self: CentreAwards, row: MemberRow, claim: Claim) -> SharedAward:
        award = freeze(self, row, claim)
        others = (one for one in self._books.members.values() if one is not row)
        last = [list(one.movements.values())[-1] for one in others if one.movements]
        units = sum(
            posting.amount
            for one in last[:1]
            for posting in one.postings
            if posting.account is Account.JACKPOT
        )
        award.reading = Cents(max(award.reading - to_cents(units), 0))
        return award

    patch.setattr(CentreAwards, "_freeze", freeze_too_little)


def take_any_number(patch: pytest.MonkeyPatch, again: bool) -> None:
    """A lower number is done again; or a higher one is taken."""
    answer = Centre.answer

    def answer_any(
        self: Centre, name: str, session: int, call: AnyCall, act: int, head: Head
    ) -> Answer:
        row = self.row_of(name)
        if session == row.session and (call.n <= row.n if again else call.n > row.n + 1):
            row.n = call.n - 1
            row.movements.clear()
        return answer(self, name, session, call, act, head)

    patch.setattr(Centre, "answer", answer_any)


def finish_twice(patch: pytest.MonkeyPatch) -> None:
    """An agree of a final award pays it again."""
    agree = CentreAwards.agree

    def agree_twice(self: CentreAwards, row: MemberRow, call: Agree) -> CentreRefusal | None:
        known = self._books.part_of(row.name, call.identity)
        if known is not None and known[1].state is AwardState.FINAL:
            act = self._books.record_act("final")
            self.book(act, *known, finish_part(known[1]))
        return agree(self, row, call)

    patch.setattr(CentreAwards, "agree", agree_twice)


def finish_despite_holds(patch: pytest.MonkeyPatch) -> None:
    """An award is final while a round may still join it."""
    settle = CentreAwards.settle

    def settle_early(self: CentreAwards, award: SharedAward) -> bool:
        holds, award.holds = award.holds, set()
        settled = settle(self, award)
        award.holds = holds
        return settled

    patch.setattr(CentreAwards, "settle", settle_early)


def finish_with_the_first(patch: pytest.MonkeyPatch) -> None:
    """The first key in R decides for all tables of the award."""
    settle = CentreAwards.settle

    def settle_early(self: CentreAwards, award: SharedAward) -> bool:
        if any(part.state is AwardState.AGREED for part in award.live_parts):
            for part in award.live_parts:
                part.state = AwardState.AGREED
        return settle(self, award)

    patch.setattr(CentreAwards, "settle", settle_early)


def cancel_what_is_final(patch: pytest.MonkeyPatch) -> None:
    """A cancel that comes too late is done."""
    cancel = CentreAwards.cancel

    def cancel_late(self: CentreAwards, row: MemberRow, call: Cancel) -> CentreRefusal | None:
        known = self._books.part_of(row.name, call.identity)
        if known is not None and known[1].state is AwardState.FINAL:
            known[1].state = AwardState.AGREED
        return cancel(self, row, call)

    patch.setattr(CentreAwards, "cancel", cancel_late)


def keep_agreed(patch: pytest.MonkeyPatch) -> None:
    """One winner more does not take agreed back."""
    divide = CentreAwards.divide

    def divide_agreed(self: CentreAwards, award: SharedAward, claims: Any, act: int) -> None:
        for part in award.live_parts:
            if part is claims and part.winners > 1:
                part.state = AwardState.AGREED
        divide(self, award, claims, act)

    patch.setattr(CentreAwards, "divide", divide_agreed)


def join_the_newest(patch: pytest.MonkeyPatch) -> None:
    """A claim joins the newest award that holds its round."""

    def find_newest(self: CentreAwards, row: MemberRow, claim: Claim) -> SharedAward | None:
        holding = [one for one in self._books.awards if row.name in one.holds]
        held = [one for one in holding if one.combination == claim.combination]
        return held[-1] if held else None

    patch.setattr(CentreAwards, "_find_held_award", find_newest)


def keep_base_of_a_part(patch: pytest.MonkeyPatch) -> None:
    """The base stays put in till nobody is left in the award."""
    take_back = CentreBooks.take_base_back

    def take_back_late(self: CentreBooks, award: SharedAward, act: int) -> None:
        if not award.winners:
            take_back(self, award, act)

    patch.setattr(CentreBooks, "take_base_back", take_back_late)


def take_no_answer_for_one(patch: pytest.MonkeyPatch) -> None:
    """The table takes a call without an answer off its outbox: as an early cancel's would be."""
    send = Player.send

    def send_once(self: Player) -> None:
        call = self.card.outbox[0]
        try:
            send(self)
        except NoAnswer:
            self.card.outbox.remove(call)
            raise

    patch.setattr(Player, "send", send_once)


def forget_lost_acts(patch: pytest.MonkeyPatch) -> None:
    """After a restore, acts get numbers that members know already."""
    patch.setattr(OperatedBooks, "act", property(lambda self: len(self.acts)))


def divide_nothing_again(patch: pytest.MonkeyPatch) -> None:
    """After a restore, a table that was not told of its award's division has the old amount."""
    patch.setattr(recovery, "_list_outdated_awards", lambda _books: [])


BREAKS: dict[str, Break] = {
    "the lock: a stake falls between a reading and its answer": freeze_without_lock,
    "the fence: an older session is answered": leave_out(OperatedCentre, "check_session"),
    "the proof: a clone is welcome": leave_out(Centre, "check_head"),
    "the numbers: a call that comes again is done again": lambda p: take_any_number(p, True),
    "the numbers: one that was left out is passed over": lambda p: take_any_number(p, False),
    "the outbox: no answer is taken for one (an early cancel)": take_no_answer_for_one,
    "an award is final a second time": finish_twice,
    "an award is final while a round may join": finish_despite_holds,
    "an award is final before all its tables agreed": finish_with_the_first,
    "a cancel that comes too late is done": cancel_what_is_final,
    "one winner more does not take agreed back": keep_agreed,
    "no award is joined": leave_out(CentreAwards, "_find_held_award"),
    "the newest award that holds a round is joined": join_the_newest,
    "a round that cancelled is not in hold again": leave_out(CentreAwards, "_hold_again"),
    "a hold does not end": leave_out(CentreAwards, "end_holds"),
    "the base is not put in": leave_out(CentreBooks, "put_base_in"),
    "the base does not go back": leave_out(CentreBooks, "take_base_back"),
    "the base does not go back below 100 %": keep_base_of_a_part,
    "the limit is not kept": leave_out(CentreBooks, "keep_limit"),
    "a returned token takes nothing back": leave_out(CentreBooks, "count_kept_out", 0),
    "what the jackpot lacks is not added": leave_out(CentreBooks, "add_what_lacks", False),
    "after a restore, numbers of acts come again": forget_lost_acts,
    "after a restore, an award is not divided anew": divide_nothing_again,
    "the jackpot is lowered in a staked round": leave_out(
        CentreOperators, "_has_staked_round", False
    ),
    "more winners than stakes": leave_out(CentreAwards, "count_winners", 0),
}
