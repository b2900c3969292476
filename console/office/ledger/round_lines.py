"""A round in lines of text: each act with its result, and what does not agree."""

from collections.abc import Sequence

from console.office.ledger.service_words import service_words
from console.rules.replay import ReplayedRecord
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import paragraph
from console.texts.record_texts import Boots, act_words, clock_of, consequences, day_of, new_phase
from console.texts.state_texts import describe_state
from jackpot.ledger.journal import Record

INDENT = " " * 10
"""The width of the time of day before a line."""


def render_round(
    records: Sequence[Record], number: int, language: Language, game: str, boots: Boots
) -> list[str]:
    """A round's records in lines, after a heading; `boots`: the boards' boots known before it."""
    if not records:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(records[0].wall)}"]
    for record in records:
        lines += record_lines(record, language, game, boots)
    return lines


def record_lines(
    record: Record, language: Language, game: str, boots: Boots, *, phase: bool = True
) -> list[str]:
    """A record: the time of day, the act, its result and, with `phase`, a new phase."""
    came = consequences(record, language)
    if phase and (entered := new_phase(record)):
        came.append(f"-> {entered}")
    restarted = [text] if (text := boots.describe_restart(record, language)) else []
    done = service_words(record, language, game) or act_words(record, language, game)
    text = "; ".join([*restarted, done, *came])
    return paragraph(text, first=f"{clock_of(record.wall):8}  ", after=INDENT)


def render_replay(steps: Sequence[ReplayedRecord], number: int, language: Language) -> list[str]:
    """A round played again: each act, each new state, and each disagreement."""
    if not steps:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(steps[0].record.wall)}"]
    shown, boots = "", Boots()
    for step in steps:
        settings = step.state.settings
        game = settings.game if settings else ""
        lines += record_lines(step.record, language, game, boots, phase=False)
        if (state := describe_state(step.state, language)) != shown:
            lines += paragraph(state, first=f"{INDENT}-> ", after=f"{INDENT}   ")
            shown = state
        if step.problem:
            lines += paragraph(step.problem, first=f"{INDENT}!! ", after=f"{INDENT}   ")
    return [*lines, _verdict(steps, language)]


def _verdict(steps: Sequence[ReplayedRecord], language: Language) -> str:
    wrong = sum(1 for step in steps if step.problem)
    if wrong:
        return Words(
            f"NON CONCORDA: {wrong} atti su {len(steps)} (!!)",
            f"DOES NOT AGREE: {wrong} acts of {len(steps)} (!!)",
        ).in_(language)
    return Words(
        f"{len(steps)} atti ripetuti: tutti concordano con il registro.",
        f"{len(steps)} acts played again: all agree with the record.",
    ).in_(language)


def _title(number: int, language: Language) -> str:
    return Words(f"Mano {number}", f"Round {number}").in_(language)


def _nothing(number: int, language: Language) -> str:
    return Words(f"La mano {number} non è nel registro.", f"Round {number} is not on record.").in_(
        language
    )
