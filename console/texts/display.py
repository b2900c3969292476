"""The display's texts in Italian and English: capitals, at most 20 characters for one line."""

from collections.abc import Mapping

from console.rules.codes import Fault, Refusal
from console.rules.display_texts import PokerTexts, Texts
from console.texts.catalogue.brief import FAULTS, REFUSALS
from console.texts.language import Language, Words
from console.texts.table_texts import (
    COMBINATIONS,
    LAST_COUP,
    LAST_HANDS,
    LATE_TOKEN,
    MANY_HANDS,
    OUTCOMES,
    PAY,
    POKER,
    WAIT,
)
from jackpot.money.prize_file import write_capitals
from jackpot.money.prizes import Combination

SHORTENED: Mapping[Combination, Words] = {
    Combination.DOUBLE_THREE_PLAYER: Words("double tre gioc.", "double 3 player"),
    Combination.DOUBLE_THREE_DEALER: Words("double tre banco", "double 3 dealer"),
}
"""Combinations whose line would be too long."""


def capitals(text: str) -> str:
    """The text in the display's characters: capitals without accents."""
    return write_capitals(text).replace("{HANDS}", "{hands}").replace("{CARDS}", "{cards}")


def _texts(language: Language, *, thousands: str, decimal: str) -> Texts:
    def write(words: Words) -> str:
        return capitals(words.in_(language))

    return Texts(
        language=language.value,
        thousands=thousands,
        decimal=decimal,
        jackpot="JACKPOT",
        combinations={
            code: write(SHORTENED.get(code, name)) for code, name in COMBINATIONS.items()
        },
        refusals={code: REFUSALS[code].short.in_(language) for code in Refusal},
        faults={code: FAULTS[code].short.in_(language) for code in Fault},
        last_hands=tuple(map(write, LAST_HANDS)),
        many_hands=write(MANY_HANDS),
        punto="PUNTO",
        banco="BANCO",
        outcomes={outcome: write(words) for outcome, words in OUTCOMES.items()},
        last_coup=write(LAST_COUP),
        wait=write(WAIT),
        pay=write(PAY),
        late_token=write(LATE_TOKEN),
        envy="ENVY",
        poker=PokerTexts(**{name: write(words) for name, words in POKER.items()}),
    )


ITALIAN = _texts(Language.IT, thousands=".", decimal=",")
ENGLISH = _texts(Language.EN, thousands=",", decimal=".")
TEXTS = {Language.IT: ITALIAN, Language.EN: ENGLISH}
