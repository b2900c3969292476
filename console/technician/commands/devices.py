"""`rail`, `shuffler`, `shoe`, `panel`, `centre`, `lines`: the devices; `board`: their boards.

`board` shows what has answered for each device; the technician enrols it.
"""

from collections.abc import Iterable, Mapping, Sequence

from console.line.requests import (
    AskDevices,
    BoardView,
    Devices,
    Done,
    EnrolBoard,
    NoCode,
    NotDone,
    Standing,
    Status,
)
from console.office.dialogue import result_lines
from console.technician.command import (
    Command,
    Run,
    TechnicianSession,
    check_no_arguments,
    parse_number,
)
from console.technician.table_requests import ask_status, ask_table, ask_with_login, confirm
from console.texts.language import Language, Words
from console.texts.layout import columns, paragraph, share
from console.texts.office_texts import NOTHING
from console.texts.record_vocabulary import DEVICES
from console.texts.technician import command_texts, device_texts
from console.texts.technician.command_texts import CommandTexts
from console.texts.technician.device_texts import DOWN, TITLES, UP
from devices.device import Device
from devices.figures import DeviceFigures, FrameSeen, LineCounts
from jackpot.failures import Refused

_ITALIAN = {
    "asked": "chiesto",
    "awaited": "tavoli attesi",
    "award": "vincita",
    "calls waiting": "chiamate in attesa",
    "each": "a testa",
    "host": "server",
    "last answered": "ultima risposta",
    "role": "ruolo",
    "session": "sessione",
    "timeline": "timeline",
    "version": "versione",
    "boot": "avvio",
    "card waiting": "carta in attesa",
    "counters ran backwards": "contatori all'indietro",
    "dead lamps": "lampade guaste",
    "drops": "cadute",
    "collisions": "collisioni",
    "firmware": "firmware",
    "frames not taken": "trame non accettate dalla porta",
    "garbled answers": "risposte guaste",
    "kind": "tipo",
    "line 1": "riga 1",
    "line 2": "riga 2",
    "none": "nessuno",
    "occupied": "occupati",
    "open gates": "sportelli aperti",
    "protocol": "protocollo",
    "seats": "posti",
    "serial": "matricola",
    "stray bytes": "byte estranei",
    "times reopened": "riaperture",
    "tray": "vaschetta",
}

INDENT = " " * 12
BYTES_A_LINE = 16

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


def render_device(device: DeviceFigures, language: Language) -> list[str]:
    """Render one line of a device: whether it is connected, its state, counts and identity."""
    up = (UP if device.up else DOWN).in_(language)
    why = f" ({device.why_down})" if device.why_down and not device.up else ""
    lines = paragraph(f"{device.line}: {up}{why}", after="  ")
    lines += _render_facts(device_texts.STATE, device.state, language)
    if device.counts.received or device.counts.sent:
        counts = _render_counts(device.counts, language)
        lines += _render_fact(device_texts.FRAMES, counts, language)
    lines += _render_fact(device_texts.LINE, _render_connections(device.counts, language), language)
    lines += _render_facts(device_texts.IDENTITY, device.identity, language)
    return lines + _render_fact(device_texts.DRIVER, device.driver, language)


def _render_facts(title: Words, facts: Mapping[str, str], language: Language) -> list[str]:
    text = ", ".join(
        f"{_translate(key, language)} {_translate(value, language)}" for key, value in facts.items()
    )
    return _render_fact(title, text, language)


def _render_fact(title: Words, text: str, language: Language) -> list[str]:
    if not text:
        return []
    return paragraph(text, first=f"  {title.in_(language):10}", after=INDENT)


def _translate(word: str, language: Language) -> str:
    return _ITALIAN.get(word, word) if language is Language.IT else word


def _render_counts(counts: LineCounts, language: Language) -> str:
    words = device_texts.BAD_OUT_SENT_AGAIN
    bad = share(counts.bad, counts.received)
    text = words.in_(language).format(counts.received, counts.bad, bad, counts.sent, counts.retries)
    if not counts.unproven:
        return text
    unproven = device_texts.NOT_PROVED.in_(language)
    return text + unproven.format(counts.unproven)


def _render_connections(counts: LineCounts, language: Language) -> str:
    words = device_texts.CONNECTIONS_BOOTS
    text = words.in_(language).format(counts.connections, counts.boots)
    if counts.round_trip_ms is None:
        return text
    trip = device_texts.ROUND_TRIP_MS_MEAN
    last, mean = _render_ms(counts.round_trip_ms), _render_ms(counts.round_trip_mean_ms)
    return f"{text}, {trip.in_(language).format(last, mean)}"


