"""Records in plain words: acts, decisions, the state after them (words: `record_vocabulary`)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any

from console.rules.poker_state import PokerState
from console.rules.state import TableState
from console.texts.declarations.lines import BY_KIND
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.record_vocabulary import (
    ACTS,
    BACKS,
    BETWEEN,
    BY_HOUSE,
    BY_JACKPOT,
    BY_TWO,
    CONTACTS,
    DECISIONS,
    DECK_STATES,
    DEVICES,
    DOORS,
    ENVY_EACH,
    FEMININE,
    LACKING,
    NOTHING_COVERED,
    OUTCOMES,
    PEOPLE_CHANGES,
    PLURALS,
    RESTARTED,
    RESULTS,
    SETTINGS_TAKEN,
    UNPLUGGED,
    describe_elapsed,
)
from console.texts.table_texts import (
    DUTY_NAMES,
    NOT_KNOWN,
    POKER,
    TableNames,
    button_label,
    combination_words,
    name_phase,
    names_of,
)
from jackpot.ledger.journal import Record

BUTTONS = frozenset({"button", "contact"})
"""Facts that may name a button."""

MONEY = frozenset({"each", "envy", "lacking", "cents", "expected_cents", "difference_cents"})

DURATIONS = frozenset({"left_ms", "break_ms"})


def clock_of(wall: str) -> str:
    """The local time of day of a wall-clock label; an invalid label as it is."""
    return _here(wall, "%H:%M:%S")


def day_of(wall: str) -> str:
    """The local day of a wall-clock label; an invalid label as it is."""
    return _here(wall, "%Y-%m-%d")


def _here(wall: str, shape: str) -> str:
    try:
        return datetime.fromisoformat(wall).astimezone().strftime(shape)
    except ValueError:  # not a valid time
        return wall


def act_words(record: Record, language: Language, table: TableNames = NOT_KNOWN) -> str:
    """The act in words; `table` names the combination buttons."""
    act = record.body.get("act")
    facts = dict(act) if isinstance(act, Mapping) else {}
    for name in BUTTONS.intersection(facts):
        facts[name] = button_label(str(facts[name]), table, language)
    words = _words_of(record, facts)
    if words is None:
        return f"{record.kind} {_plainly(facts, language)}".rstrip()
    return fill_words(words, facts, language)


def _words_of(record: Record, facts: Mapping[str, Any]) -> Words | None:
    """The words of an act; None for a kind that has none."""
    words = ACTS.get(record.kind)
    match record.kind:
        case "time":
            words = describe_elapsed(record.body, record.at_ms) or words
        case "device-lost" if facts.get("why") == "unplugged":
            words = UNPLUGGED
        case "rail" if facts.get("occupied") == []:
            words = NOTHING_COVERED
        case "key" | "key-found" if facts.get("position", "?") is None:
            words = BETWEEN[record.kind]
        case kind if kind in BY_KIND:
            declared = BY_KIND[kind].choose_words(facts)
            words = Words(f"{{who}}: {declared.it}", f"{{who}}: {declared.en}")
        case kind if kind in BY_TWO and facts.get("second"):
            words = BY_TWO[kind]
        case "settings-found" if facts.get("taken"):
            words = SETTINGS_TAKEN
    return words


class Boots:
    """Follows the boards' boot numbers through records, in order.

    The first boot number of a board tells nothing.
    """

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}

    def describe_restart(self, record: Record, language: Language) -> str:
        """`rail: restarted (boot 12)`; "" for a record without a restart."""
        act = record.body.get("act")
        if record.kind not in RESTARTED or not isinstance(act, Mapping) or "boot" not in act:
            return ""
        before, boot = self._known.get(record.kind), act["boot"]
        self._known[record.kind] = boot
        if before in (None, boot):
            return ""
        return fill_words(RESTARTED[record.kind], {"boot": boot}, language)


def consequences(record: Record, language: Language, table: TableNames = NOT_KNOWN) -> list[str]:
    """The consequences of an act: a refusal, or decisions; equal ones of several seats together."""
    outcome = str(record.body.get("outcome", ""))
    texts = [OUTCOMES[outcome].in_(language)] if outcome in OUTCOMES else []
    if refusal := record.body.get("refusal"):
        texts = [" ".join([*texts, str(refusal)])]
    return texts + describe_decisions(record, language, table)


def describe_decisions(
    record: Record, language: Language, table: TableNames = NOT_KNOWN
) -> list[str]:
    """The decisions of a record in words."""
    return decision_words(_mappings(record.body.get("decisions")), language, table)


def new_phase(record: Record) -> str:
    """The new phase; "" if it is unchanged, or if a decision names it."""
    if any("phase" in one for one in _mappings(record.body.get("decisions"))):
        return ""
    changed = record.body.get("changes")
    return str(changed.get("phase") or "") if isinstance(changed, Mapping) else ""


def decision_words(
    decisions: Iterable[Mapping[str, Any]], language: Language, table: TableNames = NOT_KNOWN
) -> list[str]:
    """Recorded decisions in words; `table` names the combinations."""
    texts: list[str] = []
    for (name, about_seat), group in groupby(decisions, key=_kind_of_decision):
        alike = list(group)
        if about_seat:
            texts.append(_seats_text(name, [str(one["seat"]) for one in alike], language))
        else:
            texts += [_decision(name, one, language, table) for one in alike]
    return texts


def format_amount(cents: int, language: Language) -> str:
    """Cents as the table's display has them, without the currency: `9,908.36`, `9.908,36`."""
    return TEXTS[language].number(cents)


