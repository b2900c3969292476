"""Findings of a self-test, as codes with figures, for texts in any language.

On record a finding is `PRESSED pulse=25`; it may be read later, in another language.
"""

from collections.abc import Mapping

from msgspec import Struct

from console.texts.language import Language, Words

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
