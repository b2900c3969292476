"""docs/reference/wire-protocol.md: what a stranger reads there is what the host does."""

import re
from runpy import run_path
from typing import Protocol
from zlib import crc32

import pytest

from console.rules.round.tokens import TRAY_MS
from devices import reporter
from firmware_bridge.board.firmware import SPACING_MS
from firmware_bridge.board.rail import GATE_OPEN_MS
from firmware_bridge.board_session import changes, protocol, session
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.protocol import (
    BoardKind,
    Hello,
    Identity,
    Image,
    MessageType,
    State,
    Want,
)
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.memory_line import WireFaults
from tests.firmware_bridge.board_session.rig import Owner, Rig
from tests.firmware_bridge.board_session.wire_pages import DOCS, examples, page, payload_of
from tests.firmware_bridge.reference.rail_firmware import TRAY_WITHIN_MS, RailFirmware

PAGE = page("wire-protocol.md")
SIZES = {
    "Hello": Hello.LAYOUT.size,
    "Want": Want.HEAD.size + RailWant.LAYOUT.size,
    "Identity": Identity.LAYOUT.size,
    "Image": Image.LAYOUT.size,
    "State": State.HEAD.size + RailState.LAYOUT.size,
}
"""Each message as a rail's page shows it."""
EXAMPLES = examples(PAGE.split("## Version 2\n")[0])


def test_every_example_is_read() -> None:
    assert len(EXAMPLES) >= 10
    assert {name for name, *_ in EXAMPLES} == set(SIZES)


@pytest.mark.parametrize(("name", "fields", "payload", "frame"), EXAMPLES)
def test_an_example_is_what_the_code_sends(
    name: str, fields: str, payload: str, frame: str
) -> None:
    data = payload_of(name, fields, RailWant, RailState)
    assert data.hex(" ") == payload
    assert encode(data).hex(" ") == frame
    assert Deframer().feed(bytes.fromhex(frame)) == [bytes.fromhex(payload)]


@pytest.mark.parametrize("name", SIZES)
def test_types_and_sizes_are_those_of_the_code(name: str) -> None:
    kind = MessageType[name.upper()]
    heading = rf"^### {kind:02x} {kind.name}, .*, {SIZES[name]} bytes$"
    assert re.search(heading, PAGE, re.MULTILINE)


def test_the_timing_table_is_that_of_the_code() -> None:
    timing = PAGE.split("## Timing")[1].split("\n## ")[0]
    for figure in (
        protocol.HELLO_REPEAT_MS,
        protocol.HOST_REPEAT_MS,
        protocol.HOST_SPACING_MS,
        protocol.WANT_RETRY_MS,
        protocol.BOARD_REPEAT_MS,
        SPACING_MS,
        protocol.SILENCE_MS,
        GATE_OPEN_MS,
        TRAY_WITHIN_MS,
        TRAY_MS,
        round(changes.RESTLESS_HELLO_S * 1000),
    ):
        assert f" {figure} ms" in timing
    assert f"| {session.REOPEN_S:.0f} s |" in timing


def test_the_page_says_when_a_line_is_restless() -> None:
    host = PAGE.split("## The host")[1].split("\n## ")[0]
    most, within = changes.MOST_CHANGES, changes.CHANGES_WITHIN_S
    assert f"more than {most} times within {within:.0f} s" in host
    assert f"| {changes.CALM_S:.0f} s without any of that |" in host


def test_the_page_says_how_many_states_are_recorded() -> None:
    chapter = " ".join(PAGE.split("### A flood of STATE")[1].split("\n## ")[0].split())
    assert f"up to {reporter.BURST} at once and {reporter.A_SECOND} a second" in chapter
    assert f"one every {reporter.SPACING_S * 1000:.0f} ms" in chapter
    assert f"for {reporter.OVER_AFTER_S:.0f} s" in chapter


def test_the_check_value_of_the_crc() -> None:
    assert f"`{crc32(b'123456789'):X}`" in PAGE


class MinimalBoard(Protocol):
    """The class on the page, as its text promises it."""

    lamps: int
    gates: int
    occupied: int
    tray: int
    drops: list[int]
    attended: bool

    def receive(self, data: bytes, now: int) -> None: ...
    def poll(self, now: int) -> bytes: ...
    def count_drop(self, seat: int) -> None: ...
    def count_tray(self) -> None: ...


def minimal_board(boot: int) -> MinimalBoard:
    board: MinimalBoard = run_path(str(DOCS / "minimal_board.py"))["MinimalBoard"](boot)
    return board


