"""The settings in force, for the journal (docs/reference/rules.md, section 11)."""

from msgspec import UNSET, Struct, UnsetType

from console.rules.games import GAMES, OMAHA, Game, RailKind
from console.rules.poker_settings import OMAHA_CARDS, PokerSettings
from console.rules.structs import replace
from jackpot.money.amounts import Cents, parse_cents
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import PrizeTable
from jackpot.money.settings import MoneySettings

Written = tuple[tuple[str, str], ...]
"""Settings written on the technician's line: key and value as typed, sorted by key."""

BASE = "money.base"
"""The key of the jackpot's base."""


class Settings(Struct, frozen=True):
    """The settings of a round; `version` counts their changes, from 1.

    `link`: the linked jackpot that the table plays for; unset: its own. `prizes`: of a prize file;
    unset: the game's own.
    """

    table: str
    game: str
    rail: RailKind | None
    money: MoneySettings
    inspector_fitted: bool = False
    version: int = 0
    link: str | UnsetType = UNSET
    poker: PokerSettings | UnsetType = UNSET
    prizes: PrizeTable | UnsetType = UNSET

    def same_as(self, other: "Settings | None") -> bool:
        """Whether at most the version differs."""
        return other is not None and replace(other, version=self.version) == self


def prizes_of(settings: Settings) -> PrizeTable:
    """The prizes that the table plays for. Raises ValueError for a game without a progressive."""
    own = settings.prizes
    return own if isinstance(own, PrizeTable) else load_prizes(settings.game)


def fit_game(name: str, poker: PokerSettings | UnsetType) -> Game:
    """The game as its table has it: a poker room may shuffle by hand, or deal Omaha."""
    game = GAMES[name]
    if not isinstance(poker, PokerSettings):
        return game
    if not poker.deck_shuffler:
        game = replace(game, shuffler=None, packets=())
    return replace(game, called=OMAHA) if poker.hole == OMAHA_CARDS else game


class SettingChanged(Struct, frozen=True):
    """A setting was written for the next start of the service, which adopts it, or for the next
    jackpot."""

    who: str
    key: str
    value: str
    before: str
    second: str | UnsetType = UNSET
    """Of money: the cashier who confirmed it."""
    typed: str | UnsetType = UNSET
    """The value as typed; "" if the configuration's own value applies again."""
    next_jackpot: bool | UnsetType = UNSET
    """Whether it waits until the jackpot is won."""


class NextJackpot(Struct, frozen=True):
    """What counts from the next jackpot; `won`: the present one is, and the round ends first."""

    written: Written
    won: bool = False

    def read_base(self, present: Cents) -> Cents:
        """The base from which the next jackpot starts; `present`: that of this one."""
        typed = dict(self.written).get(BASE)
        return present if typed is None else parse_cents(typed)


def change_written(written: Written, key: str, typed: str) -> Written:
    """With this setting; without it where nothing is typed."""
    others = tuple(one for one in written if one[0] != key)
    return tuple(sorted((*others, (key, typed)))) if typed else others


def join_written(written: Written | UnsetType, later: Written) -> Written:
    """Both, and of a key in both the later value."""
    return tuple(sorted((dict(written or ()) | dict(later)).items()))


class SettingsFound(Struct, frozen=True):
    """What settings.toml holds; `taken`: no record had it yet, from now on it does.

    Otherwise it differs from what is on record, and is not believed.
    """

    written: Written
    taken: bool
