"""What a reading shoe's reports, and the commands to it, say to people."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.angel_eye.commands import CLEAR_ERROR, LOCK, UNLOCK
from firmware_bridge.angel_eye.framing import ShoeReport
from firmware_bridge.angel_eye.words import describe_received, describe_sent

ANGEL_EYE = {
    "05 31 44 81 C4 03 33 33": "D 4H to player, place 1",
    "05 31 44 91 C4 03 32 33": "D 4H to banker, place 1",
    "05 32 47 90 03 45 36": "G result player",
    "05 33 43 03 37 33": "C the cut card is out",
    "05 34 4D B9 B0 B0 B3 B1 B2 03 37 33": "M setting 90 is 0312",
    "06": "answer 0, accepted",
    "15 21": "answer 21, busy",
    "05 33 43 03 37 34": "bad: wrong check",
    "41 42": "bad: 2 bytes that are no report",
    "05 33 43": "bad: 3 bytes that are no report",
    "06 06": "bad: 2 bytes that are no report",
}


@pytest.mark.parametrize("heard", ANGEL_EYE)
def test_what_a_reading_shoe_says(heard: str) -> None:
    assert describe_received(bytes.fromhex(heard)) == ANGEL_EYE[heard]


@pytest.mark.parametrize(
    ("letter", "data", "says"),
    [
        ("R", b"\x01\x44", "R 4H to player, place 1, sent again"),
        ("d", b"\x01\x44", "d 4H outside the game (1)"),
        ("G", b"\x43", "G result banker, player pair, banker pair"),
        ("E", b"\x42", "E error 2, overdraw"),
        ("e", b"\x02", "e error 2, overdraw, cleared"),
        ("S", b"", "S the shoe begins anew"),
        ("P", b"", "P standing by"),
        ("L", b"\x01", "L locked"),
        ("L", b"\x00", "L unlocked"),
        ("D", b"\x01\x7f", "bad: D: 0x7f is no card"),
        ("X", b"", "bad: a report X is not known"),
    ],
)
def test_each_report_says(letter: str, data: bytes, says: str) -> None:
    assert describe_received(ShoeReport("1", letter, data).to_bytes()) == says


def test_what_a_reading_shoe_is_told() -> None:
    commands = [command.to_bytes() for command in (LOCK, UNLOCK, CLEAR_ERROR)]
    assert [describe_sent(raw) for raw in commands] == [
        "command lock",
        "command unlock",
        "command clear error",
    ]
    assert describe_sent(LOCK.to_bytes(check_from_stx=False)) == "command lock"
    assert describe_sent(b"?") == "bad: no command that is known"


@given(st.text("SPCDRdGEeLMX", min_size=1, max_size=1), st.binary(max_size=6))
def test_no_good_report_raises_anything(letter: str, data: bytes) -> None:
    low = bytes(byte & 0x7F for byte in data)
    says = describe_received(ShoeReport("1", letter, low).to_bytes())
    assert says.isascii()
    assert says.isprintable()
