"""`status`: an overview of the table; if its service does not answer, why not."""

from collections.abc import Mapping, Sequence

from console.line.client import Unreachable
from console.line.requests import Status
from console.technician.arguments import check_no_arguments
from console.technician.command import Command, TechnicianSession
from console.technician.login import name_duties
from console.technician.table_requests import ask_status
from console.technician.without_service import diagnose
from console.texts.catalogue.entries import catalogue
from console.texts.catalogue.findings import Finding
from console.texts.language import Language, Words
from console.texts.layout.columns import format_duration
from console.texts.layout.paragraphs import cut, label_text, unquote
from console.texts.record_texts import clock_of
from console.texts.record_vocabulary import DEVICES
from console.texts.table_texts import KEY_STORES, THIS_TABLES_PART
from devices.device import Device

MOST_FINDINGS = 5
"""Most findings shown; `faults` shows all."""

SEATS_AS: Mapping[str, Words] = {
    "accepted": Words("accettati", "accepted"),
    "stuck": Words("INCASTRATI", "STUCK"),
    "changed": Words("carta cambiata", "changed card"),
    "void": Words("nulli", "void"),
    "token": Words("gettone", "token"),
    "covered": Words("coperti", "covered"),
}


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
    title = Words("tavolo", "table").in_(language)
    rail = f", {status.rail}" if status.rail else ""
    simulated = "SIMULATION  " if status.simulated else ""
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
    title = Words("firma", "signed").in_(language)
    text = KEY_STORES[status.key_store].in_(language)
    return [] if status.simulated or status.key_store == "tpm" else label_text(title, text)


def _describe_phase(status: Status, language: Language) -> list[str]:
    key = Words("chiave", "key").in_(language)
    under = ""
    if status.underneath != status.phase:
        under = Words(" (poi: {0})", " (then: {0})").in_(language).format(status.underneath)
    driven = ""
    if status.driven:
        driven = Words("  USCITE COMANDATE A MANO", "  OUTPUTS DRIVEN BY HAND").in_(language)
    where = status.key or Words("illeggibile", "cannot be read").in_(language)
    text = f"{status.phase}{under}  {key} {where}{driven}"
    return label_text(Words("fase", "phase").in_(language), text)


def _describe_faults(status: Status, language: Language) -> list[str]:
    title = Words("GUASTO", "FAULT").in_(language)
    if not status.faults:
        return label_text(
            Words("guasti", "faults").in_(language), Words("nessuno", "none").in_(language)
        )
    lines: list[str] = []
    for present in status.faults:
        code, since = present.fault.value, clock_of(present.since)
        when = Words(f" (dalle {since})", f" (since {since})").in_(language)
        detail = f" {present.detail}" if present.detail else ""
        text = f"{code}{detail}{when if present.since else ''}"
        lines += label_text(title, f"{text}: {_describe_code(code, language)}")
    see = Words("cosa controllare: faults", "what to check: faults").in_(language)
    return [*lines, *label_text("", see)]


def _describe_findings(findings: Sequence[Finding], language: Language) -> list[str]:
    title = Words("ANOMALIA", "NOTICED").in_(language)
    lines: list[str] = []
    for finding in findings[:MOST_FINDINGS]:
        detail = f" ({finding.detail})" if finding.detail else ""
        meaning = _describe_code(finding.code, language)
        lines.append(cut(f"{title:9} {finding.code} {finding.where}{detail}: {meaning}"))
    more = len(findings) - MOST_FINDINGS
    if more > 0:
        words = Words(f"e altri {more}: faults", f"and {more} more: faults")
        lines += label_text("", words.in_(language))
    return lines


def _describe_devices(status: Status, language: Language) -> list[str]:
    there = [name for name, up in status.devices_up.items() if up]
    lost = [name for name, up in status.devices_up.items() if not up]
    parts = []
    if lost:
        parts.append(Words("MANCA: ", "DOWN ").in_(language) + _name_devices(lost, language))
    if there:
        parts.append(Words("collegati: ", "up ").in_(language) + _name_devices(there, language))
    return label_text(Words("linee", "lines").in_(language), "; ".join(parts) or "-")


