"""What commands on the table's machine say in both languages; why the local line refuses."""

from collections.abc import Mapping

from console.texts.language import Words

NO_WORDS = Words("", "")
LINES_LEFT_OUT = Words(
    "righe non mostrate: {0}; tutte con: 2>&1 | less", "lines left out: {0}; all with: 2>&1 | less"
)
PULSES = Words(" (pulsa)", " (pulses)")
BLINKS_FAST = Words(" (lampeggia veloce)", " (blinks fast)")
SLOT_LAMP = Words("lampada slot", "slot lamp")
SEAT_LED = Words("LED posto", "seat LED")
SELF_TEST = Words("collaudo", "self-test")
ACTS_PLAYED_AGAIN_ALL = Words(
    "{0} atti ripetuti: tutti concordano con il registro.",
    "{0} acts played again: all agree with the record.",
)
ROUND = Words("Mano {0}", "Round {0}")
ROUND_NOT_RECORD = Words("La mano {0} non è nel registro.", "Round {0} is not on record.")
DOES_NOT_AGREE_ACTS = Words(
    "NON CONCORDA: {0} atti su {1} (!!)", "DOES NOT AGREE: {0} acts of {1} (!!)"
)
LETS_OUTPUTS_GO = Words("{0} rilascia le uscite", "{0} lets the outputs go")
ALL_DARK = Words("tutto spento", "all dark")
LEDGER_OPENED_AGAIN_LOCKED = Words(
    "registro riaperto: bloccato dalle {0}, {1}",
    "ledger opened again: locked since {0}, {1}",
)
DRIVES = Words("{0} comanda", "{0} drives")
GATE = Words("sportello", "gate")
LAMP = Words("lampada", "lamp")
SECOND = Words("Nome del secondo cassiere: ", "The second cashier's name: ")
SURE = Words("Correggere?", "Correct it?")
ALREADY = Words(
    "Nessun effetto: una correzione con questo numero c'è già. Guardare i conti.",
    "No effect: there is a correction with this number already. Look at the accounts.",
)
UNKNOWN = Words(
    "Forse è stata fatta: guardare i conti prima di ripeterla.",
    "It may have been done: look at the accounts before you repeat it.",
)
SHOWN = Words("Farebbe questo:", "This is what it would do:")
NOTHING = Words("Niente è stato fatto.", "Nothing was done.")
RECORDED = Words("Fatto, è nel registro.", "Done, it is on record.")
NAME = Words("Nome: ", "Name: ")
KEYS = Words("[s/N] ", "[y/N] ")
DECLARE_SURE = Words("Dichiarare?", "Declare it?")
PHASE = Words("fase", "phase")

WHY_NOT: Mapping[str, Words] = {
    "NOT_UNDERSTOOD": Words("il servizio non capisce la richiesta", "not understood"),
    "TOO_LONG": Words("la richiesta è troppo lunga", "the request is too long"),
    "NOT_ENTERED": Words("nessuno è entrato (entra)", "nobody has entered: enter"),
    "NOT_YOUR_DUTY": Words("non è compito di chi è entrato", "not this person's duty"),
    "WRONG_PIN": Words("nome o PIN sbagliato", "wrong name or PIN"),
    "PIN_TOO_OLD": Words(
        "PIN troppo vecchio: prima cambiarlo (banco pin)",
        "this PIN is too old: change it first (banco pin)",
    ),
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
