"""The rake of a cash hand, and how it is divided among the pots.

docs/reference/poker-rules.md, section 18.

Pots are in cents, and without what nobody called. The rake is whole euro.
"""

import re
from collections.abc import Mapping, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from jackpot.foreign_text import quote
from jackpot.money.amounts import WHOLE, Cents, parse_cents

EURO = 100
FEWEST_PLAYERS, MOST_PLAYERS = 2, 11
_LATER_CAP = r"([0-9]{1,2}):(\S+)"


class RakeHouse(Enum):
    """A house with a cash game."""

    PRESTIGE = "prestige"
    SANREMO = "sanremo"
    SAN_MARINO = "san-marino"


class Rounding(Enum):
    """How a share of the pots becomes whole euro; half a euro goes up."""

    DOWN = "down"
    HALF_UP = "half up"


class RakeCap(Struct, frozen=True):
    """The most that is taken, in euro, from so many players on; the first holds for fewer, too."""

    steps: tuple[tuple[int, int], ...]

    def of(self, players: int) -> int:
        """The cap for so many players."""
        reached = [euro for least, euro in self.steps if least <= players]
        return reached[-1] if reached else self.steps[0][1]

    def __str__(self) -> str:
        """As `parse_cap` reads it: `30`, `2:10 5:20`."""
        if len(self.steps) == 1 and self.steps[0][0] == FEWEST_PLAYERS:
            return str(self.steps[0][1])
        return " ".join(f"{players}:{euro}" for players, euro in self.steps)


class RakeTerms(Struct, frozen=True):
    """How a house computes the rake. `rate` in basis points; `minimum`: the least raked sum."""

    house: RakeHouse
    rate: int
    cap: RakeCap
    fixed: Cents = Cents(0)
    minimum: Cents = Cents(0)
    rounding: Rounding = Rounding.DOWN
    main_pot_first: bool = False
    """The main pot pays as far as it goes; else each pot pays what it adds to the rake."""
    shared_is_raked: bool = False
    """Also a pot that is shared as a whole pays."""
    half: bool = False
    """Half of the rake is taken."""


def _no_steps(euro: int) -> RakeCap:
    return RakeCap(((FEWEST_PLAYERS, euro),))


TERMS: Mapping[RakeHouse, RakeTerms] = {
    terms.house: terms
    for terms in (
        # One euro for each whole 20 is 5 % down to the euro.
        RakeTerms(
            RakeHouse.PRESTIGE, 500, _no_steps(25), main_pot_first=True, shared_is_raked=True
        ),
        RakeTerms(RakeHouse.SANREMO, 500, _no_steps(30), minimum=Cents(60 * EURO)),
        RakeTerms(RakeHouse.SAN_MARINO, 250, _no_steps(15), rounding=Rounding.HALF_UP),
    )
}
"""The houses' terms, with the defaults of what a house sets."""


def choose_terms(
    house: RakeHouse,
    *,
    rate: int | None = None,
    fixed: Cents | None = None,
    cap: RakeCap | None = None,
    half: bool = False,
) -> RakeTerms:
    """The house's terms with what is set otherwise. Raises ValueError for what it has not."""
    terms = TERMS[house]
    if house is not RakeHouse.SAN_MARINO and (rate is not None or fixed is not None):
        raise ValueError(f"rate and fixed part are set in san-marino only, not in {house.value}")
    if house is RakeHouse.PRESTIGE and cap is not None:
        raise ValueError("the cap of prestige is 25: it is not set")
    if house is not RakeHouse.PRESTIGE and half:
        raise ValueError(f"half the rake is taken at prestige only, not in {house.value}")
    return replace(
        terms,
        rate=terms.rate if rate is None else rate,
        fixed=terms.fixed if fixed is None else fixed,
        cap=terms.cap if cap is None else cap,
        half=half,
    )


def parse_cap(text: str) -> RakeCap:
    """Read `30`, `15.00` or `2:10 5:20 7:30` (from 2, 5, 7 players on).

    Raises ValueError that says what would be right.
    """
    words = text.split()
    if len(words) == 1 and ":" not in text:
        return _no_steps(_parse_euro(words[0]))
    steps = tuple(_parse_step(word) for word in words)
    players = [least for least, _ in steps]
    if not steps or players != sorted(set(players)):
        raise ValueError(f"{quote(text)} is no cap such as 30 or '2:10 5:20 7:30', players rising")
    return RakeCap(steps)


def _parse_step(word: str) -> tuple[int, int]:
    found = re.fullmatch(_LATER_CAP, word)
    if found is None or not FEWEST_PLAYERS <= int(found[1]) <= MOST_PLAYERS:
        raise ValueError(
            f"{quote(word)} is no step of a cap such as 5:20, "
            f"from {FEWEST_PLAYERS} to {MOST_PLAYERS} players"
        )
    return int(found[1]), _parse_euro(found[2])


def _parse_euro(text: str) -> int:
    cents = parse_cents(text)
    if cents % EURO:
        raise ValueError(f"{quote(text)} is no cap: the rake is whole euro")
    return cents // EURO


def reckon_rake(terms: RakeTerms, total: int, players: int) -> int:
    """r(P): the rake of a sum in whole euro, before the minimum; never more than the sum's."""
    share = total * terms.rate + terms.fixed * WHOLE
    euro = WHOLE * EURO
    half = euro // 2 if terms.rounding is Rounding.HALF_UP else 0
    rake = min(terms.cap.of(players), (share + half) // euro, total // EURO)
    return rake // 2 if terms.half else rake


def divide_rake(
    terms: RakeTerms,
    pots: Sequence[int],
    players: int,
    *,
    flop: bool = True,
    shared: bool = False,
) -> tuple[int, ...]:
    """What each pot pays, the main pot first: one part for each, in euro, also if it is 0.

    `flop`: there was one; `shared`: all of it is shared among players.
    """
    total = sum(pots)
    if not flop or (shared and not terms.shared_is_raked) or total < terms.minimum:
        return (0,) * len(pots)
    if terms.main_pot_first:
        return _take_in_order(pots, reckon_rake(terms, total, players))
    parts: list[int] = []
    reached, before = 0, 0
    for pot in pots:
        reached += pot
        rake = reckon_rake(terms, reached, players)
        parts.append(0)
        _take_backwards(parts, pots, rake - before)
        before = rake
    return tuple(parts)


def _take_in_order(pots: Sequence[int], rake: int) -> tuple[int, ...]:
    parts = []
    for pot in pots:
        parts.append(min(rake, pot // EURO))
        rake -= parts[-1]
    return tuple(parts)


def _take_backwards(parts: list[int], pots: Sequence[int], rake: int) -> None:
    """From the last of the parts, then from those before it, as far as each pot goes."""
    for place in reversed(range(len(parts))):
        part = min(rake, pots[place] // EURO - parts[place])
        parts[place] += part
        rake -= part
