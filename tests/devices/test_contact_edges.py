"""Edges on their way to the event loop: which of them wake it, and that no level is lost."""

import asyncio
import os
import threading
from collections.abc import Collection, Iterator
from struct import pack

import pytest

from devices.gpio_chips import ContactRequest
from devices.gpio_lines import LONGEST_QUEUE, ChipContacts, ContactEdges
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
    table.cabinet.panel.weld(Button.COIN_IN)
    table.run(0.25)
    table.cabinet.panel.mend()
    table.run(3)
    (figures,) = (one for one in panel.inputs() if one.name == "COIN_IN")
    assert (figures.closed, figures.since_ms, figures.pulse_ms) == (False, 3000, 250)


class ChipLines(ContactRequest):
    """A pipe in place of the kernel's descriptor, with the kernel's `struct gpio_v2_line_event`."""

    def __init__(self, wired: dict[Contact, int]) -> None:
        descriptor, self._kernel = os.pipe()
        super().__init__(descriptor, tuple(wired.values()))
        self._wired, self._number, self.closed = wired, 0, set[int]()

    def move(self, contact: Contact, closed: bool, at_ns: int, lost: int = 0) -> None:
        """What the kernel writes; `lost`: edges before this one that it could not keep."""
        line = self._wired[contact]
        (self.closed.add if closed else self.closed.discard)(line)
        self._number += 1 + lost
        kind = 1 if closed else 2
        os.write(self._kernel, pack("QIIII24x", at_ns, kind, line, self._number, 1))

    def read_closed(self) -> Collection[int]:
        return self.closed

    def close(self) -> None:
        super().close()
        os.close(self._kernel)


class ChipPanel:
    """Three contacts on a chip, and what the loop was reports."""

    def __init__(self) -> None:
        wired: dict[Contact, int] = {Button.JPOT: 6, Button.COIN_IN: 4, KeyPosition.R: 16}
        loop = asyncio.get_running_loop()
        self.reports: list[list[tuple[Contact, bool, float]]] = []
        self.lines, edges = ChipLines(wired), ContactEdges[Contact](loop, self._take)
        self.contacts = ChipContacts(loop, self.lines, wired, edges)

    def _take(self) -> None:
        self.reports.append(list(self.contacts.edges.take()))

    async def run(self) -> list[list[tuple[Contact, bool, float]]]:
        """Let the loop read what is there."""
        for _ in range(4):
            await asyncio.sleep(0)
        reports, self.reports = self.reports, []
        return reports


def test_a_chip_s_edges_come_in_order_with_the_kernel_s_time() -> None:
    async def life() -> None:
        panel = ChipPanel()
        panel.lines.move(KeyPosition.R, True, 1)  # before it is watched
        assert panel.contacts.watch() == {KeyPosition.R}
        assert (panel.contacts.read(KeyPosition.R), panel.contacts.read(Button.JPOT)) == (
            True,
            False,
        )
        panel.lines.move(Button.COIN_IN, True, 7_000_500_000)
        panel.lines.move(KeyPosition.R, False, 7_001_000_000)
        assert await panel.run() == [
            [(Button.COIN_IN, True, 7.0005), (KeyPosition.R, False, 7.001)]
        ]
        panel.lines.move(Button.COIN_IN, False, 8_000_000_000)
        assert await panel.run() == [], "nothing follows from a release"
        panel.lines.move(Button.JPOT, True, 9_000_000_000)
        assert await panel.run() == [[(Button.COIN_IN, False, 8.0), (Button.JPOT, True, 9.0)]]
        assert not panel.contacts.edges.take_overflow()
        panel.contacts.close()

    asyncio.run(life())


def test_more_edges_of_a_chip_than_one_read_takes_are_all_there() -> None:
    async def life() -> None:
        panel = ChipPanel()
        panel.contacts.watch()
        for number in range(300):
            panel.lines.move(Button.JPOT, number % 2 == 0, number)
        (reports,) = await panel.run()
        assert [round(when * 1e9) for _, _, when in reports] == list(range(300))
        panel.contacts.close()

    asyncio.run(life())


def test_edges_that_the_kernel_has_lost_are_noticed() -> None:
    async def life() -> None:
        panel = ChipPanel()
        panel.contacts.watch()
        panel.lines.move(Button.JPOT, False, 5, lost=3)  # a release, which wakes nobody
        assert await panel.run() == [[(Button.JPOT, False, 5e-9)]]
        assert panel.contacts.edges.take_overflow()
        panel.contacts.close()

    asyncio.run(life())
