"""What a person at the table sees, and the ledger's state, at one instant."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, UnsetType

from console.rules.codes import Fault, Phase, Refusal
from console.rules.game_modules import panel_lights, shuffler_orders
from console.rules.link_state import LinkState
from console.rules.poker.poker_shown import PokerSeen
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.rules.round.card_outputs import rail_orders
from console.rules.round.decks import DECK_FAULTS
from console.rules.round.drawing_rule import next_place, points
from console.rules.state import Rules, TableState
from devices.card_reports import DeckState, Place
from devices.roles import SEATS, DisplayText, Lamp
from jackpot.money.accounts import Balances
from jackpot.money.amounts import Cents, Units, format_cents, to_cents
from jackpot.money.awards import Award, Envy
from jackpot.money.prizes import PrizeTable

SHOWN_ACCOUNTS = ("jackpot", "reserve", "house", "pending", "paid")


class ShownOutputs(Struct, frozen=True):
    """What lamps, display and machine show. `lamps`: lit combination buttons, from the left.

    `green`: the shuffler's light, nothing is left of the deck in play. `ready_light`: a deck
    shuffler's, GREEN would be accepted.
    """

    slots: Mapping[int, Lamp]
    seats: Mapping[int, Lamp]
    lamps: tuple[bool, ...]
    display: tuple[str, str]
    green: bool
    ready_light: bool


class Observation(Struct, frozen=True):
    """`slots` and `seats`: the lamps that are not dark. `lamps`: lit combinations.

    `accounts`: whole cents, rounded towards minus infinity, as `12345.67`. `shuffler`: the state of
    the deck in play, or of the prepared one. `next`, `result`, `points`: empty if there are none.
    `link`: `up` or `lost`; empty at a table that is not linked. `awaited`: other tables that its
    award waits for. `centre`: the jackpot at the centre of a rehearsal.
    """

    phase: Phase
    slots: Mapping[int, Lamp]
    seats: Mapping[int, Lamp]
    lamps: tuple[str, ...]
    display: tuple[str, str]
    accounts: Mapping[str, str]
    award: Award | None
    faults: tuple[Fault, ...]
    refused: Refusal | None
    shuffler: str = "EMPTY"
    green: bool = True
    ready_light: bool = False
    dealt: int = 0
    remaining: int = 0
    last: bool = False
    next: str = ""
    result: str = ""
    points: str = ""
    link: str = ""
    awaited: int = 0
    centre: Cents | None = None
    poker: PokerSeen | None = None
    at_limit: bool = False

    @property
    def shown(self) -> Cents | None:
        """The amount on line 2, however the language writes it; None: dashes."""
        digits = re.sub("[^0-9]", "", self.display[1])
        return Cents(int(digits)) if digits else None

    def to_json(self) -> dict[str, Any]:
        """The fields of `banco play --json`; those of the link at a linked table alone."""
        return {
            "phase": self.phase.value,
            "slots": {str(seat): lamp.value for seat, lamp in sorted(self.slots.items())},
            "seats": {str(seat): lamp.value for seat, lamp in sorted(self.seats.items())},
            "lamps": list(self.lamps),
            "display": list(self.display),
            **self.accounts,
            "award": _award_json(self.award),
            "faults": [fault.value for fault in self.faults],
            "refused": self.refused.value if self.refused else None,
            **(self._link_json() if self.link else {}),
            **(self.poker.to_json() if self.poker is not None else {}),
        }

    def _link_json(self) -> dict[str, Any]:
        return {
            "link": self.link,
            "shown": _amount_json(self.shown),
            "centre": _amount_json(self.centre),
            "awaited": self.awaited,
        }

    def whole(self) -> dict[str, Any]:
        """The fields of `to_json`, and those of decks and shoe."""
        return {
            "shuffler": self.shuffler,
            "green": self.green,
            "ready_light": self.ready_light,
            "dealt": self.dealt,
            "remaining": self.remaining,
            "last": self.last,
            "next": self.next,
            "result": self.result,
            "points": self.points,
            **self.to_json(),
        }


def _amount_json(amount: Cents | None) -> str | None:
    return None if amount is None else format_cents(amount)


def observe_table(
    state: TableState, rules: Rules, shown: ShownOutputs, refused: Refusal | None, now: int
) -> Observation:
    """The observation of a table with this state, whose cabinet shows these outputs."""
    coup, follows = state.shoe.coup, rules.game.reads_coup
    first, second = shown.display
    return Observation(
        phase=state.shown_phase,
        slots=lit_lamps(shown.slots),
        seats=lit_lamps(shown.seats),
        lamps=name_lit_buttons(rules, shown.lamps),
        display=(first.rstrip(), second.rstrip()),
        accounts=format_accounts(state.balances),
        award=state.award,
        faults=state.faults,
        refused=refused,
        shuffler=shuffler_status(state),
        green=shown.green,
        ready_light=shown.ready_light,
        dealt=state.deck.dealt,
        remaining=state.shoe.remaining,
        last=state.shoe.last,
        next=next_to_draw(state) if follows else "",
        result=coup.outcome.value if coup.outcome else "",
        points=format_points(state) if follows else "",
        at_limit=is_at_limit(state, rules.prizes),
        link=_describe_link(state),
        awaited=count_awaited(state),
        poker=see_hand(state, rules, now),
    )


def is_at_limit(state: TableState, prizes: PrizeTable | UnsetType | None) -> bool:
    """Whether the jackpot, here or at the centre, has reached the limit of these prizes."""
    reading = state.jackpot_reading
    limit = prizes.limit if isinstance(prizes, PrizeTable) else None
    return limit is not None and reading is not None and reading >= limit


def name_lit_buttons(rules: Rules, lamps: Sequence[bool]) -> tuple[str, ...]:
    """The lit buttons that are lit, by their combinations or the first of their legends."""
    names = [each[0] for each in rules.game.legends]
    names += [prize.combination for prize in rules.prizes.prizes] if rules.prizes else []
    return tuple(name for name, on in zip(names, lamps, strict=False) if on)


def see_hand(state: TableState, rules: Rules, now: int) -> PokerSeen | None:
    """What a poker table shows besides; None at another game's."""
    if not isinstance(state.poker, PokerState) or not isinstance(rules.poker, PokerSettings):
        return None
    from console.rules.poker.poker_observation import see_poker  # another game does without it

    return see_poker(state, state.poker, rules.poker, now)


