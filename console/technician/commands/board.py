"""`board`: the boards that have answered; the technician enrols them."""

from collections.abc import Sequence

from console.line.requests import BoardView, Done, EnrolBoard, NoCode, NotDone, Standing, Status
from console.office.dialogue import result_lines
from console.technician.command import Command, TechnicianSession
from console.technician.table_requests import ask_status, ask_with_login, confirm
from console.texts.language import Language
from console.texts.layout import paragraph
from console.texts.office_texts import NOTHING
from console.texts.record_vocabulary import DEVICES
from console.texts.technician import command_texts, device_texts
from jackpot.failures import Refused

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
    await _enrol(session, _find(session, status.boards, named[0].lower()))


def _find(session: TechnicianSession, boards: Sequence[BoardView], name: str) -> BoardView:
    """The boards of a device, by its name in either language. Raises NotDone."""
    for view in boards:
        if name in (view.device.value, DEVICES[view.device.value].it):
            return view
    there = " ".join(_name(view, session.language) for view in boards)
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
    lines = paragraph(f"{_name(view, language)}: {standing}")
    for board in view.boards:
        serial = board.serial or device_texts.NO_SERIAL_NUMBER.in_(language)
        listed = ", rail.serials" if board.configured else ""
        if board.unproven is True:
            listed = device_texts.NO_PROOF_KEY.in_(language)
        firmware = f", firmware {board.firmware}" if board.firmware else ""
        lines += paragraph(f"{board.kind}: {serial}{firmware}{listed}", first="  ", after="      ")
    return lines


def _name(view: BoardView, language: Language) -> str:
    return DEVICES[view.device.value].in_(language)


def _complete(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if not words:
        return ENROL
    if len(words) == 1 and words[0].lower() in ENROL and status is not None:
        return [view.device.value for view in status.boards]
    return ()


COMMANDS = (
    Command(
        names=("board", "scheda"),
        texts=command_texts.BOARD,
        example="board enrol rail",
        run=_board,
        complete=_complete,
    ),
)
