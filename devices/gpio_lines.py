"""The Raspberry Pi's own lines: lamps and contacts claimed, contacts watched for edges.

Lamps are gpiozero's. So are contacts on pins without a chip, such as the simulation's; those of a
chip come by its own descriptor, since lgpio wakes two threads for each edge. Our own code debounces
all of them: a contact's chatter counts, which the kernel's debouncing would hide. gpiozero's Button
is not used: it starts a thread for every held button.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from gpiozero import LED, InputDevice

from devices.gpio_chips import ContactRequest, LineEdge, read_line_user, request_contacts
from devices.loop_wakeup import LoopWakeup
from devices.pin_factories import errors_of
from devices.roles import Button

log = logging.getLogger(__name__)

DRIVERS = {
    2: "dtparam=i2c_arm=on",
    3: "dtparam=i2c_arm=on",
    4: "dtoverlay=w1-gpio",
    **dict.fromkeys(range(7, 12), "dtparam=spi=on"),
    **dict.fromkeys(range(18, 22), "dtparam=i2s=on"),
}
"""What in the Pi's config.txt gives a line to a driver (docs/how-to/wiring.md)."""


AnyContact = TypeVar("AnyContact", bound=Enum)


class GpioLines:
    """Claims lines for the parts wired to them; `parts`: the name of each line's part."""

    def __init__(self, factory: Any, parts: Mapping[int, str]) -> None:
        self._factory = factory
        self._parts = parts
        self._errors = errors_of(factory)
        number = getattr(factory, "chip", None)
        self._chip = None if number is None else Path(f"/dev/gpiochip{number}")

    def claim_contacts(
        self,
        loop: asyncio.AbstractEventLoop,
        wired: Mapping[AnyContact, int],
        on_edges: Callable[[], None],
    ) -> "Contacts[AnyContact]":
        """The contacts to ground on these lines. Raises OSError."""
        edges = ContactEdges[AnyContact](loop, on_edges)
        if self._chip is None:
            return PinContacts(loop, self, wired, edges)
        try:
            request = request_contacts(self._chip, tuple(wired.values()))
        except OSError:
            with self.name_failures(self._find_held(self._chip, wired.values())):
                raise
        return ChipContacts(loop, request, wired, edges)

    def claim_contact(self, line: int) -> "PinDevice":
        """The gpiozero device of a contact to ground. Raises OSError."""
        with self.name_failures(line):
            device: PinDevice = InputDevice(line, pull_up=True, pin_factory=self._factory)
            return device

    def claim_lamp(self, line: int) -> Any:
        """The gpiozero device of a lamp, dark. Raises OSError."""
        with self.name_failures(line):
            return LED(line, pin_factory=self._factory)

    @contextmanager
    def name_failures(self, line: int) -> Iterator[None]:
        """Whatever fails inside on this line is raised as OSError, which names it."""
        try:
            yield
        except self._errors as error:
            why = str(error).strip("'")  # lgpio's errors are their own repr
            raise OSError(
                f"GPIO {line} ({self._parts[line]}) cannot be used: {why}{self._holder(line)}"
            ) from error

    def _holder(self, line: int) -> str:
        """Who has the line, and where that is set; "" if nobody or if this backend has no chip."""
        if self._chip is None:
            return ""
        try:
            user = read_line_user(self._chip, line)
        except OSError as error:
            return f"; who holds it on {self._chip} cannot be asked: {error}"
        return describe_holder(self._chip, line, user)

    def _find_held(self, chip: Path, lines: Collection[int]) -> int:
        """The first of these lines that somebody holds; the first of all if nobody holds one."""
        try:
            return next((line for line in lines if read_line_user(chip, line)), min(lines))
        except OSError:  # who holds the first cannot be asked either, and the error says so
            return min(lines)


def describe_holder(chip: Path, line: int, user: str) -> str:
    """What to add to an error about a line of `chip` that `user` holds; "" for nobody."""
    if not user:
        return f" on {chip}"
    setting = DRIVERS.get(line)
    cause = f"; take {setting} out of config.txt if it is there" if setting else ""
    return (
        f" on {chip}: {user!r} holds it{cause}, and end other programs that use the panel's lines"
    )


LONGEST_QUEUE = 1024
"""Edges that wait for the loop. Contacts that chatter beyond that are read anew instead."""


