"""`status`: the first look at a table; where its service does not answer, why not."""

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
from devices.device import Device

MOST_NOTICED = 5
"""So many findings are told; `faults` tells all of them."""

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
    await session.talk.say(*first_screen(status, session.language))


def first_screen(status: Status, language: Language) -> list[str]:
    """The table at this instant: what is wrong first."""
    title = Words("tavolo", "table").in_(language)
    rail = f", {status.rail}" if status.rail else ""
    simulated = "SIMULATION  " if status.simulated else ""
    return [
        *label_text(title, f"{simulated}{status.table}  {status.game}{rail}"),
        *_describe_phase(status, language),
        *_describe_faults(status, language),
        *_describe_findings(status.findings, language),
        *_describe_links(status, language),
        *_describe_round(status, language),
        *_describe_display(status, language),
        *_describe_health(status, language),
    ]


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
    for told in status.faults:
        since = Words(" (dalle {0})", " (since {0})").in_(language).format(clock_of(told.since))
        detail = f" {told.detail}" if told.detail else ""
        text = f"{told.fault.value}{detail}{since if told.since else ''}"
        lines += label_text(title, f"{text}: {_meaning(told.fault.value, language)}")
    see = Words("cosa controllare: faults", "what to check: faults").in_(language)
    return [*lines, *label_text("", see)]


def _describe_findings(findings: Sequence[Finding], language: Language) -> list[str]:
    title = Words("ANOMALIA", "NOTICED").in_(language)
    lines: list[str] = []
    for told in findings[:MOST_NOTICED]:
        detail = f" ({told.detail})" if told.detail else ""
        means = _meaning(told.code, language)
        lines.append(cut(f"{title:9} {told.code} {told.where}{detail}: {means}"))
    more = len(findings) - MOST_NOTICED
    if more > 0:
        words = Words(f"e altri {more}: faults", f"and {more} more: faults")
        lines += label_text("", words.in_(language))
    return lines


def _describe_links(status: Status, language: Language) -> list[str]:
    there = [name for name, up in status.links.items() if up]
    lost = [name for name, up in status.links.items() if not up]
    parts = []
    if lost:
        parts.append(Words("MANCA: ", "DOWN ").in_(language) + _name_devices(lost, language))
    if there:
        parts.append(Words("collegati: ", "up ").in_(language) + _name_devices(there, language))
    return label_text(Words("linee", "links").in_(language), "; ".join(parts) or "-")


def _name_devices(links: Sequence[str], language: Language) -> str:
    if language is Language.EN:
        return " ".join(links)
    return ", ".join(DEVICES[name].it if name in DEVICES else name for name in links)


def _describe_round(status: Status, language: Language) -> list[str]:
    title = Words("mano", "round").in_(language)
    told = [f"{status.round}"]
    for kind, words in SEATS_AS.items():
        seats = [seat for seat, what in status.seats.items() if what == kind]
        if seats:
            told.append(f"{words.in_(language)} {' '.join(seats)}")
    lines = label_text(title, "; ".join(told))
    if status.award:
        lines += label_text(Words("vincita", "award").in_(language), status.award)
    elif status.choice:
        lines += label_text(Words("scelta", "chosen").in_(language), status.choice)
    return lines


def _describe_display(status: Status, language: Language) -> list[str]:
    first, second = status.display
    shown = f"[{first:20}] [{second:20}]"
    if not status.links.get(Device.DISPLAY.value, True):
        lost = Words("(scollegato) atteso ", "(lost) would show ")
        shown = lost.in_(language) + shown
    lines = label_text("display", shown)
    moneys = [f"{name} {status.accounts[name]}" for name in MONEYS if name in status.accounts]
    return [*lines, *(label_text(Words("conti", "money").in_(language), "  ".join(moneys)))]


MONEYS = ("jackpot", "reserve", "pending", "paid")


def _describe_health(status: Status, language: Language) -> list[str]:
    up = format_duration(status.up_s * 1000)
    opening = status.boot
    words = Words(f"da {up}, apertura {opening} del registro", f"up {up}, ledger opening {opening}")
    told = [words.in_(language)]
    if status.waiting_acts:
        waiting = Words("atti in attesa", "acts waiting").in_(language)
        told.append(f"{waiting} {status.waiting_acts}")
    for key, words, unit in HEALTH:
        if key in status.health:
            told.append(f"{words.in_(language)} {status.health[key]:.0f}{unit}")
    lines = label_text(Words("servizio", "service").in_(language), ", ".join(told))
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
"""What of the service's figures (docs/health.md) says in a line how it is."""


def _meaning(code: str, language: Language) -> str:
    """A code in a line; `-` for one that a later version of the service knows."""
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
            "(contacts, sensors, lines), the devices' links, the round, the display,\n"
            "the service's health. If the service does not answer, it says what the\n"
            "files and the journal show about the cause, and what to do.",
        ),
        example="status",
        run=_status,
    ),
)