def _render_ms(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def render_frames(frames: Sequence[FrameSeen], language: Language) -> list[str]:
    """Render the frames, newest last: how long ago, direction, bytes in hex, meaning."""
    if not frames:
        return [device_texts.NO_FRAMES.in_(language)]
    lines: list[str] = []
    for frame in frames:
        way = ">" if frame.sent else "<"
        head = f"{-frame.ago_ms / 1000:10.3f} s {way} "
        margin = " " * len(head)
        hex_lines = _hex_lines(frame.raw)
        lines += [f"{margin if at else head}{line}" for at, line in enumerate(hex_lines)]
        if frame.says:
            lines += paragraph(frame.says, first=margin, after=f"{margin}  ")
    return lines


def _hex_lines(raw: bytes) -> list[str]:
    """Render sixteen bytes per line, in two groups of eight."""
    rows = [raw[at : at + BYTES_A_LINE] for at in range(0, len(raw), BYTES_A_LINE)] or [b""]
    half = BYTES_A_LINE // 2
    return [f"{row[:half].hex(' ')}  {row[half:].hex(' ')}".rstrip() for row in rows]


def render_lines(devices: Iterable[DeviceFigures], language: Language) -> list[str]:
    """Render every line's counts in a table; disconnected lines come first."""
    rows = [TITLES.in_(language).split()]
    for device in sorted(devices, key=lambda device: device.up):
        counts = device.counts
        rows.append(
            [
                device.line,
                (device_texts.IS_UP if device.up else device_texts.NO).in_(language),
                str(counts.received),
                str(counts.sent),
                str(counts.bad),
                share(counts.bad, counts.received),
                str(counts.retries),
                str(counts.connections),
                str(counts.boots),
                _render_ms(counts.round_trip_ms),
                _render_ms(counts.round_trip_mean_ms),
            ]
        )
    return columns(rows, right=range(2, len(rows[0])))


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
            raise NotDone(NoCode.CANNOT, _describe_missing(session, device, " ".join(there)))
        for one in own:
            lines = render_device(one, session.language)
            if frames:
                lines += render_frames(one.frames, session.language)
            await session.talk.say(*lines)

    return run


def _parse_frames(session: TechnicianSession, words: Sequence[str]) -> int:
    """Return the number of frames wanted. Raises Refused."""
    if not words:
        return 0
    if words[0].lower() not in FRAMES:
        raise Refused(session.words(device_texts.YOU_MAY_ASK_FRAMES))
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


ENROL = ("enrol", "registra")

STANDINGS = {
    Standing.ENROLLED: device_texts.ENROLLED,
    Standing.ASKED: device_texts.BELIEVED_BE_ENROLLED,
    Standing.CHANGED: device_texts.NOT_ENROLLED_NOT_BELIEVED,
}


async def _board(session: TechnicianSession, words: Sequence[str]) -> None:
    status = await ask_status(session)
    if not words:
        await session.talk.say(*render_boards(status.boards, session.language))
        return
    enrol, *named = words
    if enrol.lower() not in ENROL or len(named) != 1:
        raise Refused(session.words(device_texts.BOARD_ENROL_DEVICE))
    await _enrol(session, _find_boards(session, status.boards, named[0].lower()))


def _find_boards(session: TechnicianSession, boards: Sequence[BoardView], name: str) -> BoardView:
    """The boards of a device, by its name in either language. Raises NotDone."""
    for view in boards:
        if name in (view.device.value, DEVICES[view.device.value].it):
            return view
    there = " ".join(_name_boards_of(view, session.language) for view in boards)
    why = session.words(device_texts.NOT_ANSWERED_THERE.fill(there))
    raise NotDone(NoCode.CANNOT, f"{name} {why}")


async def _enrol(session: TechnicianSession, view: BoardView) -> None:
    await session.talk.say(*_render_view(view, session.language))
    question = session.words(device_texts.DO_THEY_BELONG_HERE)
    if not await confirm(session, question):
        await session.talk.say(NOTHING.in_(session.language))
        return
    done = await ask_with_login(session, EnrolBoard(view.device, view.boards), Done)
    await session.talk.say(*result_lines(done, session.language))


def render_boards(boards: Sequence[BoardView], language: Language) -> list[str]:
    """Render every device's boards: kind, serial number, firmware, whether they are enrolled."""
    if not boards:
        return [device_texts.NO_BOARD_ANSWERED.in_(language)]
    return [line for view in boards for line in _render_view(view, language)]


def _render_view(view: BoardView, language: Language) -> list[str]:
    standing = STANDINGS[view.standing].in_(language)
    if view.enrolled:
        standing += device_texts.ENROLLED_AS.in_(language).format(view.enrolled)
    lines = paragraph(f"{_name_boards_of(view, language)}: {standing}")
    for board in view.boards:
        serial = board.serial or device_texts.NO_SERIAL_NUMBER.in_(language)
        listed = ", rail.serials" if board.configured else ""
        if board.unproven is True:
            listed = device_texts.NO_PROOF_KEY.in_(language)
        firmware = f", firmware {board.firmware}" if board.firmware else ""
        lines += paragraph(f"{board.kind}: {serial}{firmware}{listed}", first="  ", after="      ")
    return lines


def _name_boards_of(view: BoardView, language: Language) -> str:
    return DEVICES[view.device.value].in_(language)


def _complete_board(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if not words:
        return ENROL
    if len(words) == 1 and words[0].lower() in ENROL and status is not None:
        return [view.device.value for view in status.boards]
    return ()


BOARD_COMMANDS = (
    Command(
        names=("board", "scheda"),
        texts=command_texts.BOARD,
        example="board enrol rail",
        run=_board,
        complete=_complete_board,
    ),
)
