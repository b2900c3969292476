"""The ccTalk line: one command at a time, its echo, its answer, and who gets the blame."""

from collections.abc import Iterator

import pytest

from devices.sim.cctalk import AcceptorLine, SimulatedAcceptor
from devices.sim.memory import AcceptorMemory
from devices.sim.virtual_time import VirtualLoop
from firmware_bridge.cctalk.bus import ANSWER_S, CcTalkBus, CcTalkCommand
from firmware_bridge.cctalk.protocol import CcTalkHeader, Frame
from firmware_bridge.memory_line import WireFaults, memory_wire

WHO = CcTalkCommand(12, CcTalkHeader.SERIAL_NUMBER, least=1, most=8)
NOBODY = CcTalkCommand(40, CcTalkHeader.SIMPLE_POLL)


class Rig:
    """A bus with two acceptors, and an owner who asks what is in `to_ask`, once each."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        line, self.end = memory_wire(self.loop)
        self.bus = CcTalkBus(self.loop, line, self)
        self.acceptors = [SimulatedAcceptor(at, 1000 + at, AcceptorMemory()) for at in (11, 12)]
        self.wire = AcceptorLine(self.acceptors)
        self.end.on_received = self.on_received
        self.to_ask: list[CcTalkCommand] = []
        self.sent = 0
        self.log: list[str] = []

    def on_received(self, data: bytes) -> None:
        self.sent += 1
        answers = self.wire.hear(data, round(self.loop.time() * 1000))
        self.end.send(data + b"".join(answer.to_bytes() for answer in answers))

    def ask(self, *commands: CcTalkCommand, within: float = 0.05) -> list[str]:
        self.log.clear()
        self.to_ask += commands
        self.bus.wake()
        self.loop.run_for(within)
        return self.log

    def bus_up(self, now: float) -> None: ...

    def bus_down(self, why: str) -> None:
        self.log.append(f"down: {why}")

    def next_command(self, now: float) -> CcTalkCommand | float:
        return self.to_ask.pop(0) if self.to_ask else now + 10

    def on_answer(self, command: CcTalkCommand, data: bytes, _now: float) -> None:
        self.log.append(f"{command.address}: {data.hex()}")

    def on_no_answer(self, command: CcTalkCommand, why: str, _now: float) -> None:
        self.log.append(f"{command.address}: {why}")


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    rig.bus.start()
    rig.loop.run_for(0.2)
    yield rig
    rig.bus.close()
    rig.loop.close()


def test_the_one_addressed_answers_and_nobody_else(rig: Rig) -> None:
    first = CcTalkCommand(11, CcTalkHeader.SERIAL_NUMBER, least=1, most=8)
    assert rig.ask(first, WHO) == ["11: f30300", "12: f40300"]


def test_byte_by_byte_it_is_the_same(rig: Rig) -> None:
    rig.end.inject(
        to_host=WireFaults(byte_at_a_time=True), to_device=WireFaults(byte_at_a_time=True)
    )
    assert rig.ask(WHO) == ["12: f40300"]


def test_an_answer_is_awaited_for_200_ms_after_the_echo(rig: Rig) -> None:
    answer = Frame(1, 40, CcTalkHeader.ACK).to_bytes()

    def answer_late(data: bytes) -> None:
        rig.end.send(data)
        rig.loop.call_later(ANSWER_S - 0.01, rig.end.send, answer)

    rig.end.on_received = answer_late
    assert rig.ask(NOBODY, within=0.3) == ["40: "]


def test_silence_is_told_after_200_ms_and_costs_no_second_try(rig: Rig) -> None:
    assert rig.ask(NOBODY, WHO, within=0.15) == []
    assert rig.ask(within=0.1) == ["40: silent", "12: f40300"]
    assert rig.sent == 2


def test_a_line_without_echo_is_called_so(rig: Rig) -> None:
    rig.end.on_received = None
    assert rig.ask(WHO, within=0.3) == ["12: no echo"]


def test_an_answer_without_the_echo_is_a_collision(rig: Rig) -> None:
    rig.end.on_received = lambda _: rig.end.send(
        Frame(1, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes()
    )
    assert rig.ask(WHO, within=0.3) == ["12: the line does not carry what is sent"]
    assert rig.bus.statistics.collisions == 3


def test_one_collision_is_made_good_when_the_line_is_quiet(rig: Rig) -> None:
    def collide(data: bytes) -> None:
        rig.end.on_received = rig.on_received
        rig.end.send(b"\xff" + data[1:])

    rig.end.on_received = collide
    assert rig.ask(WHO, within=0.055) == []
    assert rig.ask(within=0.02) == ["12: f40300"]


@pytest.mark.parametrize(
    "answer",
    [
        Frame(2, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes(),  # to somebody else
        Frame(1, 11, CcTalkHeader.ACK, b"\1\2\3").to_bytes(),  # from somebody else
        Frame(1, 12, CcTalkHeader.ACK).to_bytes(),  # too short for this command
        Frame(1, 12, CcTalkHeader.ACK, bytes(9)).to_bytes(),  # too long
        Frame(1, 12, CcTalkHeader.SERIAL_NUMBER).to_bytes(),  # no answer at all
        Frame(1, 12, CcTalkHeader.NAK, b"\0").to_bytes(),
        Frame(1, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes() + b"\0",  # more than a frame
        Frame(1, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes()[:-1] + b"\0",  # wrong sum
    ],
)
def test_what_does_not_fit_the_command_is_garbled(rig: Rig, answer: bytes) -> None:
    rig.end.on_received = lambda data: rig.end.send(data + answer)
    assert rig.ask(WHO, within=0.5) == ["12: the answer is garbled"]
    assert rig.bus.statistics.garbled == 3


@pytest.mark.parametrize("header", [CcTalkHeader.NAK, CcTalkHeader.BUSY])
def test_a_refusal_is_told_at_once(rig: Rig, header: CcTalkHeader) -> None:
    rig.end.on_received = lambda data: rig.end.send(data + Frame(1, 12, header).to_bytes())
    assert rig.ask(WHO) == [f"12: answers {header.name}"]


def test_half_an_answer_is_silence(rig: Rig) -> None:
    half = Frame(1, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes()[:4]
    rig.end.on_received = lambda data: rig.end.send(data + half)
    assert rig.ask(WHO, within=0.3) == ["12: silent"]


def test_a_known_answer_is_still_garbled_when_more_follows(rig: Rig) -> None:
    rig.ask(WHO)
    answer = Frame(1, 12, CcTalkHeader.ACK, (1012).to_bytes(3, "little")).to_bytes()
    rig.end.on_received = lambda data: rig.end.send(data + answer + b"\0")
    assert rig.ask(WHO, within=0.5) == ["12: the answer is garbled"]


def test_noise_is_counted_and_let_pass_before_anything_is_said(rig: Rig) -> None:
    rig.end.send(b"noise")
    rig.loop.run_for(0.001)
    assert rig.ask(WHO, within=0.05) == []
    assert rig.ask(within=0.02) == ["12: f40300"]
    assert rig.bus.statistics.noise == 5


def test_a_line_on_which_nobody_answers_is_opened_anew_after_3_s(rig: Rig) -> None:
    rig.end.on_received = rig.end.send
    rig.ask(*[NOBODY] * 20, within=3.5)
    assert rig.bus.statistics.reopened == 1
    assert "down: nobody answers: silent" in rig.log


def test_a_line_that_is_gone_ends_what_is_under_way(rig: Rig) -> None:
    rig.ask(NOBODY, within=0.1)
    rig.end.unplug()
    assert rig.ask(within=1) == ["down: unplugged"]


def trace_of(rig: Rig) -> list[tuple[bool, str, bool]]:
    """What the bus has kept: sent or not, the bytes, good or not."""
    return [(seen.sent, seen.raw.hex(), seen.good) for seen in rig.bus.trace.last(32)]


ASKED = (True, WHO.frame.hex(), True)
ANSWERED = (
    False,
    Frame(1, 12, CcTalkHeader.ACK, (1012).to_bytes(3, "little")).to_bytes().hex(),
    True,
)


@pytest.mark.parametrize("byte_at_a_time", [False, True])
def test_commands_and_answers_are_kept_and_echoes_are_not(rig: Rig, byte_at_a_time: bool) -> None:
    faults = WireFaults(byte_at_a_time=byte_at_a_time)
    rig.end.inject(to_host=faults)
    rig.ask(WHO)
    rig.ask(WHO)  # the same answer once more
    assert trace_of(rig) == [ASKED, ANSWERED] * 2
    trips = rig.bus.statistics.round_trips
    assert (trips.count, rig.bus.statistics.retries) == (2, 0)


def test_an_answer_takes_as_long_as_it_took(rig: Rig) -> None:
    def hear_late(data: bytes) -> None:
        rig.loop.call_later(0.03, rig.on_received, data)

    rig.end.on_received = hear_late
    rig.ask(WHO)
    assert rig.bus.statistics.round_trips.last_ms == pytest.approx(30)


def test_what_was_garbled_is_kept_as_it_was_and_asked_again(rig: Rig) -> None:
    rig.end.on_received = lambda data: rig.end.send(data + b"\1\0\x0c\0\0")
    rig.ask(WHO, within=0.5)
    assert trace_of(rig) == [ASKED, (False, "01000c0000", False)] * 3
    assert (rig.bus.statistics.sent, rig.bus.statistics.retries) == (3, 2)


def test_a_collision_is_kept(rig: Rig) -> None:
    rig.end.on_received = lambda data: rig.end.send(b"\xff" + data[1:])
    rig.ask(WHO, within=0.3)
    assert trace_of(rig)[:2] == [ASKED, (False, "ff" + WHO.frame.hex()[2:], False)]


def test_half_an_answer_and_noise_are_kept_as_bad(rig: Rig) -> None:
    half = Frame(1, 12, CcTalkHeader.ACK, b"\1\2\3").to_bytes()[:4]
    rig.end.on_received = lambda data: rig.end.send(data + half)
    rig.ask(WHO, within=0.3)
    rig.end.send(b"noise")
    rig.loop.run_for(0.1)
    assert trace_of(rig) == [ASKED, (False, half.hex(), False), (False, b"noise".hex(), False)]
    assert rig.bus.trace.bad == 2
    assert rig.bus.statistics.retries == 1, "who is silent is asked again later"


def test_an_answer_that_never_ends_is_kept_in_part(rig: Rig) -> None:
    def trickle(data: bytes) -> None:
        rig.end.send(data)
        for number in range(2000):
            rig.loop.call_later(0.055 * number, rig.end.send, b"\1")

    rig.end.on_received = trickle
    rig.ask(WHO, within=60)
    assert len(rig.bus._heard) <= 300
