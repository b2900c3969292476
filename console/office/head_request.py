"""`banco key sign`: has a running table sign its newest record, over its local line.

A copy of the ledger that is made afterwards is signed up to that record.
"""

import asyncio
from pathlib import Path

from console.configuration.places import line_of
from console.configuration.sections import Configuration
from console.line.client import LineClient, Unreachable
from console.line.requests import AnyAnswer, Done, No, NoCode, SignHead
from jackpot.failures import Unavailable


class HeadRefused(Unavailable):
    """The table has not signed its newest record; the text says why."""


def have_head_signed(configuration: Configuration) -> str:
    """Have the table of this configuration sign; what it answers. Raises HeadRefused.

    A table that has signed within the last minute does not sign again: that is enough.
    """
    try:
        answer = asyncio.run(_ask(line_of(configuration)))
    except Unreachable as error:
        raise HeadRefused(f"the table cannot sign its newest record: {error}") from error
    if isinstance(answer, Done):
        head = answer.decisions[0]
        return f"the table has signed record {head['seq']}, with counter {head['counter']}"
    if isinstance(answer, No) and answer.code == NoCode.WAIT:
        return "the table has signed a record within the last minute"
    raise HeadRefused(f"the table has not signed its newest record: {answer}")


async def _ask(socket: Path) -> AnyAnswer:
    client = LineClient(socket)
    try:
        return await client.ask(SignHead())
    finally:
        client.close()
