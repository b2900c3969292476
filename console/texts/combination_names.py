"""What a table calls its combinations and its lit buttons.

A house's own combinations have the words of its prize file (docs/reference/prizes.md, section 1).
"""

from msgspec import Struct, UnsetType

from console.rules.games import GAMES
from console.rules.settings import Settings
from console.texts.language import Language, Words
from console.texts.table_texts import COMBINATION_NAMES
from devices.roles import COMBINATION_BUTTONS
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import EURO, Prize, PrizeTable


class TableNames(Struct, frozen=True):
    """What the names depend on: the game, "" while it is not known, and the table's prize file."""

    game: str = ""
    prize_file: PrizeTable | None = None

    @property
    def prizes(self) -> tuple[Prize, ...]:
        """The prizes in the order of the buttons; none without a progressive."""
        if self.prize_file is not None:
            return self.prize_file.prizes
        if self.game not in GAMES or not GAMES[self.game].progressive:
            return ()
        return load_prizes(self.game).prizes

    @property
    def currency(self) -> str:
        """Of all amounts."""
        return self.prize_file.currency if self.prize_file is not None else EURO

    @property
    def limit(self) -> Cents | None:
        """The jackpot grows no further; None: there is no limit."""
        return self.prize_file.limit if self.prize_file is not None else None


NOT_KNOWN = TableNames()


def names_of(settings: Settings | None) -> TableNames:
    """The names of a table with these settings; None: before the first."""
    if settings is None:
        return NOT_KNOWN
    return names_from(settings.game, settings.prizes)


def names_from(game: str, prizes: PrizeTable | UnsetType) -> TableNames:
    """The names of a table of this game; `prizes`: of its prize file, where it names one."""
    return TableNames(game, prizes if isinstance(prizes, PrizeTable) else None)


def name_combination(code: str, prizes: PrizeTable | None = None) -> Words:
    """A combination's words, small in English; an unknown code as it is.

    `prizes`: of a prize file, whose own words come first.
    """
    for prize in prizes.prizes if prizes is not None else ():
        if prize.combination == code and prize.it:
            return Words(prize.it.lower(), prize.en.lower())
    return COMBINATION_NAMES.get(code, Words(code, code))


def name_in_capitals(code: str, prizes: PrizeTable | None = None) -> Words:
    """The same as a sign writes it."""
    name = name_combination(code, prizes)
    return Words(name.it.upper(), name.en.upper())


def combination_words(code: str, language: Language, table: TableNames = NOT_KNOWN) -> str:
    """A combination in a sentence: `flush`, in Italian in capitals; an unknown code as it is."""
    name = name_combination(code, table.prize_file).in_(language)
    return name.upper() if language is Language.IT else name


def button_name(button: str, table: TableNames) -> str:
    """A button's name: its combination, or the first of its legends, if the game is known."""
    places = [one.value for one in COMBINATION_BUTTONS]
    if button not in places or table.game not in GAMES:
        return button
    legends, place = GAMES[table.game].legends, places.index(button)
    if legends:
        return legends[place][0]
    return table.prizes[place].combination if place < len(table.prizes) else button


def button_label(button: str, table: TableNames, language: Language) -> str:
    """The words on a button: `COIN IN`, `ROYAL FLUSH`, `SCALA REALE`, `FLOP/FEWER/CHIP 2`."""
    places = [one.value for one in COMBINATION_BUTTONS]
    if button in places and table.game in GAMES and GAMES[table.game].legends:
        return "/".join(GAMES[table.game].legends[places.index(button)]).replace("_", " ")
    name = button_name(button, table)
    words = name_combination(name, table.prize_file)
    return words.in_(language).upper().replace("_", " ")
