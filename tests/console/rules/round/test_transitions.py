"""Every act in every phase: done, refused with a code, or without effect. None raises."""

from collections.abc import Iterator
from enum import EnumType
from itertools import permutations, product, takewhile
from math import prod
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import UNSET, Struct, UnsetType

from console.configuration.table_plan import TablePlan
from console.rules.acts import (
    KINDS,
    Act,
    Adopted,
    Cleared,
    Elapsed,
    HandVoid,
    LastHands,
    OutputsDriven,
    Reopened,
    RoundVoid,
    Started,
    TrayCounted,
)
from console.rules.codes import Fault, Phase, Refusal
from console.rules.correction import CORRECTABLE, Corrected
from console.rules.drive import Drive
from console.rules.game_modules import advance
from console.rules.link import Answer, Barred, Leave, Rejoined, Shown
from console.rules.link_state import (
    LinkAnswered,
    LinkBarred,
    LinkRejoined,
    LinkShown,
    LinkWelcomed,
)
from console.rules.round import ActOutcome
from console.rules.round.transitions import TRANSITIONS
from console.rules.state import TableState
from console.rules.structs import replace
from devices.device import Device
from devices.roles import (
    SEATS,
    Button,
    ButtonPressed,
    DeviceLost,
    DeviceUp,
    DisplayText,
    InspectorSeen,
    KeyFound,
    KeyMoved,
    KeyPosition,
    KeyUnreadable,
    Lamp,
    PanelLights,
    RailSeen,
)
from jackpot.money.accounts import Reason
from jackpot.money.amounts import Cents
from tests.console.table import PureTable, rules_of, without_refusal_traces
from tests.sampling import Numbers

GAMES = ("caribbean-stud", "tre-card-stud", "ultimate-texas-holdem")
KEYS = (*KeyPosition, None)


FEW: dict[Any, list[Any]] = {
    bool: [True, False],
    int: [0, 1, 7],
    str: ["Anna", "AS"],
    NoneType: [None],
    UnsetType: [UNSET],
}


