"""A self-test in words: its parts by name, and how many passed, failed and were not tested."""

from collections.abc import Sequence

from msgspec import Struct

from console.rules.acts import PartTested
from console.texts.language import Language, Words

GROUPS: dict[str, str] = {
    "program": "programma",
    "ledger": "registro",
    "plug": "spina",
    "rail": "gettoniera",
    "shuffler": "mescolatore",
    "shoe": "sabot",
    "link": "collegamento",
    "display": "display",
    "lamps": "lampade",
    "buttons": "pulsanti",
    "inspector": "ispettore",
    "seats": "posti",
    "tray": "vaschetta",
    "key": "chiave",
    "lines": "linee",
}
"""Groups of parts by their names on the command line, in English and Italian."""

_ITALIAN = {
    "button": "pulsante",
    "seat": "posto",
    "slot": "slot",
    "lamp": "lampada",
    "line": "linea",
    **GROUPS,
}


def part_name(name: str, language: Language) -> str:
    """A part's name for a person: `slot lamp 3`, `lampada slot 3`."""
    if language is Language.EN:
        return name
    first, _, rest = name.partition(" ")
    if name.startswith("slot lamp "):
        return f"lampada slot {name.rpartition(' ')[2]}"
    if name.startswith("seat LED "):
        return f"LED posto {name.rpartition(' ')[2]}"
    return f"{_ITALIAN.get(first, first)} {rest}".rstrip()


class Count(Struct, frozen=True):
    """How many parts passed, failed, and were not tested."""

    passed: int
    failed: int
    untested: int

    @classmethod
    def of(cls, parts: Sequence[PartTested]) -> "Count":
        """Count them."""
        results = [part.passed for part in parts]
        return cls(results.count(True), results.count(False), results.count(None))


def summary(parts: Sequence[PartTested], language: Language) -> str:
    """`46 parts: 1 FAIL, 3 not tested`."""
    count = Count.of(parts)
    words = Words("{0}: GUASTO {1}, non provate {2}", "{0}: {1} FAIL, {2} not tested")
    number = count_text(len(parts), language)
    return words.in_(language).format(number, count.failed, count.untested)


def count_text(parts: int, language: Language) -> str:
    """`46 parts`; `1 part`."""
    one, more = Words("parte", "part"), Words("parti", "parts")
    return f"{parts} {(one if parts == 1 else more).in_(language)}"


LIT = Words("{0}: si accende?", "{1}: is it lit?")
PRESS_ONCE = Words("premere {0}, una volta", "press {0}, once")
PRESS_GREEN_SHUFFLER_GREEN = Words(
    "premere GREEN, il tasto verde del mescolatore, una volta",
    "press GREEN, the shuffler's green button, once",
)
AT_SEAT = Words("al posto {0}", "at seat {0}")
TOKEN = Words("un gettone", "a token")
CARD = Words("una carta", "a card")
CLEAR_SENSOR = Words("liberare il sensore {0}", "clear the sensor {1}")
PUT = Words("mettere {0} {1}", "put {2} in {3}")
TAKE_AWAY = Words("togliere {0} {1}", "take {2} away {3}")
GATE_OPENS = Words("si apre lo sportello {0}", "the gate opens {1}")
WORK_INSPECTOR_CONTACT = Words(
    "azionare il contatto dell'ispettore", "work the inspector's contact"
)
PUT_BACK_AS = Words("rimetterlo com'era", "put it back as it was")
TAKE_AWAY_WHAT = Words("togliere cio' che e' {0}", "take away what is {1}")
ARE_BOTH_LINES_LEGIBLE = Words(
    "{0}: si leggono tutte e due le righe?", "{1}: are both lines legible?"
)
TURN_KEY = Words("girare la chiave su {0}", "turn the key to {0}")
TITLE = Words("COLLAUDO", "SELF-TEST")
FAIL = Words("GUASTO", "FAIL")
NOT_TRIED = Words("--", "--")
OK = Words("ok", "ok")
R_AGAIN_ENTER_Q = Words("  r: di nuovo. Invio: avanti. q: fine.", "  r: again. Enter: on. q: end.")
Y_YES_N_NO = Words("(o: ok, n: no, s: salta)", "(y: yes, n: no, s: skip)")
S_SKIP = Words("(s: salta)", "(s: skip)")
TAKE_TEST_TOKENS_OUT = Words(
    "Togliere dalla vaschetta i gettoni della prova: {0}.",
    "Take the test's tokens out of the tray: {0}.",
)
RECORD_SELFTEST_SHOW = Words("nel registro: collaudo mostra", "on record: selftest show")
S_SKIP_Q_END = Words(
    "{0}. s: salta; q: fine, con il rapporto; Ctrl-C: annulla.",
    "{0}. s: skip; q: end, with the report; Ctrl-C: cancel.",
)
WHICH_PART = Words("quale parte? {0}", "which part? {0}")
LEDGER_FAULT_REPORT_GOES = Words(
    "! il registro e' guasto: il rapporto si registra appena si puo' scrivere",
    "! ledger fault: the report goes on record as soon as it can be written",
)
NOT_RECORD = Words("! NON e' nel registro:", "! NOT on record:")
NO_SELF_TEST_RECORD = Words("nessun collaudo nel registro", "no self-test is on record")
