"""`selftest`: a guided test of the cabinet; its report is recorded and can be printed."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from console.configuration.version import VERSION
from console.line.requests import (
    AskDevices,
    AskInputs,
    Devices,
    Done,
    Inputs,
    KeepSelfTest,
    NoCode,
    NotDone,
    Status,
)
from console.office.dialogue import render_refusal
from console.rules.acts import KINDS, PartTested, SelfTested
from console.rules.codes import LEDGER_FAULTS, Duty, Fault, Phase, Refusal
from console.rules.records import act_of
from console.technician.command import Command, TechnicianSession
from console.technician.driven_outputs import drive_by_hand, show_key_and_phase
from console.technician.equipment import equipment_of
from console.technician.ledger_reading import read_ledger
from console.technician.long_work import Meter
from console.technician.self_test.guided import GuidedTest, render_report
from console.technician.self_test.parts import choose_parts, list_parts
from console.technician.self_test.steps import Part
from console.technician.table_requests import ask_status, ask_table, ask_with_login, enter
from console.texts import self_test_texts
from console.texts.language import Language
from console.texts.record_texts import clock_of, day_of
from console.texts.self_test_texts import GROUPS, count_text
from console.texts.technician import command_texts
from jackpot.failures import Refused
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record

SHOW = ("show", "mostra")
KIND = KINDS[SelfTested]


async def _selftest(session: TechnicianSession, words: Sequence[str]) -> None:
    if [word.lower() for word in words] in [[word] for word in SHOW]:
        await _show(session)
        return
    parts = await _choose_parts(session, words)
    status = await _check_ready(session)
    counted = count_text(len(parts), session.language)
    await session.talk.say(
        session.words(
            self_test_texts.S_SKIP_Q_END.fill(counted),
        )
    )
    results: tuple[PartTested, ...] = ()
    try:
        async with drive_by_hand(session) as outputs:
            results = await GuidedTest(session, outputs, VERSION).run(parts)
    except NotDone as error:
        if not results:
            raise
        await session.talk.say(*render_refusal(error.no, session.language))
    await _keep_report(session, status, results)


async def _choose_parts(session: TechnicianSession, words: Sequence[str]) -> tuple[Part, ...]:
    """Return the parts that the words name. Raises Refused."""
    inputs = await ask_table(session, AskInputs(), Inputs)
    devices = await ask_table(session, AskDevices(), Devices)
    table = equipment_of(await ask_status(session))
    parts = list_parts(table, [one.name for one in inputs.inputs], devices.devices)
    wanted = choose_parts(words, parts)
    if not wanted:
        there = {part.group for part in parts}
        known = [GROUPS[group] if session.language is Language.IT else group for group in GROUPS]
        listed = " ".join(one for one, group in zip(known, GROUPS, strict=True) if group in there)
        raise Refused(session.words(self_test_texts.WHICH_PART.fill(listed)))
    return wanted


async def _check_ready(session: TechnicianSession) -> Status:
    """Check that a technician is logged in and the phase is SERVICE. Raises NotDone.

    With an unreadable key (KEY_FAULT) SERVICE cannot be reached; then PAUSED is enough, because
    betting cannot open without the key in R.
    """
    status = await ask_status(session)
    if not status.person and await enter(session):
        status = await ask_status(session)
    if Duty.TECHNICIAN not in status.duties:
        raise NotDone(NoCode.NOT_YOUR_DUTY if status.person else NoCode.NOT_ENTERED, "")
    unreadable = Fault.KEY_FAULT in {present.fault for present in status.faults}
    paused = unreadable and status.phase == Phase.PAUSED.value
    if status.phase != Phase.SERVICE.value and not paused:
        await show_key_and_phase(session)
        raise NotDone(Refusal.NOT_IN_SERVICE.value, "")
    return status


async def _keep_report(
    session: TechnicianSession, status: Status, results: tuple[PartTested, ...]
) -> None:
    """Record the report, then print it, so that it is kept even if nobody reads to the end."""
    kept = [session.words(self_test_texts.RECORD_SELFTEST_SHOW)]
    try:
        await ask_with_login(session, KeepSelfTest(results), Done)
        if await _is_locked(session):
            kept = [
                session.words(
                    self_test_texts.LEDGER_FAULT_REPORT_GOES,
                )
            ]
    except NotDone as error:
        refused = render_refusal(error.no, session.language)
        kept = [session.words(self_test_texts.NOT_RECORD), *refused]
    now = datetime.now().strftime("%Y-%m-%d %H:%M")
    test = SelfTested(status.person, results)
    await session.talk.say(*render_report(test, status.table, now, session.language), *kept)


async def _is_locked(session: TechnicianSession) -> bool:
    """Return whether a ledger fault locks the table; records then wait in the service's memory."""
    faults = {present.fault for present in (await ask_status(session)).faults}
    return not faults.isdisjoint(LEDGER_FAULTS)


async def _show(session: TechnicianSession) -> None:
    """Print the last recorded report; this works without the service."""
    record = await read_ledger(session, _last_test)
    act = act_of(record.kind, record.body) if record is not None else None
    if record is None or not isinstance(act, SelfTested):
        await session.talk.say(session.words(self_test_texts.NO_SELF_TEST_RECORD))
        return
    table = session.status.table if session.status is not None else ""
    when = f"{day_of(record.wall)} {clock_of(record.wall)}"
    await session.talk.say(*render_report(act, table, when, session.language))


def _last_test(folder: Path, _meter: Meter) -> Record | None:
    return newest_record(folder, kind=KIND)


def _complete(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words:
        return ()
    if status is None:
        return (*GROUPS, *GROUPS.values(), *SHOW)
    parts = list_parts(equipment_of(status), ("inspector",), ())
    groups = dict.fromkeys((*(part.group for part in parts), "lines"))
    return (*groups, *(GROUPS[group] for group in groups), *SHOW)


COMMANDS = (
    Command(
        names=("selftest", "collaudo"),
        texts=command_texts.SELFTEST,
        example="selftest display",
        run=_selftest,
        complete=_complete,
    ),
)
