"""The green button, and the deck that it brings, where a scenario cannot lead (POKER 13 to 17)."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest

from console.rules.acts import Act, Adopted, Reopened, Started
from console.rules.codes import Fault, Phase, Refusal
from console.rules.game_modules import shuffler_orders
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import Hand, PokerState
from console.rules.round import ActOutcome, Transition
from console.rules.settings import Settings
from console.rules.state import TableState
from console.rules.state import rules_of as make_rules
from console.rules.structs import replace
from console.service.table_service import makes_superfluous
from devices.card_reports import Back, DeckState, ShufflerSeen
from devices.device import Device
from devices.roles import Button, ButtonPressed, DeviceLost, KeyFound, KeyMoved, KeyPosition
from jackpot.money.settings import MoneySettings
from tests.console.table import PureTable

RED, BLUE = Back.RED, Back.BLUE
EMPTY, SHUFFLING, READY, JAMMED = DeckState
HAND, TIME = ButtonPressed(Button.COMBINATION_1), ButtonPressed(Button.COMBINATION_5)
FLOP, GAME_OVER = ButtonPressed(Button.COMBINATION_2), ButtonPressed(Button.GAME_OVER)
JPOT, COIN_IN = ButtonPressed(Button.JPOT), ButtonPressed(Button.COIN_IN)
SETTINGS = Settings(
    "poker-1", "texas-holdem", None, MoneySettings(), poker=PokerSettings(deck_shuffler=True)
)


@dataclass
class GreenTable(PureTable):
    """A `PureTable` and its deck shuffler's reports: each says what is new in it."""

    reported: ShufflerSeen = field(default_factory=lambda: ShufflerSeen(1, EMPTY, presses=0))

    def report(self, **new: Any) -> Transition:
        self.reported = replace(self.reported, **new)
        return self.do(self.reported)

    def ready(self, back: Back, cards: int = 52) -> None:
        self.report(preparing=SHUFFLING, prepared_back=back, counted=None)
        self.report(preparing=READY, counted=cards)

    def press_green(self, times: int = 1, **new: Any) -> Transition:
        assert isinstance(self.reported.presses, int)
        return self.report(presses=(self.reported.presses + times) % 65536, **new)

    def come_out(self) -> Transition:
        """The machine gives out the deck that it may, and it is taken."""
        assert self.may == (True, True)
        hand = shuffler_orders(self.state, self.rules).hand
        return self.report(
            preparing=EMPTY, prepared_back=None, counted=None,
            hand=hand, dealt=52, packets=1, unloaded=0,
        )  # fmt: skip

    @property
    def may(self) -> tuple[bool, bool]:
        orders = shuffler_orders(self.state, self.rules)
        return orders.may_deal, orders.may_begin

    @property
    def poker(self) -> PokerState:
        assert isinstance(self.state.poker, PokerState)
        return self.state.poker

    @property
    def hand(self) -> Hand:
        assert self.poker.hand is not None
        return self.poker.hand


@pytest.fixture
def table() -> GreenTable:
    """It is open, and a red deck is ready."""
    table = GreenTable(make_rules(SETTINGS, None), TableState())
    table.do(Started(), Adopted(SETTINGS), KeyFound(KeyPosition.R), table.reported, GAME_OVER)
    table.ready(RED)
    assert table.state.phase is Phase.BETTING
    return table


def is_called(table: GreenTable) -> bool:
    """Whether a player's time is called."""
    return table.poker.time_call is not None


def is_lit(table: GreenTable) -> bool:
    """Whether the machine's green light is lit, as ordered."""
    return shuffler_orders(table.state, table.rules).ready_light


def decisions(step: Transition) -> list[str]:
    return [decision.what for decision in step.decisions]


# The counter of presses


def test_a_machine_that_is_seen_for_the_first_time_was_not_pressed() -> None:
    table = GreenTable(make_rules(SETTINGS, None), TableState())
    table.do(Started(), Adopted(SETTINGS), KeyFound(KeyPosition.R), GAME_OVER)
    step = table.report(presses=812, preparing=READY, prepared_back=RED, counted=52)
    assert (step.outcome, table.state.round) == (ActOutcome.DONE, 0)


