"""`status`: an overview of the table, or why its service does not answer; `faults`: what is wrong.

`faults` says of each fault and finding what to check, and how it clears.
"""

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from console.line.client import Unreachable
from console.line.requests import Status
from console.technician.command import Command, TechnicianSession, check_no_arguments
from console.technician.table_requests import ask_status, name_duties
from console.technician.without_service import diagnose
from console.texts.catalogue.entries import CatalogueEntry, CodeKind, catalogue
from console.texts.catalogue.findings import Finding
from console.texts.language import Language, Words
from console.texts.layout import cut, format_duration, label_text, number_steps, paragraph, unquote
from console.texts.record_texts import clock_of, format_amount
from console.texts.record_vocabulary import DEVICES
from console.texts.table_texts import (
    ACCOUNTS,
    KEY_STORES,
    MAX,
    RAILS,
    SIMULATION,
    THIS_TABLES_PART,
    combination_words,
    name_phase,
    names_from,
)
from console.texts.technician import command_texts, status_texts
from devices.device import Device
from jackpot.failures import Refused
from jackpot.foreign_text import quote
from jackpot.money.accounts import Account
from jackpot.money.amounts import parse_signed_cents
from jackpot.money.prizes import PrizeTable

MOST_FINDINGS = 5
"""Most findings shown; `faults` shows all."""

SEATS_AS: Mapping[str, Words] = {
    "accepted": status_texts.ACCEPTED,
    "stuck": status_texts.STUCK,
    "changed": status_texts.CHANGED_CARD,
    "void": status_texts.VOID,
    "token": status_texts.TOKEN,
    "covered": status_texts.COVERED,
}

AMOUNT = re.compile(r"[0-9]+\.[0-9]{2}")

SHOWN_ACCOUNTS = (Account.JACKPOT, Account.RESERVE, Account.PENDING, Account.PAID)

HEALTH: tuple[tuple[str, Words, str], ...] = (
    ("loop_stall_ms", status_texts.STALL, " ms"),
    ("commit_mean_ms", status_texts.COMMIT, " ms"),
    ("disk_free_mb", status_texts.FREE, " MB"),
    ("temperature_c", status_texts.HEAT, " C"),
)
"""The service's figures (docs/reference/health.md) that are shown, with label and unit."""


