"""Encodes answers and shortens those that do not fit into one line."""

import msgspec

from console.line.requests import LONGEST_LINE, AnyAnswer, Devices, Log, No, NoCode
from console.rules.structs import replace
from console.service.health.log_ring import LogLine
from devices.figures import DeviceFigures

LONGEST_LOG = LONGEST_LINE // 2
"""Most characters of log text taken into an answer; JSON makes it longer."""

_encoder = msgspec.json.Encoder()


def encode_answer(answer: AnyAnswer) -> bytes:
    """Encode an answer. Of frames and log lines only the newest that fit are kept."""
    line = _encoder.encode(answer)
    while len(line) > LONGEST_LINE:
        answer = _shorten(answer, len(line))
        line = _encoder.encode(answer)
    return line


def choose_newest_lines(lines: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    """Return the last lines, up to `LONGEST_LOG` characters."""
    space = LONGEST_LOG
    for number, line in enumerate(reversed(lines)):
        space -= len(line.text)
        if space < 0:
            return lines[len(lines) - number :]
    return lines


def _shorten(answer: AnyAnswer, length: int) -> AnyAnswer:
    if isinstance(answer, Log) and len(answer.lines) > 1:
        return Log(answer.lines[-(len(answer.lines) // 2) :])
    if isinstance(answer, Devices):
        frames = max(len(device.frames) for device in answer.devices)
        if frames:
            return Devices(tuple(_keep_last(device, frames // 2) for device in answer.devices))
    return No(NoCode.CANNOT, f"the answer would have {length} bytes; a line has {LONGEST_LINE}")


def _keep_last(device: DeviceFigures, frames: int) -> DeviceFigures:
    return replace(device, frames=device.frames[-frames:] if frames else ())