def test_the_same_report_again_is_no_press(table: GreenTable) -> None:
    table.press_green()
    assert table.do(table.reported).outcome is ActOutcome.DONE
    assert table.state.round == 1


def test_the_counter_goes_on_after_65535(table: GreenTable) -> None:
    """POKER 17.1"""
    table.report(presses=0xFFFF)  # half the circle on: another memory, and no press
    assert table.state.round == 0
    table.press_green()
    assert table.reported.presses == 0
    assert table.state.round == 1


def test_a_machine_that_lost_its_memory_was_not_pressed(table: GreenTable) -> None:
    table.report(presses=3)
    table.come_out()
    table.ready(BLUE)
    table.report(presses=0, boot=2)
    assert table.state.round == 1
    table.press_green()
    assert (table.state.round, table.hand.back) == (2, BLUE)


def test_a_press_across_a_machine_s_restart_counts_once(table: GreenTable) -> None:
    table.press_green(boot=2)
    assert table.state.round == 1
    table.report(boot=3)
    assert table.state.round == 1


@pytest.mark.parametrize(
    "silence",
    [
        pytest.param(Started(), id="restart"),
        pytest.param(DeviceLost(Device.SHUFFLER, "silent"), id="cable"),
        pytest.param(Reopened(KeyPosition.R, False, ()), id="ledger"),
    ],
)
def test_a_press_that_is_heard_after_a_silence_does_nothing(
    table: GreenTable, silence: Act
) -> None:
    """POKER 14.7"""
    table.do(silence, KeyMoved(KeyPosition.R))
    step = table.press_green()
    assert (step.outcome, decisions(step)) == (ActOutcome.NO_EFFECT, ["green-too-late"])
    assert table.state.round == 0
    table.press_green()
    assert table.state.round == 1
    table.do(silence, KeyMoved(KeyPosition.R), table.reported)
    assert table.state.round == 1


def test_a_press_that_was_made_in_a_short_silence_does_nothing(table: GreenTable) -> None:
    """POKER 14.7"""
    table.report(late_presses=0)
    table.do(HAND)
    step = table.press_green(late_presses=1)
    assert (step.outcome, decisions(step)) == (ActOutcome.NO_EFFECT, ["green-too-late"])
    assert (table.state.round, table.hand.back) == (1, None)
    step = table.press_green()
    assert (decisions(step)[0], table.state.round) == ("green-pressed", 2)


def test_of_presses_that_are_told_together_the_late_ones_do_not_count(table: GreenTable) -> None:
    table.report(late_presses=0xFFFF)
    step = table.press_green(times=3, late_presses=1)  # modulo 65536: two
    late, pressed = step.decisions[:2]
    assert (late.what, late.facts) == ("green-too-late", {"presses": 2})
    assert (pressed.what, pressed.facts) == ("green-pressed", {"presses": 1})
    assert table.state.round == 1


def test_another_driver_counts_late_presses_anew(table: GreenTable) -> None:
    table.report(late_presses=7)
    step = table.press_green(late_presses=0)
    assert decisions(step)[0] == "green-pressed"
    assert table.state.round == 1


def test_presses_that_are_told_together_are_one_act(table: GreenTable) -> None:
    step = table.press_green(times=3)
    assert (step.outcome, table.state.round, table.hand.back) == (ActOutcome.DONE, 1, RED)
    assert decisions(step)[0] == "green-pressed"
    assert table.press_green().refusal is Refusal.NO_DECK, "what the second one would have found"
    assert table.state.round == 1


def test_a_press_that_waits_for_the_disk_is_not_dropped(table: GreenTable) -> None:
    before = table.reported
    pressed = replace(before, presses=1)
    assert makes_superfluous(before, before)
    assert not makes_superfluous(replace(pressed, waiting=True, presses=2), pressed)


def test_a_locked_table_refuses_it(table: GreenTable) -> None:
    table.state = table.with_fault(Fault.LEDGER_FAULT)
    assert table.press_green().refusal is Refusal.LOCKED
    assert table.report(preparing=JAMMED).outcome is ActOutcome.NO_EFFECT


