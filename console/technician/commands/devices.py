"""`rail`, `shuffler`, `shoe`, `panel`, `centre`: one device; `lines`: every line at once."""

from collections.abc import Sequence

from console.line.requests import AskDevices, Devices, No, NoCode, Status
from console.technician.arguments import check_no_arguments, parse_number
from console.technician.cabinet.device_pictures import render_device, render_frames, render_lines
from console.technician.command import Command, Misused, Run, TechnicianSession
from console.technician.table_requests import RequestRefused, ask_table
from console.texts.language import Language, Words
from devices.device import Device

FRAMES = ("frames", "trame")
USUAL_FRAMES = 10
MOST_FRAMES = 32

ITALIAN = {
    Device.PANEL: "consolle",
    Device.RAIL: "gettoniera",
    Device.DISPLAY: "display",
    Device.SHUFFLER: "mescolatore",
    Device.SHOE: "sabot",
    Device.LINK: "collegamento",
    Device.CLOCK: "orologio",
}


def _name_device(device: Device, language: Language) -> str:
    return ITALIAN[device] if language is Language.IT else device.value


def _show_device(device: Device) -> Run:
    async def run(session: TechnicianSession, words: Sequence[str]) -> None:
        frames = _parse_frames(session, words)
        answer = await ask_table(session, AskDevices(frames), Devices)
        own = [one for one in answer.devices if one.device is device]
        if not own:
            there = dict.fromkeys(
                _name_device(one.device, session.language) for one in answer.devices
            )
            raise RequestRefused(
                No(NoCode.CANNOT, _describe_missing(session, device, " ".join(there)))
            )
        for one in own:
            lines = render_device(one, session.language)
            if frames:
                lines += render_frames(one.frames, session.language)
            await session.talk.say(*lines)

    return run


def _parse_frames(session: TechnicianSession, words: Sequence[str]) -> int:
    """Return the number of frames wanted. Raises Misused."""
    if not words:
        return 0
    if words[0].lower() not in FRAMES:
        raise Misused(session.words("si puo' chiedere: trame [N]", "you may ask for: frames [N]"))
    wanted = parse_number(session, words[1:], 1, MOST_FRAMES)
    return USUAL_FRAMES if wanted is None else wanted


def _describe_missing(session: TechnicianSession, device: Device, there: str) -> str:
    name = _name_device(device, session.language)
    return session.words(f"questo tavolo non ha {name}; ha: {there}", f"no {name}; it has: {there}")


async def _show_centre(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    await _show_device(Device.LINK)(session, words)


async def _lines(session: TechnicianSession, words: Sequence[str]) -> None:
    check_no_arguments(session, words)
    answer = await ask_table(session, AskDevices(), Devices)
    with_line = [one for one in answer.devices if one.device is not Device.PANEL]
    await session.talk.say(*render_lines(with_line, session.language))
    for one in with_line:
        if one.why_down and not one.up:
            await session.talk.say(f"! {one.line}: {one.why_down}")


def _complete(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return () if words else FRAMES


_FRAMES_HELP = Words(
    "Con trame [N] anche le ultime N (10, al massimo 32) di ogni linea, in\n"
    "esadecimale e in chiaro, la piu' recente per ultima: > verso il dispositivo,\n"
    "< da esso. Per esempio: trame 5.",
    "With frames [N] also the last N (10, at most 32) of each of its lines, in\n"
    "hex and in words, the newest last: > to the device, < from it.\n"
    "For instance: frames 5.",
)


def _make_command(device: Device, summary: Words, about: Words) -> Command:
    return Command(
        names=(device.value, ITALIAN[device]),
        arguments=Words("[trame [N]]", "[frames [N]]"),
        summary=summary,
        help=Words(f"{about.it}\n{_FRAMES_HELP.it}", f"{about.en}\n{_FRAMES_HELP.en}"),
        example=device.value,
        run=_show_device(device),
        complete=_complete,
    )


COMMANDS = (
    _make_command(
        Device.RAIL,
        Words("la gettoniera", "the coin rail"),
        Words(
            "La gettoniera: se e' collegata, che cosa vedono i sensori, lampade\n"
            "guaste, contatori, errori, matricola e firmware, linea per linea.",
            "The coin rail: whether it is connected, what its sensors see, dead\n"
            "lamps, counters, errors, serial number and firmware, line by line.",
        ),
    ),
    _make_command(
        Device.SHUFFLER,
        Words("il mescolatore", "the shuffler"),
        Words(
            "Il mescolatore: se e' collegato, mazzi, carte contate, errori, firmware.",
            "The shuffler: whether it is connected, its decks, cards counted, errors,\nfirmware.",
        ),
    ),
    _make_command(
        Device.SHOE,
        Words("il sabot", "the shoe"),
        Words(
            "Il sabot: se e' collegato, carte uscite, errori, firmware.",
            "The shoe: whether it is connected, cards drawn, errors, firmware.",
        ),
    ),
    _make_command(
        Device.PANEL,
        Words("la consolle", "the dealer panel"),
        Words(
            "La consolle: se e' collegata e in che stato e'. Gli ingressi: osserva.",
            "The dealer panel: whether it is plugged in, and its state. Inputs: watch.",
        ),
    ),
    Command(
        names=("centre", "centrale"),
        arguments=Words("", ""),
        summary=Words("la centrale del jackpot collegato", "the centre of a linked jackpot"),
        help=Words(
            "La centrale, a un tavolo collegato: se risponde (se no, perche'), chiamate\n"
            "in attesa, ultima risposta, jackpot e vincita come li ha dati la centrale,\n"
            "quanti altri tavoli si attendono, server, sessione, timeline.",
            "The centre, at a linked table: whether it answers (if not, why), calls\n"
            "that wait, the last answered, jackpot and award as the centre gave them,\n"
            "how many other tables are awaited, server, session, timeline.",
        ),
        example="centre",
        run=_show_centre,
    ),
    Command(
        names=("lines", "linee"),
        arguments=Words("", ""),
        summary=Words("tutte le linee seriali", "every serial line"),
        help=Words(
            "Ogni linea seriale: se e' attiva, trame ricevute e inviate, errate (e per\n"
            "cento), ripetute, quante volte e' stata trovata (1 e' normale), riavvii\n"
            "della scheda, andata e ritorno in ms, l'ultima e la media.",
            "Each serial line: whether it is up, frames in and out, bad ones (and\n"
            "per cent), sent again, how often it was found (1 is normal), boots of\n"
            "its board, round trip in ms, the last one and the mean.",
        ),
        example="lines",
        run=_lines,
    ),
)
