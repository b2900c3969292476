"""Has a running table sign its newest record before an export, over its local line."""

import asyncio
from pathlib import Path

from console.configuration.file import ConfigurationErrors, load_configuration
from console.configuration.places import line_of
from console.line.client import LineClient, Unreachable
from console.line.requests import AnyAnswer, Done, No, NoCode, SignHead
from console.office.export.questions import ExportRefused


def have_head_signed(file: Path) -> str:
    """Have the table of this configuration sign; what it answers. Raises ExportRefused.

    A table that has signed within the last minute does not sign again: that is enough.
    """
    try:
        answer = asyncio.run(_ask(line_of(load_configuration(file))))
    except (ConfigurationErrors, Unreachable) as error:
        raise ExportRefused(f"the table cannot sign its newest record: {error}") from error
    if isinstance(answer, Done):
        head = answer.decisions[0]
        return f"the table has signed record {head['seq']}, with counter {head['counter']}"
    if isinstance(answer, No) and answer.code == NoCode.WAIT:
        return "the table has signed a record within the last minute"
    raise ExportRefused(f"the table has not signed its newest record: {answer}")


async def _ask(socket: Path) -> AnyAnswer:
    client = LineClient(socket)
    try:
        return await client.ask(SignHead())
    finally:
        client.close()