class ContactEdges(Generic[AnyContact]):
    """Keeps the edges in their order and wakes the loop for those that something may follow from.

    Nothing follows from the release of a button. It waits for the next edge or deadline, or until
    somebody asks for figures; its time is that of the edge, so a late reading changes nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, on_edges: Callable[[], None]) -> None:
        self._edges: deque[tuple[AnyContact, bool, float]] = deque()
        self.overflowed = False
        self._wakeup = LoopWakeup(loop, on_edges)

    def put(self, contact: AnyContact, closed: bool, when: float) -> None:
        """Add an edge. Called on the pin's thread, or on the loop's."""
        if len(self._edges) < LONGEST_QUEUE:
            self._edges.append((contact, closed, when))
        else:
            self.overflowed = True
        if closed or not isinstance(contact, Button):
            self._wakeup.wake()

    def take(self) -> Iterator[tuple[AnyContact, bool, float]]:
        """Remove and yield the edges in their order.

        Each is the contact, whether it closed, and when (seconds of the loop's clock).
        """
        while self._edges:
            yield self._edges.popleft()

    def lose(self) -> None:
        """Take note that edges are lost: all contacts must be read anew."""
        self.overflowed = True
        self._wakeup.wake()

    def take_overflow(self) -> bool:
        """Whether edges were discarded since the last call: the contacts must be read anew."""
        overflowed, self.overflowed = self.overflowed, False
        if overflowed:
            log.warning("more than %d edges waited for the loop; the rest are lost", LONGEST_QUEUE)
        return overflowed

    def close(self) -> None:
        """Take no more notice."""
        self._wakeup.close()
        self._edges.clear()


class Pin(Protocol):
    """The attributes of a gpiozero pin that are used here."""

    frequency: float | None
    state: float
    when_changed: Callable[[float, float], None] | None


class PinDevice(Protocol):
    """The attributes of a gpiozero device that are used here."""

    @property
    def pin(self) -> Pin: ...

    @property
    def value(self) -> float: ...

    def on(self) -> None: ...

    def off(self) -> None: ...

    def close(self) -> None: ...


class Contacts(Protocol[AnyContact]):
    """Contacts to ground whose edges are kept until the loop takes them."""

    @property
    def edges(self) -> ContactEdges[AnyContact]: ...

    def watch(self) -> frozenset[AnyContact]:
        """Note changes from now on; the contacts that are closed. Raises OSError."""

    def read(self, contact: AnyContact) -> bool:
        """Whether the contact is closed at this instant."""

    def close(self) -> None:
        """Release the lines."""


class PinContacts(Generic[AnyContact]):
    """Contacts on gpiozero's pins; each edge comes on a thread of its pin."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        lines: GpioLines,
        wired: Mapping[AnyContact, int],
        edges: ContactEdges[AnyContact],
    ) -> None:
        self.edges = edges
        self._claimed, self._wired = lines, wired
        self._lines = {
            contact: ContactLine(loop, lines.claim_contact(line), contact, edges)
            for contact, line in wired.items()
        }

    def watch(self) -> frozenset[AnyContact]:
        """See `Contacts.watch`."""
        return frozenset(contact for contact in self._lines if self._watch(contact))

    def _watch(self, contact: AnyContact) -> bool:
        with self._claimed.name_failures(self._wired[contact]):
            return self._lines[contact].watch()

    def read(self, contact: AnyContact) -> bool:
        """See `Contacts.read`."""
        return self._lines[contact].read()

    def close(self) -> None:
        """See `Contacts.close`."""
        for line in self._lines.values():
            line.close()
        self.edges.close()


class ChipContacts(Generic[AnyContact]):
    """Contacts of one chip, whose descriptor the loop reads: no thread, and the kernel's time."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        request: ContactRequest,
        wired: Mapping[AnyContact, int],
        edges: ContactEdges[AnyContact],
    ) -> None:
        self.edges = edges
        self._loop, self._request, self._wired = loop, request, wired
        self._contacts = {line: contact for contact, line in wired.items()}
        self._taken = 0

    def watch(self) -> frozenset[AnyContact]:
        """See `Contacts.watch`."""
        for edge in self._request.read_edges():  # since they were claimed
            self._taken = edge.number
        self._loop.add_reader(self._request.descriptor, self._read_edges)
        return frozenset(self._contacts[line] for line in self._request.read_closed())

    def read(self, contact: AnyContact) -> bool:
        """See `Contacts.read`."""
        return self._wired[contact] in self._request.read_closed()

    def close(self) -> None:
        """See `Contacts.close`."""
        self._loop.remove_reader(self._request.descriptor)
        self._request.close()
        self.edges.close()

    def _read_edges(self) -> None:
        for edge in self._request.read_edges():
            self._note(edge)

    def _note(self, edge: LineEdge) -> None:
        if edge.number != self._taken + 1:
            self.edges.lose()
        self._taken = edge.number
        self.edges.put(self._contacts[edge.line], edge.closes, edge.when)


class ContactLine(Generic[AnyContact]):
    """One contact to ground; notes on its pin's thread when it closes and opens."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        device: PinDevice,
        contact: AnyContact,
        edges: ContactEdges[AnyContact],
    ) -> None:
        self._loop = loop
        self._device = device
        self._contact = contact
        self._edges = edges

    def watch(self) -> bool:
        """Note changes from now on; returns whether the contact is closed."""
        # The pin keeps only a weak reference, so that an abandoned panel can be collected.
        self._device.pin.when_changed = self._edge
        return self.read()

    def read(self) -> bool:
        """Whether the contact is closed at this instant."""
        return bool(self._device.value)

    def close(self) -> None:
        """Release the line."""
        self._device.pin.when_changed = None
        self._device.close()

    def _edge(self, _ticks: float, state: float) -> None:
        """Called on the pin's thread; takes the time here, so that a busy loop does not matter."""
        self._edges.put(self._contact, not state, self._loop.time())
