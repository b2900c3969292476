"""Records added up to a bordereau: a pure function of the state before them and of the records.

Money (docs/reference/rules.md, section 4) is added up from its transactions; a poker table's hands,
pots, rake and drop (docs/reference/poker-rules.md, section 20) from its decisions.
"""

from collections import Counter
from collections.abc import Iterable
from functools import reduce

import msgspec
from msgspec import Struct

from console.bordereau.events import CardTally, EventTally
from console.bordereau.figures import (
    AwardEntry,
    AwardStatus,
    Bordereau,
    CorrectionEntry,
    DropEntry,
    PokerEntry,
    RecordRange,
    TrayEntry,
    When,
)
from console.bordereau.money_totals import MoneyTotals
from console.bordereau.step import Plain, RecordStep, apply_changes
from console.rules.acts import KINDS, TrayCounted
from console.rules.board_marks import FirstSight
from console.rules.codes import Phase
from console.rules.games import GAMES, GameKind
from console.rules.link import Change
from console.rules.linked_prizes import is_envy
from console.rules.poker_acts import DropCounted
from console.rules.records import UnreadableRecord
from console.rules.settings import Settings
from console.rules.structs import replace
from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Balances, Reason, Transaction
from jackpot.money.amounts import Cents, Units
from jackpot.money.awards import Award
from jackpot.money.prizes import EURO, Prize, PrizeTable

TRAY_COUNTED = KINDS[TrayCounted]
COUNTED = ("hand-begun", "misdeal", "time-called", "time-expired", "new-dealer", "deck-changed")
"""Decisions that are counted as they are."""


DIFFERS = ("expected", "difference")


class MoneyTally:
    """Adds up transactions one by one; it takes no balance from the record."""

    def __init__(self, opening: Balances) -> None:
        self.balances = opening
        self.awards: list[AwardEntry] = []
        self.corrections: list[CorrectionEntry] = []
        self.trays: list[TrayEntry] = []
        self.by_currency: dict[str, MoneyTotals] = {}
        self._staked: set[int] = set()

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        currency = _currency(step.after)
        for transaction in step.record.transactions:
            self.balances = self.balances.after(transaction)
            moved = self.by_currency.get(currency, MoneyTotals())
            self.by_currency[currency] = moved.after(transaction)
            self._follow(step, transaction)
        if step.record.kind == TRAY_COUNTED and step.done:
            self._add_tray_count(step)

    @property
    def totals(self) -> MoneyTotals:
        """Of all currencies together, as the accounts have them."""
        return reduce(MoneyTotals.plus, self.by_currency.values(), MoneyTotals())

    @property
    def rounds_staked(self) -> int:
        """In how many rounds a token was accepted."""
        return len(self._staked)

    def _follow(self, step: RecordStep, transaction: Transaction) -> None:
        match transaction.reason:
            case Reason.STAKE:
                self._staked.add(step.record.round)
            case Reason.AWARD_PENDING | Reason.AWARD_RAISED if is_envy(transaction.identity):
                self._set_envy(step)
            case Reason.AWARD_PENDING:
                self.awards.append(_new_award(step, transaction))
            case Reason.AWARD_RAISED if self.awards:
                self._raise_award(step, transaction)
            case Reason.AWARD_FINAL if self.awards:
                self._end_award(step, AwardStatus.FINAL)
            case Reason.AWARD_CANCELLED if self.awards:
                self._end_award(step, AwardStatus.CANCELLED)
            case Reason.CORRECTION:
                self._add_correction(step, transaction)

    def _raise_award(self, step: RecordStep, transaction: Transaction) -> None:
        linked = _award_of_change(step, transaction)
        award = linked or _award_in_hand(step)
        self.awards[-1] = replace(
            self.awards[-1], winners=award.winners, each=award.each, total=award.total
        )
        if linked is None:
            self._set_envy(step)
        elif not self.awards[-1].by_house:
            self.awards[-1] = replace(self.awards[-1], envy=linked.envy)

    def _set_envy(self, step: RecordStep) -> None:
        """As the award in hand has it; at a linked table it has transactions of its own."""
        award = _award_in_hand(step)
        entry = replace(self.awards[-1], envy=award.envy, by_house=award.by_house)
        self.awards[-1] = entry

    def _end_award(self, step: RecordStep, status: AwardStatus) -> None:
        self.awards[-1] = replace(self.awards[-1], ended=step.when, status=status)

    def _add_correction(self, step: RecordStep, transaction: Transaction) -> None:
        moved = {posting.account: Units(posting.amount) for posting in transaction.postings}
        who, second, reason = (str(step.act.get(name, "")) for name in ("who", "second", "reason"))
        self.corrections.append(CorrectionEntry(step.when, who, second, reason, moved))

    def _add_tray_count(self, step: RecordStep) -> None:
        decision = step.find_decision("tray-counted") or {}
        counted, expected, difference = (
            int(decision[name]) for name in ("counted", "expected", "difference")
        )
        who = str(step.act.get("who", ""))
        self.trays.append(TrayEntry(step.when, who, counted, expected, difference))


