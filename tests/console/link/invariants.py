"""The invariants of a night at the centre, after every call (docs/reference/link-rules.md, 9.3).

The `Auditor` knows the calls and what came of them; it computes anew what they had to do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from msgspec import UNSET

from console.rules.link import (
    Agree,
    Answer,
    AnyCall,
    AwardState,
    Cancel,
    CentreRefusal,
    Change,
    Claim,
    Close,
    Deliver,
    LinkedAward,
    MemberHello,
    Open,
    Shown,
    Terms,
    Tie,
    Welcome,
)
from console.simulation.centre.books import add_amounts, sum_balances
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Account, Balances, Transaction
from jackpot.money.amounts import WHOLE, Cents, to_units
from jackpot.money.prizes import PrizeTable
from tests.console.link.centres import AnyCentre
from tests.console.link.linked_table import LIVE, TERMS

HIGHEST = max(TERMS.prizes, key=lambda one: TERMS.prizes[one])


OF_A_LIST = 0
"""The round of what comes with a rejoin."""


@dataclass
class KnownAward:
    """An award as the calls make it: the winners of each part, who agreed, who may join."""

    first: LinkedAward
    members: dict[str, str] = field(default_factory=dict)
    """Who has a part: by its identity."""
    winners: dict[str, int] = field(default_factory=dict)
    agreed: set[str] = field(default_factory=set)
    held: set[str] = field(default_factory=set)
    base: int = 0
    whole: bool = False


class Auditor:
    """Sees every answer of the centre, and raises AssertionError where it is wrong."""

    def __init__(self, centre: AnyCentre, base: Cents, tie: Tie, terms: Terms = TERMS) -> None:
        self._centre = centre
        self._terms = terms
        self._base = to_units(base)
        self._tie = tie
        self.names: list[str] = []
        self.before = centre.total
        self.sessions: Counter[str] = Counter()
        self.answers: dict[tuple[str, int], tuple[str, CentreRefusal | None]] = {}
        self.last_n: Counter[str] = Counter()
        self.last_act: Counter[str] = Counter()
        self.heads: dict[str, Head] = {}
        self.check_proof: Callable[[Head], bool] = _believe
        """Whether the table that says hello has this record."""
        self.rounds: dict[str, int] = {}
        self.stakes: Counter[tuple[str, int]] = Counter()
        self.awards: dict[int, KnownAward] = {}
        self.states: dict[str, LinkedAward] = {}
        self.delivered: Counter[tuple[str, int]] = Counter()
        """The stakes of a round, those that came after its end among them."""
        self.others: dict[str, int] = {}
        """Of each award with envy: the seats that its table has told."""
        self.kept_out: Counter[tuple[str, int]] = Counter()
        """What the limit has kept out of the jackpot in a round."""
        self.counts: Counter[str] = Counter()

    @contextmanager
    def know_records(self, records: list[str]) -> Iterator[None]:
        """Meanwhile whoever is welcome must have the record that the centre knew last."""
        self.check_proof = lambda head: (
            head.seq <= len(records) and records[head.seq - 1] == head.hash
        )
        try:
            yield
        finally:
            self.check_proof = _believe

    def see_welcome(self, name: str, hello: MemberHello, welcome: Welcome) -> None:
        """A newer session; the centre has all that the member holds as answered."""
        assert welcome.session > self.sessions[name], f"{name}: session {welcome.session} again"
        assert hello.answered <= welcome.n == self.last_n[name], f"{name}: n {welcome.n}"
        last = self.heads.get(name)
        assert last is None or self.check_proof(last), f"{name}: a clone is welcome"
        self.sessions[name] = welcome.session
        self.heads[name] = hello.head
        self.check_unmoved()
        assert welcome.reading == self.before.jackpot_cents, f"{name}: {welcome.reading}"

    def see_shown(self, name: str, session: int, shown: Shown) -> None:
        """A beat moves nothing."""
        assert session == self.sessions[name], f"{name}: a fenced session was answered"
        self.check_unmoved()
        self.check_today(name, shown)

    def see_answer(
        self, name: str, session: int, call: AnyCall, answer: Answer, head: Head
    ) -> None:
        """A call is answered: done if it is new, else as before."""
        assert session == self.sessions[name], f"{name}: a fenced session was answered"
        key = (name, call.n)
        if key in self.answers:
            self.counts["repeated"] += 1
            assert self.answers[key] == (answer.hash, answer.refusal), f"{key}: another answer"
            self.check_unmoved()
        else:
            assert call.n == self.last_n[name] + 1, f"{name}: a gap before {call.n}"
            self.last_n[name] = call.n
            self.answers[key] = (answer.hash, answer.refusal)
            self.take_call(name, call, answer)
        self.heads[name] = head
        self.check_today(name, answer)

    def check_unmoved(self) -> None:
        """Nothing has moved since the last look."""
        assert self._centre.total == self.before, "money moved by itself"

    def check_today(self, name: str, answer: Answer | Shown) -> None:
        """Every amount that is shown is today's."""
        assert answer.reading == self.before.jackpot_cents, f"{name} is shown {answer.reading}"
        for known in self.awards.values():
            for identity, member in known.members.items():
                if member == name and self.states[identity].state in LIVE:
                    live = (m for i, m in known.members.items() if self.states[i].state in LIVE)
                    asked = {m for m in live if m not in known.agreed}
                    awaited = len((asked | known.held) - {name})
                    assert answer.awaited == awaited, f"{name} awaits {answer.awaited}"

    def take_call(self, name: str, call: AnyCall, answer: Answer) -> None:
        """What a new call had to do."""
        moved: list[Transaction] = []
        over = 0
        match call:
            case Open():
                self.end_round(name)
                self.rounds[name] = call.round
                self.stakes[name, call.round] = 0
            case Close() if self.rounds.get(name) == call.round:
                self.end_round(name)
            case Deliver():
                moved += call.transactions
                over = self.reckon_overflow((name, call.round), call.transactions)
                stakes = [one for one in call.transactions if one.reason.value == "stake"]
                self.delivered[name, call.round] += len(stakes)
                self.counts["stakes"] += len(stakes)
                if self.rounds.get(name) == call.round:
                    self.stakes[name, call.round] += len(stakes)
            case Claim():
                self.take_claim(name, call, answer)
            case Agree():
                self.take_agree(name, call)
            case Cancel():
                self.take_cancel(name, call, answer)
        self.check_act(moved, over)

    def reckon_overflow(self, of: tuple[str, int], tokens: Iterable[Transaction]) -> int:
        """What the limit keeps out of the jackpot of these tokens, one after the other."""
        file = self._terms.prize_file
        if not isinstance(file, PrizeTable) or file.limit is None:
            return 0
        there, before = self.before.jackpot, self.kept_out[of]
        for token in tokens:
            part = sum(one.amount for one in token.postings if one.account is Account.JACKPOT)
            if part > 0:
                fits = min(part, max(to_units(file.limit) - there, 0))
                self.kept_out[of] += part - fits
            else:
                back = min(-part, self.kept_out[of])
                self.kept_out[of] -= back
                fits = part + back
            there += fits
        over = self.kept_out[of] - before
        self.counts["above the limit"] += over > 0
        self.counts["back below the limit"] += over < 0
        return over

    def check_act(self, moved: list[Transaction], over: int = 0) -> None:
        """What an act changed in the awards, and in the money beside what the call moved."""
        changes = self.collect_changes()
        moved = moved + [one.transaction for _, one in changes if one.transaction is not None]
        self.check_money(moved, over)
        for member, change in changes:
            self.check_change(member, change)
        self.check_awards()

    def end_round(self, name: str) -> None:
        """The member's round can join nothing any more."""
        self.rounds.pop(name, None)
        for known in self.awards.values():
            known.held.discard(name)

    def take_claim(self, name: str, claim: Claim, answer: Answer) -> None:
        """A claim: refused for a reason, or a part of an award."""
        state = self.states.get(claim.identity)
        open_round = self.rounds.get(name) == claim.round
        used = self.count_winners(name, claim.round, claim.identity)
        refusal = None
        if state is not None and state.state not in LIVE:
            refusal = CentreRefusal.AWARD_FINAL
        elif not open_round:
            refusal = CentreRefusal.ROUND_CLOSED
        elif used + claim.winners > self.stakes[name, claim.round]:
            refusal = CentreRefusal.NOBODY_ELIGIBLE
        assert answer.refusal is refusal, f"{claim}: {answer.refusal}, not {refusal}"
        if refusal is not None:
            self.counts["refused"] += 1
            return
        seen = [one.award for one in answer.changes if one.award.identity == claim.identity]
        assert seen, f"{claim}: no change tells of it"
        award = seen[-1]
        known = self.awards.get(award.number)
        if known is None:
            known = self.freeze(name, award)
        elif claim.identity not in known.members:
            assert name in known.held, f"{claim.identity} joins an award that does not hold it"
            older = [n for n, one in self.awards.items() if name in one.held]
            assert award.number == min(older), f"{claim.identity} joins {award.number} of {older}"
            self.counts["joined"] += 1
        known.held.discard(name)
        known.members[claim.identity] = name
        known.winners[claim.identity] = claim.winners
        known.agreed.discard(name)
        if claim.others is not UNSET:
            self.others[claim.identity] = claim.others

    def count_winners(self, name: str, number: int, besides: str) -> int:
        """The winners of a round, besides those of this award."""
        return sum(
            winners
            for known in self.awards.values()
            for identity, winners in known.winners.items()
            if identity.startswith(f"{name}/round-{number}/") and identity != besides
            if self.states[identity].state is not AwardState.CANCELLED
        )

    def freeze(self, name: str, award: LinkedAward) -> KnownAward:
        """A new award: on what the jackpot read before, with the rounds open elsewhere in hold."""
        self.counts["awards"] += 1
        known = self.awards[award.number] = KnownAward(award)
        assert award.reading == self.before.jackpot_cents, f"frozen: {award}, not {self.before}"
        shared = award.combination == HIGHEST and self._tie is Tie.SPLIT
        if shared:
            older = [one for one in self.awards.values() if name in one.held]
            assert not older, f"{award.identity} is not in the award that holds it"
            known.held = set(self.rounds) - {name}
        return known

    def take_agree(self, name: str, agree: Agree) -> None:
        """Agreed, if the award is live."""
        state = self.states.get(agree.identity)
        if state is not None and state.state in LIVE:
            self.awards[state.number].agreed.add(name)

    def take_cancel(self, name: str, cancel: Cancel, answer: Answer) -> None:
        """The part is cancelled, unless it is final; its round is in hold again."""
        state = self.states.get(cancel.identity)
        final = state is not None and state.state is AwardState.FINAL
        refusal = CentreRefusal.AWARD_FINAL if final else None
        assert answer.refusal is refusal, f"{cancel}: {answer.refusal}, not {refusal}"
        if state is None or state.state not in LIVE:
            return
        known = self.awards[state.number]
        self.drop_part(known, name, cancel.identity)
        if known.members and cancel.identity.startswith(f"{name}/round-{self.rounds.get(name)}/"):
            known.held.add(name)

    def drop_part(self, known: KnownAward, name: str, identity: str) -> None:
        """The part is cancelled; with the last one, nothing may join the award any more."""
        self.counts["cancelled"] += 1
        known.winners.pop(identity)
        known.members.pop(identity)
        known.agreed.discard(name)
        if not known.members:
            known.held.clear()

    def note_correction(self, source: Account, target: Account, units: int) -> None:
        """Two operators moved the centre's money, and nothing else."""
        self.before = add_amounts(self.before, {source: -units, target: units})
        self.check_act([])

    def see_late_award(self, name: str, claim: Claim, reading: Cents) -> None:
        """Two operators awarded a claim of a round that was over: it is final at once."""
        self.counts["awards"] += 1
        first = self._centre.changes(name, self.last_act[name])[0].award
        assert first.reading == reading, f"frozen: {first}, not {reading}"
        known = self.awards[first.number] = KnownAward(first)
        known.members[claim.identity] = name
        known.winners[claim.identity] = claim.winners
        known.agreed.add(name)
        self.check_act([])

    def see_recovered(self) -> None:
        """The centre was set back, and told again: as it was, but for the numbers of acts."""
        assert self._centre.total == self.before, f"recovered: {self._centre.total}"
        for name in self.names:
            for change in self._centre.changes(name, 0):
                self.states[change.award.identity] = change.award
                self.last_act[name] = change.act

    def begin_epoch(self, name: str, head: Head, moved: list[Transaction]) -> None:
        """The member was let rejoin; its first entry has what the centre lacked."""
        self.answers = {key: stored for key, stored in self.answers.items() if key[0] != name}
        self.last_n[name] = 1
        self.heads[name] = head
        self.counts["rejoined"] += 1
        self.check_act(moved, self.reckon_overflow((name, OF_A_LIST), moved))
        self.kept_out.pop((name, OF_A_LIST), None)

    def collect_changes(self) -> list[tuple[str, Change]]:
        """All changes since the last look, of all members, in the order of acts."""
        fresh = []
        for name in self.names:
            for change in self._centre.changes(name, self.last_act[name]):
                assert change.act > self.last_act[name], f"{name}: act {change.act} again"
                self.last_act[name] = change.act
                fresh.append((name, change))
        return sorted(fresh, key=lambda one: one[1].act)

    def check_change(self, member: str, change: Change) -> None:
        """An award's state goes on as it may, and each gets the floor of its share."""
        award = change.award
        before = self.states.get(award.identity)
        assert before is None or before.state in LIVE, f"{award.identity} changes after its end"
        self.states[award.identity] = award
        if award.winners:
            prize = self._terms.prize_of(award.combination)
            share = min(award.winners * prize.share, WHOLE)
            each = award.reading * share // (WHOLE * award.winners)
            if prize.amount:
                each = min(prize.amount, award.reading // award.winners)
            rest = award.reading - award.each * award.winners
            if prize.envy:
                assert award.tables == 1, f"{award}: envy of several tables"
                others = self.others.get(award.identity, 0)
                envy = min(award.own * prize.envy, rest // others) if others else 0
                assert (award.others, award.envy) == (others, envy), f"{award}: envy {envy}"
                self.counts["envy"] += others > 0 and award.state is AwardState.FINAL
            assert award.each == each, f"{award}: each must be {each}"
        if award.state is AwardState.FINAL:
            known = self.awards[award.number]
            assert not known.held, f"{award.identity} is final while {known.held} may join"
            left = set(known.members.values()) - known.agreed
            assert not left, f"{award.identity} is final before {left} agreed"
            assert award.winners == sum(known.winners.values()), f"{award}: {known.winners}"
            assert award.own == known.winners[award.identity], f"{award}: {known.winners}"
            self.counts["final"] += 1
            self.counts["shared"] += award.tables > 1
        assert award.identity.startswith(f"{member}/"), f"{member} is told of {award.identity}"

    def check_awards(self) -> None:
        """No award waits that could be final; the books hold what the awards do."""
        live = final = 0
        for award in self.states.values():
            paying = to_units(award.paying)
            assert award.paying <= award.reading, f"{award}: more than its reading"
            live += paying if award.state in LIVE else 0
            final += paying if award.state is AwardState.FINAL else 0
        assert (self.before.pending, self.before.paid) == (live, final), f"{self.before}"
        for known in self.awards.values():
            parts = [self.states[identity].state for identity in known.members]
            waits = known.held or set(known.members.values()) - known.agreed
            ended = AwardState.FINAL in parts
            assert ended or waits or not parts, f"{known} could be final"

    def check_money(self, moved: list[Transaction], over: int) -> None:
        """What moved is what was delivered and awarded, and what the centre may add."""
        reckoned = self.before
        for one in moved:
            reckoned = reckoned.after(one)
        reckoned = add_amounts(reckoned, {Account.JACKPOT: -over, Account.RESERVE: over})
        total = self.before = self._centre.total
        assert sum(total.to_dict().values()) == 0, f"{total}"
        assert min(total.jackpot, total.reserve, total.pending, total.paid) >= 0, f"{total}"
        added = total.jackpot - reckoned.jackpot
        due = max(-reckoned.jackpot, 0)
        for known in self.awards.values():
            winners = sum(known.winners.values())
            whole = winners * self._terms.prizes[known.first.combination] >= WHOLE
            if whole and not known.whole:
                known.whole = True
                known.base = max(self._base - reckoned.jackpot - due, 0)
                due += known.base
            elif known.whole and not whole:
                due -= min(known.base, max(reckoned.jackpot, 0))
                known.whole, known.base = False, 0
        assert added == due, f"the jackpot got {added}, not {due}: {reckoned} became {total}"
        for account in ("tray", "pending", "paid"):
            assert getattr(total, account) == getattr(reckoned, account), f"{account}: {total}"

    def check_ledgers(self, ledgers: list[Balances]) -> None:
        """At the end the ledgers and the centre hold the same stakes and awards."""
        ours, total = sum_balances(ledgers), self._centre.total
        for account in ("tray", "pending", "paid"):
            there, here = getattr(total, account), getattr(ours, account)
            assert there == here, f"{account}: {there} at the centre, {here} at the tables"


def _believe(_head: Head) -> bool:
    return True
