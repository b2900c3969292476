"""Records added up to a bordereau: a pure function of the state before them and of the records."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from console.bordereau.events import CardTally, EventTally
from console.bordereau.figures import Bordereau, RecordRange, When
from console.bordereau.money import MoneyTally
from console.bordereau.poker import PokerTally
from console.bordereau.step import Plain, RecordStep, apply_changes
from console.rules.board_marks import FirstSight
from console.rules.codes import Phase
from console.rules.games import GAMES, GameKind
from console.rules.records import UnreadableRecord
from console.rules.settings import Settings
from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Balances


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


class NoRecords(Refused):
    """There is no record to add up."""


def compute_bordereau(
    opening: OpeningState, records: Iterable[Record], stretch: RecordRange
) -> Bordereau:
    """The bordereau of these records.

    Raises NoRecords if there are none, UnreadableRecord for one that this version cannot read.
    """
    try:
        return _BordereauBuilder(opening, stretch).add_up(records)
    except (KeyError, TypeError, ValueError, msgspec.ValidationError) as error:
        if isinstance(error, NoRecords | UnreadableRecord):
            raise
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
            raise NoRecords(f"no record after number {self._stretch.after}")
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
            awards=tuple(money.awards),
            declarations=tuple(happened.declarations),
            corrections=tuple(money.corrections),
            trays=tuple(money.trays),
            faults=tuple(happened.faults),
            services=tuple(happened.services),
            starts=tuple(happened.starts),
            configurations=tuple(happened.configurations),
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