def _name_devices(names: Sequence[str], language: Language) -> str:
    if language is Language.EN:
        return " ".join(names)
    return ", ".join(DEVICES[name].it if name in DEVICES else name for name in names)


def _describe_round(status: Status, language: Language) -> list[str]:
    title = Words("mano", "round").in_(language)
    parts = [f"{status.round}"]
    for kind, words in SEATS_AS.items():
        seats = [seat for seat, what in status.seats.items() if what == kind]
        if seats:
            parts.append(f"{words.in_(language)} {' '.join(seats)}")
    lines = label_text(title, "; ".join(parts))
    if status.award:
        lines += label_text(Words("vincita", "award").in_(language), status.award)
    elif status.choice:
        lines += label_text(Words("scelta", "chosen").in_(language), status.choice)
    return lines


def _describe_display(status: Status, language: Language) -> list[str]:
    first, second = status.display
    shown = f"[{first:20}] [{second:20}]"
    if not status.devices_up.get(Device.DISPLAY.value, True):
        lost = Words("(scollegato) atteso ", "(lost) would show ")
        shown = lost.in_(language) + shown
    lines = label_text("display", shown)
    amounts = [f"{name} {status.accounts[name]}" for name in ACCOUNTS if name in status.accounts]
    part = THIS_TABLES_PART.in_(language) if Device.LINK.value in status.devices_up else ""
    money = Words("conti", "money").in_(language)
    return [*lines, *label_text(money, "  ".join([*([part] if part else []), *amounts]))]


ACCOUNTS = ("jackpot", "reserve", "pending", "paid")


def _describe_health(status: Status, language: Language) -> list[str]:
    up = format_duration(status.up_s * 1000)
    opening = status.boot
    words = Words(f"da {up}, apertura {opening} del registro", f"up {up}, ledger opening {opening}")
    parts = [words.in_(language)]
    if status.waiting_acts:
        waiting = Words("atti in attesa", "acts waiting").in_(language)
        parts.append(f"{waiting} {status.waiting_acts}")
    for key, words, unit in HEALTH:
        if key in status.health:
            parts.append(f"{words.in_(language)} {status.health[key]:.0f}{unit}")
    lines = label_text(Words("servizio", "service").in_(language), ", ".join(parts))
    if status.person:
        duties = name_duties(status.duties, language)
        left = Words("per", "for").in_(language)
        minutes = -(-status.person_left_s // 60)
        text = f"{status.person} ({duties}), {left} {minutes} min"
        lines += label_text(Words("entrato", "entered").in_(language), text)
    return lines


HEALTH: tuple[tuple[str, Words, str], ...] = (
    ("loop_stall_ms", Words("stallo", "stall"), " ms"),
    ("commit_mean_ms", Words("disco", "commit"), " ms"),
    ("disk_free_mb", Words("liberi", "free"), " MB"),
    ("temperature_c", Words("temperatura", "heat"), " C"),
)
"""The service's figures (docs/reference/health.md) that are shown, with label and unit."""


def _describe_code(code: str, language: Language) -> str:
    """Return a code's meaning; `-` if only a later version knows the code."""
    entry = catalogue().find(code)
    return unquote(entry.in_(language).means) if entry is not None else "-"


COMMANDS = (
    Command(
        names=("status", "stato"),
        arguments=Words("", ""),
        summary=Words("il tavolo adesso: da qui si comincia", "the table now: begin here"),
        help=Words(
            "Il tavolo in questo istante: fase e chiave, i guasti con il loro\n"
            "significato, le anomalie (contatti, sensori, linee), le\n"
            "linee dei dispositivi, la mano, il display, la salute del servizio.\n"
            "Se il servizio non risponde, dice che cosa risulta dai file e dal\n"
            "journal, e che cosa fare.",
            "The table now: phase and key, the faults with their meaning, findings\n"
            "(contacts, sensors, lines), the devices, the round, the display,\n"
            "the service's health. If the service does not answer, it says what the\n"
            "files and the journal show about the cause, and what to do.",
        ),
        example="status",
        run=_status,
    ),
)
