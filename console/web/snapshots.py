"""A snapshot of the table for the pages, as far as it is on record."""

from console.rules.observation import Observation, observe_table, outputs_as_ordered
from console.rules.outputs import legends
from console.rules.poker.poker_shown import PokerShown, show_poker
from console.rules.poker_settings import PokerSettings
from console.rules.poker_state import PokerState
from console.service.table_service import TableService
from console.web.messages import TableSnapshot
from devices.roles import KeyPosition
from jackpot.money.amounts import format_cents


def snapshot_of_table(service: TableService) -> TableSnapshot:
    """A snapshot of a real table: its lamps as the service has ordered them."""
    state, now = service.state, service.clock.now()
    notice = state.notice if state.notice is not None and now < state.notice.until else None
    shown = outputs_as_ordered(state, service.rules, service.display)
    seen = observe_table(state, service.rules, shown, notice.code if notice else None, now)
    return snapshot_of(service, seen, state.key)


def snapshot_of(service: TableService, seen: Observation, key: KeyPosition | None) -> TableSnapshot:
    """A snapshot from what has been observed and what the service knows."""
    state = service.state
    reading = state.jackpot_reading
    coup = state.shoe.coup
    return TableSnapshot(
        wall=service.clock.wall(),
        seq=service.table_ledger.newest,
        round=state.round,
        powered=True,
        key=key.value if key else None,
        seen=seen.whole(),
        punto=coup.punto,
        banco=coup.banco,
        road=tuple(outcome.value for outcome in state.shoe.road),
        last_hands=state.last_hands.left if state.last_hands else None,
        takes_bets=state.takes_bets and (service.rules.rail is None or state.rail.known),
        legends=legends(state, service.rules),
        poker=_poker_of(service),
        now=service.clock.now(),
        jackpot=format_cents(reading) if reading is not None else None,
    )


def _poker_of(service: TableService) -> PokerShown | None:
    poker, settings = service.state.poker, service.rules.poker
    if not isinstance(poker, PokerState) or not isinstance(settings, PokerSettings):
        return None
    return show_poker(poker, settings)
