"""What the service answers when it does not do something, for whoever reads it at the terminal."""

from console.catalogue.entries import catalogue
from console.local_line.requests import No, NoCode
from console.technician.command import Words
from console.technician.paragraphs import paragraph
from console.texts import Language

WHY_NOT = {
    NoCode.NOT_UNDERSTOOD: Words("il servizio non capisce la richiesta", "not understood"),
    NoCode.TOO_LONG: Words("la richiesta è troppo lunga", "the request is too long"),
    NoCode.NOT_ENTERED: Words("nessuno è entrato (entra)", "nobody has entered: enter"),
    NoCode.NOT_YOUR_DUTY: Words("non è compito di chi è entrato", "not this person's duty"),
    NoCode.WRONG_PIN: Words("nome o PIN sbagliato", "wrong name or PIN"),
    NoCode.WAIT: Words("troppi PIN sbagliati: attendere", "too many wrong PINs: wait"),
    NoCode.NO_SUCH_SETTING: Words("impostazione inesistente", "there is no such setting"),
    NoCode.WRONG_VALUE: Words("valore non ammesso", "this value cannot be"),
    NoCode.NO_ANSWER: Words(
        "il tavolo non l'ha fatto in tempo; forse lo farà ancora",
        "the table has not done it in time; it may still do it",
    ),
    NoCode.NO_POWER: Words("il tavolo simulato è senza corrente", "the simulated plug is out"),
    NoCode.CANNOT: Words("questo tavolo non lo può fare", "this table cannot do that"),
    NoCode.BUSY: Words("troppi collegamenti aperti", "too many connections are open"),
}

TOLD_BY_SERVICE = frozenset(WHY_NOT) - {NoCode.NOT_ENTERED}
"""Of these the service says more than the code: which key, what value, for how long."""


def refusal_lines(no: No, language: Language) -> list[str]:
    """Its code with a text, what the service adds, and what to do about it."""
    if no.code in WHY_NOT:
        means, do = WHY_NOT[no.code].in_(language), ""
    else:
        entry = catalogue().find(no.code)
        text = entry.in_(language) if entry is not None else None
        means, do = (text.means, text.do.replace("`", "")) if text is not None else ("-", "")
    lines = paragraph(f"{no.code}: {means}", after="  ")
    if no.code in TOLD_BY_SERVICE and no.why:
        lines += paragraph(no.why, first="  ")
    return [*lines, *(paragraph(do, first="  ") if do not in ("", "-") else ())]
