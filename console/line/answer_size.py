"""Answers as lines of the local line: none is longer than a line may be."""

from dataclasses import replace

import msgspec

from console.line.requests import LONGEST_LINE, AnyAnswer, Devices, Log, No, NoCode
from console.service.health.log_ring import LogLine
from devices.figures import DeviceFigures

LONGEST_LOG = LONGEST_LINE // 2
"""Characters of a log that is told, before it is known how long it becomes."""

_encoder = msgspec.json.Encoder()


def encode_answer(answer: AnyAnswer) -> bytes:
    """The answer as it is sent: of frames and of log lines the newest, as many as fit."""
    line = _encoder.encode(answer)
    while len(line) > LONGEST_LINE:
        answer = _less(answer, len(line))
        line = _encoder.encode(answer)
    return line


def choose_newest_lines(lines: tuple[LogLine, ...]) -> tuple[LogLine, ...]:
    """As many of the last lines as may fit."""
    room = LONGEST_LOG
    for number, line in enumerate(reversed(lines)):
        room -= len(line.text)
        if room < 0:
            return lines[len(lines) - number :]
    return lines


def _less(answer: AnyAnswer, length: int) -> AnyAnswer:
    if isinstance(answer, Log) and len(answer.lines) > 1:
        return Log(answer.lines[-(len(answer.lines) // 2) :])
    if isinstance(answer, Devices):
        frames = max(len(told.frames) for told in answer.devices)
        if frames:
            return Devices(tuple(_with_last(one, frames // 2) for one in answer.devices))
    return No(NoCode.CANNOT, f"the answer would have {length} bytes; a line has {LONGEST_LINE}")


def _with_last(one: DeviceFigures, frames: int) -> DeviceFigures:
    return replace(one, frames=one.frames[-frames:] if frames else ())
