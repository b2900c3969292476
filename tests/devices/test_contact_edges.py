"""Edges on their way to the event loop: which of them wake it, and that no level is lost."""

import asyncio
import threading
from collections.abc import Iterator

import pytest

from devices.gpio_lines import LONGEST_QUEUE, ContactEdges
from devices.gpio_panel import GpioPanel
from devices.panel_wiring import Contact, PanelWiring, PlugContact
from devices.roles import Button, ButtonPressed, KeyPosition
from tests.devices.table import Table

WAKING: list[tuple[Contact, bool]] = [
    *((button, True) for button in Button),
    *((contact, closed) for contact in KeyPosition for closed in (True, False)),
    *((contact, closed) for contact in PlugContact for closed in (True, False)),
]


def put_in_thread(edges: ContactEdges[Contact], contact: Contact, closed: bool) -> None:
    """Put an edge as a pin does, in a thread of its own, and wait until it has."""
    thread = threading.Thread(target=edges.put, args=(contact, closed, 1.0))
    thread.start()
    thread.join()


@pytest.mark.parametrize(("contact", "closed"), WAKING)
def test_what_something_may_follow_from_wakes_the_loop(contact: Contact, closed: bool) -> None:
    async def life() -> None:
        woken = asyncio.Event()
        edges: ContactEdges[Contact] = ContactEdges(asyncio.get_running_loop(), woken.set)
        put_in_thread(edges, contact, closed)
        await asyncio.wait_for(woken.wait(), 60)
        assert list(edges.take()) == [(contact, closed, 1.0)]
        edges.close()

    asyncio.run(life())


def test_a_release_waits_for_the_next_press() -> None:
    async def life() -> None:
        wakeups: list[int] = []
        woken = asyncio.Event()

        def on_edges() -> None:
            wakeups.append(len(list(edges.take())))
            woken.set()

        edges: ContactEdges[Contact] = ContactEdges(asyncio.get_running_loop(), on_edges)
        for button in Button:
            put_in_thread(edges, button, False)
        put_in_thread(edges, Button.JPOT, True)
        await asyncio.wait_for(woken.wait(), 60)
        assert wakeups == [len(Button) + 1], "one wake-up for all of them"
        edges.close()

    asyncio.run(life())


@pytest.fixture
def table() -> Iterator[Table]:
    table = Table(None)
    yield table
    table.close()


@pytest.fixture
def panel(table: Table) -> GpioPanel:
    panel = table.start_panel()
    table.run(1)
    table.events.clear()
    return panel


@pytest.mark.usefixtures("panel")
@pytest.mark.parametrize("closed", [True, False])
def test_after_more_chatter_than_is_kept_the_level_counts(table: Table, closed: bool) -> None:
    pin = table.cabinet.pin_factory.pin(PanelWiring().contacts()[Button.COIN_IN])
    for number in range(2 * LONGEST_QUEUE):
        pin.contact(number % 2 == 0)
    pin.contact(closed)
    table.run(1)
    assert table.events == [ButtonPressed(Button.COIN_IN)] * closed


def test_a_release_that_waits_has_its_own_time(table: Table, panel: GpioPanel) -> None:
    table.cabinet.panel.stick(Button.COIN_IN)
    table.run(0.25)
    table.cabinet.panel.mend()
    table.run(3)
    (figures,) = (one for one in panel.inputs() if one.name == "COIN_IN")
    assert (figures.closed, figures.since_ms, figures.pulse_ms) == (False, 3000, 250)
