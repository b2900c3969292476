"""Why a file that a person names cannot be used, and what is wrong with a prize file."""

from collections.abc import Mapping

from console.texts.language import Words
from jackpot.money.prize_file import MistakeKind, PrizeMistake

TOO_LONG = Words("è più lungo di {0} byte", "is longer than {0} bytes")
NOT_UTF_8 = Words(
    "non è testo UTF-8 (byte {0}): salvarlo come UTF-8",
    "is not UTF-8 text (wrong at byte {0}): save it as UTF-8",
)
UTF_16 = Words(
    "non è testo UTF-8 (UTF-16): salvarlo come UTF-8",
    "is not UTF-8 text (UTF-16): save it as UTF-8",
)
UNREADABLE = Words("non si può leggere: {0}", "cannot be read: {0}")
NOT_TOML = Words("non è TOML: {0}", "is not TOML: {0}")
TOO_DEEP = Words(
    "non è TOML leggibile: troppi livelli uno nell'altro",
    "is not TOML that can be read: it is nested too deeply",
)
NUMBER_TOO_LARGE = Words(
    "non è TOML leggibile: un numero è troppo grande",
    "is not TOML that can be read: a number is too large",
)
KEY_TOO_LARGE = Words("{0}: il numero è troppo grande", "{0}: the number is too large")


PRIZE = Words("premio {0}", "prize {0}")
PLACED = Words("{0}: {1}", "{0}: {1}")
"""What is wrong, behind its file or key."""

MISTAKES: Mapping[MistakeKind, Words] = {
    MistakeKind.NOT_TOML: Words("non è TOML: {0}", "is not TOML: {0}"),
    MistakeKind.UNKNOWN_KEY: Words("chiave sconosciuta; ci sono {0}", "unknown key; there are {0}"),
    MistakeKind.NO_PRIZES: Words(
        "servono da 1 a {0} sezioni [[prize]]", "1 to {0} [[prize]] are needed"
    ),
    MistakeKind.NO_SECTION: Words(
        "un premio è una sezione [[prize]]", "a prize is a section [[prize]]"
    ),
    MistakeKind.NAMED_TWICE: Words(
        "{0} c'è due volte: toglierne una", "{0} stands there twice: leave one of them out"
    ),
    MistakeKind.NO_COMBINATION: Words(
        "manca: scrivere da 2 a 20 caratteri tra A-Z, 0-9 e _",
        "is missing: write 2 to 20 of A-Z, 0-9 and _",
    ),
    MistakeKind.NO_KEY: Words("manca: scrivere JPH o JPL", "is missing: write JPH or JPL"),
    MistakeKind.SHARE_OR_AMOUNT: Words(
        "un premio ha share oppure amount, uno dei due",
        "a prize has a share or an amount, one of the two",
    ),
    MistakeKind.NO_DISPLAY_TEXT: Words(
        "per {0} serve il testo del display, al massimo {1} caratteri",
        "the display's words for {0} are needed, at most {1} characters",
    ),
    MistakeKind.SHARE_BY_HOUSE: Words(
        "una percentuale è sempre del jackpot: togliere from, o aggiungere envy",
        "a share is the jackpot's: leave it out, or name an envy",
    ),
    MistakeKind.NOT_TEXT: Words(
        "{0} non è testo: scriverlo tra virgolette", "{0} is not text: write it in quotes"
    ),
    MistakeKind.BAD_NAME: Words(
        "{0} non è un nome: scrivere da 2 a 20 caratteri tra A-Z, 0-9 e _",
        "{0} is no name: write 2 to 20 of A-Z, 0-9 and _",
    ),
    MistakeKind.RESERVED_NAME: Words(
        "{0} è riservato: scegliere un nome diverso da {1}",
        "{0} is taken: choose another name than {1}",
    ),
    MistakeKind.BAD_KEY: Words("{0} non va bene: scrivere JPH o JPL", "{0} is neither JPH nor JPL"),
    MistakeKind.BAD_SHARE: Words(
        "{0} non è una percentuale da 0 a 100 come 70 o 12.25 (al massimo due decimali)",
        "{0} is not a percentage from 0 to 100 such as 70 or 12.25 (at most two decimals)",
    ),
    MistakeKind.BAD_AMOUNT: Words(
        "{0} non è un importo come 12345.67 (al massimo nove cifre e due decimali)",
        "{0} is not an amount such as 12345.67 (at most nine digits and two decimals)",
    ),
    MistakeKind.ZERO: Words("deve essere più di 0", "it must be more than 0"),
    MistakeKind.BAD_PAYER: Words(
        "{0} non va bene: scrivere jackpot o house", "{0} is neither jackpot nor house"
    ),
    MistakeKind.BAD_OVERFLOW: Words(
        "{0} non va bene: scrivere reserve o house", "{0} is neither reserve nor house"
    ),
    MistakeKind.BAD_CURRENCY: Words(
        "{0} non è una valuta: scrivere tre maiuscole, come EUR",
        "{0} is no currency: write three capitals, such as EUR",
    ),
    MistakeKind.BAD_DISPLAY_TEXT: Words(
        "{0} non sta sul display: scrivere da 1 a {1} caratteri",
        "{0} does not fit the display: write 1 to {1} characters",
    ),
    MistakeKind.BAD_WAYS: Words(
        "{0} non è mani su tutte le mani: scriverle come 4/2598960",
        "{0} is not hands of all hands: write them as 4/2598960",
    ),
}

NAMED_ELSEWHERE = Words(
    "chiave sconosciuta; il nome del file va in {0}", "unknown key; name the file in {0}"
)
NO_GAME = Words("manca: scrivere il gioco, come {0}", "is missing: name the game, such as {0}")
NO_FILE = Words("{0}: scrivere il nome del file, come {1}", "{0}: name its file, such as {1}")
NOT_PROGRESSIVE = Words(
    "{0} non ha jackpot; togliere il file", "{0} has no progressive; leave it out"
)
ABOVE_LIMIT = Words(
    "{0}; può essere al massimo {1}, il limite in {2}",
    "{0}; it must be at most {1}, the limit in {2}",
)
UNLINKED_ENVY = Words(
    "un jackpot collegato non la paga con la percentuale più alta; scrivere {0}, o toglierla",
    "a linked jackpot pays none beside its highest share; write {0}, or leave it out",
)


def word_unlinked_envy(place: str, combination: str) -> Words:
    """Why no centre pays this combination's envy; the place first."""
    return PLACED.fill(f"{place}: {combination}: envy", UNLINKED_ENVY.fill('from = "house"'))


def word_mistake(mistake: PrizeMistake) -> Words:
    """The mistake, with its file, line and key first."""
    what = MISTAKES[mistake.kind].fill(*mistake.values)
    if mistake.key:
        what = PLACED.fill(mistake.key, what)
    if mistake.prize:
        what = PLACED.fill(PRIZE.fill(mistake.prize), what)
    return PLACED.fill(mistake.place, what)
