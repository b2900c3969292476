"""`round`, `replay`, `meters`: what the ledger tells.

One round act by act from the record, or replayed from it. The accounts, what happened since the
tray, or the rake box, was last counted, and the meters of the table's life.
"""

from collections.abc import Sequence
from functools import partial

from console.bordereau.life import read_life
from console.line.requests import Status
from console.office.ledger.meters import describe_life
from console.office.ledger.rounds import render_replay, render_round, replay_round
from console.technician.command import Command, TechnicianSession, parse_number
from console.technician.ledger_reading import (
    NightCount,
    count_night,
    find_last_round,
    read_ledger,
    read_round,
)
from console.technician.table_requests import ask_status
from console.texts.language import Language, Words
from console.texts.layout import label_text
from console.texts.record_texts import Boots, clock_of, day_of
from console.texts.table_texts import NOT_KNOWN, TableNames, names_from
from console.texts.technician import command_texts, money_texts
from console.texts.technician.money_texts import SINCE_THE_BEGINNING
from devices.device import Device
from jackpot.failures import Failure, Refused, Unavailable
from jackpot.money.accounts import Account, Reason
from jackpot.money.amounts import format_cents, to_cents
from jackpot.money.prizes import EURO

LAST_ROUND = 999_999_999

LIFE = ("life", "vita")


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


async def _meters(session: TechnicianSession, words: Sequence[str]) -> None:
    if [word.lower() for word in words] in [[one] for one in LIFE]:
        await _say_life(session)
        return
    if words:
        raise Refused(session.words(money_texts.LIFE_OR_NOTHING))
    currency = EURO
    try:
        status = await ask_status(session)
    except Failure as error:
        accounts = session.words(money_texts.ACCOUNTS)
        await session.talk.say(*label_text(accounts, f"- ({error})"))
    else:
        currency = names_from(status.game, status.prizes).currency
        await session.talk.say(
            *(describe_part(session.language) if is_linked(status) else ()),
            *(f"{name:9} {amount:>15} {currency}" for name, amount in status.accounts.items()),
            *label_text(session.words(money_texts.ROUND), str(status.round)),
        )
    try:
        night = await read_ledger(session, count_night)
    except Unavailable as error:
        await session.talk.say(*label_text(session.words(money_texts.LEDGER), f"- ({error})"))
    else:
        if night is not None:
            await session.talk.say(*describe_night(night, session.language, currency))


async def _say_life(session: TechnicianSession) -> None:
    try:
        life = await read_ledger(session, lambda folder, meter: read_life(folder, meter.step))
    except Unavailable as error:
        await session.talk.say(*label_text(session.words(money_texts.LEDGER), f"- ({error})"))
        return
    if life is not None:
        await session.talk.say(*describe_life(life, session.language))


def is_linked(status: Status) -> bool:
    """Whether the table plays for a linked jackpot: its accounts are then its part of it."""
    return Device.LINK.value in status.devices_up


def describe_part(language: Language) -> list[str]:
    """What the accounts of a linked table are."""
    text = money_texts.TABLE_PART_LINKED_JACKPOT
    return label_text(money_texts.ACCOUNTS.in_(language), text.in_(language))


def describe_night(night: NightCount, language: Language, currency: str = EURO) -> list[str]:
    """Render the night's figures."""

    def label(title: Words, text: str) -> list[str]:
        return label_text(title.in_(language), text)

    since = f"{day_of(night.since)} {clock_of(night.since)}".strip() or "-"
    why = (_what_was_counted(night) if night.counted else SINCE_THE_BEGINNING).in_(language)
    money = night.money
    faults = "  ".join(f"{fault} x{times}" for fault, times in sorted(night.faults.items()))
    if night.poker:
        rake = sum(
            money.of(reason).of(Account.RAKE) for reason in (Reason.RAKE, Reason.RAKE_RETURNED)
        )
        return [
            f"{why}: {since}",
            *label(money_texts.HANDS, str(night.rounds)),
            *label(money_texts.RAKE, f"{format_cents(to_cents(rake))} {currency}"),
            *label(money_texts.FAULTS, faults or "-"),
        ]
    return [
        f"{why}: {since}",
        *label(money_texts.ROUNDS, str(night.rounds)),
        *label(money_texts.TOKENS, str(money.tokens_left)),
        *label(
            money_texts.AWARDS, f"{money.awards}, {format_cents(to_cents(money.paid))} {currency}"
        ),
        *label(money_texts.FAULTS, faults or "-"),
    ]


def _what_was_counted(night: NightCount) -> Words:
    if night.poker:
        return money_texts.SINCE_RAKE_BOX_LAST
    return money_texts.SINCE_TRAY_LAST_COUNTED


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
    Command(
        names=("meters", "contatori"),
        texts=command_texts.METERS,
        example="meters",
        run=_meters,
        complete=lambda words, _: () if words else LIFE,
    ),
)
