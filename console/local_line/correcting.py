"""`banco ledger correct`: two cashiers correct the accounts, through the running service only."""

import sys
from argparse import Namespace

import msgspec

from console.configuration.file import ConfigurationErrors
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
from console.local_line.requests import CorrectAccounts, Enter, Leave
from console.round import Outcome
from console.technician.command import Unreachable
from console.technician.commands.correcting import (
    ALREADY,
    SECOND,
    SURE,
    UNKNOWN,
    number_of,
)
from console.technician.commands.declaring import done_lines


def correct(options: Namespace) -> int:
    """Show what it would do, ask once, take the second PIN, do it; the exit status."""
    try:
        with line_to(socket_of(options)) as ask:
            _correct(options, ask)
    except (ConfigurationErrors, Unreachable) as error:
        print(error, file=sys.stderr)
        return UNUSABLE
    except NotDoneHere as error:
        print(error, file=sys.stderr)
        return NOT_DONE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return NOT_DONE
    return DONE


def _correct(options: Namespace, ask: Ask) -> None:
    """Raises Unreachable, NotDoneHere."""
    language = language_for(options, ask)
    who = options.who or typed(NAME.in_(language))
    expect(ask(Enter(who, typed_pin())), language)
    request = CorrectAccounts(options.source, options.target, options.amount, options.reason)
    would = expect(ask(request), language)
    print(SHOWN.in_(language), *done_lines(would, language), f"  {options.reason}", sep="\n")
    if not sure(SURE.in_(language)):
        raise NotDoneHere(NOTHING.in_(language))
    second = options.second or typed(SECOND.in_(language))
    pin = typed_pin()
    really = msgspec.structs.replace(
        request, second=second, pin=pin, number=number_of(would), really=True
    )
    try:
        done = expect(ask(really), language)
    except Unreachable as error:
        raise Unreachable(f"{error}\n{UNKNOWN.in_(language)}") from error
    if done.outcome != Outcome.DONE.value:
        raise NotDoneHere(ALREADY.in_(language))
    print(RECORDED.in_(language), *done_lines(done, language), sep="\n")
    ask(Leave())
