"""Records in plain words: what was done, and what the table decided, in both languages.

The kinds are those of `console/rules/acts.py`. A kind or a decision without words
here is shown as it is recorded.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from console.rules.games import GAMES
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from devices.roles import COMBINATION_BUTTONS
from jackpot.amounts import format_cents
from jackpot.journal import Record
from jackpot.prizes import Combination, load_prizes

ACTS: Mapping[str, Words] = {
    "started": Words("il servizio è partito", "the service started"),
    "settings": Words("impostazioni in vigore", "settings came into force"),
    "reopened": Words("registro riaperto", "ledger opened again"),
    "repaired": Words("{by}: riparato il registro ({restored})", "{by}: {restored} repaired"),
    "archived": Words(
        "{by}: archiviate le registrazioni fino alla {last}", "{by}: records to {last} archived"
    ),
    "seal-accepted": Words("{by}: sigillo ricominciato", "{by}: seal begun anew"),
    "time": Words("tempo scaduto", "time was up"),
    "button": Words("{button}", "{button}"),
    "key": Words("chiave in {position}", "key to {position}"),
    "key-found": Words("chiave trovata in {position}", "key found at {position}"),
    "key-unreadable": Words("chiave illeggibile", "key cannot be read"),
    "inspector": Words("ispettore presente: {present}", "inspector present: {present}"),
    "rail": Words("gettoniera: slot coperti {occupied}", "rail: covered {occupied}"),
    "link-lost": Words("{device} non risponde: {why}", "{device} lost: {why}"),
    "link-up": Words("{device} ricollegat{ending}", "{device} connected"),
    "flood": Words("{device}: troppi messaggi", "{device}: too many reports"),
    "flood-over": Words(
        "{device}: di nuovo normale, {left_out} messaggi non registrati",
        "{device}: normal again, {left_out} reports not recorded",
    ),
    "hand-void": Words("{who}: mano {seat} nulla", "{who}: hand {seat} void"),
    "round-void": Words("{who}: colpo nullo, carte da ridare", "{who}: round void"),
    "last-hands": Words("{who}: ultime {hands} mani", "{who}: last {hands} hands"),
    "tray-counted": Words("{who}: vaschetta {tokens}", "{who}: tray {tokens}"),
    "cleared": Words("{who}: azzera {fault}", "{who}: clear {fault}"),
    "shuffler": Words(
        "mescolatore: prossimo mazzo: {preparing}", "shuffler: the next deck {preparing}"
    ),
    "shoe": Words("sabot: uscite {draws}", "shoe: drawn {draws}"),
    "shoe-loaded": Words("sabot caricato: {cards}", "shoe loaded: {cards}"),
    "card": Words("carta {card} a {place}", "card {card} to {place}"),
    "card-burnt": Words("carta bruciata", "card burnt"),
    "cut-card": Words("mascherina uscita", "cut card out"),
    "result": Words("il sabot dice {result}", "the shoe says {result}"),
    "shoe-trouble": Words("sabot: {what}", "shoe: {what}"),
    "reports-missed": Words("sabot non sentito", "shoe was not heard"),
    "deck-replaced": Words("{who}: mazzo sostituito", "{who}: deck replaced"),
    "coup-void": Words("{who}: colpo nullo", "{who}: coup void"),
    "coup-without-stakes": Words("{who}: colpo senza giocate", "{who}: coup without stakes"),
    "card-annulled": Words("{who}: carta annullata", "{who}: card annulled"),
    "shoe-replaced": Words("{who}: sabot sostituito", "{who}: shoe replaced"),
    "corrected": Words(
        "{who} e {second}: correzione {number}, {reason}",
        "{who} and {second}: correction {number}, {reason}",
    ),
    "entered": Words("{who} entra ({duties})", "{who} entered ({duties})"),
    "entry-refused": Words("{who}: PIN sbagliato ({wrong})", "{who}: wrong PIN ({wrong})"),
    "left": Words("{who} esce: {why}", "{who} left: {why}"),
    "driven": Words("{who} comanda le uscite", "{who} drives outputs"),
    "setting-changed": Words("{who}: {key} = {value}", "{who}: {key} = {value}"),
    "self-tested": Words("{who}: collaudo", "{who}: self-test"),
    "snapshot": Words("(stato intero)", "(whole state)"),
}

DECISIONS: Mapping[str, Words] = {
    "token-in": Words("gettone messo", "token in"),
    "token-accepted": Words("accettato", "accepted"),
    "token-late": Words("gettone in ritardo", "late token"),
    "token-stuck": Words("incastrato", "stuck"),
    "token-unaccounted": Words("gettone mancante", "token not accounted for"),
    "drop-in-service": Words("caduto in manutenzione", "dropped in service"),
    "drop-unexplained": Words("caduta non spiegata", "drop not explained"),
    "turn-served": Words(
        "apertura {turn} già servita dalla scheda: la prossima",
        "turn {turn} was served before: the next one",
    ),
    "tray-differs": Words("vaschetta diversa di {tokens}", "tray differs by {tokens}"),
    "seat-free": Words("libero", "free"),
    "seat-left-out": Words("escluso", "left out"),
    "slot-covered": Words("slot coperto", "slot covered"),
    "card-changed": Words("carta cambiata", "card changed"),
    "award-pending": Words(
        "in sospeso {combination} x{winners}, {each} ciascuno",
        "pending {combination} x{winners}, {each} each",
    ),
    "award-final": Words(
        "pagato {combination} x{winners}, {each} ciascuno",
        "paid {combination} x{winners}, {each} each",
    ),
    "award-cancelled": Words("annullato {combination}", "cancelled {combination}"),
    "hand-void": Words("mano nulla", "hand void"),
    "round-void": Words("mani nulle", "hands void"),
    "last-hands": Words("ultime mani: {hands}", "last hands: {hands}"),
    "tray-counted": Words(
        "contati {counted}, attesi {expected}, differenza {difference}",
        "counted {counted}, expected {expected}, difference {difference}",
    ),
    "fault-raised": Words("GUASTO {fault}", "FAULT {fault}"),
    "fault-cleared": Words("guasto {fault} rientrato", "fault {fault} cleared"),
    "service-begun": Words("manutenzione, poi {phase}", "service, then {phase}"),
    "service-ended": Words("fine manutenzione: {phase}", "service ended: {phase}"),
    "packet-dealt": Words("pacchetto {packet}, date {dealt}", "packet {packet}, dealt {dealt}"),
    "deck-unloaded": Words("scaricate {unloaded}", "unloaded {unloaded}"),
    "deck-empty": Words("nessun mazzo", "no deck"),
    "deck-shuffling": Words("mescola {back}", "shuffles {back}"),
    "deck-ready": Words("{back} pronto, {counted} carte", "{back} ready, {counted} cards"),
    "deck-jammed": Words("INCEPPATO {back}", "JAMMED {back}"),
    "deck-replaced": Words("mazzo sostituito", "deck replaced"),
    "shoe-loaded": Words("{cards} carte", "{cards} cards"),
    "cut-card": Words("ne restano {remaining}", "{remaining} are left"),
    "coup-ended": Words("colpo: {result}", "coup: {result}"),
    "result-confirmed": Words("confermato {result}", "confirmed {result}"),
    "result-differs": Words("RISULTATO DIVERSO {result}", "RESULT DIFFERS {result}"),
    "result-too-early": Words("RISULTATO ANTICIPATO {result}", "RESULT TOO EARLY {result}"),
    "corrected": Words("{cents} da {source} a {target}", "{cents} from {source} to {target}"),
    "setting-changed": Words("{key}: {before} -> {value}", "{key}: {before} -> {value}"),
    "cut-card-misplaced": Words(
        "mascherina fuori posto: ne restano {remaining}", "cut card misplaced: {remaining} left"
    ),
    "shoe-counts-back": Words(
        "il sabot conta {draws}, erano {known}", "the shoe counts {draws}, it was {known}"
    ),
    "not-burnt": Words("bruciate solo {burnt}", "only {burnt} burnt"),
    "coup-after-the-last": Words("COLPO DOPO L'ULTIMO", "COUP AFTER THE LAST"),
    "result-of-another-coup": Words("{result} è di un altro colpo", "{result} is another coup's"),
    "shoe-error": Words("ERRORE DEL SABOT {code} {error}", "SHOE ERROR {code} {error}"),
    "shoe-error-over": Words("errore {code} rientrato", "error {code} is over"),
    "shoe-unheard": Words("forse carte non viste", "cards may have been missed"),
    "coup-without-stakes": Words("colpo senza giocate", "coup without stakes"),
    "card-annulled": Words("carta annullata", "card annulled"),
    "shoe-replaced": Words("sabot sostituito", "shoe replaced"),
    "draw-error": Words("TIRAGGIO ERRATO: {place} {number}", "DRAW ERROR: {place} {number}"),
}

RESTARTED: Mapping[str, Words] = {
    "rail": Words("gettoniera: riavviata (avvio {boot})", "rail: restarted (boot {boot})"),
    "shuffler": Words("mescolatore: riavviato (avvio {boot})", "shuffler: restarted (boot {boot})"),
    "shoe": Words("sabot: riavviato (avvio {boot})", "shoe: restarted (boot {boot})"),
}
"""Shown before a board's report that comes from another boot."""

