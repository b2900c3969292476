"""The rake calculator's question as it is typed: `banco rake`, and the technician's line."""

import sys
from argparse import ArgumentParser, Namespace

import msgspec

from console.office.rake.question import HOUSES, RakeQuestion, answer_rake

DONE, UNUSABLE = 0, 2


def add_question(parser: ArgumentParser) -> None:
    """Add what `banco rake` and the technician's line are asked alike."""
    parser.add_argument("--house", metavar="HOUSE", required=True, help=", ".join(HOUSES))
    parser.add_argument("--rate", metavar="PERCENT", help="san-marino: 2.5, if it is another")
    parser.add_argument("--fixed", metavar="AMOUNT", help="san-marino: added to the share (0.00)")
    parser.add_argument("--cap", metavar="EURO", help='30, or by players "2:10 5:20"')
    parser.add_argument("--players", metavar="N", help="2 to 11 (9)")
    parser.add_argument("--half", action="store_true", help="prestige: short-handed")
    parser.add_argument("--shared", action="store_true", help="the whole pot is shared")
    parser.add_argument("--no-flop", action="store_true", help="there was no flop")
    parser.add_argument("pots", metavar="POT", nargs="+", help="the main pot, then the side pots")


def read_question(options: Namespace) -> RakeQuestion:
    """The question in these arguments."""
    return RakeQuestion(
        options.house,
        tuple(options.pots),
        rate=options.rate,
        fixed=options.fixed,
        cap=options.cap,
        players=options.players,
        half=options.half,
        shared=options.shared,
        no_flop=options.no_flop,
    )


def print_answer(question: RakeQuestion, *, as_json: bool) -> int:
    """Print the parts, joined by `+`. Exit status 2: it cannot be reckoned as asked."""
    try:
        answer = answer_rake(question)
    except ValueError as error:
        print(f"banco rake: {error}", file=sys.stderr)
        return UNUSABLE
    print(msgspec.json.encode(answer).decode() if as_json else answer.line)
    return DONE
