"""The kind of table that a scenario's settings or a configuration file ask for."""

from msgspec import UNSET, Struct, UnsetType, field

from console.configuration.sign_section import SignSection
from console.rules.games import Game, RailKind
from console.rules.poker_settings import PokerSettings
from console.rules.settings import Settings, Written, fit_game, prizes_of
from console.rules.state import Rules, rules_of
from console.texts.language import Language
from devices.panel_wiring import DoorWiring
from devices.roles import RailTraits
from jackpot.money.prizes import PrizeTable
from jackpot.money.settings import MoneySettings


class FoundSettings(Struct, frozen=True):
    """The settings found at a start, which are held against the table's record."""

    written: Written
    """What is laid over the configuration file."""
    changeable: frozenset[str]
    """The keys that this table may have there."""
    sha256: str
    """Of the whole configuration (`keys.fingerprint`)."""
    refused: Written | None = None
    """What settings.toml held that is not on record; None if it held what is."""
    acknowledge: bool = False
    """Whether two people must acknowledge another configuration before play."""


class TablePlan(Struct, frozen=True):
    """A table of one of the house's games; `rail` is None for games without a progressive.

    `link`: the linked jackpot that it plays for (docs/reference/link-rules.md); "": its own.
    `found`: the settings of its file, which a start holds against the record; None without a file.
    """

    table: str = "simulated"
    game: str = "caribbean-stud"
    money: MoneySettings = field(default_factory=MoneySettings)
    rail: RailKind | None = RailKind.SLOT
    inspector_fitted: bool = False
    doors: DoorWiring | None = None
    """The contacts of its doors; None: none are fitted."""
    language: Language = Language.IT
    link: str = ""
    found: FoundSettings | None = None
    poker: PokerSettings | UnsetType = UNSET
    """Of a poker table (docs/reference/poker-rules.md)."""
    prizes: PrizeTable | UnsetType = UNSET
    """Of a prize file; unset: the game's own."""
    prizes_file: str = ""
    """As the configuration or the scenario calls it."""
    sign: SignSection = field(default_factory=SignSection)
    """Of no concern to the rules, and so not on record."""
    house: str = ""
    """Name and place of the house, for a bordereau's head; "": not configured."""

    @property
    def fitted(self) -> Game:
        """Its game, with the parts that this table has."""
        return fit_game(self.game, self.poker)

    @property
    def prize_table(self) -> PrizeTable | None:
        """The prizes that it plays for; None for a game without a progressive."""
        return prizes_of(self.settings()) if self.fitted.progressive else None

    def settings(self) -> Settings:
        """The settings that go on record."""
        link = self.link or UNSET
        return Settings(
            self.table,
            self.game,
            self.rail,
            self.money,
            self.inspector_fitted,
            link=link,
            poker=self.poker,
            prizes=self.prizes,
        )

    def rules(self, rail: RailTraits | None) -> Rules:
        """The rules of the round; `rail`: the traits of the rail that is fitted."""
        return rules_of(self.settings(), rail)
