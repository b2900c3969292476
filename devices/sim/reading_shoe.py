"""A simulated reading shoe: it follows the coup by its own rule, and reports as a real one."""

import asyncio
import re
from collections.abc import Callable
from random import Random

from devices.card_reports import Place
from devices.sim.memory import CabinetState
from devices.sim.shoe import SimulatedShoe
from firmware_bridge.angel_eye.framing import ShoeReport, block_check
from firmware_bridge.angel_eye.reports import RANKS, SUITS, ReportedResult, Target, card_byte

COPIES = 3
REPEAT_S = 0.004

CARDS_SETTING = "90"
HIGHEST_PLACE = 3

COMMAND = re.compile(rb"(\x02OP([A-Z]{2})([0-9]{2})\x03)([0-9A-F]{2})")
LONGEST_COMMAND = 10
ACCEPTED, WRONG_CHECK, WRONG_TYPE = b"\x06", b"\x1502", b"\x1511"

OVERDRAW = 2
LOCKED, IN_ERROR = 0, 1

TARGET_OF = {Place.PUNTO: Target.PLAYER, Place.BANCO: Target.BANKER}

RULE = {3: "TTTTTTTTRTT", 4: "RRTTTTTTRRT", 5: "RRRRTTTTRRT", 6: "RRRRRRTTRRR"}
"""The drawing rule (article 21): by BANCO's points, whether it draws (T) or stands (R) for each of
PUNTO's third cards 0 to 9, and last for none."""

NO_THIRD = 10
COMPLETE_HAND = 2
PUNTO_STANDS = 6
NATURAL = 8