def _new_award(step: RecordStep, transaction: Transaction) -> AwardEntry:
    fitted = bool((step.after.get("settings") or {}).get("inspector_fitted"))
    award = _award_of_change(step, transaction) or _award_in_hand(step)
    return AwardEntry(
        prize=_prize(step, award.combination),
        envy=award.envy,
        by_house=award.by_house,
        begun=step.when,
        ended=None,
        status=AwardStatus.PENDING,
        combination=award.combination,
        winners=award.winners,
        reading=award.reading,
        each=award.each,
        total=award.total,
        inspector=bool(step.after.get("inspector")) if fitted else None,
    )


def _prize(step: RecordStep, combination: str) -> Prize | None:
    """The award's prize, where it is one of a prize file."""
    prizes = (step.after.get("settings") or {}).get("prizes")
    return msgspec.convert(prizes, PrizeTable).of(combination) if prizes else None


def _currency(state: Plain) -> str:
    prizes = (state.get("settings") or {}).get("prizes") or {}
    return str(prizes.get("currency", EURO))


def _award_of_change(step: RecordStep, transaction: Transaction) -> Award | None:
    """The award that the centre's act changed, at a linked table, with envy from the jackpot."""
    message = step.act.get("answer") or step.act.get("shown") or {}
    for change in msgspec.convert(message.get("changes", ()), tuple[Change, ...]):
        if change.transaction is not None and change.transaction.identity == transaction.identity:
            award = change.award
            total = Cents(award.each * award.own)
            return Award(
                award.combination,
                award.own,
                award.reading,
                award.each,
                total,
                whole=False,
                envy=award.paid_envy,
            )
    return None


def _award_in_hand(step: RecordStep) -> Award:
    return msgspec.convert(step.after["award"], Award)


class PokerTally:
    """Counts what a poker table decided, record by record."""

    def __init__(self) -> None:
        self._times: Counter[str] = Counter()
        self._pots = 0
        self._drops: list[DropEntry] = []

    def add(self, step: RecordStep) -> None:
        """Add one record."""
        void = step.find_decision("round-void") is not None
        self._times["void"] += void
        for decision in step.decisions:
            name = str(decision.get("decision"))
            if name in COUNTED:
                self._times[name] += 1
            elif name == "hand-over" and not void:
                self._times["no entry"] += bool(decision["flop"] and not decision["counted"])
            elif name == "rake-taken":
                self._times["counted"] += 1
                self._pots += int(decision["pots"])
            self._times["early"] += name == "new-dealer" and bool(decision["early"])
        counted = step.find_decision("drop-counted")
        if step.record.kind == KINDS[DropCounted] and counted is not None:
            self._drops.append(_drop(step, counted))

    @property
    def entry(self) -> PokerEntry:
        """The figures so far."""
        times = self._times
        return PokerEntry(
            hands=times["hand-begun"],
            misdeals=times["misdeal"],
            voids=times["void"],
            counted=times["counted"],
            pots=Cents(self._pots),
            flops_without_entry=times["no entry"],
            time_calls=times["time-called"],
            expired=times["time-expired"],
            dealers=times["new-dealer"],
            early=times["early"],
            changes=times["deck-changed"],
            drops=tuple(self._drops),
        )


def _drop(step: RecordStep, counted: Plain) -> DropEntry:
    expected, difference = (Cents(int(counted[f"{name}_cents"])) for name in DIFFERS)
    who = str(step.act.get("who", ""))
    return DropEntry(step.when, who, Cents(int(step.act["cents"])), expected, difference)