UNPLUGGED = Words("{device} scollegat{ending}", "{device} unplugged")
"""A link lost because its plug is out."""

NOTHING_COVERED = Words("gettoniera: nessuno slot coperto", "rail: covered none")

LAST_HAND = Words("{who}: ultima mano", "{who}: last hand")

DEVICES: Mapping[str, Words] = {
    "panel": Words("consolle", "panel"),
    "rail": Words("gettoniera", "rail"),
    "display": Words("display", "display"),
    "shuffler": Words("mescolatore", "shuffler"),
    "shoe": Words("sabot", "shoe"),
}
"""The devices of a table, as people call them."""

FEMININE = frozenset({"panel", "rail"})
"""Devices whose Italian participles end in -a."""

PLURALS: Mapping[str, str] = {
    "token-in": "gettoni messi",
    "token-accepted": "accettati",
    "token-late": "gettoni in ritardo",
    "token-stuck": "incastrati",
    "token-unaccounted": "gettoni mancanti",
    "drop-in-service": "caduti in manutenzione",
    "drop-unexplained": "cadute non spiegate",
    "seat-free": "liberi",
    "seat-left-out": "esclusi",
    "slot-covered": "slot coperti",
    "card-changed": "carte cambiate",
    "hand-void": "mani nulle",
}
"""Decisions about more than one seat, in Italian."""

