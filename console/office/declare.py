"""`banco declare`: the floor manager declares by name and PIN, on the machine itself."""

import sys
from argparse import Namespace

from console.line.requests import Declare, Leave
from console.office.at_this_machine import (
    NOTHING,
    RECORDED,
    SHOWN,
    UNUSABLE,
    Ask,
    NotDoneHere,
    at_the_line,
    entered,
    expect,
    sure,
)
from console.office.declaration_texts import MEANINGS, done_lines
from console.rules.typed_declarations import parse_declaration
from console.rules.typed_lines import LineError, words_of
from console.texts.display import Words

SURE = Words("Dichiarare? [s/N] ", "Declare it? [y/N] ")


def declare(options: Namespace) -> int:
    """Show what it would do, ask once, do it; the exit status."""
    said = " ".join(words_of(" ".join(options.words)))
    try:
        parse_declaration(said.split(), "")  # before anybody types a PIN
    except LineError as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    return at_the_line(options, lambda ask: _declare(options, said, ask))


def _declare(options: Namespace, said: str, ask: Ask) -> None:
    """Raises Unreachable, NotDoneHere."""
    language = entered(options, ask)
    would = expect(ask(Declare(said)), language)
    meaning = MEANINGS[said.split(maxsplit=1)[0]].in_(language)
    print(SHOWN.in_(language), f"  {said}: {meaning}", *done_lines(would, language), sep="\n")
    if not options.yes and not sure(SURE.in_(language)):
        raise NotDoneHere(NOTHING.in_(language))
    done = expect(ask(Declare(said, really=True)), language)
    print(RECORDED.in_(language), *done_lines(done, language), sep="\n")
    ask(Leave())
