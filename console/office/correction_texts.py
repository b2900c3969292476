"""What is asked and answered when two cashiers correct the accounts, in both languages."""

from console.line.requests import Done
from console.texts.display import Words

SECOND = Words("Nome del secondo cassiere: ", "The second cashier's name: ")
SURE = Words("Correggere? [s/N] ", "Correct it? [y/N] ")
ALREADY = Words(
    "Nessun effetto: una correzione con questo numero c'è già. Guardare i conti.",
    "No effect: there is a correction with this number already. Look at the accounts.",
)
UNKNOWN = Words(
    "Forse è stata fatta: guardare i conti prima di ripeterla.",
    "It may have been done: look at the accounts before you repeat it.",
)


def number_of(would: Done) -> int:
    """The number under which it would stand on record; 0 where the table told none."""
    told = [one["number"] for one in would.decisions if one.get("decision") == "corrected"]
    return int(told[0]) if told else 0
