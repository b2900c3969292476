"""A robot that does what the terminal asks a technician to do, at a simulated cabinet."""

import re
from collections.abc import Callable, Mapping

from console.simulation.cabinet import PhysicallyImpossible, SimulatedCabinet
from devices.roles import COMBINATION_BUTTONS, Button, KeyPosition, Lamp
from tests.console.line.handled_table import PINS
from tests.console.technician.commands.technician_bench import TechnicianBench

LOOKS_AGAIN_S = 0.25
LONGEST_TEST_S = 3600.0

YES, NO = "y", "n"

REACTS_S = 0.6
"""Between reading what is asked and typing the answer."""


class RobotTechnician:
    """Does what is asked and answers what it sees; it skips what matches `refuses`."""

    def __init__(self, visit: TechnicianBench, *refuses: str) -> None:
        self._visit = visit
        self._cabinet: SimulatedCabinet = visit.cabinet
        self._refuses = refuses
        self._unread = self._printed = ""
        service = visit.rig.table.simulated_table.service
        names = service.combinations or service.rules.game.first_legends
        self._buttons: Mapping[str, Button] = {
            **{button.value: button for button in Button},
            **dict(zip(names, COMBINATION_BUTTONS, strict=False)),
        }
        self._lamps = {name: at for at, name in enumerate(names)}

    def run(self, command: str) -> str:
        """Type a command and do what it asks until it ends; return all that it printed."""
        self._unread = self._printed = self._visit.type_command(command)
        began = self._visit.typist.loop.time()
        while not self._visit.at_the_prompt:
            text, self._unread = self._unread, ""
            for line in text.splitlines():
                self._react(line)
            self._read_for(LOOKS_AGAIN_S)
            assert self._visit.typist.loop.time() < began + LONGEST_TEST_S, self._printed[-2000:]
        return self._printed

    def _read_for(self, seconds: float) -> None:
        printed = self._visit.wait(seconds)
        self._unread += printed
        self._printed += printed

    def _react(self, line: str) -> None:
        for pattern, act in REACTIONS:
            found = re.search(pattern, line)
            if found is not None:
                if any(re.search(refused, line) for refused in self._refuses):
                    self.type("s")
                else:
                    act(self, *found.groups())
                return

    def answer(self, seen: bool) -> None:
        self.type(YES if seen else NO)

    def go_on(self) -> None:
        self.type("\r")

    def type(self, key: str) -> None:
        self._read_for(REACTS_S)
        self._visit.typist.type(key)

    def give_name(self, _asked: str) -> None:
        """The key was at R, which ends every login."""
        self.type("rossi\r")

    def give_pin(self) -> None:
        self.type(f"{PINS['rossi']}\r")

    def press_button(self, name: str) -> None:
        if name == "GREEN":
            self._cabinet.shuffler.press_green()
        else:
            self._cabinet.panel.press(self._buttons[name])

    def turn_key(self, position: str) -> None:
        self._cabinet.turn_key(KeyPosition(position))

    def put(self, what: str, seat: str) -> None:
        if what in ("token", "gettone"):
            self._cabinet.rail.put_token(int(seat))
        else:
            self._cabinet.rail.cover(int(seat))

    def take(self, _what: str, seat: str) -> None:
        for take in (self._cabinet.rail.take_token, self._cabinet.rail.uncover):
            try:
                take(int(seat))
            except PhysicallyImpossible:
                continue  # the other one is there, or nothing

    def check_slot_lamp(self, seat: str) -> None:
        self.answer(self._cabinet.slot_lamps()[int(seat)] is Lamp.ON)

    def check_seat_led(self, seat: str) -> None:
        self.answer(self._cabinet.panel.seat_leds()[int(seat)] is Lamp.ON)

    def check_button_lamp(self, name: str) -> None:
        self.answer(self._cabinet.panel.combination_lamps()[self._lamps[name]])

    def check_display(self) -> None:
        self.answer(all(line.strip() for line in self._cabinet.display.lines()))

    def operate_inspector(self) -> None:
        self._cabinet.inspector(not self._cabinet.state.inspector)


REACTIONS: tuple[tuple[str, Callable[..., None]], ...] = (
    (r"^(Name|Nome): *$", RobotTechnician.give_name),
    (r"^PIN: *$", RobotTechnician.give_pin),
    (r"r: again", RobotTechnician.go_on),
    (r"r: di nuovo", RobotTechnician.go_on),
    (r"press (\w+), .*once", RobotTechnician.press_button),
    (r"premere (\w+), .*una volta", RobotTechnician.press_button),
    (r"turn the key to (\w+)", RobotTechnician.turn_key),
    (r"girare la chiave su (\w+)", RobotTechnician.turn_key),
    (r"put a (token|card) in at seat (\d)", RobotTechnician.put),
    (r"mettere una? (gettone|carta) al posto (\d)", RobotTechnician.put),
    (r"(clear) the sensor at seat (\d)", RobotTechnician.take),
    (r"(liberare) il sensore al posto (\d)", RobotTechnician.take),
    (r"take (a token away|a card away|away what is) at seat (\d)", RobotTechnician.take),
    (r"togliere (un gettone|una carta|cio' che e') al posto (\d)", RobotTechnician.take),
    (r"slot lamp of seat (\d): is it lit", RobotTechnician.check_slot_lamp),
    (r"lampada dello slot (\d): si accende", RobotTechnician.check_slot_lamp),
    (r"seat LED (\d) on the panel: is it lit", RobotTechnician.check_seat_led),
    (r"LED del posto (\d), sulla consolle: si accende", RobotTechnician.check_seat_led),
    (r"lamp of the button (\w+): is it lit", RobotTechnician.check_button_lamp),
    (r"lampada del pulsante (\w+): si accende", RobotTechnician.check_button_lamp),
    (r"are both lines legible", RobotTechnician.check_display),
    (r"si leggono tutte e due le righe", RobotTechnician.check_display),
    (r"inspector's contact", RobotTechnician.operate_inspector),
    (r"put it back as it was", RobotTechnician.operate_inspector),
    (r"contatto dell'ispettore", RobotTechnician.operate_inspector),
    (r"rimetterlo com'era", RobotTechnician.operate_inspector),
)
