"""`banco declare`: the floor manager declares by name and PIN, on the machine itself."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.declaring import parse_declaration
from console.line_words import LineError, words_of
from console.local_line.address import line_of, line_of_this_machine
from console.local_line.client import LineClient
from console.local_line.requests import (
    AnyAnswer,
    AnyRequest,
    AskStatus,
    Declare,
    Done,
    Enter,
    Leave,
    No,
    Status,
)
from console.technician.command import Unreachable, Words
from console.technician.commands.declaring import MEANINGS, done_lines
from console.technician.refusals import refusal_lines
from console.texts import Language

DONE, NOT_DONE, UNUSABLE = 0, 1, 2

YES = frozenset({"y", "yes", "s", "si", "sì"})

SHOWN = Words("Farebbe questo:", "This is what it would do:")
NAME = Words("Nome: ", "Name: ")
SURE = Words("Dichiarare? [s/N] ", "Declare it? [y/N] ")
NOTHING = Words("Niente è stato fatto.", "Nothing was done.")
RECORDED = Words("Fatto, è nel registro.", "Done, it is on record.")

Ask = Callable[[AnyRequest], AnyAnswer]


class _NotDone(Exception):
    """It ends there; the text has been made for whoever typed it."""


def declare(options: Namespace) -> int:
    """Show what it would do, ask once, do it; the exit status."""
    try:
        said = " ".join(words_of(" ".join(options.words)))
        parse_declaration(said.split(), "")  # before anybody types a PIN
        with line_to(_socket(options)) as ask:
            _declare(options, said, ask)
    except (ConfigurationErrors, LineError, Unreachable) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except _NotDone as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return NOT_DONE
    return DONE


def _socket(options: Namespace) -> Path:
    """Where the table's line is, as the command line says. Raises ConfigurationErrors."""
    if options.socket is not None:
        return Path(options.socket)
    if options.config is not None:
        return line_of(load_configuration(options.config))
    return line_of(None) if options.sim else line_of_this_machine()


@contextmanager
def line_to(socket: Path) -> Iterator[Ask]:
    """The line, for who waits for each answer. What it gives raises Unreachable."""
    loop = asyncio.new_event_loop()
    client = LineClient(socket)
    try:
        yield lambda request: loop.run_until_complete(client.ask(request))
    finally:
        client.close()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def _declare(options: Namespace, said: str, ask: Ask) -> None:
    """Raises Unreachable, _NotDone."""
    status = ask(AskStatus())
    language = Language(options.language) if options.language else _language_of(status)
    if isinstance(status, No):
        raise _NotDone(_told(status, language))
    who = options.who or _typed(NAME.in_(language))
    _expect(ask(Enter(who, _pin())), language)
    would = _expect(ask(Declare(said)), language)
    meaning = MEANINGS[said.split(maxsplit=1)[0]].in_(language)
    print(SHOWN.in_(language), f"  {said}: {meaning}", *done_lines(would, language), sep="\n")
    if not options.yes and _typed(SURE.in_(language)).strip().lower() not in YES:
        raise _NotDone(NOTHING.in_(language))
    done = _expect(ask(Declare(said, really=True)), language)
    print(RECORDED.in_(language), *done_lines(done, language), sep="\n")
    ask(Leave())


def _expect(answer: AnyAnswer, language: Language) -> Done:
    """What is done; raises _NotDone for what is not."""
    if isinstance(answer, No):
        raise _NotDone(_told(answer, language))
    return answer if isinstance(answer, Done) else Done("")


def _language_of(status: AnyAnswer) -> Language:
    return Language(status.language) if isinstance(status, Status) else Language.EN


def _told(no: No, language: Language) -> str:
    return "\n".join(refusal_lines(no, language))


def _typed(question: str) -> str:
    """A line from the terminal, or from whatever stands in for it; its end is an empty answer."""
    if sys.stdin.isatty():
        print(question, end="", flush=True)
    return sys.stdin.readline().rstrip("\n")


def _pin() -> str:
    """Typed unseen; from a pipe, its next line."""
    return getpass("PIN: ") if sys.stdin.isatty() else _typed("")
