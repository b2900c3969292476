"""`round` and `replay`: one round act by act from the record, or replayed from it."""

from collections.abc import Sequence
from functools import partial

from console.line.requests import Status
from console.office.ledger.played_round import replay_round
from console.office.ledger.round_lines import render_replay, render_round
from console.technician.arguments import parse_number
from console.technician.command import Command, TechnicianSession
from console.technician.ledger_reading import find_last_round, read_ledger, read_round
from console.texts.language import Words
from console.texts.record_texts import (
    Boots,
)


async def _round(session: TechnicianSession, words: Sequence[str]) -> None:
    wanted = parse_number(session, words, 0, LAST_ROUND)
    if wanted is None:
        newest = await read_ledger(session, lambda folder, _: find_last_round(folder))
        numbers = [one for one in (newest - 1, newest) if one >= 0]
    else:
        numbers = [wanted]
    boots = Boots()
    for each in numbers:
        records = await read_ledger(session, partial(read_round, number=each))
        await session.talk.say(
            *render_round(records, each, session.language, _game(session), boots)
        )


async def _replay(session: TechnicianSession, words: Sequence[str]) -> None:
    wanted = parse_number(session, words, 0, LAST_ROUND)
    if wanted is None:
        wanted = await read_ledger(session, lambda folder, _: find_last_round(folder))
    number = wanted
    steps = await read_ledger(
        session, lambda folder, meter: replay_round(folder, number, meter.step)
    )
    await session.talk.say(*render_replay(steps, wanted, session.language))


LAST_ROUND = 999_999_999


def _game(session: TechnicianSession) -> str:
    return session.status.game if session.status is not None else ""


def _complete_round(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words or status is None:
        return ()
    return tuple(str(number) for number in range(status.round, max(-1, status.round - 5), -1))


COMMANDS = (
    Command(
        names=("round", "mano"),
        arguments=Words("[N]", "[N]"),
        summary=Words("una mano, atto per atto", "one round, act by act"),
        help=Words(
            "La mano N dal registro: ora, atto, conseguenze. Senza numero: le\n"
            "ultime due. Legge il file del registro, perciò funziona anche senza\n"
            "il servizio.",
            "Round N from the record: time, act, consequences. Without a number: the\n"
            "last two. It reads the ledger's file, so it works without the service.",
        ),
        example="round 1",
        run=_round,
        complete=_complete_round,
    ),
    Command(
        names=("replay", "ripeti"),
        arguments=Words("[N]", "[N]"),
        summary=Words("ripete una mano dal registro", "a round replayed from the record"),
        help=Words(
            "Ripete la mano N dal registro, con la logica di oggi: lo stato dopo\n"
            "ogni atto (->) e che cosa non concorda (!!). Senza numero: l'ultima.\n"
            "Non tocca il tavolo.",
            "Replays round N from the record, with today's logic: the state after\n"
            "each act (->) and what does not agree (!!). Without a number: the last\n"
            "round. It does not touch the table.",
        ),
        example="replay 1",
        run=_replay,
        complete=_complete_round,
    ),
)
