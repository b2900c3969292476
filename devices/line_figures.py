"""A line's counts and last frames as `DeviceFigures`: what all drivers share."""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from devices.boards import BoardLabel
from devices.figures import DeviceFigures, FrameSeen, LineCounts
from firmware_bridge.board_session.framing import DELIMITER, LONGEST_FRAME
from firmware_bridge.board_session.protocol import Identity, describe_notices, unpack_notices
from firmware_bridge.board_session.session import BoardSession
from firmware_bridge.board_session.words import describe_firmware, describe_frame, describe_kind
from firmware_bridge.frame_trace import TracedFrame
from firmware_bridge.line_statistics import LineStatistics, RoundTrips
from firmware_bridge.seat_words import format_name, plain_ascii

LONGEST_SAYING = 160
"""Characters of a frame's meaning; longer texts are cut."""

LONGEST_SHOWN = 64
"""Bytes of a frame that are shown; for a longer frame its length is added."""


def describe_frames(
    traced: Iterable[TracedFrame], meanings: Iterable[str]
) -> tuple[FrameSeen, ...]:
    """Each frame with its meaning."""
    return tuple(
        _describe_one(frame, meaning) for frame, meaning in zip(traced, meanings, strict=True)
    )


def _describe_one(frame: TracedFrame, meaning: str) -> FrameSeen:
    size = len(frame.raw)
    length = f" ({size} bytes)" if size > LONGEST_SHOWN else ""
    text = meaning if len(meaning) <= LONGEST_SAYING else meaning[: LONGEST_SAYING - 3] + "..."
    ago_ms = round(frame.ago_s * 1000)
    return FrameSeen(ago_ms, frame.sent, frame.raw[:LONGEST_SHOWN], text + length)


def with_board(figures: DeviceFigures, session: BoardSession[Any], frames: int) -> DeviceFigures:
    """A device's figures with its board's session, and the last `frames` frames in words."""
    traced = session.trace.last(frames)
    return replace(
        figures,
        state={
            **figures.state,
            **_notices(session.notices),
            **list_counted({"frames not taken": session.statistics.refused}),
        },
        identity=_identity(session.identity) | _image(session.image) | dict(figures.identity),
        counts=_counts(session.statistics),
        restless=session.statistics.restless,
        frames=describe_frames(
            [_end_reason(frame) for frame in traced],
            [describe_frame(frame.raw, session.kind) for frame in traced],
        ),
    )


def board_of(identity: Identity, *, unproven: bool = False) -> BoardLabel:
    """The board that has answered, as it goes on record."""
    return BoardLabel(
        describe_kind(identity.kind),
        plain_ascii(identity.serial),
        describe_firmware(identity),
        unproven=unproven or UNSET,
    )


def find_notices(session: BoardSession[Any]) -> frozenset[int] | UnsetType:
    """What the board says is wrong with itself, by number; unset: nothing."""
    return unpack_notices(session.notices) or UNSET


def board_driver(what: str, session: BoardSession[Any]) -> str:
    """A driver's name, with the kind of board it drives: `board rail, slot rail`."""
    return f"{what}, {format_name(session.kind)}"


def with_trips(counts: LineCounts, round_trips: RoundTrips) -> LineCounts:
    """The counts with the last and the mean round trip, if there was one."""
    if not round_trips.count:
        return counts
    last, mean = round(round_trips.last_ms, 1), round(round_trips.mean_ms, 1)
    return replace(counts, round_trip_ms=last, round_trip_mean_ms=mean)


def list_counted(counts: Mapping[str, int]) -> dict[str, str]:
    """What has happened on a line at least once, and how often."""
    return {what: str(count) for what, count in counts.items() if count}


def _end_reason(frame: TracedFrame) -> TracedFrame:
    """The frame as it was on the line: the deframer leaves the closing 00 out."""
    if frame.sent or len(frame.raw) > LONGEST_FRAME:
        return frame
    return replace(frame, raw=frame.raw + DELIMITER)


def _notices(notices: int) -> dict[str, str]:
    return {"notices": describe_notices(notices)} if notices else {}


def _identity(board: Identity | None) -> dict[str, str]:
    if board is None:
        return {}
    facts = {
        "kind": describe_kind(board.kind),
        "serial": plain_ascii(board.serial) or "none",
        "firmware": describe_firmware(board),
        "protocol": str(board.version),
        "boot": f"{board.boot:#x}",
    }
    return facts | ({"seats": str(board.seats)} if board.seats else {})


def _image(digest: str) -> dict[str, str]:
    return {"image": digest} if digest else {}


def _counts(statistics: LineStatistics) -> LineCounts:
    heard = statistics.received
    counts = LineCounts(
        received=heard.frames + heard.bad,
        bad=heard.bad + statistics.malformed + statistics.unknown,
        sent=statistics.sent,
        retries=statistics.retries,
        unproven=statistics.unproven,
        connections=statistics.connections,
        boots=statistics.boots,
    )
    return with_trips(counts, statistics.round_trips)
