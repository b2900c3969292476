"""What people read, in Italian and English, each at most 20 characters for one display line."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from console.card_state import Outcome
from console.codes import Fault, Refusal
from jackpot.prizes import Combination

COLUMNS = 20


class Language(Enum):
    """The language of a table; amounts are written as it writes them."""

    IT = "it"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Texts:
    """One language: its words, and the separators of its amounts."""

    thousands: str
    decimal: str
    jackpot: str
    combinations: Mapping[Combination, str]
    refusals: Mapping[Refusal, str]
    faults: Mapping[Fault, str]
    last_hands: tuple[str, ...]  # with none left, one, two, three
    many_hands: str
    punto: str
    banco: str
    outcomes: Mapping[Outcome, str]
    last_coup: str

    def amount(self, cents: int) -> str:
        """12345.67 as a display line writes it: `12.345,67 EUR`, right-aligned."""
        whole, part = divmod(cents, 100)
        grouped = f"{whole:,}".replace(",", self.thousands)
        return f"{grouped}{self.decimal}{part:02d} EUR".rjust(COLUMNS)

    def hands_left(self, hands: int) -> str:
        """How the last hands are counted."""
        if hands < len(self.last_hands):
            return self.last_hands[hands]
        return self.many_hands.format(hands=hands)


ITALIAN = Texts(
    thousands=".",
    decimal=",",
    jackpot="JACKPOT",
    combinations={
        Combination.ROYAL_FLUSH: "SCALA REALE",
        Combination.STRAIGHT_FLUSH: "SCALA COLORE",
        Combination.FOUR_OF_A_KIND: "POKER",
        Combination.FULL_HOUSE: "FULL",
        Combination.FLUSH: "COLORE",
        Combination.DOUBLE_THREE_PLAYER: "DOUBLE TRE GIOC.",
        Combination.DOUBLE_THREE_DEALER: "DOUBLE TRE BANCO",
        Combination.THREE_OF_A_KIND: "TRIS",
    },
    refusals={
        Refusal.NOT_OPEN: "TAVOLO NON APERTO",
        Refusal.ALREADY_OPEN: "TAVOLO GIA' APERTO",
        Refusal.COLLECTING: "RACCOLTA IN CORSO",
        Refusal.AWARD_PENDING: "VINCITA IN SOSPESO",
        Refusal.NO_COMBINATION: "SCEGLI COMBINAZIONE",
        Refusal.KEY_NOT_IN_RUN: "CHIAVE NON IN R",
        Refusal.WRONG_KEY: "CHIAVE ERRATA",
        Refusal.NOBODY_ELIGIBLE: "NESSUN AVENTE DIR.",
        Refusal.INSPECTOR_ABSENT: "MANCA L'ISPETTORE",
        Refusal.LOCKED: "TAVOLO BLOCCATO",
        Refusal.IN_SERVICE: "IN SERVIZIO",
        Refusal.SEAT_NOT_PLAYING: "POSTO NON IN GIOCO",
        Refusal.NO_HAND: "NESSUNA MANO",
        Refusal.NOT_IN_SERVICE: "CHIAVE NON IN S",
        Refusal.NOT_CLEARABLE: "NON AZZERABILE",
        Refusal.STILL_FAULTY: "GUASTO PERSISTENTE",
    },
    faults={
        Fault.RAIL_LOST: "GUASTO GETTONIERA",
        Fault.PANEL_LOST: "GUASTO CONSOLLE",
        Fault.DISPLAY_LOST: "GUASTO DISPLAY",
        Fault.SHUFFLER_LOST: "GUASTO MESCOLATORE",
        Fault.SHOE_LOST: "GUASTO SABOT",
        Fault.KEY_FAULT: "GUASTO CHIAVE",
        Fault.TOKEN_STUCK: "GETTONE INCASTRATO",
        Fault.TRAY_COUNT: "CONTARE VASCHETTA",
        Fault.TOKENS_UNKNOWN: "GETTONI DA CONTARE",
        Fault.ACCEPTOR_CHANGED: "GETTONIERA CAMBIATA",
        Fault.CARD_COUNT: "NUMERO CARTE ERRATO",
        Fault.DECK_REPEATED: "MAZZO RIPETUTO",
        Fault.DRAW_ERROR: "TIRAGGIO ERRATO",
        Fault.LEDGER_FAULT: "REGISTRO GUASTO",
        Fault.LEDGER_CORRUPT: "REGISTRO ALTERATO",
    },
    last_hands=("FINE DEL GIOCO", "ULTIMA MANO", "ULTIME DUE MANI", "ULTIME TRE MANI"),
    many_hands="ULTIME {hands} MANI",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        Outcome.PUNTO: "VINCE PUNTO",
        Outcome.BANCO: "VINCE BANCO",
        Outcome.EGALITE: "EGALITE",
        Outcome.VOID: "COLPO NULLO",
    },
    last_coup="ULTIMO COLPO",
)

ENGLISH = Texts(
    thousands=",",
    decimal=".",
    jackpot="JACKPOT",
    combinations={
        Combination.ROYAL_FLUSH: "ROYAL FLUSH",
        Combination.STRAIGHT_FLUSH: "STRAIGHT FLUSH",
        Combination.FOUR_OF_A_KIND: "FOUR OF A KIND",
        Combination.FULL_HOUSE: "FULL HOUSE",
        Combination.FLUSH: "FLUSH",
        Combination.DOUBLE_THREE_PLAYER: "DOUBLE 3 PLAYER",
        Combination.DOUBLE_THREE_DEALER: "DOUBLE 3 DEALER",
        Combination.THREE_OF_A_KIND: "THREE OF A KIND",
    },
    refusals={
        Refusal.NOT_OPEN: "TABLE NOT OPEN",
        Refusal.ALREADY_OPEN: "TABLE ALREADY OPEN",
        Refusal.COLLECTING: "COLLECTING TOKENS",
        Refusal.AWARD_PENDING: "AWARD PENDING",
        Refusal.NO_COMBINATION: "CHOOSE COMBINATION",
        Refusal.KEY_NOT_IN_RUN: "KEY NOT IN R",
        Refusal.WRONG_KEY: "WRONG KEY",
        Refusal.NOBODY_ELIGIBLE: "NOBODY ELIGIBLE",
        Refusal.INSPECTOR_ABSENT: "INSPECTOR ABSENT",
        Refusal.LOCKED: "TABLE LOCKED",
        Refusal.IN_SERVICE: "IN SERVICE",
        Refusal.SEAT_NOT_PLAYING: "SEAT NOT PLAYING",
        Refusal.NO_HAND: "NO HAND IS PLAYED",
        Refusal.NOT_IN_SERVICE: "KEY NOT IN S",
        Refusal.NOT_CLEARABLE: "CANNOT BE CLEARED",
        Refusal.STILL_FAULTY: "STILL FAULTY",
    },
    faults={
        Fault.RAIL_LOST: "COIN RAIL LOST",
        Fault.PANEL_LOST: "PANEL LOST",
        Fault.DISPLAY_LOST: "DISPLAY LOST",
        Fault.SHUFFLER_LOST: "SHUFFLER LOST",
        Fault.SHOE_LOST: "SHOE LOST",
        Fault.KEY_FAULT: "KEY FAULT",
        Fault.TOKEN_STUCK: "TOKEN STUCK",
        Fault.TRAY_COUNT: "COUNT THE TRAY",
        Fault.TOKENS_UNKNOWN: "COUNT THE TOKENS",
        Fault.ACCEPTOR_CHANGED: "ACCEPTOR CHANGED",
        Fault.CARD_COUNT: "CARD COUNT",
        Fault.DECK_REPEATED: "DECK REPEATED",
        Fault.DRAW_ERROR: "DRAW ERROR",
        Fault.LEDGER_FAULT: "LEDGER FAULT",
        Fault.LEDGER_CORRUPT: "LEDGER CORRUPT",
    },
    last_hands=("END OF THE GAME", "LAST HAND", "LAST TWO HANDS", "LAST THREE HANDS"),
    many_hands="LAST {hands} HANDS",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        Outcome.PUNTO: "PUNTO WINS",
        Outcome.BANCO: "BANCO WINS",
        Outcome.EGALITE: "EGALITE",
        Outcome.VOID: "COUP VOID",
    },
    last_coup="LAST COUP",
)

TEXTS = {Language.IT: ITALIAN, Language.EN: ENGLISH}
