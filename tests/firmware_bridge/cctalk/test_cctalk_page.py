"""What docs/reference/cctalk.md shows is what is spoken."""

import re
from pathlib import Path

import pytest

from devices.cctalk import acceptor as cctalk_acceptor
from devices.cctalk import rail as cctalk_rail
from firmware_bridge.cctalk import bus as cctalk_bus
from firmware_bridge.cctalk.protocol import CcTalkHeader, CoinEvent, CreditBuffer, Frame

PAGE = (Path(__file__).parents[3] / "docs/reference/cctalk.md").read_text("utf-8")
EXAMPLES = re.findall(r"`((?:[0-9A-F]{2} ){4,}[0-9A-F]{2})`", PAGE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_is_a_frame(example: str) -> None:
    assert Frame.from_bytes(bytes.fromhex(example)).to_bytes().hex(" ").upper() == example


def test_the_commands_are_those_in_the_table() -> None:
    rows = re.findall(r"^\| (\d+) \| `([0-9A-F ]+)` \|", PAGE, re.MULTILINE)
    assert [Frame.from_bytes(bytes.fromhex(row)).header for _, row in rows] == [
        int(header) for header, _ in rows
    ]
    acceptor = cctalk_acceptor.Acceptor(3, 13, None, cctalk_rail.TOKENS)
    acceptor.begin(0)
    frames = []
    for header, _ in rows:
        command = acceptor.next_command(0)
        frames.append(command.frame.hex(" ").upper())
        answer = CreditBuffer(0).to_bytes() if int(header) == CcTalkHeader.READ_CREDIT else b"\1"
        acceptor.on_answer(command, answer, 0)
        if command.header is CcTalkHeader.READ_CREDIT:
            acceptor.on_answer(command, answer, 0)  # it counts when it is said twice
            acceptor.set_accepting(True)
    assert frames == [row for _, row in rows]


def test_the_credit_is_what_the_page_says() -> None:
    credit = CreditBuffer.from_bytes(Frame.from_bytes(bytes.fromhex(EXAMPLES[-1])).data)
    assert (credit.counter, credit.events[0]) == (1, CoinEvent(1, 1))


def test_the_times_are_those_of_the_code() -> None:
    assert f"{cctalk_bus.ANSWER_S * 1000:.0f} ms after the command's last byte" in PAGE
    assert f"quiet for {cctalk_bus.QUIET_S * 1000:.0f} ms" in PAGE
    assert f"read {cctalk_acceptor.POLL_S * 1000:.0f} ms after it was read last" in PAGE
    assert f"set up again after {cctalk_acceptor.AFTER_RESET_S * 1000:.0f} ms" in PAGE
    assert f"Silent for {cctalk_rail.SILENCE_S:.0f} s, it is `RAIL_LOST`" in PAGE