def samples(of: Any) -> list[Any]:
    """Values of a type: all there are where they are few, else some that differ."""
    if isinstance(of, EnumType):
        return [*of.__members__.values()]
    if isinstance(of, type) and issubclass(of, Struct):
        hints = get_type_hints(of)
        fields = [samples(hints[name]) for name in of.__struct_fields__]
        orders = prod(map(len, fields))
        return [of(*nth_product(fields, n)) for n in range(0, orders, 1 + orders // 40)]
    if get_origin(of) in (Union, UnionType):
        return [value for part in get_args(of) for value in samples(part)]
    if get_origin(of) is tuple:  # of any length
        every = samples(get_args(of)[0])
        return [(), (every[0],), (*every,)]
    if get_origin(of) is frozenset:
        return [frozenset(), frozenset(samples(get_args(of)[0]))]
    return FEW[getattr(of, "__supertype__", of)]  # Cents are an int


def nth_product(fields: list[list[Any]], n: int) -> list[Any]:
    """What `product(*fields)` has there: all would be millions, at each worker's start."""
    values = []
    for field in reversed(fields):
        n, at = divmod(n, len(field))
        values.append(field[at])
    return values[::-1]


DRIVES = (
    None,
    Drive(),
    Drive(slots=(Lamp.ALERT,) * 7, panel=PanelLights((Lamp.ON,) * 7, (True,) * 5)),
    Drive(gates=frozenset(SEATS), display=DisplayText(("PROVA", "12,00 EUR"))),
)

# Those of which few samples mean something; all others are made from what their fields can be.
SPELT: tuple[Act, ...] = (
    *(ButtonPressed(button) for button in Button),
    *(KeyMoved(position) for position in KEYS),
    *(KeyFound(position) for position in KEYS),
    KeyUnreadable(),
    *(InspectorSeen(present) for present in (True, False)),
    *(DeviceLost(device, "silent") for device in Device),
    *(DeviceUp(device) for device in Device),
    RailSeen(1, frozenset()),
    RailSeen(1, frozenset(SEATS)),
    RailSeen(1, frozenset({3}), drops=(1, 1, 1, 0, 0, 0, 0), tray=3),
    RailSeen(1, frozenset(), drops=(9,) * 7, tray=2),
    RailSeen(2, frozenset({1})),
    RailSeen(1 << 33, frozenset(), drops=(65535,) * 7, tray=65535),
    *(HandVoid(seat, returned, "Anna") for seat in SEATS for returned in (True, False)),
    RoundVoid("Anna"),
    LastHands(3, "Anna"),
    TrayCounted(12, "Anna"),
    *(Cleared(fault, "Anna", mended) for fault in Fault for mended in (True, False)),
    *(OutputsDriven("Anna", drive) for drive in DRIVES),
    *(
        Corrected(number, source, target, cents, "counted twice on Friday", "anna", "bruno")
        for source, target in permutations(CORRECTABLE, 2)
        for number, cents in ((1, 1), (2, 1), (1, 99_999_999_999))
    ),
    Reopened(KeyPosition.S, False, (Fault.RAIL_LOST,)),
    Elapsed(),
    Started(),
    Adopted(TablePlan().settings()),
    LinkAnswered(Answer(1, "", Cents(1)), Leave(1)),
    LinkWelcomed(2),
    LinkRejoined(Rejoined(2, 1, "", 7, ())),
    LinkShown(Shown(Cents(1))),
    *(LinkBarred(barred) for barred in Barred),
)
MADE = [act for kind in TRANSITIONS if kind not in map(type, SPELT) for act in samples(kind)]
ACTS: tuple[Act, ...] = (*SPELT, *MADE)


def phases(game: str) -> Iterator[TableState]:
    """A state of each phase the game knows, and of those within a phase that differ."""
    pure_table = PureTable.start(rules_of(game, inspector=True))
    yield pure_table.state
    pure_table.press(ButtonPressed(Button.GAME_OVER))
    yield pure_table.state
    if pure_table.rules.rail is None:
        return
    pure_table.rail(1, 2, 3)
    yield pure_table.state
    pure_table.press(ButtonPressed(Button.COIN_IN))
    yield pure_table.state
    if pure_table.rules.rail.gates:
        pure_table.rail(3, drops={1: 1, 2: 1}, tray=2)
        yield pure_table.state
        pure_table.now += 2_000
        pure_table.do(Elapsed())
        yield pure_table.state
        pure_table.rail(drops={1: 1, 2: 1, 3: 1}, tray=3)
    yield pure_table.state
    pure_table.do(ButtonPressed(Button.COMBINATION_5), KeyMoved(KeyPosition.JPL))
    yield pure_table.state
    pure_table.press(ButtonPressed(Button.JPOT))
    yield pure_table.state


def variants(state: TableState) -> Iterator[TableState]:
    """The same, with the key elsewhere, the rail lost, locked, in service, and all at once.

    And in service with outputs driven, their gates not closed yet.
    """
    lost = replace(state.rail, known=False)
    locked = (*state.faults, Fault.LEDGER_FAULT)
    for key, rail, faults, service in product(
        (KeyPosition.R, KeyPosition.S, None), (state.rail, lost), (state.faults, locked), (0, 1)
    ):
        yield replace(state, key=key, rail=rail, faults=faults, service=bool(service))
        if service and key is KeyPosition.S:
            due = replace(state.deadlines, drive=2_500)
            driven = replace(state, key=key, rail=rail, faults=faults, service=True, deadlines=due)
            yield replace(driven, drive=DRIVES[-1])
    yield state


def choose_states(game: str, numbers: Numbers) -> list[TableState]:
    """Of each phase some of its variants, in `make thorough` all."""
    states = []
    for phase in phases(game):
        every = list(variants(phase))
        states += [every[at - 1] for at in takewhile(len(every).__ge__, numbers(3))]
    return states


def times(state: TableState, now: int) -> tuple[int, ...]:
    due = (state.deadlines.gates, state.deadlines.drive)
    return (now, *(when for when in due if when is not None))


def test_the_acts_are_all_there_are() -> None:
    assert {type(act) for act in ACTS} == set(TRANSITIONS) <= set(KINDS)


@pytest.mark.parametrize("game", GAMES)
def test_every_pair_has_one_outcome_and_a_refusal_changes_nothing(
    game: str, numbers: Numbers
) -> None:
    """TABLE 6.1, 6.10"""
    rules = rules_of(game, inspector=True)
    met: set[Phase] = set()
    for state in choose_states(game, numbers):
        met.add(state.phase)
        for now in times(state, 2_000):
            waited = advance(state, Elapsed(), rules, now).state
            untouched = without_refusal_traces(waited)
            for act in ACTS:
                step = advance(state, act, rules, now)
                assert (step.outcome is ActOutcome.REFUSED) == (step.refusal is not None)
                assert sum(getattr(step.state.balances, a) for a in ACCOUNTS) == 0
                if step.refusal is None:
                    continue
                assert isinstance(step.refusal, Refusal)
                assert step.state.notice is not None
                assert step.state.notice.code is step.refusal
                assert without_refusal_traces(step.state) == untouched, (act, state)
                assert step.transactions == ()
    assert met == KNOWN_PHASES[game]


ACCOUNTS = ("tray", "jackpot", "reserve", "house", "pending", "paid")
KNOWN_PHASES = {
    "caribbean-stud": set(Phase) - {Phase.SERVICE},
    "tre-card-stud": set(Phase) - {Phase.SERVICE, Phase.COLLECTING},
    "ultimate-texas-holdem": {Phase.PAUSED, Phase.BETTING},
}


@pytest.mark.parametrize("game", GAMES)
def test_no_effect_changes_nothing(game: str, numbers: Numbers) -> None:
    """TABLE 6.10"""
    rules = rules_of(game)
    for state in choose_states(game, numbers):
        waited = advance(state, Elapsed(), rules, 2_000).state
        for act in ACTS:
            step = advance(state, act, rules, 2_000)
            if step.outcome is ActOutcome.NO_EFFECT:
                assert step.state == waited, (act, state)
                assert step.transactions == ()


@pytest.mark.parametrize("game", GAMES)
def test_outputs_are_driven_only_in_service_with_the_key_at_s(game: str, numbers: Numbers) -> None:
    """TABLE 6: the technician may drive outputs by hand in SERVICE"""
    rules = rules_of(game)
    for state in choose_states(game, numbers):
        for act in ACTS:
            after = advance(state, act, rules, 2_000).state
            if after.drive is not None:
                assert (after.service, after.key) == (True, KeyPosition.S), (act, state)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_act_in_the_same_state_comes_to_the_same(game: str) -> None:
    rules = rules_of(game)
    for state in phases(game):
        for act in ACTS:
            assert advance(state, act, rules, 3_000) == advance(state, act, rules, 3_000)


@pytest.mark.parametrize("fault", [Fault.LEDGER_FAULT, Fault.LEDGER_CORRUPT])
def test_a_locked_table_moves_no_money(fault: Fault) -> None:
    """TABLE 7.14: whatever happens to it, what was accepted stays and nothing more is"""
    rules = rules_of()
    for phase in phases("caribbean-stud"):
        state = replace(phase, faults=(fault,))
        for act in ACTS:
            if isinstance(act, Cleared | Reopened | Adopted):
                continue  # the service asks these when the ledger is open again
            for now in times(state, 2_000):
                step = advance(state, act, rules, now)
                assert step.transactions == (), (act, state)
                assert step.state.balances == state.balances
                assert step.state.seats.accepted == state.seats.accepted
                assert (step.state.award, step.state.phase) == (state.award, state.phase)


# What may move money, and for which reasons; time passing and a key turned end what was begun.
MOVES: dict[type[Act], set[Reason]] = {
    Adopted: {Reason.OPENING},
    ButtonPressed: {  # STAKE: tokens that lie on sensors are taken by COIN IN itself
        Reason.STAKE,
        Reason.AWARD_PENDING,
        Reason.AWARD_RAISED,
        Reason.AWARD_CANCELLED,
    },
    KeyMoved: {Reason.AWARD_FINAL, Reason.RESEED},
    RailSeen: {Reason.STAKE},
    HandVoid: {Reason.TOKEN_RETURNED},
    Corrected: {Reason.CORRECTION},
}


def whole_jackpot_won() -> TableState:
    """A pending award of all there is: what follows it is reseeding."""
    pure_table = PureTable.start(rules_of())
    pure_table.press(ButtonPressed(Button.GAME_OVER))
    pure_table.rail(1)
    pure_table.press(ButtonPressed(Button.COIN_IN))
    pure_table.rail(drops={1: 1}, tray=1)
    pure_table.do(ButtonPressed(Button.COMBINATION_1), KeyMoved(KeyPosition.JPH))
    pure_table.press(ButtonPressed(Button.JPOT))
    assert pure_table.state.balances.jackpot_cents == 0
    return pure_table.state


def test_only_these_acts_move_money_each_for_its_reasons() -> None:
    """TABLE 4: nothing but a correction changes an account outside play"""
    met: dict[type[Act], set[Reason]] = {}
    for game in GAMES:
        rules = rules_of(game, inspector=True)
        for state in [
            *(variant for phase in phases(game) for variant in variants(phase)),
            *((TableState(), whole_jackpot_won()) if game == GAMES[0] else ()),
        ]:
            for act in ACTS:
                step = advance(state, act, rules, 2_000)
                for moved in step.transactions:
                    met.setdefault(type(act), set()).add(moved.reason)
                if not step.transactions:
                    assert step.state.balances == state.balances, (act, state)
                if any(moved.reason is Reason.CORRECTION for moved in step.transactions):
                    assert (state.phase, state.locked) == (Phase.PAUSED, False), (act, state)
                    waited = advance(state, Elapsed(), rules, 2_000).state
                    assert step.state == replace(
                        waited, balances=step.state.balances, corrections=1
                    ), "nothing else than the accounts"
    assert met == MOVES
