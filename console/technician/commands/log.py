"""`log`: the service's last lines; without the service, those of systemd's journal."""

from collections.abc import Sequence

from console.line.client import Unreachable
from console.line.requests import AskLog, Log
from console.service.health.log_ring import LogLine
from console.technician.command import Command, TechnicianSession, parse_number
from console.technician.long_work import run_in_thread
from console.technician.table_requests import ask_table
from console.technician.without_service import JOURNAL_WITHIN_S, read_journal
from console.texts.layout import paragraph
from console.texts.record_texts import clock_of
from console.texts.technician import command_texts, status_texts

DEFAULT, MOST = 20, 200


async def _log(session: TechnicianSession, words: Sequence[str]) -> None:
    lines = parse_number(session, words, 1, MOST) or DEFAULT
    try:
        log = await ask_table(session, AskLog(lines), Log)
    except Unreachable as error:
        await session.talk.say(
            *paragraph(session.words(status_texts.SERVICE_DOES_NOT_ANSWER) + str(error)),
            session.words(status_texts.FROM_JOURNAL),
        )
        journal = await run_in_thread(
            session, lambda _: read_journal(lines), seconds=2 * JOURNAL_WITHIN_S
        )
        await session.talk.say(*(line for text in journal for line in paragraph(text, after="  ")))
        return
    if not log.lines:
        await session.talk.say(session.words(status_texts.NO_LINES))
    await session.talk.say(*(line for one in log.lines for line in render_log_line(one)))


def render_log_line(line: LogLine) -> list[str]:
    """Render `12:00:51 WARNING the text`, with further lines indented."""
    return paragraph(line.text, first=f"{clock_of(line.wall)} {line.level:7} ", after=" " * 9)


COMMANDS = (
    Command(
        names=("log", "giornale"),
        texts=command_texts.LOG,
        example="log 10",
        run=_log,
    ),
)