class PageBoardRig:
    """The page's board on a rig, polled every millisecond; a token falls at every open gate."""

    def __init__(self, rig: Rig) -> None:
        self.rig = rig
        rig.board.power_off()
        self.board = minimal_board(0xB0A4D)
        rig.end.on_received = lambda data: self.board.receive(data, self.now())
        self.poll()

    def now(self) -> int:
        return round((self.rig.loop.time() - 1000) * 1000)

    def poll(self) -> None:
        for seat in range(1, 8):
            if self.board.gates >> (seat - 1) & 1:
                self.board.count_drop(seat)
                self.board.count_tray()
        self.rig.end.send(self.board.poll(self.now()))
        self.rig.loop.call_later(0.001, self.poll)


@pytest.fixture
def bare(idle_rig: Rig) -> PageBoardRig:
    bare = PageBoardRig(idle_rig)
    idle_rig.session.start()
    return bare


def run_bare(bare: PageBoardRig) -> list[str]:
    owner: Owner = bare.rig.owner
    return owner.events


def test_the_minimal_board_is_found_ordered_lost_and_found_again(bare: PageBoardRig) -> None:
    bare.rig.want(0x1555, 0, 0)
    bare.rig.run_for(1)
    assert run_bare(bare) == ["up", "settled"]
    bare.board.occupied = 0x7F
    bare.rig.want(0x2AAA, 0x7F, 1)
    bare.rig.run_for(3)
    assert (bare.board.lamps, bare.board.gates) == (0x2AAA, 0)
    last = bare.rig.owner.last
    assert (last.occupied, last.drops, last.tray) == (0x7F, (1,) * 7, 7)
    bare.rig.end.unplug()
    bare.rig.run_for(2)
    assert (bare.board.lamps, bare.board.attended) == (0, False)
    bare.rig.end.plug()
    bare.rig.run_for(1)
    assert run_bare(bare) == ["up", "settled", "lost: unplugged", "up", "settled"]
    assert bare.rig.owner.last.drops == (1,) * 7, "turn 1 is not served twice"


def test_the_minimal_board_counts_right_on_a_bad_wire(bare: PageBoardRig) -> None:
    faults = [WireFaults(drop=0.2, repeat=0.2, cut=0.1, garbage=0.1, seed=n) for n in (1, 2)]
    bare.rig.end.inject(to_host=faults[0], to_device=faults[1])
    for turn in range(1, 31):
        bare.rig.want(0, 1, turn)
        bare.rig.run_for(0.4)
    bare.rig.end.inject()
    bare.rig.run_for(3)
    assert bare.rig.owner.last.drops == tuple(bare.board.drops)
    assert 20 <= bare.board.drops[0] <= 30


SAID = [
    (0, b"\x02"),
    (1, Want(1, RailWant(1).to_bytes()).to_bytes()),
    (20, Hello(1, version=9).to_bytes()),
    (30, Hello(1).to_bytes() + b"more"),
    (40, Want(65535, RailWant(3, 0x41, 7).to_bytes()).to_bytes()),
    (60, Want(1, RailWant(2, 0x41, 7).to_bytes()).to_bytes()),
    (80, Want(65535, RailWant(9, 0x7F, 9).to_bytes()).to_bytes()),
    (900, Hello(1).to_bytes()),
    (1800, Want(1, RailWant(2, 0x41, 7).to_bytes()).to_bytes()),
    (2500, Hello(2).to_bytes()),
    (2520, b"\x70"),
    (2560, Want(5, RailWant(2, 0x43, 7).to_bytes()).to_bytes()),
    (2600, Hello(3).to_bytes()),
]
NOISE = [(100, b"\x01" * 999 + b"\0"), (2540, b"\x09\x02\0")]


def test_the_minimal_board_does_what_the_reference_does() -> None:
    """The same bytes to both: the same answers, but for who they are."""
    reference = RailFirmware(BoardKind.SLOT_RAIL, 0xB0A4D)
    board = minimal_board(0xB0A4D)
    ears = Deframer(), Deframer()
    script = [(at, encode(payload)) for at, payload in SAID] + NOISE
    for now in range(5000):
        for at, data in script:
            if at == now:
                reference.receive(data, now)
                board.receive(data, now)
        answers = [
            [payload for payload in ear.feed(out) if payload[0] == MessageType.STATE]
            for ear, out in zip(ears, (reference.advance(now), board.poll(now)), strict=True)
        ]
        assert (reference.lamps, reference.gates) == (board.lamps, board.gates), now
        assert [State.from_bytes(payload) for payload in answers[0]] == [
            State.from_bytes(payload) for payload in answers[1]
        ], now
