"""`round` and `replay`: one round act by act, as it is on record, and played again from there."""

from collections.abc import Sequence
from functools import partial

from console.local_line.requests import Status
from console.record_words import (
    Boots,
    act_words,
    clock_of,
    consequences,
    day_of,
    new_phase,
)
from console.replay import Replayed
from console.round_replay import replayed_round
from console.state_words import state_told
from console.technician.arguments import number
from console.technician.command import Command, Desk
from console.technician.recorded import last_round, read_ledger, records_of_round
from console.technician.service_words import service_words
from console.technician.terminal.paragraphs import paragraph
from console.texts import Language, Words
from jackpot.journal import Record

INDENT = " " * 10
"""Under the time of day."""


async def _round(desk: Desk, words: Sequence[str]) -> None:
    wanted = number(desk, words, 0, LAST_ROUND)
    if wanted is None:
        newest = await read_ledger(desk, lambda folder, _: last_round(folder))
        numbers = [one for one in (newest - 1, newest) if one >= 0]
    else:
        numbers = [wanted]
    boots = Boots()
    for each in numbers:
        records = await read_ledger(desk, partial(records_of_round, number=each))
        await desk.talk.say(*told(records, each, desk.language, _game(desk), boots))


async def _replay(desk: Desk, words: Sequence[str]) -> None:
    wanted = number(desk, words, 0, LAST_ROUND)
    if wanted is None:
        wanted = await read_ledger(desk, lambda folder, _: last_round(folder))
    number_wanted = wanted
    steps = await read_ledger(
        desk, lambda folder, meter: replayed_round(folder, number_wanted, meter.step)
    )
    await desk.talk.say(*played(steps, wanted, desk.language))


def told(
    records: Sequence[Record], number: int, language: Language, game: str, boots: Boots
) -> list[str]:
    """A round's records in lines, a heading first; `boots` as known before it."""
    if not records:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(records[0].wall)}"]
    for record in records:
        lines += record_lines(record, language, game, boots)
    return lines


def record_lines(
    record: Record, language: Language, game: str, boots: Boots, *, phase: bool = True
) -> list[str]:
    """A record: the time of day, what was done, what came of it, and a new `phase`."""
    came = consequences(record, language)
    if phase and (entered := new_phase(record)):
        came.append(f"-> {entered}")
    restarted = [text] if (text := boots.restarted(record, language)) else []
    done = service_words(record, language, game) or act_words(record, language, game)
    text = "; ".join([*restarted, done, *came])
    return paragraph(text, first=f"{clock_of(record.wall):8}  ", after=INDENT)


def played(steps: Sequence[Replayed], number: int, language: Language) -> list[str]:
    """A round played again: each act, the state where it changed, and what does not agree."""
    if not steps:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(steps[0].record.wall)}"]
    shown, boots = "", Boots()
    for step in steps:
        settings = step.state.settings
        game = settings.game if settings else ""
        lines += record_lines(step.record, language, game, boots, phase=False)
        if (state := state_told(step.state, language)) != shown:
            lines += paragraph(state, first=f"{INDENT}-> ", after=f"{INDENT}   ")
            shown = state
        if step.problem:
            lines += paragraph(step.problem, first=f"{INDENT}!! ", after=f"{INDENT}   ")
    return [*lines, _verdict(steps, language)]


def _verdict(steps: Sequence[Replayed], language: Language) -> str:
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


LAST_ROUND = 999_999_999


def _game(desk: Desk) -> str:
    return desk.status.game if desk.status is not None else ""


def _last_ones(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words or status is None:
        return ()
    return tuple(str(number) for number in range(status.round, max(-1, status.round - 5), -1))


COMMANDS = (
    Command(
        names=("round", "mano"),
        arguments=Words("[N]", "[N]"),
        summary=Words("una mano, atto per atto", "one round, act by act"),
        help=Words(
            "La mano N come sta nel registro: ora, atto, e che cosa ne è venuto.\n"
            "Senza numero: le ultime due. Legge il file del registro, senza\n"
            "passare dal servizio.",
            "Round N as it is on record: time, act, and what came of it. Without a\n"
            "number: the last two. It reads the ledger's file, not through the\n"
            "service.",
        ),
        example="round 1",
        run=_round,
        complete=_last_ones,
    ),
    Command(
        names=("replay", "ripeti"),
        arguments=Words("[N]", "[N]"),
        summary=Words("la mano giocata di nuovo", "a round played again"),
        help=Words(
            "Gioca di nuovo la mano N dal registro, con la logica di oggi, e dice\n"
            "lo stato dopo ogni atto (->) e che cosa non concorda (!!). Senza\n"
            "numero: l'ultima. Non tocca il tavolo.",
            "Plays round N again from the record, with today's logic, and tells the\n"
            "state after each act (->) and what does not agree (!!). Without a\n"
            "number: the last one. It does not touch the table.",
        ),
        example="replay 1",
        run=_replay,
        complete=_last_ones,
    ),
)
