"""`rake`: the rake calculator (docs/reference/poker-rules.md, section 18)."""

from collections.abc import Sequence
from typing import NoReturn

from console.line.requests import Status
from console.office.rake import HOUSES, add_question, answer_rake, read_question
from console.service.supervision.command_parser import CommandParser
from console.technician.command import Command, TechnicianSession
from console.texts.technician import command_texts
from jackpot.failures import Refused


class _LineParser(CommandParser):
    """Raises instead of ending the process."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(message)


def _make_parser() -> CommandParser:
    parser = _LineParser(prog="rake", add_help=False, allow_abbrev=False)
    add_question(parser)
    return parser


async def _rake(session: TechnicianSession, words: Sequence[str]) -> None:
    try:
        answer = answer_rake(read_question(_make_parser().parse_args(words)))
    except ValueError as error:
        raise Refused(str(error)) from error
    await session.talk.say(answer.line)


def _complete_rake(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return HOUSES if words and words[-1] == "--house" else ("--house",) if not words else ()


COMMANDS = (
    Command(
        names=("rake", "trattenuta"),
        texts=command_texts.RAKE,
        example="rake --house sanremo 100 200 1000",
        run=_rake,
        complete=_complete_rake,
    ),
)
