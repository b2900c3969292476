"""docs/reference/wire-protocol.md, version 2: what a stranger reads there is what host and boards
do.
"""

import re
from collections.abc import Callable
from runpy import run_path
from typing import Any

import pytest

from firmware_bridge.board_session import changes
from firmware_bridge.board_session.framing import Deframer, encode
from firmware_bridge.board_session.host_speech import PROOF_SIZE, ProvedSession, make_mac
from firmware_bridge.board_session.protocol import (
    CHALLENGE_SIZE,
    IDENTITY_PROVED_SIZE,
    PROVED_VERSION,
    BoardKind,
    Hello,
    Identity,
    KeyAnswer,
    KeyMessage,
    MessageType,
)
from firmware_bridge.board_session.rail_messages import RailState, RailWant
from firmware_bridge.board_session.session_key import BoardKey
from tests.firmware_bridge.board_session.rig import Rig
from tests.firmware_bridge.board_session.wire_pages import (
    DOCS,
    examples,
    page,
    payload_of,
    read_fields,
)
from tests.firmware_bridge.reference.firmware import BoardSecrets
from tests.firmware_bridge.reference.rail_firmware import RailFirmware

PAGE = page("wire-protocol.md")
CHAPTER = PAGE.split("## Version 2\n")[1]
EXAMPLES = examples(CHAPTER)
BOOT = 0xB0070001
HELLO = Hello(0xC0FFEE01, PROVED_VERSION, bytes(range(0x10, 0x18)))
KEY = bytes(range(16))


def prove(message: bytes, count: int) -> bytes:
    session = ProvedSession(KEY, HELLO, BOOT, 1)
    session._sent = count - 1
    return session.prove(message)


def identity_of(key_state: int, greeting: int, **fields: Any) -> bytes:
    unproved = Identity(**fields, answer=KeyAnswer(key_state, greeting)).to_bytes()
    head = unproved[:IDENTITY_PROVED_SIZE]
    return head + make_mac(KEY, HELLO.challenge + head)


def message_of(name: str, fields: str) -> bytes:
    values = read_fields(name, fields)
    if name == "KeyMessage":
        return KeyMessage(**values).to_bytes()
    if name == "Identity":
        return identity_of(**values)
    if name == "Hello":
        return payload_of(name, fields, RailWant, RailState)
    fields = fields.replace(f", count={values['count']}", "")
    return prove(payload_of(name, fields, RailWant, RailState), values["count"])


def test_every_message_of_version_2_has_an_example() -> None:
    assert {name for name, *_ in EXAMPLES} == {"Hello", "Identity", "Want", "State", "KeyMessage"}


@pytest.mark.parametrize(("name", "fields", "payload", "frame"), EXAMPLES)
def test_an_example_is_what_the_code_sends(
    name: str, fields: str, payload: str, frame: str
) -> None:
    data = message_of(name, fields)
    assert data.hex(" ") == payload
    assert encode(data).hex(" ") == frame


def test_the_session_key_and_the_sizes_are_those_of_the_code() -> None:
    assert f"`{ProvedSession(KEY, HELLO, BOOT, 1)._key.hex()}`" in CHAPTER
    sizes = {
        "01 HELLO": Hello.LAYOUT.size + CHALLENGE_SIZE,
        "81 IDENTITY": Identity.LAYOUT.size + KeyAnswer.LAYOUT.size,
        "03 KEY": KeyMessage.LAYOUT.size,
        "The proof": PROOF_SIZE,
    }
    for name, size in sizes.items():
        assert re.search(rf"^### {name},.* {size} bytes$", CHAPTER, re.MULTILINE), name
    assert f"at most every {changes.STRANGERS_EVERY_S:.0f} s" in CHAPTER


def minimal_board(key: bytes | None) -> Any:
    return run_path(str(DOCS / "minimal_board.py"))["ProvedBoard"](BOOT, key)


class PageBoardRig:
    """The page's board on a rig, polled every millisecond."""

    def __init__(self, rig: Rig, key: bytes | None) -> None:
        self.rig = rig
        rig.board.power_off()
        self.board = minimal_board(key)
        rig.end.on_received = lambda data: self.board.receive(data, self.now())
        rig.session.start()
        self.poll()

    def now(self) -> int:
        return round((self.rig.loop.time() - 1000) * 1000)

    def poll(self) -> None:
        self.rig.end.send(self.board.poll(self.now()))
        self.rig.loop.call_later(0.001, self.poll)


def test_the_minimal_board_proves_itself_and_obeys(make_rig: Callable[..., Rig]) -> None:
    bare = PageBoardRig(make_rig(key=KEY), KEY)
    bare.rig.want(0x1555, 0b1, 1)
    bare.rig.run_for(1)
    assert bare.rig.owner.events == ["up", "settled"]
    assert (bare.board.lamps, bare.board.gates) == (0x1555, 0b1)
    bare.board.count_drop(1)
    bare.rig.run_for(5)
    assert bare.rig.owner.last.drops[0] == 1
    assert bare.rig.session.statistics.unproven == 0


def test_the_minimal_board_takes_its_key(make_rig: Callable[..., Rig]) -> None:
    rig = make_rig(key=KEY)
    rig.key.change(BoardKey("MINIMAL", KEY))
    bare = PageBoardRig(rig, None)
    rig.run_for(1)
    assert rig.owner.events == ["up", "settled"]
    assert bare.board.key == KEY
    assert rig.key.board == BoardKey("MINIMAL", KEY, confirmed=True)


def host_frames() -> list[tuple[int, bytes]]:
    """What a board with the key hears: two sessions, repetitions, other keys, forged frames."""
    first = ProvedSession(KEY, HELLO, BOOT, 1)
    later = Hello(0xC0FFEE02, PROVED_VERSION, bytes(8))
    second = ProvedSession(KEY, later, BOOT, 2)
    lit = [first.prove(b"\2" + bytes([n, 0]) + RailWant(n).to_bytes()) for n in (1, 2, 3)]
    forged = lit[2][:-1] + bytes([lit[2][-1] ^ 1])
    gate = second.prove(b"\2\4\0" + RailWant(2, 0x41, 7).to_bytes())
    return [
        (5, Hello(1).to_bytes()),
        (10, HELLO.to_bytes()),
        (20, lit[0]),
        (30, lit[1]),
        (40, lit[0]),
        (50, forged),
        (60, later.to_bytes()),
        (70, lit[2]),
        (80, KeyMessage(later.session, "MINIMAL", bytes(16)).to_bytes()),
        (90, gate),
        (100, gate),
        (110, HELLO.to_bytes()[:10]),
        (120, lit[2]),
        (130, b"\2"),
        (1300, second.prove(b"\2\5\0" + RailWant(1).to_bytes())),
    ]


def test_the_minimal_board_does_what_the_reference_does() -> None:
    """The same bytes to both: the same frames, but for the firmware's version."""
    reference = RailFirmware(BoardKind.SLOT_RAIL, BOOT, serial="MINIMAL")
    reference.secrets = BoardSecrets(KEY)
    board = minimal_board(KEY)
    ears = Deframer(), Deframer()
    script = [(at, encode(payload)) for at, payload in host_frames()]
    states = 0
    for now in range(2500):
        for at, data in script:
            if at == now:
                reference.receive(data, now)
                board.receive(data, now)
        ours, theirs = (
            ear.feed(out)
            for ear, out in zip(ears, (reference.advance(now), board.poll(now)), strict=True)
        )
        assert ours == theirs, now
        states += sum(payload[0] == MessageType.STATE for payload in ours)
        assert (reference.lamps, reference.gates) == (board.lamps, board.gates), now
    assert states > 10
