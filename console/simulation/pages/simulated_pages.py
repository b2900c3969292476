"""The pages of a simulated table: what is done on them is done to its cabinet."""

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from console.configuration.web_address import Listening
from console.line.access.login import PinLogin
from console.line.local_line import LineSource
from console.simulation.cabinet import SimulatedCabinet, SimulatedDisk
from console.simulation.pages.acts import PageActs
from console.simulation.scenario.cabinet_facts import facts_of
from console.simulation.scenario.language.script import vocabulary_of
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.simulation.scenario.simulated_table import SimulatedTable
from console.web.feed import LOOK_EVERY_S, Feed
from console.web.messages import ActRequest, FromPages, PinRequest, Serving, TableSnapshot
from console.web.opening import opening_of
from console.web.page_process import PageProcess, ProcessListener
from console.web.pin_desk import PinDesk
from console.web.snapshots import snapshot_of
from console.web.table_pages import check_library, run_outlet


def snapshot_of_cabinet(
    simulated_table: SimulatedTable, cabinet: SimulatedCabinet, disk: SimulatedDisk
) -> TableSnapshot:
    """A snapshot that includes the state of the cabinet."""
    service = simulated_table.service
    facts = facts_of(cabinet, disk, service)
    snapshot = snapshot_of(service, simulated_table.observe(), facts.key)
    return msgspec.structs.replace(snapshot, powered=facts.powered, cabinet=facts.to_json())


log = logging.getLogger(__name__)


@contextmanager
def serve_simulated_pages(
    machine: SimulatedMachine,
    simulated_table: SimulatedTable,
    whose: LineSource,
    listening: Listening,
    login: PinLogin,
    on_serving: Callable[[str], None],
) -> Iterator[None]:
    """Serve them while the machine's loop runs. `on_serving` gets their address, each time.

    `login`: checks the PINs of who enters.

    Raises PagesUnavailable, OSError.
    """
    check_library()
    loop, pin_desk = machine.loop, PinDesk(login)

    def handle_message(message: FromPages) -> None:
        match message:
            case ActRequest():
                acts.handle(message)
            case PinRequest():
                pin_desk.check(message, process.send, os.getuid())
            case Serving(url):
                on_serving(url)

    listener = ProcessListener(handle_message, lambda line: log.warning("pages: %s", line))
    process = PageProcess(loop, opening_of(whose, listening), listener)
    acts = PageActs(loop, simulated_table, vocabulary_of(machine.plan), process.send)
    feed = Feed(
        loop,
        lambda: snapshot_of_cabinet(simulated_table, machine.cabinet, machine.disk),
        process,
        LOOK_EVERY_S,
        people=pin_desk.people,
    )
    machine.followers += [pin_desk.follow, feed.follow]
    pin_desk.follow(simulated_table.service)
    feed.follow(simulated_table.service)
    with run_outlet(loop, feed, process):
        try:
            yield
        finally:
            loop.run_until_complete(acts.end())