async def _status(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    try:
        status = await ask_status(session)
    except Unreachable as error:
        await session.talk.say(*await diagnose(session, str(error)))
        return
    await session.talk.say(*render_status(status, session.language))


def render_status(status: Status, language: Language) -> list[str]:
    """Render the status: what is wrong first."""
    title = status_texts.TABLE.in_(language)
    rail = f", {RAILS[status.rail].in_(language)}" if status.rail else ""
    simulated = f"{SIMULATION.in_(language)}  " if status.simulated else ""
    return [
        *label_text(title, f"{simulated}{status.table}  {status.known_as}{rail}"),
        *_describe_phase(status, language),
        *_describe_faults(status, language),
        *_describe_findings(status.findings, language),
        *_describe_devices(status, language),
        *_describe_round(status, language),
        *_describe_display(status, language),
        *_describe_key(status, language),
        *_describe_health(status, language),
    ]


def _describe_key(status: Status, language: Language) -> list[str]:
    """What a real table without a TPM lacks."""
    title = status_texts.SIGNED.in_(language)
    text = KEY_STORES[status.key_store].in_(language)
    return [] if status.simulated or status.key_store == "tpm" else label_text(title, text)


def _describe_phase(status: Status, language: Language) -> list[str]:
    key = status_texts.KEY.in_(language)
    under = ""
    if status.underneath != status.phase:
        under = status_texts.THEN.in_(language).format(name_phase(status.underneath, language))
    driven = ""
    if status.driven:
        driven = status_texts.OUTPUTS_DRIVEN_BY_HAND.in_(language)
    where = status.key or status_texts.CANNOT_BE_READ.in_(language)
    text = f"{name_phase(status.phase, language)}{under}  {key} {where}{driven}"
    return label_text(status_texts.PHASE.in_(language), text)


def _describe_faults(status: Status, language: Language) -> list[str]:
    title = status_texts.FAULT.in_(language)
    if not status.faults:
        return label_text(status_texts.FAULTS.in_(language), status_texts.NONE.in_(language))
    lines: list[str] = []
    for present in status.faults:
        code, since = present.fault.value, clock_of(present.since)
        when = status_texts.SINCE.in_(language).format(since)
        detail = f" {present.detail}" if present.detail else ""
        text = f"{code}{detail}{when if present.since else ''}"
        lines += label_text(title, f"{text}: {_describe_code(code, language)}")
    see = status_texts.WHAT_CHECK_FAULTS.in_(language)
    return [*lines, *label_text("", see)]


def _describe_findings(findings: Sequence[Finding], language: Language) -> list[str]:
    title = status_texts.NOTICED.in_(language)
    lines: list[str] = []
    for finding in findings[:MOST_FINDINGS]:
        detail = f" ({finding.detail})" if finding.detail else ""
        meaning = _describe_code(finding.code, language)
        lines.append(cut(f"{title:9} {finding.code} {finding.where}{detail}: {meaning}"))
    more = len(findings) - MOST_FINDINGS
    if more > 0:
        words = status_texts.AND_MORE_FAULTS.fill(more)
        lines += label_text("", words.in_(language))
    return lines


def _describe_devices(status: Status, language: Language) -> list[str]:
    there = [name for name, up in status.devices_up.items() if up]
    lost = [name for name, up in status.devices_up.items() if not up]
    parts = []
    if lost:
        parts.append(status_texts.DOWN.in_(language) + _name_devices(lost, language))
    if there:
        parts.append(status_texts.UP.in_(language) + _name_devices(there, language))
    return label_text(status_texts.LINES.in_(language), "; ".join(parts) or "-")


def _name_devices(names: Sequence[str], language: Language) -> str:
    if language is Language.EN:
        return " ".join(names)
    return ", ".join(DEVICES[name].it if name in DEVICES else name for name in names)


def _describe_round(status: Status, language: Language) -> list[str]:
    title = status_texts.ROUND.in_(language)
    parts = [f"{status.round}"]
    for kind, words in SEATS_AS.items():
        seats = [seat for seat, what in status.seats.items() if what == kind]
        if seats:
            parts.append(f"{words.in_(language)} {' '.join(seats)}")
    lines = label_text(title, "; ".join(parts))
    if status.award:
        lines += label_text(status_texts.AWARD.in_(language), _word_award(status, language))
    elif status.choice:
        chosen = _name_combination(status, status.choice, language)
        lines += label_text(status_texts.CHOSEN.in_(language), chosen)
    return lines


def _word_award(status: Status, language: Language) -> str:
    """The award of the table's answer, its combination and amounts as the display has them."""
    code, _, paid = status.award.partition(" ")
    name = _name_combination(status, code, language)
    return f"{name} {AMOUNT.sub(lambda found: _write_amount(found[0], language), paid)}"


def _name_combination(status: Status, code: str, language: Language) -> str:
    names = names_from(status.game, status.prizes)
    return combination_words(code, language, names).upper()


def _describe_display(status: Status, language: Language) -> list[str]:
    first, second = status.display
    shown = f"[{first:20}] [{second:20}]"
    if not status.devices_up.get(Device.DISPLAY.value, True):
        lost = status_texts.LOST_WOULD_SHOW
        shown = lost.in_(language) + shown
    linked = Device.LINK.value in status.devices_up
    limit = f" {MAX}" if status.at_limit is True else ""
    lines = label_text("display", shown + (limit if linked else ""))
    amounts = [
        f"{ACCOUNTS[account].in_(language)} {_read_amount(status, account, language)}"
        for account in SHOWN_ACCOUNTS
        if account.value in status.accounts
    ]
    if amounts and isinstance(status.prizes, PrizeTable):
        amounts[0] += "" if linked else limit
        amounts.append(status.prizes.currency)
    part = THIS_TABLES_PART.in_(language) if linked else ""
    money = status_texts.MONEY.in_(language)
    return [*lines, *label_text(money, "  ".join([*([part] if part else []), *amounts]))]


def _read_amount(status: Status, account: Account, language: Language) -> str:
    """An account's balance, as the table's display writes amounts."""
    return _write_amount(status.accounts[account.value], language)


def _write_amount(amount: str, language: Language) -> str:
    return format_amount(parse_signed_cents(amount), language)


def _describe_health(status: Status, language: Language) -> list[str]:
    up = format_duration(status.up_s * 1000)
    opening = status.boot
    words = status_texts.UP_LEDGER_OPENING.fill(up, opening)
    parts = [words.in_(language)]
    if status.waiting_acts:
        waiting = status_texts.ACTS_WAITING.in_(language)
        parts.append(f"{waiting} {status.waiting_acts}")
    for key, words, unit in HEALTH:
        if key in status.health:
            parts.append(f"{words.in_(language)} {status.health[key]:.0f}{unit}")
    lines = label_text(status_texts.SERVICE.in_(language), ", ".join(parts))
    if status.person:
        duties = name_duties(status.duties, language)
        left = status_texts.FOR.in_(language)
        minutes = -(-status.person_left_s // 60)
        text = f"{status.person} ({duties}), {left} {minutes} min"
        lines += label_text(status_texts.ENTERED.in_(language), text)
    return lines


def _describe_code(code: str, language: Language) -> str:
    """Return a code's meaning; `-` if only a later version knows the code."""
    entry = catalogue().find(code)
    return unquote(entry.in_(language).means) if entry is not None else "-"


CATALOGUE_KINDS = {
    CodeKind.FAULT: status_texts.PRESENT_FAULT,
    CodeKind.REFUSAL: status_texts.REFUSAL,
    CodeKind.FINDING: status_texts.PRESENT_FINDING,
}


async def _faults(session: TechnicianSession, words: Sequence[str]) -> None:
    if words:
        entry = catalogue().find(" ".join(words))
        if entry is None:
            raise Refused(_describe_unknown(session, " ".join(words)))
        await session.talk.say(*render_entry(entry, session.language))
        return
    status = await ask_status(session)
    await session.talk.say(*render_present(status, session.language))


def render_present(status: Status, language: Language) -> list[str]:
    """Render every present fault and finding with what to check."""
    lines: list[str] = []
    for present in status.faults:
        since = clock_of(present.since)
        when = status_texts.SINCE_TIME.in_(language).format(since) if since else ""
        lines += [
            *render_entry(catalogue().fault(present.fault), language, when, present.detail),
            "",
        ]
    for finding in status.findings:
        entry = catalogue().find(finding.code)
        where = f"{finding.where} ({finding.detail})" if finding.detail else finding.where
        if entry is None:  # a service of a later version
            lines += [f"{finding.code}  {where}", ""]
        else:
            lines += [*render_entry(entry, language, where), ""]
    if not lines:
        return [status_texts.NO_FAULTS_NO_FINDINGS.in_(language)]
    return lines[:-1]


def render_entry(entry: CatalogueEntry, language: Language, *present: str) -> list[str]:
    """Render an entry of the catalogue; `present`: since when, where, a detail."""
    text = entry.in_(language)
    title = f"{entry.code}  {CATALOGUE_KINDS[entry.kind].in_(language)}"
    about = "  ".join([title, *(what for what in present if what)])
    lines = [*paragraph(about), *paragraph(unquote(text.means), first="  ")]
    if text.short:
        lines += paragraph(text.short, first="  display: ")
    if text.check:
        lines.append(status_texts.CHECK.in_(language))
        lines += number_steps(unquote(step) for step in text.check)
    for words, content in (
        (status_texts.RAISED, text.raised),
        (status_texts.MEANWHILE, text.meanwhile),
        (status_texts.DO, text.do),
        (status_texts.CLEARS, text.clears),
    ):
        lines += label_text(words.in_(language), unquote(content)) if content else []
    return lines


def _describe_unknown(session: TechnicianSession, code: str) -> str:
    known = [entry.code for entry in catalogue()]
    near = get_close_matches(code.upper(), known, n=3, cutoff=0.4)
    unknown = session.words(status_texts.NO_CODE.fill(quote(code)))
    return f"{unknown}: {' '.join(near)}?" if near else unknown


def _complete_code(words: Sequence[str], status: Status | None) -> Sequence[str]:
    """Complete the codes present; all codes if there are none."""
    if words:
        return ()
    present = [fault.fault.value for fault in status.faults] if status is not None else []
    present += [finding.code for finding in status.findings] if status is not None else []
    return sorted(set(present)) or [entry.code for entry in catalogue()]


COMMANDS = (
    Command(
        names=("status", "stato"),
        texts=command_texts.STATUS,
        example="status",
        run=_status,
    ),
    Command(
        names=("faults", "guasti"),
        texts=command_texts.FAULTS,
        example="faults RAIL_LOST",
        run=_faults,
        complete=_complete_code,
    ),
)
