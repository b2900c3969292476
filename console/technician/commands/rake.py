"""`rake`: the rake calculator (docs/reference/poker-rules.md, section 18)."""

from collections.abc import Sequence
from typing import NoReturn

from console.line.requests import Status
from console.office.rake.question import HOUSES, answer_rake
from console.office.rake.typed_question import add_question, read_question
from console.service.supervision.command_parser import CommandParser
from console.technician.command import Command, Misused, TechnicianSession
from console.texts.language import Words


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
        raise Misused(str(error)) from error
    await session.talk.say(answer.line)


def _complete_rake(words: Sequence[str], _status: Status | None) -> Sequence[str]:
    return HOUSES if words and words[-1] == "--house" else ("--house",) if not words else ()


COMMANDS = (
    Command(
        names=("rake", "trattenuta"),
        arguments=Words("--house CASA PIATTO [LATERALE...]", "--house HOUSE POT [SIDE...]"),
        summary=Words("la rake di una mano di poker", "the rake of a poker hand"),
        help=Words(
            "La parte di ogni piatto, il principale per primo: 5+10+15. Case:\n"
            "prestige, sanremo, san-marino. Anche: --players N, --cap 30,\n"
            "--half (prestige), --rate 2.5 e --fixed 2 (san-marino), --shared\n"
            "(tutto diviso), --no-flop. Non tocca il tavolo.",
            "Each pot's part, the main pot's first: 5+10+15. Houses: prestige,\n"
            "sanremo, san-marino. Also: --players N, --cap 30, --half (prestige),\n"
            "--rate 2.5 and --fixed 2 (san-marino), --shared (all of it), --no-flop.\n"
            "It does not touch the table.",
        ),
        example="rake --house sanremo 100 200 1000",
        run=_rake,
        complete=_complete_rake,
    ),
)
