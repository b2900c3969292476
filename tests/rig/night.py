"""A night: parts played one after the other on one machine, from its first power-on."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from random import Random

from msgspec import Struct

from jackpot.failures import LedgerCorrupt, LedgerUnavailable
from tests.rig.image.build import build
from tests.rig.image.golden import build_golden
from tests.rig.layout import (
    Layout,
    System,
    system_of_image,
    system_with_banco,
    system_without_banco,
)
from tests.rig.machine.boards import Boards
from tests.rig.machine.guest import Guest, GuestFailed
from tests.rig.machine.stick import MonitorFailed
from tests.rig.machine.table import NotSeen, Table
from tests.rig.report import Report, RigReport

CALL_OUT = {"witness", "guards"}
"""The parts whose machine reaches this one's network."""

Part = Callable[[Table, Random], Awaitable[None]]


class Machine(Struct, frozen=True):
    """What is started, and how it is built."""

    build: Callable[[Layout, Callable[[str], None]], None]
    system: Callable[[Layout], System]


INSTALLED = Machine(build, system_with_banco)
BARE = Machine(build, system_without_banco)
GOLDEN = Machine(build_golden, system_of_image)
SECOND = Machine(build_golden, lambda layout: system_of_image(layout, "second"))


class Night(Struct, frozen=True):
    """Which parts, on which machine."""

    name: str
    parts: dict[str, Part]
    machine: Machine = INSTALLED
    counted: bool = False
    """Its clock counts instructions."""


async def play_night(night: Night, layout: Layout, report: Report, begun: float) -> None:
    """Play a night; whatever fails is put on record, and ends it."""
    folder = layout.folder / "run" / night.name
    guest = Guest(
        layout,
        folder,
        night.machine.system(layout),
        counted=night.counted,
        network=not CALL_OUT.isdisjoint(night.parts),
    )
    await guest.make_disk()
    boards = Boards(folder)
    try:
        for name, part in night.parts.items():
            table = Table(guest, boards, RigReport(report, night.name, name, begun))
            await play_part(part, table, Random(f"{report.seed} {night.name} {name}"))
    finally:
        await keep_journal(guest, folder / "journal.txt")
        await guest.cut_power()
        boards.close()


async def play_part(part: Part, table: Table, random: Random) -> None:
    """One part; where something did not come, the next one may still tell something."""
    begun = time.monotonic()
    try:
        await part(table, random)
    except NotSeen as failure:
        table.report.hold(failure.step, False, failure.saw)
    except (GuestFailed, MonitorFailed) as error:
        table.report.hold("the machine answers", False, error)
    except (AssertionError, LedgerCorrupt, LedgerUnavailable, OSError, ValueError) as error:
        table.report.hold("what it says can be read", False, repr(error))
    table.report.note("whole part, s", time.monotonic() - begun)


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
            await play_night(night, layout, report, begun)

    async with asyncio.TaskGroup() as group:
        for night in nights:
            group.create_task(play_one(night))