ITALIAN_STATES: Mapping[str, str] = {
    "EMPTY": "nessuno",
    "SHUFFLING": "si mescola",
    "READY": "pronto",
    "DEALING": "in gioco",
    "FAULT": "guasto",
    "red": "rosso",
    "blue": "blu",
}
"""A deck's states and backs."""

OUTCOMES: Mapping[str, Words] = {
    "refused": Words("rifiutato", "refused"),
    "no effect": Words("nessun effetto", "no effect"),
}

MONEY = frozenset({"each", "cents"})


def clock_of(wall: str) -> str:
    """The time of day here of a wall-clock label; one that is no time, as it stands."""
    return _here(wall, "%H:%M:%S")


def day_of(wall: str) -> str:
    """The day here of a wall-clock label; one that is no time, as it stands."""
    return _here(wall, "%Y-%m-%d")


def _here(wall: str, shape: str) -> str:
    try:
        return datetime.fromisoformat(wall).astimezone().strftime(shape)
    except ValueError:  # no time, or none that is told
        return wall


def act_words(record: Record, language: Language, game: str = "") -> str:
    """What was done; `game` names the combination buttons."""
    act = record.body.get("act")
    facts = dict(act) if isinstance(act, Mapping) else {}
    if "button" in facts:
        facts["button"] = button_name(str(facts["button"]), game)
    if record.kind == "link-lost" and facts.get("why") == "unplugged":
        return _fill(UNPLUGGED, facts, language)
    if record.kind == "rail" and facts.get("occupied") == []:
        return NOTHING_COVERED.in_(language)
    if record.kind == "last-hands" and facts.get("hands") == 1:
        return _fill(LAST_HAND, facts, language)
    if record.kind not in ACTS:
        return f"{record.kind} {_plainly(facts, language)}".rstrip()
    return _fill(ACTS[record.kind], facts, language)


class Boots:
    """Follows the boards' boot numbers through records, in their order.

    Of a board whose boot number was not told before, nothing is known.
    """

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def restarted(self, record: Record, language: Language) -> str:
        """`rail: restarted (boot 12)`, "" where the record is of no restart."""
        act = record.body.get("act")
        if record.kind not in RESTARTED or not isinstance(act, Mapping) or "boot" not in act:
            return ""
        before, boot = self._known.get(record.kind), act["boot"]
        self._known[record.kind] = boot
        if before in (None, boot):
            return ""
        return _fill(RESTARTED[record.kind], {"boot": boot}, language)


