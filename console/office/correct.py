"""`banco ledger correct`: two cashiers correct the accounts, through the running service only."""

from argparse import Namespace

import msgspec

from console.line.client import Unreachable
from console.line.requests import CorrectAccounts, Leave
from console.office.at_this_machine import (
    NOTHING,
    RECORDED,
    SHOWN,
    Ask,
    NotDoneHere,
    at_the_line,
    entered,
    expect,
    sure,
    typed,
    typed_pin,
)
from console.office.correction_texts import ALREADY, SECOND, SURE, UNKNOWN, number_of
from console.office.declaration_texts import done_lines
from console.rules.round import Outcome


def correct(options: Namespace) -> int:
    """Show what it would do, ask once, take the second PIN, do it; the exit status."""
    return at_the_line(options, lambda ask: _correct(options, ask))


def _correct(options: Namespace, ask: Ask) -> None:
    """Raises Unreachable, NotDoneHere."""
    language = entered(options, ask)
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
