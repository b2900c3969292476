"""A night: parts played one after the other on one machine, from its first power-on."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from tests.rig.layout import Layout
from tests.rig.machine.boards import Boards
from tests.rig.machine.guest import Guest, GuestFailed
from tests.rig.machine.table import Table
from tests.rig.report import Report, Witness

Part = Callable[[Table, Random], Awaitable[None]]


class Night(Struct, frozen=True):
    """Which parts, on which disk."""

    name: str
    parts: dict[str, Part]
    with_banco: bool = True


async def play_night(
    night: Night, layout: Layout, report: Report, begun: float, processors: int
) -> None:
    """Play a night; whatever fails is put on record, and ends it."""
    folder = layout.folder / "run" / night.name
    disk = layout.disk if night.with_banco else layout.bare_disk
    guest = Guest(layout, folder, disk, None, processors)
    await guest.make_disk()
    boards = Boards(folder)
    witness = Witness(report, night.name, begun)
    try:
        for name, part in night.parts.items():
            witness = Witness(report, name, begun)
            started = time.monotonic()
            await part(Table(guest, boards, witness), Random(f"{report.seed} {name}"))
            witness.note("whole part, s", time.monotonic() - started)
    except GuestFailed as error:
        witness.hold("the guest answers", False, error)
    finally:
        await keep_journal(guest, folder / "journal.txt")
        await guest.cut_power()
        boards.close()


async def keep_journal(guest: Guest, file: Path) -> None:
    """The guest's whole journal, for whoever wants to know why."""
    if not guest.is_on:
        return
    try:
        file.write_text(await guest.sh("journalctl --no-pager -o short-monotonic"), "utf-8")
    except GuestFailed as error:
        file.write_text(f"no journal: {error}\n", "utf-8")


async def play_nights(
    nights: Sequence[Night], layout: Layout, report: Report, begun: float, at_once: int
) -> None:
    """All nights, some at once."""
    machines = asyncio.Semaphore(at_once)

    async def play_one(night: Night) -> None:
        async with machines:
            await play_night(night, layout, report, begun, processors=2 if at_once == 1 else 1)

    async with asyncio.TaskGroup() as group:
        for night in nights:
            group.create_task(play_one(night))
