"""Why the local line does not do what it is asked, by code (docs/dev/local-line.md)."""

from collections.abc import Mapping

from console.texts.language import Words

WHY_NOT: Mapping[str, Words] = {
    "NOT_UNDERSTOOD": Words("il servizio non capisce la richiesta", "not understood"),
    "TOO_LONG": Words("la richiesta è troppo lunga", "the request is too long"),
    "NOT_ENTERED": Words("nessuno è entrato (entra)", "nobody has entered: enter"),
    "NOT_YOUR_DUTY": Words("non è compito di chi è entrato", "not this person's duty"),
    "WRONG_PIN": Words("nome o PIN sbagliato", "wrong name or PIN"),
    "WAIT": Words("troppi PIN sbagliati: attendere", "too many wrong PINs: wait"),
    "NO_SUCH_SETTING": Words("impostazione inesistente", "there is no such setting"),
    "WRONG_VALUE": Words("valore non ammesso", "this value cannot be"),
    "NO_ANSWER": Words(
        "il tavolo non l'ha fatto in tempo; forse lo farà ancora",
        "the table has not done it in time; it may still do it",
    ),
    "NO_POWER": Words("il tavolo simulato è senza corrente", "the simulated plug is out"),
    "CANNOT": Words("questo tavolo non lo può fare", "this table cannot do that"),
    "BUSY": Words("troppi collegamenti aperti", "too many connections are open"),
}

UNREADABLE = Words(
    "la chiave non si legge (chiusi: {0}), nemmeno in S: rimediare prima a KEY_FAULT",
    "the key cannot be read (closed: {0}), not even at S: mend KEY_FAULT first",
)
