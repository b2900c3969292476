"""The names of games, phases, accounts, duties, combinations, lit buttons and results.

A house's own combinations have the words of its prize file (docs/reference/prizes.md, section 1).
"""

from collections.abc import Mapping

from msgspec import Struct, UnsetType

from console.rules.card_state import CoupOutcome
from console.rules.codes import Duty, Phase
from console.rules.games import GAMES
from console.rules.settings import Settings
from console.texts.language import Language, Words
from devices.roles import COMBINATION_BUTTONS
from jackpot.money.accounts import Account
from jackpot.money.amounts import Cents
from jackpot.money.prize_file import load_prizes
from jackpot.money.prizes import EURO, Combination, Prize, PrizeTable

GAME_NAMES: Mapping[str, Words] = {
    name: Words(title, title)
    for name, title in (
        ("caribbean-stud", "Caribbean Stud Poker"),
        ("tre-card-stud", "Tre Card Stud"),
        ("ultimate-texas-holdem", "Ultimate Texas Hold'em"),
        ("mini-punto-banco", "Mini Punto Banco"),
        ("black-jack", "Black Jack"),
        ("texas-holdem", "Texas Hold'em"),
        ("omaha", "Omaha"),
    )
}
"""What people call each game: by `Game.known_as`, in both languages."""

TOURNAMENT = Words("Torneo", "Tournament")
"""In a game's place, on the sign of all tables of a tournament."""

SIMULATION = Words("SIMULAZIONE", "SIMULATION")

PHASES: Mapping[Phase, Words] = {
    Phase.PAUSED: Words("in pausa", "paused"),
    Phase.BETTING: Words("puntate aperte", "betting"),
    Phase.COLLECTING: Words("raccolta", "collecting"),
    Phase.PLAYING: Words("in gioco", "playing"),
    Phase.AWARDING: Words("vincita in sospeso", "award pending"),
    Phase.SERVICE: Words("manutenzione", "service"),
}


def name_phase(code: str, language: Language) -> str:
    """A phase in a line of text: in English its code; a later version's code as it is."""
    if language is Language.EN or code not in Phase.__members__:
        return code
    return PHASES[Phase[code]].in_(language)


RAILS: Mapping[str, Words] = {
    "slot": Words("slot", "slot"),
    "sensor": Words("sensori", "sensor"),
    "cctalk": Words("ccTalk", "ccTalk"),
}
"""The kinds of rail."""

POKER_PHASES: Mapping[Phase, Words] = {
    Phase.BETTING: Words("tra una mano e l'altra", "between hands"),
    Phase.PLAYING: Words("mano in corso", "hand in play"),
    Phase.AWARDING: Words("conto del piatto", "counting the pot"),
}
"""What a phase is called at a poker table, where it has another name."""

ACCOUNTS: Mapping[Account, Words] = {
    Account.TRAY: Words("vaschetta", "tray"),
    Account.JACKPOT: Words("jackpot", "jackpot"),
    Account.RESERVE: Words("riserva", "reserve"),
    Account.HOUSE: Words("casa", "house"),
    Account.PENDING: Words("in sospeso", "pending"),
    Account.PAID: Words("pagato", "paid"),
    Account.POTS: Words("piatti", "pots"),
    Account.RAKE: Words("rake", "rake"),
}

THIS_TABLES_PART = Words("parte di questo tavolo", "this table's part")
"""Of the accounts of a linked table, whose jackpot is at the centre.

docs/reference/link-rules.md, 2.1.
"""

DUTIES: Mapping[Duty, Words] = {
    Duty.TECHNICIAN: Words("tecnico", "technician"),
    Duty.FLOOR_MANAGER: Words("capotavolo", "floor manager"),
    Duty.CASHIER: Words("cassiere", "cashier"),
}

DUTY_NAMES: Mapping[str, Words] = {duty.value: name for duty, name in DUTIES.items()}
"""By the code that stands in records."""