class SimulatedReadingShoe(SimulatedShoe):
    """An Angel Eye II-EX; every report is sent three times."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        state: CabinetState,
        remember: Callable[[], None],
    ) -> None:
        super().__init__(loop, state, remember)
        self._chance = Random(6 * 52)
        self._again: list[bytes] = []  # copies still to be sent
        self._timer: asyncio.TimerHandle | None = None
        self._rest = b""
        self._on = state.powered  # even while the simulation's process was gone

    def draw_to(self, place: Place, card: str) -> None:
        """Draw this card to a place, right or wrong."""
        self._let_out(1)
        self._see(lambda: self._give(place, card))

    def end_coup(self) -> None:
        """Press the button that ends the coup, if there is a coup."""
        self._see(self._force_end)

    def power(self, on: bool) -> None:
        """Switch the power.

        The shoe remembers the coup, and with power it reports that it stands by.
        """
        if on and not self._on:
            self._on = True
            self._say("P")
        elif not on:
            self._on = False
            self._again.clear()
            self._rest = b""
            self._stop_timer()

    # Cards

    def _on_loaded(self, cards: int) -> None:
        self._end_error()
        self._clear_hands()
        self._say("S")
        self._say("M", f"{CARDS_SETTING}{min(cards, 9999):04}".encode("ascii"))

    def _on_burnt(self, cards: int) -> None:
        for number in range(1, cards + 1):
            self._say_card(Target.BURN, min(number, 15), self._any_card())

    def _on_drawn(self, card: str | None) -> None:
        self._give(due(self._memory.punto, self._memory.banco) or Place.PUNTO, card)

    def _give(self, place: Place, card: str | None) -> None:
        card = card or self._any_card()
        if self._memory.locked:
            self._say("d", bytes((LOCKED, card_byte(card))))
            return
        memory = self._memory
        if not (memory.punto or memory.banco):
            self._end_error()
        hand = memory.punto if place is Place.PUNTO else memory.banco
        number = len(hand) + 1
        overdrawn = is_overdraw(memory.punto, memory.banco, place)
        if number > HIGHEST_PLACE:
            self._say("d", bytes((IN_ERROR, card_byte(card))))
        else:
            self._say_card(TARGET_OF[place], number, card)
        if overdrawn:
            memory.overdrawn = True
            self._say("E", bytes((OVERDRAW,)))
        else:
            hand.append(card)
        if due(memory.punto, memory.banco) is None:
            self._end(_result(memory.punto, memory.banco))

    def _on_cut(self) -> None:
        self._say("C")

    def _any_card(self) -> str:
        return self._chance.choice(RANKS) + self._chance.choice(tuple(SUITS.values()))

    def _end(self, result: ReportedResult) -> None:
        memory = self._memory
        pairs = _is_pair(memory.punto) | _is_pair(memory.banco) << 1
        self._say("G", bytes((result << 4 | pairs,)))
        self._clear_hands()

    def _force_end(self) -> None:
        if self._memory.punto or self._memory.banco:
            self._end(ReportedResult.FORCED_END)

    def _clear_hands(self) -> None:
        self._memory.punto.clear()
        self._memory.banco.clear()

    def _end_error(self) -> None:
        if self._memory.overdrawn:
            self._memory.overdrawn = False
            self._say("e", bytes((OVERDRAW,)))

    # Reports

    def _say_card(self, target: Target, place: int, card: str) -> None:
        self._say("D", bytes((target << 4 | place, card_byte(card))))

    def _say(self, letter: str, data: bytes = b"") -> None:
        """Send a report now, and its copies afterwards, before the next report at the latest."""
        for copy in self._again:
            self.cable.send(copy)
        self._memory.seq = (self._memory.seq + 1) % 10
        report = ShoeReport(str(self._memory.seq), letter, data).to_bytes()
        self.cable.send(report)
        self._again = [report] * (COPIES - 1)
        self._stop_timer()
        self._timer = self._loop.call_later(REPEAT_S, self._repeat)

    def _repeat(self) -> None:
        self._timer = None
        self.cable.send(self._again.pop())
        if self._again:
            self._timer = self._loop.call_later(REPEAT_S, self._repeat)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Commands

    def _receive(self, data: bytes) -> None:
        if not self._on:
            return
        self._rest += data
        while (command := COMMAND.search(self._rest)) is not None:
            self._rest = self._rest[command.end() :]
            checked, kind, value, check = command.groups()
            if check != block_check(checked):
                self.cable.send(WRONG_CHECK)
            else:
                self._obey(kind, value)
        self._rest = self._rest[-LONGEST_COMMAND:]
        self._remember()

    def _obey(self, kind: bytes, value: bytes) -> None:
        if kind == b"LK":
            self.cable.send(ACCEPTED)
            self._memory.locked = value == b"02"
            self._say("L", bytes((self._memory.locked,)))
        elif kind == b"EC":
            self.cable.send(ACCEPTED)
            self._end_error()
        elif kind == b"GP":
            self.cable.send(ACCEPTED)
        else:
            self.cable.send(WRONG_TYPE)


def due(punto: list[str], banco: list[str]) -> Place | None:
    """The next place to draw by the rule; None: the coup is over."""
    if len(punto) < COMPLETE_HAND or len(banco) < COMPLETE_HAND:
        behind = len(punto) <= len(banco) or len(banco) >= COMPLETE_HAND
        return Place.PUNTO if behind and len(punto) < COMPLETE_HAND else Place.BANCO
    two_punto, two_banco = _points(punto[:2]), _points(banco[:2])
    if max(two_punto, two_banco) >= NATURAL:
        return None
    if len(punto) == COMPLETE_HAND and two_punto < PUNTO_STANDS:
        return Place.PUNTO
    third = NO_THIRD if len(punto) == COMPLETE_HAND else _points(punto[2:])
    draws = two_banco < min(RULE) or RULE.get(two_banco, "R" * 11)[third] == "T"
    return Place.BANCO if draws and len(banco) == COMPLETE_HAND else None


def is_overdraw(punto: list[str], banco: list[str], place: Place) -> bool:
    """Whether the place has all its cards: two, unless the rule gives or may yet give a third."""
    hand = punto if place is Place.PUNTO else banco
    if len(hand) < COMPLETE_HAND:
        return False
    if len(hand) > COMPLETE_HAND or min(len(punto), len(banco)) < COMPLETE_HAND:
        return True
    next_one = due(punto, banco)
    return next_one is not place and not (place is Place.BANCO and next_one is Place.PUNTO)


def _points(cards: list[str]) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards) % 10


def _is_pair(cards: list[str]) -> bool:
    return len(cards) >= COMPLETE_HAND and cards[0][0] == cards[1][0]


def _result(punto: list[str], banco: list[str]) -> ReportedResult:
    difference = _points(punto) - _points(banco)
    if difference == 0:
        return ReportedResult.TIE
    return ReportedResult.PLAYER if difference > 0 else ReportedResult.BANKER
