"""The frames on a ccTalk line in words, for people. Pure.

`-> 13 read credits`, `<- 13 counter 5, coin 1 by path 1`. The meaning of an answer depends on the
command before it. A bad frame is `bad: ` and why. No bytes raise an error, and the result is ASCII
that is safe for a terminal.
"""

from collections.abc import Callable, Iterable, Mapping

from firmware_bridge.cctalk.protocol import (
    COINS,
    HOST,
    NOTHING,
    OVERHEAD,
    CcTalkHeader,
    CreditBuffer,
    Frame,
)
from firmware_bridge.frame_trace import TracedFrame
from firmware_bridge.protocol_error import ProtocolError
from firmware_bridge.seat_words import format_name, plain_ascii


def describe_line(frames: Iterable[TracedFrame]) -> list[str]:
    """Each frame of one line in words, oldest first."""
    asked: Frame | None = None
    texts = []
    for traced in frames:
        frame, words = describe_frame(traced.raw, asked)
        if traced.sent:
            asked = frame
        elif not traced.good and frame is not None:
            words = f"bad: not the answer to what was asked: {words}"
        texts.append(words)
    return texts


def describe_frame(raw: bytes, asked: Frame | None = None) -> tuple[Frame | None, str]:
    """The frame in these bytes (None if there is none), and its meaning as an answer to `asked`."""
    if not raw:
        return None, "bad: no bytes"
    if len(raw) < OVERHEAD:
        return None, f"bad: {len(raw)} bytes, a frame has at least {OVERHEAD}"
    if len(raw) != OVERHEAD + raw[1]:
        return None, f"bad: {len(raw)} bytes, it says it has {OVERHEAD + raw[1]}"
    try:
        frame = Frame.from_bytes(raw)
    except ProtocolError as error:
        return None, f"bad: wrong checksum, {error}"
    if frame.source == HOST:
        return frame, f"-> {frame.destination} {_command(frame)}"
    if frame.destination == HOST:
        fits = asked is not None and asked.destination == frame.source
        return frame, f"<- {frame.source} {_answer(frame, asked if fits else None)}"
    return frame, f"from {frame.source} to {frame.destination} {_command(frame)}"


def _command(frame: Frame) -> str:
    name = _COMMANDS.get(frame.header)
    if name is None:
        return _with_bytes(f"header {frame.header}", frame.data)
    describe = _DATA_OF_COMMANDS.get(frame.header)
    return (
        _with_bytes(name, frame.data)
        if describe is None
        else f"{name} {describe(frame.data)}".strip()
    )


def _answer(frame: Frame, asked: Frame | None) -> str:
    if frame.header != CcTalkHeader.ACK:
        known = frame.header in (CcTalkHeader.NAK, CcTalkHeader.BUSY)
        name = CcTalkHeader(frame.header).name if known else f"header {frame.header}"
        return _with_bytes(name, frame.data)
    describe = None if asked is None else _DATA_OF_ANSWERS.get(asked.header)
    return _with_bytes("ACK", frame.data) if describe is None else describe(frame.data)


def _with_bytes(name: str, data: bytes) -> str:
    return f"{name} {data.hex(' ')}" if data else name


def _credits(data: bytes) -> str:
    try:
        read = CreditBuffer.from_bytes(data)
    except ProtocolError as error:
        return f"bad: {error}"
    newest_first = [str(event) for event in read.events if event != NOTHING]
    return ", ".join((f"counter {read.counter}", *newest_first))


def _serial(data: bytes) -> str:
    return f"serial {int.from_bytes(data, 'little')}" if data else "no serial number"


def _name(data: bytes) -> str:
    return f"'{plain_ascii(data.decode('latin-1'))}'"


def _mask(data: bytes) -> str:
    mask = int.from_bytes(data, "little")
    coins = [str(coin + 1) for coin in range(COINS) if mask >> coin & 1]
    return f"coins {' '.join(coins)}" if coins else "no coin"


def _master(data: bytes) -> str:
    return ("open" if data[0] & 1 else "closed") if data else ""


_COMMANDS: Mapping[int, str] = {
    **{header: format_name(header) for header in CcTalkHeader},
    CcTalkHeader.SIMPLE_POLL: "poll",
    CcTalkHeader.READ_CREDIT: "read credits",
    CcTalkHeader.MODIFY_MASTER_INHIBIT: "be",
    CcTalkHeader.MODIFY_INHIBIT: "accept",
}
_DATA_OF_COMMANDS: Mapping[int, Callable[[bytes], str]] = {
    CcTalkHeader.MODIFY_MASTER_INHIBIT: _master,
    CcTalkHeader.MODIFY_INHIBIT: _mask,
}
_DATA_OF_ANSWERS: Mapping[int, Callable[[bytes], str]] = {
    CcTalkHeader.READ_CREDIT: _credits,
    CcTalkHeader.SERIAL_NUMBER: _serial,
    CcTalkHeader.MANUFACTURER: _name,
    CcTalkHeader.PRODUCT_CODE: _name,
    CcTalkHeader.REQUEST_INHIBIT: _mask,
    CcTalkHeader.REQUEST_MASTER_INHIBIT: _master,
}