def _kind_of_decision(decision: Mapping[str, Any]) -> tuple[str, bool]:
    return str(decision.get("decision", "")), "seat" in decision


def _seats_text(name: str, seats: Sequence[str], language: Language) -> str:
    if language is Language.IT and len(seats) > 1 and name in PLURALS:
        return f"{PLURALS[name]} {', '.join(seats)}"
    return f"{_decision_name(name, language)} {_list(seats, language)}"


def _list(parts: Sequence[str], language: Language) -> str:
    return (", " if language is Language.IT else " ").join(parts)


def _decision_name(name: str, language: Language) -> str:
    return DECISIONS[name].in_(language) if name in DECISIONS else name


def _decision(name: str, decision: Mapping[str, Any], language: Language, table: TableNames) -> str:
    facts = {key: value for key, value in decision.items() if key != "decision"}
    if "combination" in facts:
        facts["combination"] = combination_words(str(facts["combination"]), language, table)
    if name not in DECISIONS:
        return f"{name} {_plainly(facts, language)}".rstrip()
    return fill_words(DECISIONS[name], facts, language) + _award_parts(facts, language)


def _award_parts(facts: Mapping[str, Any], language: Language) -> str:
    """What a prize file adds to an award: who pays, the envy, and what is not made up."""
    by_house = facts.get("by_house", 0)
    of_envy = facts.get("envy", 0) * facts.get("others", 0)
    text = f" {BY_HOUSE.in_(language)}" if by_house > of_envy else ""
    if "envy" in facts:
        payer = (BY_HOUSE if by_house else BY_JACKPOT).in_(language)
        text += ", " + fill_words(ENVY_EACH, {**facts, "payer": payer}, language)
    if "lacking" in facts:
        text += ", " + fill_words(LACKING, facts, language)
    return text


def fill_words(
    words: Words,
    facts: Mapping[str, Any],
    language: Language,
    write_cents: Callable[[int], str] | None = None,
) -> str:
    """The words with the facts of a record in them; a fact that is missing is `?`.

    `write_cents`: how amounts are written, if not as `format_amount` does.
    """
    shown = {"ending": "a" if facts.get("device") in FEMININE else "o"}
    for name, value in facts.items():
        if name in MONEY and isinstance(value, int) and write_cents is not None:
            shown[name] = write_cents(value)
        else:
            shown[name] = _format_value(name, value, language)
    return words.in_(language).format_map(_Known(shown))


class _Known(dict[str, str]):
    """Facts that a record lacks, for instance an older one, show as `?`."""

    def __missing__(self, key: str) -> str:
        return "?"


