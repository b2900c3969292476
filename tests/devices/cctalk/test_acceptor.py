"""An acceptor as its host knows it, answer by answer."""

import pytest

from devices.cctalk.acceptor import Acceptor
from firmware_bridge.cctalk.protocol import CcTalkHeader, CreditBuffer


class Dialogue:
    """An acceptor, and what its other end would say."""

    def __init__(self) -> None:
        self.acceptor = Acceptor(3, 13, None, (1,))
        self.counter = 7
        self.serial = b"\1\2\3"
        self.now = 100.0

    def run(self, steps: int) -> list[int]:
        """Let it be asked so often; the headers of what it was asked."""
        asked = []
        for _ in range(steps):
            command = self.acceptor.next_command(self.now)
            asked.append(int(command.header))
            self.acceptor.on_answer(command, self.answer(command.header), self.now)
            self.now += 0.03
        return asked

    def answer(self, header: CcTalkHeader) -> bytes:
        if header is CcTalkHeader.READ_CREDIT:
            return CreditBuffer(self.counter).to_bytes()
        return self.serial if header is CcTalkHeader.SERIAL_NUMBER else b""


@pytest.fixture
def dialogue() -> Dialogue:
    dialogue = Dialogue()
    dialogue.acceptor.begin(dialogue.now)
    return dialogue


def test_it_is_closed_asked_who_it_is_and_read_twice(dialogue: Dialogue) -> None:
    assert dialogue.run(7) == [228, 246, 244, 242, 229, 229, 229]


def test_it_is_opened_by_mask_and_master_and_closed_by_the_master_alone(
    dialogue: Dialogue,
) -> None:
    dialogue.run(6)
    dialogue.acceptor.set_accepting(True)
    assert dialogue.run(3) == [231, 228, 229]
    dialogue.acceptor.set_accepting(False)
    assert dialogue.run(2) == [228, 229]


def test_one_reset_between_its_opening_and_its_next_reading_may_have_lost_tokens(
    dialogue: Dialogue,
) -> None:
    dialogue.run(6)
    dialogue.acceptor.set_accepting(True)
    dialogue.run(2)
    dialogue.counter = 0
    dialogue.run(2)
    assert dialogue.acceptor.credits_lost == 1


def test_one_reset_before_it_is_opened_has_lost_none(dialogue: Dialogue) -> None:
    dialogue.run(6)
    dialogue.counter = 0
    dialogue.run(2)
    assert dialogue.acceptor.credits_lost == 0


def test_another_in_its_place_begins_with_a_counter_of_its_own(dialogue: Dialogue) -> None:
    dialogue.run(6)
    dialogue.counter, dialogue.serial = 30, b"\4\5\6"
    dialogue.acceptor.begin(dialogue.now)
    dialogue.run(6)
    acceptor = dialogue.acceptor
    assert (acceptor.mark, acceptor.drops, acceptor.credits_lost) == (30, 0, 0)
