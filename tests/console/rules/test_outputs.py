"""What the table shows in each state (docs/reference/rules.md, sections 2 and 5)."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest

from console.rules.codes import Fault, Phase, Refusal
from console.rules.drive import Drive
from console.rules.game_modules import (
    PANEL_FIELDS,
    RAIL_FIELDS,
    SHUFFLER_FIELDS,
    display_changes_at,
    display_fields,
    display_text,
    panel_lights,
    shuffler_orders,
)
from console.rules.round.card_outputs import rail_orders
from console.rules.state import LastHandsCount, Notice, SeatMarks, TableState
from console.rules.structs import replace
from console.texts.display import TEXTS
from console.texts.language import Language
from devices.roles import DISPLAY_COLUMNS, SEATS, Lamp
from jackpot.money.accounts import Balances
from jackpot.money.amounts import format_cents
from jackpot.money.prizes import Combination
from tests.console.table import OPEN, STUCK, TO_PHASE, Table, rules_of, table_in

INVITE, ON, ALERT, DARK = Lamp.INVITE, Lamp.ON, Lamp.ALERT, Lamp.DARK
RULES = rules_of()
BETTING = TableState(
    phase=Phase.BETTING,
    seats=SeatMarks(occupied=frozenset({1, 3}), unfree=frozenset({3}), reminded=frozenset({3})),
)


def seats(*which: int) -> frozenset[int]:
    return frozenset(which)


def slots_of(state: TableState) -> dict[int, Lamp]:
    return dict(zip(SEATS, rail_orders(state).lamps, strict=True))


# Slot lamps and seat LEDs


@pytest.mark.parametrize("fault", Fault)
def test_under_each_fault_lamps_invite_just_while_the_pages_say_that_bets_are_open(
    fault: Fault,
) -> None:
    state = TableState(phase=Phase.BETTING, faults=(fault,))
    assert (Lamp.INVITE in rail_orders(state).lamps) == state.takes_bets


def test_in_betting_lamps_invite_and_a_token_makes_its_own_steady(tmp_path: Path) -> None:
    """TABLE 2.4, 2.5, 2.6, 2.7"""
    with table_in(tmp_path) as table:
        table.play(*OPEN)
        assert table.seen.slots == dict.fromkeys(SEATS, INVITE)
        table.play("token 2 5")
        assert table.seen.slots == {**dict.fromkeys(SEATS, INVITE), 2: ON, 5: ON}
        assert table.seen.seats == {}
        table.play("take 5")
        assert table.seen.slots == {**dict.fromkeys(SEATS, INVITE), 2: ON}


def test_while_collecting_only_the_seats_that_staked_are_lit(tmp_path: Path) -> None:
    """TABLE 2.9, 2.10, 2.15: steady as before, until its time is over"""
    with table_in(tmp_path) as table:
        table.play(*STUCK[:-1])
        assert (table.seen.slots, table.seen.seats) == ({1: ON, 2: ON}, {1: ON})
        table.play("wait 2s")
        assert (table.seen.slots, table.seen.seats) == ({1: ON, 2: ALERT}, {1: ON})
        table.play("press COIN_IN")
        assert (table.seen.slots, table.seen.seats) == ({1: ON, 2: ON}, {1: ON})


@pytest.mark.parametrize("phase", ["PLAYING", "AWARDING"])
def test_a_changed_card_makes_the_seat_led_blink_and_leaves_the_slot_lamp(
    phase: str, tmp_path: Path
) -> None:
    """TABLE 2.28, 2.29"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase], "cover 2", "wait 1s")
        assert (table.seen.slots, table.seen.seats) == ({1: ON, 2: ON}, {1: ON, 2: ALERT})