def _plainly(facts: Mapping[str, Any], language: Language) -> str:
    return " ".join(
        f"{name}={_format_value(name, value, language)}" for name, value in facts.items()
    )


def _format_value(name: str, value: Any, language: Language) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        yes, no = Words("sì", "yes"), Words("no", "no")
        return (yes if value else no).in_(language)
    if isinstance(value, Mapping):
        return " ".join(_format_value(key, part, language) for key, part in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _format_parts(name, value, language)
    if name in DURATIONS and isinstance(value, int):
        minutes, seconds = divmod(-(-value // 1000), 60)
        return f"{minutes:02}:{seconds:02}"
    if name in MONEY and isinstance(value, int):
        return format_amount(value, language)
    return _word(name, str(value), language)


def _format_parts(name: str, parts: Sequence[Any], language: Language) -> str:
    if name == "parts":
        return "+".join(map(str, parts)) or Words("nessuna", "none").in_(language)
    if name == "boards":
        return _list([_board(one, language) for one in _mappings(parts)], language)
    words = [_word(name, str(part), language) for part in parts]
    return _list(words, language) or Words("nessuno", "none").in_(language)


def _board(board: Mapping[str, Any], language: Language) -> str:
    """A board as it names itself: `slot-rail RAIL-01, firmware 1.0.0`."""
    serial = board.get("serial") or Words("senza matricola", "no serial number").in_(language)
    firmware = f", firmware {board['firmware']}" if board.get("firmware") else ""
    unproven = board.get("unproven") is True
    doubt = Words(", SENZA PROVA DELLA CHIAVE", ", NO PROOF OF A KEY").in_(language)
    return f"{board.get('kind', '?')} {serial}{firmware}{doubt if unproven else ''}"


def _word(name: str, value: str, language: Language) -> str:
    """The name of a device, a duty or a deck's state in a language."""
    words = CODES.get(name, {}).get(value)
    return value if words is None else words.in_(language)


CODES: Mapping[str, Mapping[str, Words]] = {
    "device": DEVICES,
    "contact": CONTACTS,
    "door": DOORS,
    "change": PEOPLE_CHANGES,
    "open": DOORS,
    "duties": DUTY_NAMES,
    "preparing": DECK_STATES,
    "state": DECK_STATES,
    "back": BACKS,
    "result": RESULTS,
}
"""What the codes of a fact are called, by the fact's name."""


def _mappings(values: Any) -> Iterable[Mapping[str, Any]]:
    return values if isinstance(values, list) else ()


def describe_state(state: TableState, language: Language) -> str:
    """The parts of a state that decide the round."""
    if isinstance(state.poker, PokerState):
        return _describe_hand(state, state.poker, language)
    seats = state.seats
    marked = {
        Words("accettati", "accepted"): seats.accepted,
        Words("nulli", "void"): seats.void,
        Words("carta cambiata", "changed"): seats.changed,
        Words("incastrati", "stuck"): seats.stuck,
    }
    parts = [
        name_phase(state.shown_phase.value, language),
        *(
            f"{name.in_(language)} {' '.join(map(str, sorted(which)))}"
            for name, which in marked.items()
            if which
        ),
    ]
    if state.choice is not None:
        parts.append(combination_words(state.choice, language, names_of(state.settings)))
    if state.award is not None:
        parts.append(f"x{state.award.winners} {format_amount(state.award.each, language)}")
        if state.award.envy is not None:
            envy = state.award.envy
            parts.append(f"envy x{envy.seats} {format_amount(envy.each, language)}")
    return "  ".join([*parts, f"jackpot {format_amount(state.balances.jackpot_cents, language)}"])


def _describe_hand(state: TableState, poker: PokerState, language: Language) -> str:
    parts = [name_phase(state.shown_phase.value, language)]
    hand = poker.hand
    if hand is not None:
        awaited = Words("carte da dare", "deal awaited").in_(language)
        parts += [str(hand.blinds), awaited if hand.awaited else hand.street.value]
    parts += [
        f"{POKER['pot'].in_(language)} {number} {format_amount(sum(chips), language)}"
        for number, chips in enumerate(poker.pots, 1)
    ]
    return "  ".join(parts)
