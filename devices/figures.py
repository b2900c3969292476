"""The figures of a device for people who look after it; no decision depends on them."""

from collections.abc import Mapping

from msgspec import Struct, field

from devices.device import Device


class InputFigures(Struct, frozen=True):
    """One contact or sensor: a button, a key contact, a seat's sensor."""

    name: str
    """`COIN_IN`, `key JPL`, `inspector`, `plug`, `seat 3`."""
    closed: bool
    """The contact is closed, or the sensor sees something, at this instant."""
    since_ms: int
    """For how long it has been so."""
    edges: int
    """Changes since the service started."""
    chatter: int = 0
    """Levels that ended before they settled."""
    pulse_ms: float | None = None
    """How long it was closed last; None if it never was."""


class FrameSeen(Struct, frozen=True):
    """A frame, or a piece of bytes, on a device's line."""

    ago_ms: int
    """How long ago."""
    sent: bool
    """To the device; otherwise from it."""
    raw: bytes
    """At most its first 64 bytes."""
    says: str
    """Its meaning, in ASCII English; for a bad frame `bad: ` and why."""


class LineCounts(Struct, frozen=True):
    """A line's counts since the service started."""

    received: int = 0
    """Frames, good and bad."""
    bad: int = 0
    """Frames with a wrong checksum or form, and pieces of stray bytes; for a display, all it
    sends."""
    sent: int = 0
    retries: int = 0
    """Frames sent again because no answer came."""
    unproven: int = 0
    """Frames that do not prove the board's key: invented, repeated, or another board's."""
    connections: int = 0
    """How often the device was found; one is normal."""
    boots: int = 0
    """How often its boot number changed."""
    round_trip_ms: float | None = None
    """The last round trip; None without one."""
    round_trip_mean_ms: float | None = None
    restless: bool = False


class DeviceFigures(Struct, frozen=True):
    """A device's figures from its driver."""

    device: Device
    line: str
    """The device's name, unless it has two lines (`rail board`)."""
    driver: str
    up: bool
    why_down: str = ""
    identity: Mapping[str, str] = field(default_factory=dict)
    """For people: `{"firmware": "1.0", "boot": "0x1f"}`."""
    state: Mapping[str, str] = field(default_factory=dict)
    """As last reported, for people: `{"occupied": "1 3", "dead lamps": "none"}`."""
    counts: LineCounts = field(default_factory=LineCounts)
    frames: tuple[FrameSeen, ...] = ()
    """As many as requested, oldest first, after the last bad ones still kept."""
    flood: int | None = None
    """Reports left out in the present flood; None without a flood."""
    restless: bool = False
    """It is lost because two boards use its line, or one restarts again and again."""
