"""What a device is and how it fares, for whoever looks after it; nothing here decides anything."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from devices.device import Device


@dataclass(frozen=True, slots=True)
class InputFigures:
    """One contact or sensor: a button, a key contact, a seat's sensor.

    `name` is as people call it: `COIN_IN`, `key JPL`, `inspector`, `plug`, `seat 3`. `closed`: the
    contact is closed, the sensor sees something, as read now, for `since_ms`. `edges`: changes
    since the service started; `chatter`: of those, the ones gone before they had settled.
    `pulse_ms`: how long it was closed last, None before it has been.
    """

    name: str
    closed: bool
    since_ms: int
    edges: int
    chatter: int = 0
    pulse_ms: float | None = None


@dataclass(frozen=True, slots=True)
class FrameSeen:
    """A frame or a piece of bytes on a device's line: when (ms ago), which way, what it says.

    `raw`: at most its first 64 bytes. `says`: English, ASCII; what is no frame is `bad: ` and why.
    """

    ago_ms: int
    sent: bool
    raw: bytes
    says: str


@dataclass(frozen=True, slots=True)
class LinkFigures:
    """A line's counts since the service started.

    `received`: good and bad. `bad`: with a wrong checksum or form, and each piece of stray bytes;
    a display has nothing else to say. `retries`: what was sent
    again for want of an answer. `connections`: how often the device was found; one is normal.
    `boots`: how often its boot number changed. Round trips in milliseconds, None without one.
    """

    received: int = 0
    bad: int = 0
    sent: int = 0
    retries: int = 0
    connections: int = 0
    boots: int = 0
    round_trip_ms: float | None = None
    round_trip_mean_ms: float | None = None
    restless: bool = False


@dataclass(frozen=True, slots=True)
class DeviceFigures:
    """A device as its driver knows it.

    `line` tells apart two lines of one device (`rail board`), else it is the device's name.
    `identity` and `state` are read by people: `{"firmware": "1.0", "boot": "0x1f"}`,
    `{"occupied": "1 3", "dead lamps": "none"}`; the state is what the device told last. `frames`:
    as many as were asked for, oldest first, and before them the last bad ones still kept. `flood`:
    how many of its reports were left out in the flood that goes on, None: it does not flood.
    `restless`: it is lost, as two boards speak on its line, or one restarts without end.
    """

    device: Device
    line: str
    driver: str
    up: bool
    why_down: str = ""
    identity: Mapping[str, str] = field(default_factory=dict)
    state: Mapping[str, str] = field(default_factory=dict)
    link: LinkFigures = field(default_factory=LinkFigures)
    frames: tuple[FrameSeen, ...] = ()
    flood: int | None = None
    restless: bool = False