class OpeningState(Struct, frozen=True):
    """The table's state before the first record, as plain values.

    `configuration`: the SHA-256 in the last start before it; "": none in it; None: no start.
    """

    state: Plain
    configuration: str | None = None

    @property
    def balances(self) -> Balances:
        """The balances in it. Raises UnreadableRecord."""
        return _balances(self.state)


def compute_bordereau(
    opening: OpeningState, records: Iterable[Record], stretch: RecordRange
) -> Bordereau:
    """The bordereau of these records.

    Raises Refused if there are none, UnreadableRecord for one that this version cannot read.
    """
    try:
        return _BordereauBuilder(opening, stretch).add_up(records)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        raise UnreadableRecord(f"a record does not say what it should: {error!r}") from error


class _BordereauBuilder:
    def __init__(self, opening: OpeningState, stretch: RecordRange) -> None:
        self._opening = opening
        self._stretch = stretch
        self._money = MoneyTally(opening.balances)
        self._happened = EventTally(opening.state, opening.configuration)
        self._cards = CardTally(opening.state)
        self._poker = PokerTally()
        self._settings: list[tuple[When | None, Settings]] = []
        self._opened: When | None = None
        if opening.state.get("settings"):
            self._settings.append((None, _settings(opening.state)))

    def add_up(self, records: Iterable[Record]) -> Bordereau:
        state, last = self._opening.state, None
        for record in records:
            last = RecordStep(record, state, apply_changes(state, record))
            state = last.after
            self._add(last)
        if last is None:
            raise Refused(f"no record after number {self._stretch.after}")
        return self._build(last)

    def _add(self, step: RecordStep) -> None:
        self._money.add(step)
        self._happened.add(step)
        self._cards.add(step)
        self._poker.add(step)
        before, after = step.before.get("round", 0), step.after.get("round", 0)
        if after > before and self._opened is None:
            self._opened = step.when
        if step.before.get("settings") != step.after.get("settings"):
            self._settings.append((step.when, _settings(step.after)))

    @property
    def _plays_poker(self) -> bool:
        return any(GAMES[one.game].kind is GameKind.POKER for _, one in self._settings)

    def _build(self, last: RecordStep) -> Bordereau:
        money, happened, state = self._money, self._happened, last.after
        on_record = _balances(state).to_dict()
        return Bordereau(
            stretch=self._stretch,
            first=self._stretch.after + 1,
            last=last.when,
            hash=last.record.hash,
            opened=self._opened,
            simulated=_is_simulated(state),
            phase=Phase(state.get("phase", Phase.PAUSED.value)),
            rounds=(int(self._opening.state.get("round", 0)) + 1, int(state.get("round", 0))),
            rounds_staked=money.rounds_staked,
            settings=tuple(self._settings),
            opening=self._opening.balances,
            closing=money.balances,
            differs=tuple(
                name for name, units in money.balances.to_dict().items() if units != on_record[name]
            ),
            money=money.totals,
            by_currency=dict(money.by_currency),
            awards=tuple(money.awards),
            declarations=tuple(happened.declarations),
            corrections=tuple(money.corrections),
            trays=tuple(money.trays),
            faults=tuple(happened.faults),
            services=tuple(happened.services),
            starts=tuple(happened.starts),
            configurations=tuple(happened.configurations),
            releases=tuple(happened.releases),
            entered=dict(sorted(happened.entered.items())),
            wrong_pins=dict(sorted(happened.wrong_pins.items())),
            refused=dict(sorted(happened.refused.items())),
            forgotten=happened.forgotten,
            noticed=dict(sorted(happened.noticed.items())),
            cards=self._cards.entry,
            poker=self._poker.entry if self._plays_poker else None,
        )


def _balances(state: Plain) -> Balances:
    try:
        return Balances.from_dict(state["balances"]) if "balances" in state else Balances()
    except ValueError as error:
        raise UnreadableRecord(str(error)) from error


def _is_simulated(state: Plain) -> bool:
    """A simulated cabinet's boards alone are enrolled at first sight."""
    return bool(state.get("boards", {}).get("first_sight") == FirstSight.ENROL.value)


def _settings(state: Plain) -> Settings:
    return msgspec.convert(state["settings"], Settings)
