"""`round` and `replay`: one round act by act from the record, or replayed from it."""

from collections.abc import Sequence
from functools import partial

from console.line.requests import Status
from console.office.ledger.rounds import render_replay, render_round, replay_round
from console.technician.command import Command, TechnicianSession, parse_number
from console.technician.ledger_reading import find_last_round, read_ledger, read_round
from console.texts.record_texts import Boots
from console.texts.table_texts import NOT_KNOWN, TableNames, names_from
from console.texts.technician import command_texts

LAST_ROUND = 999_999_999


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
            *render_round(records, each, session.language, _names(session), boots)
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


def _names(session: TechnicianSession) -> TableNames:
    status = session.status
    return names_from(status.game, status.prizes) if status is not None else NOT_KNOWN


def _complete_round(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words or status is None:
        return ()
    return tuple(str(number) for number in range(status.round, max(-1, status.round - 5), -1))


COMMANDS = (
    Command(
        names=("round", "mano"),
        texts=command_texts.ROUND,
        example="round 1",
        run=_round,
        complete=_complete_round,
    ),
    Command(
        names=("replay", "ripeti"),
        texts=command_texts.REPLAY,
        example="replay 1",
        run=_replay,
        complete=_complete_round,
    ),
)
