"""The pages of a simulated table: what is done on them is done to its cabinet."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.configuration.web_address import Listening
from console.line.local_line import LineSource
from console.simulation.pages.acts import PageActs
from console.simulation.pages.snapshots import snapshot_of_cabinet
from console.simulation.scenario.language.acts import Vocabulary
from console.simulation.scenario.simulated_machine import SimulatedMachine
from console.simulation.scenario.simulated_table import SimulatedTable
from console.web.feed import LOOK_EVERY_S, Feed
from console.web.messages import ActRequest, FromPages, Serving
from console.web.opening import opening_of
from console.web.page_process import PageProcess, ProcessListener
from console.web.table_pages import run_process

log = logging.getLogger(__name__)


@contextmanager
def serve_simulated_pages(
    machine: SimulatedMachine,
    simulated_table: SimulatedTable,
    whose: LineSource,
    listening: Listening,
    on_serving: Callable[[str], None],
) -> Iterator[None]:
    """Serve them while the machine's loop runs. `on_serving` gets their address, each time.

    Raises PagesUnavailable, OSError.
    """
    loop = machine.loop

    def handle_message(message: FromPages) -> None:
        match message:
            case ActRequest():
                acts.handle(message)
            case Serving(url):
                on_serving(url)

    listener = ProcessListener(handle_message, lambda line: log.warning("pages: %s", line))
    process = PageProcess(loop, opening_of(whose, listening), listener)
    acts = PageActs(loop, simulated_table, Vocabulary.of(machine.plan.game), process.send)
    feed = Feed(
        loop,
        lambda: snapshot_of_cabinet(simulated_table, machine.cabinet, machine.disk),
        process,
        LOOK_EVERY_S,
    )
    machine.followers.append(feed.follow)
    feed.follow(simulated_table.service)
    with run_process(loop, feed, process):
        try:
            yield
        finally:
            loop.run_until_complete(acts.end())
