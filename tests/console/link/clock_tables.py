"""Poker tables that share a clock in a real PostgreSQL; time passes when a test says so."""

from msgspec import Struct

from console.link.centre.postgres_calls import ClockCalls
from console.link.centre.roles import RoleGroup, make_role
from console.rules.acts import Act, Adopted, Elapsed, Started
from console.rules.centre_orders import clock_orders
from console.rules.game_modules import advance, next_deadline
from console.rules.poker.poker_observation import see_poker
from console.rules.poker.poker_shown import PokerSeen
from console.rules.poker_acts import ClockShown
from console.rules.poker_clock import Blinds, ClockRow, Step
from console.rules.poker_settings import Form, PokerHouse, PokerSettings
from console.rules.poker_state import PokerState
from console.rules.settings import Settings
from console.rules.state import TableState, rules_of
from console.texts.declarations.lines import parse_declaration
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceLost, DeviceUp, KeyMoved, KeyPosition
from jackpot.money.settings import MoneySettings
from tests.console.link.centre.postgres_centre import PostgresCentre

MINUTE = 60_000
POKER = PokerSettings(
    PokerHouse.SANREMO,
    Form.TOURNAMENT,
    steps=(
        Step(20 * MINUTE, Blinds(500, 1000)),
        Step(5 * MINUTE),
        Step(20 * MINUTE, Blinds(600, 1200)),
    ),
    tournament="night",
)


class Later(Struct, frozen=True):
    """An answer that is still on its way."""

    row: ClockRow
    at: int


class ClockTable:
    """A table; `boot`: what its monotonic clock shows at first."""

    def __init__(self, name: str, calls: ClockCalls, boot: int) -> None:
        self.now = boot
        self.state = TableState()
        self._calls = calls
        self._settings = Settings(name, "texas-holdem", None, MoneySettings(), poker=POKER)
        self._rules = rules_of(self._settings, None)
        self._do(Adopted(self._settings))
        self._do(KeyMoved(KeyPosition.R))
        self.press(Button.GAME_OVER)

    def press(self, button: Button = Button.COMBINATION_1) -> None:
        """Press a button: HAND if nothing else is said."""
        self._do(ButtonPressed(button))

    def end_hand(self) -> None:
        """GAME OVER."""
        self.press(Button.GAME_OVER)

    def declare(self, words: str) -> None:
        """The floor manager declares."""
        self._do(parse_declaration(words.split(), "rossi"))

    def ask(self) -> Later:
        """Ask the centre; the answer is not here yet."""
        orders = clock_orders(self.state, self._rules)
        assert orders is not None
        row = self._calls.ask(orders.call_at(self.now))
        return Later(row, self.now - row.age_ms)

    def take(self, answer: Later) -> None:
        """The answer comes."""
        self._do(ClockShown(answer.row, answer.at))

    def speak(self) -> None:
        """Ask, and take the answer, twice: what one answer has changed is told with the next."""
        self.take(self.ask())
        self.take(self.ask())

    def lose_centre(self) -> None:
        """The centre was silent for 5 s."""
        self._do(DeviceLost(Device.CLOCK, "silent"))

    def find_centre(self) -> None:
        """The centre has answered again."""
        self._do(DeviceUp(Device.CLOCK))

    def restart(self, boot: int) -> None:
        """The power fails; its clock then shows `boot`."""
        self.now = boot
        self._do(Started())

    def pass_time(self, ms: int) -> None:
        """Its own time."""
        until = self.now + ms
        while (due := next_deadline(self.state, self._rules)) is not None and due <= until:
            self.now = max(self.now, due)
            self._do(Elapsed())
        self.now = until

    @property
    def seen(self) -> PokerSeen:
        """What people see."""
        return see_poker(self.state, self.poker, POKER, self.now)

    @property
    def poker(self) -> PokerState:
        """What it remembers."""
        assert isinstance(self.state.poker, PokerState)
        return self.state.poker

    @property
    def left_ms(self) -> int:
        """What its step has left."""
        assert self.poker.clock is not None
        return self.poker.clock.reckon_left(POKER.steps, self.now)

    def _do(self, act: Act) -> None:
        step = advance(self.state, act, self._rules, self.now)
        self.state, self.refusal = step.state, step.refusal


class ClockRoom:
    """Tables of one tournament at one centre."""

    def __init__(self, centre: PostgresCentre, *boots: int) -> None:
        self._centre = centre
        self.tables = [self._add(f"poker-{number}", boot) for number, boot in enumerate(boots, 1)]

    def _add(self, name: str, boot: int) -> ClockTable:
        make_role(self._centre.superuser, name, RoleGroup.POKER_TABLE)
        return ClockTable(name, ClockCalls(self._centre.connect(name)), boot)

    def speak(self) -> None:
        """Every table asks, and once more: what the last one changed is known to the first."""
        for table in self.tables * 2:
            table.speak()

    def pass_time(self, ms: int) -> None:
        """For all tables, and for the row."""
        self._centre.superuser.execute(
            "UPDATE link.tournament_clock SET at = at - make_interval(secs => %s)", (ms / 1000,)
        )
        for table in self.tables:
            table.pass_time(ms)
