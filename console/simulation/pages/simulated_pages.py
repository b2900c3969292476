"""The pages of a simulated table: what is done on them is done to its cabinet."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from console.configuration.web_address import Listening
from console.line.local_line import LineSource
from console.simulation.pages.acts import PageActs
from console.simulation.pages.snapshots import snapshot_of_cabinet
from console.simulation.scenario.language.acts import Vocabulary
from console.simulation.scenario.rehearsal import Rehearsal
from console.simulation.scenario.stage import Stage
from console.web.feed import LOOK_EVERY_S, Feed
from console.web.messages import ActRequest, FromPages, Serving
from console.web.opening import opening_of
from console.web.page_process import PageProcess, ProcessListener
from console.web.table_pages import run_process

log = logging.getLogger(__name__)


@contextmanager
def serve_simulated_pages(
    stage: Stage,
    rehearsal: Rehearsal,
    whose: LineSource,
    listening: Listening,
    on_serving: Callable[[str], None],
) -> Iterator[None]:
    """Serve them while the stage's loop runs. `on_serving` gets their address, each time.

    Raises PagesUnavailable, OSError.
    """
    loop = stage.loop

    def handle_message(message: FromPages) -> None:
        match message:
            case ActRequest():
                acts.handle(message)
            case Serving(url):
                on_serving(url)

    listener = ProcessListener(handle_message, lambda line: log.warning("pages: %s", line))
    process = PageProcess(loop, opening_of(whose, listening), listener)
    acts = PageActs(loop, rehearsal, Vocabulary.of(stage.plan.game), process.send)
    feed = Feed(
        loop,
        lambda: snapshot_of_cabinet(rehearsal, stage.cabinet, stage.disk),
        process,
        LOOK_EVERY_S,
    )
    stage.followers.append(feed.follow)
    feed.follow(rehearsal.service)
    with run_process(loop, feed, process):
        try:
            yield
        finally:
            loop.run_until_complete(acts.end())
