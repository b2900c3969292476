"""`banco declare`: the floor manager declares by name and PIN, on the machine itself."""

import sys
from argparse import Namespace

from console.configuration.file import ConfigurationErrors
from console.declaring import parse_declaration
from console.line_words import LineError, words_of
from console.local_line.at_this_machine import (
    DONE,
    NAME,
    NOT_DONE,
    NOTHING,
    RECORDED,
    SHOWN,
    UNUSABLE,
    Ask,
    NotDoneHere,
    expect,
    language_for,
    line_to,
    socket_of,
    sure,
    typed,
    typed_pin,
)
from console.local_line.requests import Declare, Enter, Leave
from console.technician.command import Unreachable, Words
from console.technician.commands.declaring import MEANINGS, done_lines

SURE = Words("Dichiarare? [s/N] ", "Declare it? [y/N] ")


def declare(options: Namespace) -> int:
    """Show what it would do, ask once, do it; the exit status."""
    try:
        said = " ".join(words_of(" ".join(options.words)))
        parse_declaration(said.split(), "")  # before anybody types a PIN
        with line_to(socket_of(options)) as ask:
            _declare(options, said, ask)
    except (ConfigurationErrors, LineError, Unreachable) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except NotDoneHere as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return NOT_DONE
    return DONE


def _declare(options: Namespace, said: str, ask: Ask) -> None:
    """Raises Unreachable, NotDoneHere."""
    language = language_for(options, ask)
    who = options.who or typed(NAME.in_(language))
    expect(ask(Enter(who, typed_pin())), language)
    would = expect(ask(Declare(said)), language)
    meaning = MEANINGS[said.split(maxsplit=1)[0]].in_(language)
    print(SHOWN.in_(language), f"  {said}: {meaning}", *done_lines(would, language), sep="\n")
    if not options.yes and not sure(SURE.in_(language)):
        raise NotDoneHere(NOTHING.in_(language))
    done = expect(ask(Declare(said, really=True)), language)
    print(RECORDED.in_(language), *done_lines(done, language), sep="\n")
    ask(Leave())
