"""A table, and a link that cuts, delays, drops and repeats what goes over it."""

from collections.abc import Iterable
from random import Random

import msgspec

from console.rules import records
from console.rules.acts import (
    KINDS,
    Act,
    Adopted,
    Started,
)
from console.rules.centre_orders import choose_amount, link_orders, terms_of
from console.rules.codes import LINK_FAULTS, Phase
from console.rules.game_modules import advance, next_deadline
from console.rules.link import CentreBars, MemberHello, Welcome
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkShown,
    LinkState,
)
from console.rules.linked_prizes import is_paid_by_table
from console.rules.round import Transition
from console.rules.settings import Settings
from console.rules.state import Rules, TableState
from console.simulation.centre.centre import Centre
from devices.device import Device
from devices.roles import (
    COMBINATION_BUTTONS,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    KeyFound,
    KeyPosition,
)
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Balances
from tests.console.rules.round.test_random_acts import RandomActs

HEAD = Head(1, "the same")


class LossyLink:
    """One table's link; each `speak` gives the acts that come of it."""

    def __init__(self, random: Random, centre: Centre, name: str, rules: Rules) -> None:
        self._random = random
        self._calls = centre.member(name)
        self._terms = terms_of(rules)
        self._session: int | None = None
        self._waiting: LinkAnswered | None = None
        self._said: LinkAnswered | None = None

    def cut(self) -> None:
        """Forget the session, and an answer that was under way."""
        self._session = self._waiting = None

    def speak(self, state: TableState, *, cuts: bool = True) -> Iterable[Act]:
        """Say one thing, or hear what was said."""
        orders = link_orders(state)
        if orders is None:
            return
        if cuts and self._random.random() < 0.05:
            self.cut()
            yield DeviceLost(Device.LINK, "silent")
            return
        try:
            if self._session is None:
                hello = MemberHello(
                    orders.epoch, self._terms, orders.answered, orders.answer_hash, HEAD
                )
                welcome = self._calls.hello(hello)
                assert isinstance(welcome, Welcome)
                self._session = welcome.session
            elif self._waiting is not None:
                self._said, self._waiting = self._waiting, None
                yield self._said
            elif orders.calls:
                call = orders.calls[0]
                answer = self._calls.call(self._session, call, orders.act, HEAD)
                self._waiting = LinkAnswered(answer, call)
                if cuts and self._random.random() < 0.1:  # committed, and the answer lost
                    self.cut()
                    yield DeviceLost(Device.LINK, "silent")
            else:
                yield LinkShown(self._calls.beat(self._session, orders.beat, orders.act))
                yield DeviceUp(Device.LINK)
            if cuts and self._said is not None and self._random.random() < 0.05:
                yield self._said
        except CentreBars as bars:
            self.cut()
            yield LinkBarred(bars.barred)


class LossyTable:
    """A linked table whose people do anything; it checks each step."""

    def __init__(self, random: Random, centre: Centre, settings: Settings, rules: Rules) -> None:
        self.random = random
        self.rules = rules
        self.link = LossyLink(random, centre, rules.table, rules)
        self.people = RandomActs(random, rules)
        self.state = TableState()
        self.decided: set[str] = set()
        self._identities: set[str] = set()
        self.own = Balances()
        """What the table paid itself, of the house's money."""
        for act in (
            Started(),
            Adopted(settings),
            KeyFound(KeyPosition.R),
            DeviceUp(Device.RAIL),
            self.people.report(),
        ):
            self.do(act)

    @property
    def link_state(self) -> LinkState:
        assert isinstance(self.state.link, LinkState)
        return self.state.link

    def go_on(self) -> None:
        """Something happens at the table, or on its link."""
        if self.random.random() < (0.85 if self.link_state.outbox else 0.3):
            for act in self.link.speak(self.state):
                self.do(act)
            return
        own = self.link_state.award or self.state.award
        if own is not None and self.random.random() < 0.15:
            prizes = self.rules.prizes.prizes if self.rules.prizes else ()
            place = [prize.combination for prize in prizes].index(own.combination)
            self.do(ButtonPressed(COMBINATION_BUTTONS[place]))
            return
        for act in self.people.next_acts(self.state):
            if isinstance(act, Started):
                self.link.cut()
            self.do(act)

    def come_back(self) -> None:
        """The link is there and stays, until nothing waits."""
        for _ in range(1_000):
            for act in self.link.speak(self.state, cuts=False):
                self.do(act)
            if not self.link_state.outbox and not self.state.off_link:
                return
        raise AssertionError(f"{len(self.link_state.outbox)} calls wait for ever")

    def do(self, act: Act) -> None:
        """Do it, and check the step."""
        before, now = self.state, self.people.now
        step = advance(before, act, self.rules, now)
        self.state = step.state
        if isinstance(step.state.link, LinkState):
            self.check_money(before.balances, step)
            self.check_link(before, step.state, step.state.link)
            self.check_record(before, act, step, now)
        self.decided.update(decision.what for decision in step.decisions)

    def check_money(self, balances: Balances, step: Transition) -> None:
        """Nothing is booked twice, and what is booked is what has changed."""
        for transaction in step.transactions:
            assert transaction.identity not in self._identities
            self._identities.add(transaction.identity)
            balances = balances.after(transaction)
            if is_paid_by_table(transaction):
                self.own = self.own.after(transaction)
                assert min(self.own.pending, self.own.paid) >= 0
        assert balances == step.state.balances
        award = step.state.award
        own = award.paid * 10_000 if award is not None else 0
        assert balances.pending >= own
        link = step.state.link
        waits = link.envy if isinstance(link, LinkState) and link.envy else ()
        if award is not None:
            assert award.by_house * 10_000 == self.own.pending
        else:
            assert sum(one.total for one in waits) * 10_000 == self.own.pending
        assert sum(balances.to_dict().values()) == 0

    def check_link(self, before: TableState, after: TableState, link: LinkState) -> None:
        """What always holds between the phase, the award and the outbox."""
        assert [call.n for call in link.outbox] == list(range(link.answered + 1, link.n + 1))
        of_house = link.award is None and after.award is not None
        if of_house and after.award is not None and self.rules.prizes is not None:
            assert self.rules.prizes.of(after.award.combination).wholly_by_house
        assert (after.phase is Phase.AWARDING) == (link.award is not None or of_house)
        known = link.award is not None and link.award.centre is not None
        assert (after.award is not None) == (known or of_house)
        assert link.opening is None or after.phase is Phase.BETTING
        began = before.phase is Phase.BETTING and after.phase is Phase.COLLECTING
        assert not (began and before.off_link), "a table off the link took something new"
        if after.off_link and not known and not of_house and link.paid is None:
            assert choose_amount(after, link) is None
        due = next_deadline(after, self.rules)
        assert due is None or link.opening is None or due <= link.opening.until

    def check_record(self, before: TableState, act: Act, step: Transition, now: int) -> None:
        """Its record gives the state back, and replays."""
        if self.random.random() < 0.1:
            body = records.entry_of(act, before, step, now, "", 1).body
            plain = msgspec.json.decode(msgspec.json.encode(body))
            kind = KINDS[type(act)]
            after, agrees = records.replay_record(before, kind, plain, self.rules, now)
            assert after == step.state
            assert agrees
        assert not (LINK_FAULTS & set(before.faults)) or before.off_link
