"""The display's texts in Italian and English, each at most 20 characters for one line."""

from console.rules.card_state import CoupOutcome
from console.rules.display_texts import Texts
from console.texts.catalogue.brief import brief
from console.texts.language import Language
from jackpot.prizes import Combination

_BRIEF = brief()

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
    refusals={code: displayed.short.it for code, displayed in _BRIEF.refusals.items()},
    faults={code: displayed.short.it for code, displayed in _BRIEF.faults.items()},
    last_hands=("FINE DEL GIOCO", "ULTIMA MANO", "ULTIME DUE MANI", "ULTIME TRE MANI"),
    many_hands="ULTIME {hands} MANI",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        CoupOutcome.PUNTO: "VINCE PUNTO",
        CoupOutcome.BANCO: "VINCE BANCO",
        CoupOutcome.EGALITE: "EGALITE",
        CoupOutcome.VOID: "COLPO NULLO",
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
    refusals={code: displayed.short.en for code, displayed in _BRIEF.refusals.items()},
    faults={code: displayed.short.en for code, displayed in _BRIEF.faults.items()},
    last_hands=("END OF THE GAME", "LAST HAND", "LAST TWO HANDS", "LAST THREE HANDS"),
    many_hands="LAST {hands} HANDS",
    punto="PUNTO",
    banco="BANCO",
    outcomes={
        CoupOutcome.PUNTO: "PUNTO WINS",
        CoupOutcome.BANCO: "BANCO WINS",
        CoupOutcome.EGALITE: "EGALITE",
        CoupOutcome.VOID: "COUP VOID",
    },
    last_coup="LAST COUP",
)

TEXTS = {Language.IT: ITALIAN, Language.EN: ENGLISH}
