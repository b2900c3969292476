"""`banco rake`: the rake of a hand, for who counts a pot."""

from argparse import ArgumentParser, Namespace

from console.command_line.command import BancoCommand


def _add_rake(rake: ArgumentParser) -> None:
    from console.office.rake import add_question

    rake.add_argument("--json", action="store_true", help="print one JSON object")
    add_question(rake)


def _rake(options: Namespace) -> int:
    from console.office.rake import print_answer, read_question

    return print_answer(read_question(options), as_json=options.json)


COMMANDS = (
    BancoCommand(
        "rake",
        "the rake of a hand, pot by pot",
        "banco rake --house sanremo 100 200 1000",
        _rake,
        _add_rake,
    ),
)
