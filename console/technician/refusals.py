"""What the service answers when it does not do something, for whoever reads it at the terminal."""

from console.codes import Refusal
from console.local_line.requests import No, NoCode
from console.technician.command import Words
from console.texts import TEXTS, Language

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


def refusal_lines(no: No, language: Language) -> tuple[str, ...]:
    """Its code with a text, then what the service adds to it."""
    told = (f"{no.code}: {_text_of(no.code, language)}",)
    return told if no.why in ("", no.code) else (*told, f"  {no.why}")


def _text_of(code: str, language: Language) -> str:
    if code in WHY_NOT:
        return WHY_NOT[code].in_(language)
    known = {refusal.value: refusal for refusal in Refusal}
    return TEXTS[language].refusals[known[code]] if code in known else "-"
