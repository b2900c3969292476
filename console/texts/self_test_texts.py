"""A self-test in words: its parts by name, its findings, and how many passed and failed.

On record a finding is `PRESSED pulse=25`; it may be read later, in another language.
"""

from collections.abc import Mapping, Sequence

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


PART_FINDINGS: Mapping[str, Words] = {
    # in order
    "IN_ORDER": Words("", ""),
    "VERSION": Words("versione {version}", "version {version}"),
    "PRESSED": Words("{pulse} ms", "{pulse} ms"),
    "BOUNCED": Words("{pulse} ms, {chatter} rimbalzi", "{pulse} ms, {chatter} bounces"),
    "COUNTED_ONCE": Words("contato una volta", "counted once"),
    "BOTH_WAYS": Words("chiuso e aperto", "closed and opened"),
    "FOUR_POSITIONS": Words("quattro posizioni", "four positions"),
    "SEEN_AND_GONE": Words("visto, poi libero", "seen, then free"),
    "DROPPED": Words("visto, caduto, contato", "seen, dropped, counted"),
    "TRAY_COUNTED": Words("contati {tray}", "{tray} counted"),
    "LIT": Words("si accende", "lit"),
    "LEGIBLE": Words("si legge", "legible"),
    "IDENTITY": Words("firmware {firmware}", "firmware {firmware}"),
    "CENTRE": Words("{host}, ruolo {role}", "{host}, role {role}"),
    "FRAMES": Words(
        "{received} in, {sent} out, {bad} errate", "{received} in, {sent} out, {bad} bad"
    ),
    # not in order
    "OLD_PROGRAM": Words(
        "gira {running}, installata {installed}: riavviare",
        "{running} runs, {installed} is installed: restart",
    ),
    "FAULT": Words("{codes}", "{codes}"),
    "HELD": Words("chiuso da {s} s senza premerlo", "closed for {s} s, not pressed"),
    "NOT_MOVED": Words("non si e' mosso", "has not moved"),
    "OTHER_MOVED": Words("si e' mosso {other}", "{other} moved instead"),
    "ALSO_MOVED": Words("si e' mosso anche {other}", "{other} moved as well"),
    "STAYS_CLOSED": Words("resta chiuso", "stays closed"),
    "MOVED_OFTEN": Words("chiuso {times} volte", "closed {times} times"),
    "WELDED": Words("sempre chiuso: {contacts}", "always closed: {contacts}"),
    "DEAD": Words("non si chiude: {contacts}", "does not close: {contacts}"),
    "CROSSED": Words("chiusi insieme: {contacts}", "closed together: {contacts}"),
    "OPEN": Words("aperto: spina fuori?", "open: is the plug out?"),
    "SENSOR_BLIND": Words("il sensore non vede il gettone", "the sensor does not see it"),
    "SENSOR_STAYS": Words("il sensore resta coperto", "the sensor stays covered"),
    "GATE_STICKS": Words("lo sportello non lo lascia cadere", "the gate does not let it drop"),
    "DROP_BLIND": Words("il sensore di caduta non conta", "the drop sensor does not count"),
    "WRONG_SEAT": Words("contato al posto {seats}", "counted at seat {seats}"),
    "TRAY_DIFFERS": Words("caduti {drops}, contati {tray}", "{drops} dropped, {tray} counted"),
    "NOT_LIT": Words("non si accende", "not lit"),
    "DRAWS_NOTHING": Words("non assorbe corrente", "draws no current"),
    "LIT_NO_CURRENT": Words(
        "vista accesa; la scheda non trova corrente: la sua misura",
        "you saw it lit; the board finds no current: its measurement",
    ),
    "NOT_LEGIBLE": Words("non si legge", "not legible"),
    "LOST": Words("non collegato", "not connected"),
    "NOISY": Words("{bad} trame errate su {received}", "{bad} of {received} frames bad"),
    "REPEATS": Words("{retries} ripetizioni su {sent}", "{retries} of {sent} sent again"),
    "RESTARTED": Words("riavviata {times} volte nella prova", "booted {times} times in the test"),
    "CUT": Words("persa {times} volte nella prova", "lost {times} times in the test"),
    # not tested
    "SKIPPED": Words("saltato", "skipped"),
    "NOT_ANSWERED": Words("nessuna risposta", "not answered"),
    "NOT_DRIVEN": Words("non comandabile", "cannot be driven"),
    "AWAY": Words("non collegato", "not connected"),
    "NO_TOKEN": Words("nessun gettone caduto", "no token dropped"),
    "QUIET": Words("troppo poco traffico", "too little traffic"),
    "ENDED": Words("prova finita prima", "the test was ended"),
}


class PartFinding(Struct, frozen=True):
    """A code of `PART_FINDINGS` and its figures, which have no blanks."""

    code: str
    values: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, code: str, **values: object) -> "PartFinding":
        """Make a finding; a blank within a figure becomes a `+`."""
        pairs = tuple((name, "+".join(str(value).split())) for name, value in values.items())
        return cls(code, pairs)

    @classmethod
    def read(cls, text: str) -> "PartFinding":
        """The finding in a record's text."""
        code, *values = text.split() or [""]
        pairs = (value.partition("=") for value in values)
        return cls(code, tuple((name, value) for name, _, value in pairs))

    def __str__(self) -> str:
        """The text for the record."""
        return " ".join((self.code, *(f"{name}={value}" for name, value in self.values)))

    def in_(self, language: Language) -> str:
        """The finding in words; an unknown code, of another version, as it is."""
        if self.code not in PART_FINDINGS:
            return str(self)
        values = {name: value.replace("+", " ") for name, value in self.values}
        return PART_FINDINGS[self.code].in_(language).format_map(_Known(values))


class _Known(dict[str, str]):
    """Figures that are not on record show as `?`."""

    def __missing__(self, key: str) -> str:
        return "?"
