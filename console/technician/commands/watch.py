"""`watch`: shows every button, contact and sensor live."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from console.line.requests import AskInputs, Inputs, Status
from console.technician.cabinet.equipment import equipment_of
from console.technician.cabinet.input_names import PANEL, RAIL, choose_inputs, input_name
from console.technician.cabinet.input_watch import InputWatch, list_inputs
from console.technician.command import Command, Misused, TechnicianSession
from console.technician.table_requests import ask_table
from console.technician.talk import Interrupted
from console.texts.language import Language, Words
from console.texts.layout.columns import wrap
from devices.roles import SEATS, KeyPosition

EVERY_S = 0.22
"""The pause between two readings. A pulse in between shows in the edges."""

ENDS = ("q", "Q")


async def _watch(session: TechnicianSession, words: Sequence[str]) -> None:
    answer = await ask_table(session, AskInputs(), Inputs)
    chosen = choose_inputs(words, answer.inputs)
    if not chosen:
        known = " ".join(input_name(one.name, session.language) for one in answer.inputs)
        raise Misused(session.words(f"ingressi: {known}", f"the inputs are: {known}"))
    await session.talk.say(
        session.words(
            "q o Ctrl-C: fine. Spazio: durate di nuovo. *: si e' mosso da adesso.",
            "q or Ctrl-C: end. Space: how long, anew. *: has moved from now on.",
        ),
        session.words(
            "nuovi: fronti da quando si osserva; rimb.: rimbalzi; imp.: ultima chiusura",
            "new: edges since watch began; chat.: bounces; pulse: how long closed last",
        ),
    )
    watch = InputWatch(chosen)
    with suppress(Interrupted):  # the usual end; then what has not moved is listed
        await _follow(session, watch)
    await session.talk.say(*_describe_unmoved(session, watch))


async def _follow(session: TechnicianSession, watch: InputWatch) -> None:
    """Show the inputs until q. Raises Interrupted, Hung, Unreachable."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while True:
        await session.talk.show(watch.render(session.language))
        key = await session.talk.key(EVERY_S)
        if key in ENDS:
            return
        if key == " ":
            watch.reset_durations()
        answer = await ask_table(session, AskInputs(), Inputs)
        watch.update(answer.inputs, round((loop.time() - began) * 1000))


def _describe_unmoved(session: TechnicianSession, watch: InputWatch) -> list[str]:
    still = watch.list_unmoved()
    if not still:
        return [session.words("si sono mossi tutti", "all have moved while watched")]
    title = session.words("fermi mentre si osservava: ", "not moved while watched: ")
    lines = wrap(list_inputs(still, session.language), first=title, after="  ")
    silent = watch.list_silent_seats()
    if silent:
        title = session.words("mai un fronte dall'avvio: ", "no edge since the start: ")
        why = session.words(
            " (posto non usato, o sensore morto: provare con un gettone)",
            " (an unused seat, or a dead sensor: try it with a token)",
        )
        lines += wrap(list_inputs(silent, session.language) + why, first=title, after="  ")
    return lines


def _complete_input(words: Sequence[str], status: Status | None) -> Sequence[str]:
    if words:
        first = words[0].lower()
        if first in ("seat", "posto"):
            return tuple(str(seat) for seat in SEATS)
        if first in ("key", "chiave"):
            return tuple(position.value for position in KeyPosition)
        return ()
    buttons: Sequence[str] = ()
    parts = ["inspector", "key", "plug"]
    groups = list(PANEL)
    if status is not None:
        table = equipment_of(status)
        buttons = table.buttons
        parts += ["seat"] if table.rail is not None else []
        parts += ["tray"] if table.has_gates else []
        groups += RAIL if table.rail is not None else ()
    return (*groups, *parts, *(input_name(part, Language.IT) for part in parts), *buttons)


COMMANDS = (
    Command(
        names=("watch", "osserva"),
        arguments=Words("[consolle|gettoniera|NOME]", "[panel|rail|NAME]"),
        summary=Words("ingressi dal vivo", "live inputs"),
        help=Words(
            "Mostra ogni pulsante, contatto e sensore: com'e' ora, da quanto, quanti\n"
            "fronti ha dato (e quanti nuovi), quanti rimbalzi, la durata dell'ultimo\n"
            "impulso in ms. Un asterisco segna quelli che si sono mossi da quando si\n"
            "osserva: premere ogni pulsante una volta, e alla fine risulta quali non si\n"
            "sono mossi.\n"
            "q o Ctrl-C: fine; lo spazio scrive di nuovo le durate.",
            "Shows every button, contact and sensor: its state and since when, its edges\n"
            "(and new ones), its bounces (chat.), the length of its last pulse in ms.\n"
            "A star marks inputs that have moved since watch began: press every button\n"
            "once, and at the end the line lists those that have not moved.\n"
            "q or Ctrl-C ends it; the space bar refreshes the durations.",
        ),
        example="watch GAME_OVER",
        run=_watch,
        complete=_complete_input,
    ),
)
