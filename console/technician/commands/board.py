"""`board`: the boards that have answered; the technician enrols them."""

from collections.abc import Sequence

from console.line.board_views import BoardView, Standing
from console.line.requests import Done, EnrolBoard, No, NoCode, Status
from console.office.act_results import result_lines
from console.office.dialogue import NOTHING
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.login import ask_with_login
from console.technician.table_requests import RequestRefused, ask_status, confirm
from console.texts.language import Language, Words
from console.texts.layout.paragraphs import paragraph
from console.texts.record_vocabulary import DEVICES

ENROL = ("enrol", "registra")

STANDINGS = {
    Standing.ENROLLED: Words("registrata", "enrolled"),
    Standing.ASKED: Words("creduta, DA REGISTRARE", "believed, TO BE ENROLLED"),
    Standing.CHANGED: Words("NON REGISTRATA, non creduta", "NOT ENROLLED, not believed"),
}


async def _board(session: TechnicianSession, words: Sequence[str]) -> None:
    status = await ask_status(session)
    if not words:
        await session.talk.say(*render_boards(status.boards, session.language))
        return
    enrol, *named = words
    if enrol.lower() not in ENROL or len(named) != 1:
        raise Misused(session.words("board registra DISPOSITIVO", "board enrol DEVICE"))
    await _enrol(session, _find(session, status.boards, named[0].lower()))


def _find(session: TechnicianSession, boards: Sequence[BoardView], name: str) -> BoardView:
    """The boards of a device, by its name in either language. Raises RequestRefused."""
    for view in boards:
        if name in (view.device.value, DEVICES[view.device.value].it):
            return view
    there = " ".join(_name(view, session.language) for view in boards)
    why = session.words(f"non ha risposto; c'e': {there}", f"has not answered; there is: {there}")
    raise RequestRefused(No(NoCode.CANNOT, f"{name} {why}"))


async def _enrol(session: TechnicianSession, view: BoardView) -> None:
    await session.talk.say(*_render_view(view, session.language))
    question = session.words("Sono della casa? Registrare?", "Do they belong here? Enrol them?")
    if not await confirm(session, question):
        await session.talk.say(NOTHING.in_(session.language))
        return
    done = await ask_with_login(session, EnrolBoard(view.device, view.boards), Done)
    await session.talk.say(*result_lines(done, session.language))


def render_boards(boards: Sequence[BoardView], language: Language) -> list[str]:
    """Render every device's boards: kind, serial number, firmware, whether they are enrolled."""
    if not boards:
        return [Words("Nessuna scheda ha risposto.", "No board has answered.").in_(language)]
    return [line for view in boards for line in _render_view(view, language)]


def _render_view(view: BoardView, language: Language) -> list[str]:
    standing = STANDINGS[view.standing].in_(language)
    if view.enrolled:
        standing += Words(f" (registrate: {view.enrolled})", f" (enrolled: {view.enrolled})").in_(
            language
        )
    lines = paragraph(f"{_name(view, language)}: {standing}")
    for board in view.boards:
        serial = board.serial or Words("senza matricola", "no serial number").in_(language)
        listed = ", rail.serials" if board.configured else ""
        if board.unproven is True:
            listed = Words(", SENZA PROVA DELLA CHIAVE", ", NO PROOF OF A KEY").in_(language)
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
        arguments=Words("[registra DISPOSITIVO]", "[enrol DEVICE]"),
        summary=Words("le schede, e registrarle", "the boards, and enrolling them"),
        help=Words(
            "Le schede che hanno risposto: tipo, matricola, firmware, e se sono\n"
            "registrate. Con registra e un dispositivo (gettoniera, mescolatore,\n"
            "sabot), con la chiave in S: da ora quella scheda e' creduta, e\n"
            "BOARD_CHANGED rientra. Resta nel registro, con il nome. Riceve una chiave,\n"
            "se non e' chiesto protocol = 1: fallo con la linea in vista.",
            "The boards that have answered: kind, serial number, firmware, and whether\n"
            "they are enrolled. With enrol and a device (rail, shuffler, shoe), the key\n"
            "at S: from now on that board is believed, and BOARD_CHANGED clears.\n"
            "Your name goes on record. Unless protocol = 1 is asked for it gets a key: do\n"
            "it with the line in view.",
        ),
        example="board enrol rail",
        run=_board,
        complete=_complete,
    ),
)