def _describe_link(state: TableState) -> str:
    if not isinstance(state.link, LinkState):
        return ""
    return "lost" if state.off_link else "up"


def count_awaited(state: TableState) -> int:
    """How many other tables this table's award waits for, as the centre has answered."""
    award = state.link.award if isinstance(state.link, LinkState) else None
    return award.centre.awaited if award is not None and award.centre is not None else 0


def outputs_as_ordered(state: TableState, rules: Rules, display: DisplayText) -> ShownOutputs:
    """The outputs as ordered, where no cabinet can be looked at."""
    lights = panel_lights(state, rules)
    lamps = rail_orders(state).lamps if rules.rail is not None else ()
    slots = dict(zip(SEATS, lamps, strict=False))
    if not state.rail.known:  # it is lost or awaited: nothing invites
        slots = {seat: lamp for seat, lamp in slots.items() if lamp is not Lamp.INVITE}
    seen = state.deck.seen
    return ShownOutputs(
        slots=slots,
        seats=dict(zip(SEATS, lights.seats, strict=True)),
        lamps=lights.combinations,
        display=display.lines,
        green=seen is not None and seen.playing_back is None,
        ready_light=shuffler_orders(state, rules).ready_light,
    )


def shuffler_status(state: TableState) -> str:
    """The state of the deck in play once a hand is dealt from it.

    Otherwise, of the prepared one.
    """
    seen = state.deck.seen
    if seen is None:
        return "EMPTY"
    if seen.preparing is DeckState.JAMMED:
        return "FAULT"
    if seen.playing_back is not None:
        untouched = not seen.packets and state.phase is Phase.BETTING
        return "READY" if untouched else "DEALING"
    if seen.preparing is DeckState.READY and not DECK_FAULTS.isdisjoint(state.faults):
        return "FAULT"
    return str(seen.preparing.value)


def next_to_draw(state: TableState) -> str:
    """Who draws next; nobody if the coup has ended or is incomplete, or without a shoe."""
    shoe, coup = state.shoe, state.shoe.coup
    if shoe.cards is not None and shoe.drawn == shoe.burnt and not coup.incomplete:
        return Place.PUNTO.value  # a new shoe, although the last one's result is still shown
    if shoe.cards is None or coup.ended or coup.incomplete:
        return ""
    place = next_place(coup.punto, coup.banco)
    return place.value if place else ""


def format_points(state: TableState) -> str:
    """PUNTO's and BANCO's points of the cards so far; none for an incomplete coup."""
    coup = state.shoe.coup
    if coup.incomplete:
        return ""
    return f"{points(coup.punto)} {points(coup.banco)}"


def format_accounts(balances: Balances) -> dict[str, str]:
    """Each account's whole cents."""
    return {name: format_cents(to_cents(Units(getattr(balances, name)))) for name in SHOWN_ACCOUNTS}


def lit_lamps(lamps: Mapping[int, Lamp]) -> dict[int, Lamp]:
    """The names of the lamps that are not dark, with their modes."""
    return {seat: lamp for seat, lamp in lamps.items() if lamp is not Lamp.DARK}


def _award_json(award: Award | None) -> dict[str, Any] | None:
    if award is None:
        return None
    return {
        "combination": award.combination,
        "winners": award.winners,
        "each": format_cents(award.each),
        **({"envy": _envy_json(award.envy)} if award.envy is not None else {}),
    }


def _envy_json(envy: Envy) -> dict[str, Any]:
    return {"seats": envy.seats, "each": format_cents(envy.each)}