COMBINATIONS: Mapping[Combination, Words] = {
    Combination.ROYAL_FLUSH: Words("scala reale", "royal flush"),
    Combination.STRAIGHT_FLUSH: Words("scala colore", "straight flush"),
    Combination.FOUR_OF_A_KIND: Words("poker", "four of a kind"),
    Combination.FULL_HOUSE: Words("full", "full house"),
    Combination.FLUSH: Words("colore", "flush"),
    Combination.DOUBLE_THREE_PLAYER: Words("double tre giocatore", "double three player"),
    Combination.DOUBLE_THREE_DEALER: Words("double tre banco", "double three dealer"),
    Combination.THREE_OF_A_KIND: Words("tris", "three of a kind"),
}

COMBINATION_NAMES: Mapping[str, Words] = {one.value: name for one, name in COMBINATIONS.items()}
"""By the code that stands in records."""

OUTCOMES: Mapping[CoupOutcome, Words] = {
    CoupOutcome.PUNTO: Words("vince punto", "punto wins"),
    CoupOutcome.BANCO: Words("vince banco", "banco wins"),
    CoupOutcome.EGALITE: Words("egalité", "egalité"),
    CoupOutcome.VOID: Words("colpo nullo", "coup void"),
}
"""How a coup of Punto Banco ended."""

MAX = "MAX"
"""Beside a jackpot that has reached its limit, in both languages."""

AWARD_PENDING = Words("in sospeso", "pending")
AWARD_PAID = Words("pagata", "paid")
AWARD_CANCELLED = Words("annullata", "cancelled")

WAIT = Words("attendere", "wait")
LATE_TOKEN = Words("gettone in ritardo", "late token")
"""At a linked table the centre has not decided yet (docs/reference/link-rules.md, section 3)."""
PAY = Words("pagare", "pay")

POKER: Mapping[str, Words] = {
    "level": Words("livello", "level"),
    "stopped": Words("fermo", "stopped"),
    "pause": Words("pausa", "break"),
    "hand_for_hand": Words("mano per mano", "hand for hand"),
    "holdem": Words("hold'em", "hold'em"),
    "omaha": Words("omaha", "omaha"),
    "time": Words("tempo", "time"),
    "count": Words("conto", "count"),
    "time_over": Words("tempo scaduto", "time is up"),
    "pot": Words("piatto", "pot"),
    "rake": Words("rake", "rake"),
    "hand": Words("mano", "hand"),
    "deal": Words("dare le carte", "deal the cards"),
    "stub": Words("mazzo: restano {cards}", "stub: {cards} cards"),
    "blinds": Words("bui", "blind"),
    "change": Words("cambio mazzo", "change the deck"),
    "players": Words("giocatori", "players"),
    "counting": Words("conto del piatto", "counting the pot"),
}
"""A poker table's words (docs/reference/poker-rules.md, section 13)."""

LAST_COUP = Words("ultimo colpo", "last coup")

LAST_HANDS = (
    Words("fine del gioco", "end of the game"),
    Words("ultima mano", "last hand"),
    Words("ultime due mani", "last two hands"),
    Words("ultime tre mani", "last three hands"),
)
"""With none left, one, two, three."""

MANY_HANDS = Words("ultime {hands} mani", "last {hands} hands")
"""With more than three left."""

KEY_STORES: Mapping[str, Words] = {
    "tpm": Words("chiave del tavolo, in un TPM", "the table's key, in a TPM"),
    "file": Words("chiave in un file, senza TPM", "key in a file, without a TPM"),
    "": Words("niente: il tavolo non ha chiave", "nothing: the table has no key"),
}
"""Where the table's own key is: as `key.store` in the configuration, "" for none."""

SETTINGS_VERSION = Words("Impostazioni, versione {0}", "Settings, version {0}")
"""The title of a table's settings, on the line and on the bordereau."""


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
