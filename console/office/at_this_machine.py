"""What `banco declare` and `banco ledger correct` share: a person at this machine, and its line."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from getpass import getpass
from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.places import line_of, line_of_this_machine
from console.line.client import LineClient, Unreachable
from console.line.refusals import refusal_lines
from console.line.requests import AnyAnswer, AnyRequest, AskStatus, Done, Enter, No, Status
from console.texts.display import Language, Words

DONE, NOT_DONE, UNUSABLE = 0, 1, 2

YES = frozenset({"y", "yes", "s", "si", "sì"})

SHOWN = Words("Farebbe questo:", "This is what it would do:")
NAME = Words("Nome: ", "Name: ")
NOTHING = Words("Niente è stato fatto.", "Nothing was done.")
RECORDED = Words("Fatto, è nel registro.", "Done, it is on record.")

Ask = Callable[[AnyRequest], AnyAnswer]


class NotDoneHere(Exception):
    """It ends there; the text has been made for whoever typed it."""


def at_the_line(options: Namespace, does: Callable[[Ask], None]) -> int:
    """Do it at the table's line; the exit status. What stands against it is told."""
    try:
        with line_to(socket_of(options)) as ask:
            does(ask)
    except (ConfigurationErrors, Unreachable) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except NotDoneHere as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    return DONE


def entered(options: Namespace, ask: Ask) -> Language:
    """Enter with name and PIN; the language to go on in. Raises Unreachable, NotDoneHere."""
    language = language_for(options, ask)
    who = options.who or typed(NAME.in_(language))
    expect(ask(Enter(who, typed_pin())), language)
    return language


def socket_of(options: Namespace) -> Path:
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


def language_for(options: Namespace, ask: Ask) -> Language:
    """That of the command line, or the table's. Raises Unreachable, NotDoneHere."""
    status = ask(AskStatus())
    theirs = Language(status.language) if isinstance(status, Status) else Language.EN
    language = Language(options.language) if options.language else theirs
    expect(status, language)
    return language


def expect(answer: AnyAnswer, language: Language) -> Done:
    """What is done; raises NotDoneHere for what is not."""
    if isinstance(answer, No):
        raise NotDoneHere("\n".join(refusal_lines(answer, language)))
    return answer if isinstance(answer, Done) else Done("")


def typed(question: str) -> str:
    """A line from the terminal, or from whatever stands in for it; its end is an empty answer."""
    if sys.stdin.isatty():
        print(question, end="", flush=True)
    return sys.stdin.readline().rstrip("\n")


def typed_pin(whose: str = "") -> str:
    """Typed unseen; from a pipe, its next line."""
    return getpass(f"PIN {whose}".strip() + ": ") if sys.stdin.isatty() else typed("")


def sure(question: str) -> bool:
    """Ask once; all but a yes is no."""
    return typed(question).strip().lower() in YES