# The deck that it brings


def test_no_deck_may_come_out_but_the_one_that_was_asked_for(table: GreenTable) -> None:
    """POKER 17.1"""
    assert table.may == (False, False)
    table.do(HAND)
    assert table.may == (False, False)
    table.do(GAME_OVER)
    table.press_green()
    assert table.may == (True, True)
    assert decisions(table.come_out())[-1] == "deck-given"
    assert table.may == (False, False)
    table.ready(BLUE)
    assert table.may == (False, False)


def test_each_deck_has_a_number_of_its_own(table: GreenTable) -> None:
    numbers = []
    for back in (BLUE, RED, BLUE):
        table.press_green()
        numbers.append(shuffler_orders(table.state, table.rules).hand)
        table.come_out()
        table.ready(back)
    assert numbers == [1, 2, 3]


def test_a_deck_that_did_not_come_out_may_no_more_once_the_cards_are_dealt_otherwise(
    table: GreenTable,
) -> None:
    table.press_green()
    table.do(HAND)  # a misdeal
    assert table.may == (False, False)
    table.do(HAND)
    assert (table.hand.deal, table.hand.back, table.may) == (2, None, (False, False))
    table.do(GAME_OVER)
    table.press_green()
    assert (table.hand.back, table.may) == (RED, (True, True)), "it has never been out"


def test_a_hand_that_is_over_takes_the_order_back(table: GreenTable) -> None:
    table.press_green()
    table.do(GAME_OVER)
    assert table.may == (False, False)


def test_a_deck_that_comes_out_late_counts_as_brought(table: GreenTable) -> None:
    """The order and the deck cross on the line."""
    table.press_green()
    hand = shuffler_orders(table.state, table.rules).hand
    table.do(GAME_OVER)
    table.report(preparing=EMPTY, prepared_back=None, counted=None, hand=hand, dealt=52, packets=1)
    table.ready(RED)
    assert table.press_green().refusal is Refusal.NO_DECK


def test_an_exchanged_deck_may_not_come_out_for_the_one_that_was_asked_for(
    table: GreenTable,
) -> None:
    table.press_green()
    table.report(preparing=EMPTY, prepared_back=None, counted=None)
    table.ready(BLUE)
    assert table.may == (True, False)
    table.ready(RED, 51)
    assert table.may == (True, False)


def test_a_jammed_machine_has_no_deck_ready(table: GreenTable) -> None:
    table.report(preparing=JAMMED)
    assert table.press_green().refusal is Refusal.NO_DECK
    table.do(HAND)
    assert table.state.round == 1


def test_a_lost_machine_does_not_hold_a_hand_back(table: GreenTable) -> None:
    table.do(DeviceLost(Device.SHUFFLER, "silent"), HAND)
    assert (table.state.round, table.hand.back) == (1, None)


def test_a_deck_that_was_never_taken_serves_the_next_hand(table: GreenTable) -> None:
    table.press_green()
    hand = shuffler_orders(table.state, table.rules).hand
    table.report(
        preparing=EMPTY, prepared_back=None, counted=None,
        playing_back=RED, hand=hand, waiting=True,
    )  # fmt: skip
    table.do(GAME_OVER)
    assert table.may == (False, False)
    table.press_green()
    assert (table.state.round, table.hand.back, table.may[0]) == (2, RED, True)


def test_green_ends_a_time_call_and_takes_no_rake(table: GreenTable) -> None:
    table.press_green()
    table.come_out()
    table.ready(BLUE)
    table.do(FLOP, TIME)
    assert is_called(table)
    step = table.press_green()
    assert decisions(step)[1:] == ["hand-over", "hand-begun"]
    assert not is_called(table)
    assert not step.transactions
    assert not table.poker.last.disputed


# The machine's green light


def test_the_light_is_lit_between_hands_and_for_a_deal_that_is_awaited(table: GreenTable) -> None:
    """POKER 17.3"""
    assert is_lit(table)
    table.press_green()
    table.come_out()
    assert not is_lit(table)
    table.ready(BLUE)
    assert not is_lit(table), "a press would end the hand, and is not invited"
    table.do(HAND)  # a misdeal
    assert is_lit(table)
    table.do(HAND)
    assert not is_lit(table)
    table.do(GAME_OVER)
    assert is_lit(table)


