"""`rail`, `shuffler`, `shoe`, `panel`, `centre`: one device; `lines`: every line at once."""

from collections.abc import Sequence

from console.line.requests import AskDevices, Devices, No, NoCode, Status
from console.technician.arguments import check_no_arguments, parse_number
from console.technician.cabinet.device_pictures import render_device, render_frames, render_lines
from console.technician.command import Command, Misused, Run, TechnicianSession
from console.technician.table_requests import RequestRefused, ask_table
from console.texts.language import Language
from console.texts.technician import command_texts, device_texts
from console.texts.technician.command_texts import CommandTexts
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
        raise Misused(session.words(device_texts.YOU_MAY_ASK_FRAMES))
    wanted = parse_number(session, words[1:], 1, MOST_FRAMES)
    return USUAL_FRAMES if wanted is None else wanted


def _describe_missing(session: TechnicianSession, device: Device, there: str) -> str:
    name = _name_device(device, session.language)
    return session.words(device_texts.NO_SUCH_DEVICE.fill(name, there))


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


def _make_command(device: Device, texts: CommandTexts) -> Command:
    return Command(
        names=(device.value, ITALIAN[device]),
        texts=texts,
        example=device.value,
        run=_show_device(device),
        complete=_complete,
    )


COMMANDS = (
    _make_command(
        Device.RAIL,
        command_texts.RAIL,
    ),
    _make_command(
        Device.SHUFFLER,
        command_texts.SHUFFLER,
    ),
    _make_command(
        Device.SHOE,
        command_texts.SHOE,
    ),
    _make_command(
        Device.PANEL,
        command_texts.PANEL,
    ),
    Command(
        names=("centre", "centrale"),
        texts=command_texts.CENTRE,
        example="centre",
        run=_show_centre,
    ),
    Command(
        names=("lines", "linee"),
        texts=command_texts.LINES,
        example="lines",
        run=_lines,
    ),
)