def consequences(record: Record, language: Language) -> list[str]:
    """What came of it: a refusal, or what was decided; seats of one kind stand together."""
    outcome = str(record.body.get("outcome", ""))
    texts = [OUTCOMES[outcome].in_(language)] if outcome in OUTCOMES else []
    if refusal := record.body.get("refusal"):
        texts = [" ".join([*texts, str(refusal)])]
    return texts + decided_words(record, language)


def decided_words(record: Record, language: Language) -> list[str]:
    """What was decided; nothing of a refusal."""
    return decision_words(_mappings(record.body.get("decisions")), language)


def new_phase(record: Record) -> str:
    """The phase it led to; "" where it stayed, or where a decision already names it."""
    if any("phase" in one for one in _mappings(record.body.get("decisions"))):
        return ""
    changed = record.body.get("changes")
    return str(changed.get("phase") or "") if isinstance(changed, Mapping) else ""


def decision_words(decisions: Iterable[Mapping[str, Any]], language: Language) -> list[str]:
    """Decisions as they are on record, in words."""
    texts: list[str] = []
    for (name, about_seat), group in groupby(decisions, key=_kind_of_decision):
        alike = list(group)
        if about_seat:
            texts.append(_seats_text(name, [str(one["seat"]) for one in alike], language))
        else:
            texts += [_decision(name, one, language) for one in alike]
    return texts


def button_name(button: str, game: str) -> str:
    """A button as people call it: the combination's name where the game is known."""
    places = [one.value for one in COMBINATION_BUTTONS]
    if button not in places or game not in GAMES or not GAMES[game].progressive:
        return button
    return load_prizes(game).prizes[places.index(button)].combination.value


def _kind_of_decision(decision: Mapping[str, Any]) -> tuple[str, bool]:
    return str(decision.get("decision", "")), "seat" in decision


def _seats_text(name: str, seats: Sequence[str], language: Language) -> str:
    if language is Language.IT and len(seats) > 1 and name in PLURALS:
        return f"{PLURALS[name]} {', '.join(seats)}"
    return f"{_named(name, language)} {_list(seats, language)}"


def _list(parts: Sequence[str], language: Language) -> str:
    return (", " if language is Language.IT else " ").join(parts)


def _named(name: str, language: Language) -> str:
    return DECISIONS[name].in_(language) if name in DECISIONS else name


def _decision(name: str, decision: Mapping[str, Any], language: Language) -> str:
    facts = {key: value for key, value in decision.items() if key != "decision"}
    if name not in DECISIONS:
        return f"{name} {_plainly(facts, language)}".rstrip()
    return _fill(DECISIONS[name], facts, language)


def _fill(words: Words, facts: Mapping[str, Any], language: Language) -> str:
    shown = {"ending": "a" if facts.get("device") in FEMININE else "o"}
    shown |= {name: _shown(name, value, language) for name, value in facts.items()}
    return words.in_(language).format_map(_Known(shown))


class _Known(dict[str, str]):
    """What a record does not say, an older one for instance, is shown as `?`."""

    def __missing__(self, key: str) -> str:
        return "?"


def _plainly(facts: Mapping[str, Any], language: Language) -> str:
    return " ".join(f"{name}={_shown(name, value, language)}" for name, value in facts.items())


def _shown(name: str, value: Any, language: Language) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        yes, no = Words("sì", "yes"), Words("no", "no")
        return (yes if value else no).in_(language)
    if isinstance(value, Mapping):
        return " ".join(_shown(key, part, language) for key, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        parts = [str(part) for part in value]
        return _list(parts, language) or Words("nessuno", "none").in_(language)
    if name in MONEY and isinstance(value, int):
        return format_cents(value).replace(".", TEXTS[language].decimal)
    return _word(name, str(value), language)


def _word(name: str, value: str, language: Language) -> str:
    """A device, a combination or a deck's state by its name in a language."""
    if name == "device" and value in DEVICES:
        return DEVICES[value].in_(language)
    if language is Language.EN:
        return value
    if name == "combination" and value in COMBINATIONS:
        return TEXTS[language].combinations[COMBINATIONS[value]]
    return ITALIAN_STATES.get(value, value) if name in DECK_FACTS else value


COMBINATIONS = {combination.value: combination for combination in Combination}
DECK_FACTS = frozenset({"preparing", "state", "back"})


def _mappings(values: Any) -> Iterable[Mapping[str, Any]]:
    return values if isinstance(values, list) else ()