@pytest.mark.parametrize(
    ("acts", "refusal"),
    [
        pytest.param((COIN_IN,), Refusal.NOT_OPEN, id="paused"),
        pytest.param((KeyMoved(KeyPosition.S),), Refusal.IN_SERVICE, id="service"),
        pytest.param((HAND, FLOP, JPOT), Refusal.AWARD_PENDING, id="counting"),
    ],
)
def test_the_light_is_dark_where_a_press_is_refused(
    table: GreenTable, acts: tuple[Act, ...], refusal: Refusal
) -> None:
    """POKER 17.3"""
    table.do(*acts)
    assert not is_lit(table)
    assert table.press_green().refusal is refusal


def test_the_light_is_dark_without_a_deck_that_may_come_out(table: GreenTable) -> None:
    for deck in (
        {"preparing": JAMMED},
        {"preparing": SHUFFLING, "counted": None},
        {"preparing": READY, "counted": 51},
        {"preparing": EMPTY, "prepared_back": None, "counted": None},
    ):
        table.report(**deck)
        assert not is_lit(table)
        assert table.press_green().refusal is Refusal.NO_DECK
    table.ready(RED)
    assert is_lit(table)


def test_the_light_is_dark_at_a_locked_table_and_while_the_machine_is_not_heard(
    table: GreenTable,
) -> None:
    open_state = table.state
    table.state = table.with_fault(Fault.LEDGER_FAULT)
    assert not is_lit(table)
    table.state = open_state
    table.do(DeviceLost(Device.SHUFFLER, "silent"))
    assert not is_lit(table)
    table.do(table.reported)
    assert is_lit(table)


# CARD_COUNT


def test_the_record_of_a_short_deck_names_its_last_hand(table: GreenTable) -> None:
    """POKER 17.4"""
    table.press_green()
    table.come_out()
    table.ready(BLUE)
    table.press_green()
    table.come_out()
    table.report(preparing=SHUFFLING, prepared_back=RED, counted=None)
    step = table.report(preparing=READY, counted=51)
    miscounted = next(each for each in step.decisions if each.what == "deck-miscounted")
    assert miscounted.facts == {"back": "red", "counted": 51, "hand": 1}
    assert Fault.CARD_COUNT in table.state.faults
    assert (table.state.round, table.hand.back) == (2, BLUE)
    assert "deck-miscounted" not in decisions(table.do(table.reported)), "once"


def test_a_deck_that_was_never_out_has_no_last_hand(table: GreenTable) -> None:
    table.report(preparing=SHUFFLING, prepared_back=BLUE, counted=None)
    step = table.report(preparing=READY, counted=53)
    miscounted = next(each for each in step.decisions if each.what == "deck-miscounted")
    assert miscounted.facts == {"back": "blue", "counted": 53, "hand": "-"}


# Anything in any order


def test_each_deck_follows_one_press_that_was_not_refused(
    table: GreenTable, pytestconfig: pytest.Config
) -> None:
    random = Random(f"{pytestconfig.getoption('hypothesis_seed')} green")
    granted = given = 0
    for _ in range(6_000):
        table.now += 100
        before = table.state.round
        match random.randrange(7):
            case 0 | 1:
                lit, hand = is_lit(table), table.poker.hand
                step = table.press_green()
                pressed = step.outcome is ActOutcome.DONE
                assert lit == (pressed and (hand is None or hand.awaited))
                granted += pressed
                if not pressed:
                    assert table.state.round == before
            case 2:
                table.do(random.choice((HAND, GAME_OVER, FLOP)))
            case 3:
                table.ready(random.choice((RED, BLUE)), random.choice((52, 52, 52, 51)))
            case 4:
                table.do(Started(), KeyFound(KeyPosition.R), table.reported)
            case _:
                if table.may == (True, True):
                    expected = table.hand.back
                    table.come_out()
                    given += 1
                    assert table.state.deck.last_back is expected
        assert given <= granted
    assert given > 50