def test_what_must_be_taken_away_alerts_until_it_is(tmp_path: Path) -> None:
    """TABLE 2.23, 2.24"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["PLAYING"], "cover 2", "wait 1s", *OPEN)
        assert table.seen.slots == {**dict.fromkeys(SEATS, INVITE), 2: ALERT}
        table.play("uncover 2")
        assert table.seen.slots == dict.fromkeys(SEATS, INVITE)


@pytest.mark.parametrize("closed", [Phase.PAUSED, Phase.SERVICE])
def test_closed_is_dark_and_shut(closed: Phase) -> None:
    """TABLE 2.13, 6.17: whatever lies there"""
    marks = SeatMarks(occupied=seats(1), reminded=seats(2), stuck=seats(3), collecting=seats(4))
    state = TableState(seats=marks)
    if closed is Phase.SERVICE:
        state = replace(state, phase=Phase.COLLECTING, service=True)
    assert state.shown_phase is closed
    assert set(rail_orders(state).lamps) == {DARK}
    assert rail_orders(state).gates == seats()
    assert set(panel_lights(state, RULES).seats) == {DARK}


SERVICE = replace(BETTING, service=True)
RAIL_LOST = replace(BETTING, faults=(Fault.RAIL_LOST,))
LOCKED = replace(BETTING, faults=(Fault.LEDGER_FAULT,))
CORRUPT = replace(BETTING, faults=(Fault.LEDGER_CORRUPT,))


@pytest.mark.parametrize("state", [SERVICE, RAIL_LOST, LOCKED, CORRUPT])
def test_no_lamp_invites_where_no_bet_is_taken(state: TableState) -> None:
    """TABLE 7.19: what lies there and what must be taken away is shown as before"""
    assert slots_of(BETTING) == {**dict.fromkeys(SEATS, INVITE), 1: ON, 3: ALERT}
    dark = dict.fromkeys(SEATS, DARK)
    assert slots_of(state) == (dark if state.service else {**dark, 1: ON, 3: ALERT})
    assert rail_orders(state).accepting == frozenset()
    assert (BETTING.takes_bets, state.takes_bets) == (True, False)


def test_a_rail_with_one_silent_acceptor_invites_nobody(tmp_path: Path) -> None:
    """TABLE 7.19: its other acceptors and its board are there all the same"""
    with table_in(tmp_path, "rail cctalk") as table:
        table.play(*OPEN, "wait 1s")
        assert table.seen.slots == dict.fromkeys(SEATS, INVITE)
        silent = table.machine.cabinet._the_acceptors().acceptors[3]
        silent.silent = True
        table.play("wait 2s", "expect fault RAIL_LOST", "expect slots none")
        silent.silent = False
        table.play("wait 5s", "expect fault none")
        assert table.seen.slots == dict.fromkeys(SEATS, INVITE)


def test_gates_open_only_where_a_token_is_being_collected() -> None:
    """TABLE 2.9, 2.20"""
    marks = SeatMarks(collecting=seats(2), stuck=seats(4), accepted=seats(1))
    state = TableState(phase=Phase.COLLECTING, seats=marks, turn=7)
    assert (rail_orders(state).gates, rail_orders(state).turn) == (seats(2), 7)
    assert slots_of(state) == {**dict.fromkeys(SEATS, DARK), 1: ON, 2: ON, 4: ALERT}


def test_one_combination_lamp_for_the_choice() -> None:
    """TABLE 3.11"""
    for place, prize in enumerate(RULES.prizes.prizes if RULES.prizes else ()):
        state = TableState(phase=Phase.PLAYING, choice=prize.combination)
        lit = panel_lights(state, RULES).combinations
        assert [number for number, on in enumerate(lit) if on] == [place]


# The display


def display_lines(state: TableState, now: int, language: Language = Language.IT) -> tuple[str, str]:
    return display_text(state, RULES, TEXTS[language], now).lines


def test_idle_it_shows_the_jackpot() -> None:
    """TABLE 5.1, 5.2, 5.6"""
    state = TableState(balances=Balances(jackpot=12_345_679_999))
    assert display_lines(state, 0) == ("JACKPOT", "       12.345,67 EUR")
    assert display_lines(state, 0, Language.EN) == ("JACKPOT", "       12,345.67 EUR")


def test_a_jackpot_below_nothing_is_written_as_what_it_lacks() -> None:
    assert TEXTS[Language.IT].amount(-60, "EUR").strip() == "-0,60 EUR"
    assert TEXTS[Language.EN].amount(-123_456, "EUR").strip() == "-1,234.56 EUR"


def test_pending_it_shows_the_combination_the_winners_and_what_each_gets(tmp_path: Path) -> None:
    """TABLE 3.15, 3.16, 5.3"""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE["AWARDING"])
        assert table.seen.display == ("COLORE x1", "          100,02 EUR")
        table.play("press JPOT")
        assert table.seen.display == ("COLORE x2", "          100,02 EUR")


def test_a_refusal_replaces_line_1_for_two_seconds() -> None:
    """TABLE 5.4: also that of a fault; line 2 keeps its amount"""
    state = TableState(
        faults=(Fault.RAIL_LOST,), notice=Notice(Refusal.NOT_OPEN, 5_000), balances=Balances()
    )
    lines = {now: display_lines(state, now) for now in (3_000, 4_000, 4_999)}
    assert set(lines.values()) == {("TAVOLO NON APERTO", "            0,00 EUR")}
    assert display_changes_at(state, RULES, 3_000) == 5_000
    assert display_lines(state, 5_000)[0] != "TAVOLO NON APERTO"


def first_lines(table: Table, seconds: int) -> list[str]:
    """Line 1 every 100 ms."""
    lines = []
    for _ in range(seconds * 10):
        table.play("wait 100ms")
        lines.append(table.seen.display[0])
    return lines


def test_a_fault_alternates_with_line_1_every_two_seconds(tmp_path: Path) -> None:
    """TABLE 5.4"""
    with table_in(tmp_path) as table:
        table.play("key between", "wait 600ms")
        lines = first_lines(table, 12)
        changes = [n for n, (a, b) in enumerate(pairwise(lines)) if a != b]
        assert set(lines) == {"JACKPOT", "GUASTO CHIAVE"}
        assert {later - sooner for sooner, later in pairwise(changes)} == {20}
        table.play("key R")
        assert set(first_lines(table, 4)) == {"JACKPOT"}


def test_without_a_fault_nothing_is_written_again() -> None:
    assert display_changes_at(TableState(), RULES, 1_234) is None


def test_the_amount_is_never_older_than_200_ms(tmp_path: Path) -> None:
    """TABLE 5.7"""
    with table_in(tmp_path) as table:
        table.play(*OPEN, "token 1 2 3")
        stale_ms = 0
        for line in ("press COIN_IN", "press FLUSH", "key JPL", "press JPOT", "key R"):
            act = table.parse_act(line)
            for ms in table.simulated_table.perform(act):
                for _ in range(ms // 5):
                    table.machine.pass_time(5)
                    stale_ms = 0 if amount_is_true(table) else stale_ms + 5
                    assert stale_ms < 200
        assert amount_is_true(table)


def amount_is_true(table: Table) -> bool:
    award = table.state.award
    cents = award.each if award else table.state.balances.jackpot_cents
    whole, decimals = format_cents(cents).split(".")
    return table.seen.display[1].replace(".", "").endswith(f"{whole},{decimals} EUR")


@pytest.mark.parametrize("language", list(Language))
def test_every_text_fits_its_line(language: Language) -> None:
    """TABLE 5.4, 5.6: 20 characters, plain ASCII"""
    texts = TEXTS[language]
    lines = [
        *texts.refusals.values(),
        *texts.faults.values(),
        *(f"{name} x7" for name in texts.combinations.values()),
        *(texts.hands_left(hands) for hands in range(100)),
        texts.jackpot,
        texts.amount(999_999_999_99, "EUR"),
    ]
    assert [line for line in lines if len(line) > DISPLAY_COLUMNS or not line.isascii()] == []
    assert set(texts.refusals) == set(Refusal)
    assert set(texts.faults) == set(Fault)
    assert set(texts.combinations) == set(Combination)


# What each output is computed from


class ReadFields:
    """Stands for a state and notes which of its fields are read."""

    def __init__(self, state: TableState) -> None:
        self._state = state
        self.names: set[str] = set()

    def __getattr__(self, name: str) -> Any:
        if name in TableState.__struct_fields__:
            self.names.add(name)
            return getattr(self._state, name)
        return getattr(TableState, name).fget(self)


def vary_state(table: Table) -> Iterator[TableState]:
    """The table's state as it is, in SERVICE, driven by hand, faulty, refusing, in last hands."""
    state = table.state
    for varied in (state, replace(state, service=True), replace(state, drive=Drive())):
        yield varied
        yield replace(varied, faults=(Fault.LEDGER_FAULT,))
        yield replace(varied, notice=Notice(Refusal.NOT_OPEN, 10))
        yield replace(varied, last_hands=LastHandsCount(2))


COMPUTED: dict[Callable[[TableState], object], tuple[str, ...]] = {
    rail_orders: RAIL_FIELDS,
    lambda state: shuffler_orders(state, RULES): SHUFFLER_FIELDS,
    lambda state: panel_lights(state, RULES): PANEL_FIELDS,
    lambda state: display_text(state, RULES, TEXTS[Language.EN], 0): display_fields(RULES),
    lambda state: display_changes_at(state, RULES, 0): display_fields(RULES),
}


@pytest.mark.parametrize("phase", TO_PHASE)
def test_an_output_depends_on_no_other_field_than_is_said(phase: str, tmp_path: Path) -> None:
    """It is written again only when one of these differs."""
    with table_in(tmp_path) as table:
        table.play(*TO_PHASE[phase])
        for state in vary_state(table):
            for compute, fields in COMPUTED.items():
                read = ReadFields(state)
                compute(cast(TableState, read))
                assert read.names <= set(fields)
