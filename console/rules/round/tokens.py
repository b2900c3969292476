"""Tokens: the meaning of the rail's reports in each phase, the gates' turns, and the tray's count.

docs/reference/rules.md, sections 2 and 7. Each opening of a gate has a number, and a board opens
once for each. The tray's counter is compared with the drop sensors'.
"""

from collections.abc import Sequence

from console.rules.codes import Fault, Phase
from console.rules.drive import NO_GATES
from console.rules.link_state import LinkState
from console.rules.round.draft import Draft
from console.rules.state import NONE, Deadlines, RailMarks, Rules, SeatMarks, Seats, TableState
from console.rules.structs import replace
from devices.roles import NO_COUNTS, SEATS, RailSeen
from firmware_bridge.counter import CYCLE, HALF_CYCLE
from jackpot.money import movements
from jackpot.money.accounts import Transaction
from jackpot.money.amounts import Units
from jackpot.money.movements import Overflow

TRAY_MS = 1000
"""How long after the first drop the counts of tray and drop sensors may differ."""

STUCK_AFTER_MS = 2000
"""How long a drop is awaited; then the token is stuck. The board closes its gate by itself, too."""

LAST_TURN = 0xFFFF

COVERED_MS = 500
"""A slot of a seat in play that is covered for this long has a changed card."""


IN_PLAY = (Phase.PLAYING, Phase.AWARDING)


def demand_tray_count(draft: Draft, why: str, seat: int, **facts: int) -> None:
    """Raise TRAY_COUNT: the tray's content is not what is on record."""
    draft.decide(why, seat=seat, **facts)
    draft.raise_fault(Fault.TRAY_COUNT)


def judge_tray(draft: Draft) -> None:
    """Compare the tray's count with the drop sensors', allowing for its delay."""
    marks, rail = draft.rail, draft.rules.rail
    if rail is None or not rail.tray or not marks.known or marks.seen is None:
        return
    gap = gap_of(marks.seen)
    due = draft.deadlines.tray
    if gap == marks.gap:
        if due is not None:
            draft.deadlines = replace(draft.deadlines, tray=None)
    elif draft.service:
        forgive_gap(draft)
    elif due is None:
        if Fault.TRAY_COUNT not in draft.faults:
            draft.deadlines = replace(draft.deadlines, tray=draft.now + TRAY_MS)
    elif draft.now >= due:
        draft.deadlines = replace(draft.deadlines, tray=None)
        draft.decide("tray-differs", tokens=(gap - marks.gap + HALF_CYCLE) % CYCLE - HALF_CYCLE)
        draft.raise_fault(Fault.TRAY_COUNT)


def gap_of(seen: RailSeen) -> int:
    """Drops less tray, modulo 65536."""
    return (sum(seen.drops) - seen.tray) % CYCLE


def forgive_gap(draft: Draft) -> None:
    """Accept the tray's count as it is, because it was counted by hand."""
    marks = draft.rail
    if marks.seen is not None:
        draft.rail = replace(marks, gap=gap_of(marks.seen))
    draft.deadlines = replace(draft.deadlines, tray=None)


def begin_turn(draft: Draft) -> None:
    """Begin a new turn of the gates, with another number than the last."""
    draft.turn = draft.turn % LAST_TURN + 1


def skip_served_turn(draft: Draft, served: int) -> None:
    """Begin the next turn if the board has served this one already, for an earlier ledger."""
    if not served or served != draft.turn:
        return
    if draft.drive is not None and draft.drive.gates:
        draft.deadlines = replace(draft.deadlines, drive=draft.now + STUCK_AFTER_MS)
    elif draft.seats.collecting:
        draft.deadlines = replace(draft.deadlines, gates=draft.now + STUCK_AFTER_MS)
    else:
        return
    draft.decide("turn-served", turn=served)
    begin_turn(draft)


def on_rail_seen(draft: Draft, act: RailSeen) -> None:
    """Take a report: first the drops, then what lies where."""
    if draft.locked:
        _note_while_locked(draft, act)
        return
    before = draft.rail.seen
    fallen = _count_fallen(before, act)
    _prove_tokens(draft, fallen or NO_COUNTS)
    if fallen is None:
        _handle_board_restart(draft, act)
    elif any(fallen):
        held = draft.seats.swallowed
        if held is None:
            _count_drops(draft, fallen)
        else:
            _hold_swallowed(draft, held, fallen)
    skip_served_turn(draft, act.served)
    note_occupied(draft, act.occupied)
    _note_acceptors(draft, before, act)
    _note_unsteady(draft, before, act)
    marks = draft.rail
    draft.rail = RailMarks(True, act, marks.gap)
    if not marks.known:
        _reconcile(draft)


def _note_while_locked(draft: Draft, act: RailSeen) -> None:
    """While locked, nothing is accepted; the counters are read again when the ledger is repaired.

    What lies on the slots is noted now, because a card may be gone by then.
    """
    marks, seats = draft.rail, draft.seats
    _put_occupied(draft, act.occupied)
    draft.seats = replace(draft.seats, freed=seats.freed | (frozenset(SEATS) - act.occupied))
    for seat in sorted(act.occupied - seats.occupied if marks.known else act.occupied):
        _cover(draft, seat)
    draft.rail = replace(marks, known=True)


def _count_fallen(before: RailSeen | None, act: RailSeen) -> list[int] | None:
    """Tokens counted at each seat since the last report; None if the counters were interrupted.

    They continue within one boot, past their wraparound too, unless one ran backwards.
    """
    if before is None or before.boot != act.boot:
        return None
    if act.drops == before.drops:
        return []
    fallen = [(new - old) % CYCLE for new, old in zip(act.drops, before.drops, strict=True)]
    return fallen if max(fallen) < HALF_CYCLE else None


def _count_drops(draft: Draft, fallen: Sequence[int]) -> None:
    """Accept a token for each awaited seat whose counter rose; any other drop is unexplained.

    In SERVICE a technician lets tokens fall: while the rail reports, those are explained.
    """
    for seat, dropped in zip(SEATS, fallen, strict=True):
        accepted = dropped > 0 and seat in draft.seats.awaited
        if accepted:
            accept(draft, seat)
        unexplained = dropped - accepted
        if unexplained and draft.service and draft.rail.known:
            draft.decide("drop-in-service", seat=seat, tokens=unexplained)
        elif unexplained:
            demand_tray_count(draft, "drop-unexplained", seat, tokens=unexplained)


def _hold_swallowed(draft: Draft, held: Sequence[int], fallen: Sequence[int]) -> None:
    """Stake a token at once that an acceptor has swallowed; COIN IN accepts it.

    One for each seat: a further token is nobody's stake.
    """
    staked = tuple(int(not old and new > 0) for old, new in zip(held, fallen, strict=True))
    draft.seats = replace(
        draft.seats, swallowed=tuple(old + new for old, new in zip(held, staked, strict=True))
    )
    for seat, tokens, stakes in zip(SEATS, fallen, staked, strict=True):
        if stakes and is_late(draft, seat):
            draft.note_late_token(seat, tokens=stakes)
        elif stakes:
            draft.decide("token-in", seat=seat, tokens=stakes)
        if tokens > stakes:
            demand_tray_count(draft, "drop-unexplained", seat, tokens=tokens - stakes)


def _prove_tokens(draft: Draft, fallen: Sequence[int]) -> None:
    """Raise TRAY_COUNT for unproved tokens whose counter did not rise.

    A counter that was reset with the power proves nothing.
    """
    unproved = draft.seats.unproved
    if not unproved:
        return
    draft.seats = replace(draft.seats, unproved=NONE)
    for seat in sorted(unproved):
        if not fallen[seat - 1]:
            demand_tray_count(draft, "token-unaccounted", seat)


def _note_acceptors(draft: Draft, before: RailSeen | None, act: RailSeen) -> None:
    """Note credits lost since the last report, and acceptors that are not enrolled."""
    if act.credits_lost != (before.credits_lost if before is not None else 0):
        draft.raise_fault(Fault.TOKENS_UNKNOWN)
    if act.changed:
        draft.raise_fault(Fault.ACCEPTOR_CHANGED)


def _note_unsteady(draft: Draft, before: RailSeen | None, act: RailSeen) -> None:
    """Raise the fault while any seat's sensor flaps, and name the seats."""
    unsteady = act.unsteady or NONE
    earlier = before.unsteady or NONE if before is not None else NONE
    for seat in sorted(unsteady - earlier):
        draft.decide("sensor-unsteady", seat=seat)
    if unsteady:
        draft.raise_fault(Fault.SENSOR_UNSTEADY)
    else:
        draft.clear_fault(Fault.SENSOR_UNSTEADY)


def accept_at_once(draft: Draft) -> None:
    """COIN IN on a rail without gates: accept every token where it lies."""
    tokens = draft.seats.tokens
    for seat in sorted(tokens):
        accept(draft, seat)
    held = draft.seats.swallowed
    if held is None:
        draft.seats = replace(draft.seats, unfree=draft.seats.unfree | tokens)
        draft.deadlines = replace(draft.deadlines, covered=())
    else:
        draft.seats = replace(draft.seats, swallowed=tuple(max(0, count - 1) for count in held))
    draft.phase = Phase.PLAYING


def accept(draft: Draft, seat: int) -> None:
    """Accept the token of `seat`: its money moves. The lamps follow when this is on the disk."""
    seats = draft.seats
    draft.seats = replace(
        draft.seats,
        accepted=seats.accepted | {seat},
        collecting=seats.collecting - {seat},
        stuck=seats.stuck - {seat},
    )
    draft.move(_stake(draft, draft.identity(f"seat-{seat}/stake")))
    draft.decide("token-accepted", seat=seat)
    if seat in seats.occupied:
        _cover(draft, seat)


def _stake(draft: Draft, identity: str) -> Transaction:
    prizes, money = draft.rules.prizes, draft.rules.money
    if prizes is None or prizes.limit is None or isinstance(draft.link, LinkState):
        return movements.stake(money, identity)  # a linked jackpot's limit is the centre's to keep
    over = movements.count_overflow(money, draft.balances, prizes.limit)
    draft.over_limit = _over_limit(draft) + over
    return movements.stake(money, identity, Overflow(over, prizes.overflow))


def take_back_token(draft: Draft, identity: str) -> Transaction:
    """The reverse of a stake of this round: first of what the limit kept out of the jackpot."""
    prizes, money = draft.rules.prizes, draft.rules.money
    if prizes is None or prizes.limit is None:
        return movements.token_returned(money, draft.balances, identity)
    over = Units(min(_over_limit(draft), money.token * money.to_jackpot))
    draft.over_limit = _over_limit(draft) - over
    overflow = Overflow(over, prizes.overflow)
    return movements.token_returned(money, draft.balances, identity, overflow)


def _over_limit(draft: Draft) -> int:
    return draft.over_limit if isinstance(draft.over_limit, int) else 0


def _handle_board_restart(draft: Draft, act: RailSeen) -> None:
    """Another boot number: drops in between are unknown, so the gates stay closed."""
    if draft.rail.seen is not None and draft.seats.swallowed is not None:
        draft.raise_fault(
            Fault.TOKENS_UNKNOWN
        )  # acceptors continue to count, unless that was impossible
    draft.rail = RailMarks(False, act, gap_of(act))
    hold_tokens(draft)
    shut_driven_gates(draft)
    for seat in sorted(draft.seats.stuck - act.occupied):
        demand_tray_count(draft, "token-unaccounted", seat)


def hold_tokens(draft: Draft) -> None:
    """Close the gates, as after a power cut: awaited tokens wait for COIN IN again."""
    seats = draft.seats
    if seats.collecting:
        draft.seats = replace(draft.seats, stuck=seats.awaited, collecting=NONE)
    draft.deadlines = replace(draft.deadlines, gates=None)


def shut_driven_gates(draft: Draft) -> None:
    """Close the gates that the technician drives; other driven outputs stay."""
    drive = draft.drive
    if drive is not None and drive.gates:
        draft.drive = replace(drive, gates=NO_GATES)
        draft.deadlines = replace(draft.deadlines, drive=None)


def _reconcile(draft: Draft) -> None:
    """The rail is back: record which tokens still wait, and time covered slots anew."""
    if draft.seats.stuck & draft.seats.occupied:
        draft.raise_fault(Fault.TOKEN_STUCK)
    draft.deadlines = replace(draft.deadlines, covered=())
    for seat in sorted(draft.seats.occupied):
        _cover(draft, seat)


def note_occupied(draft: Draft, occupied: Seats) -> None:
    """Replace the last view of the sensors, and record what came and went."""
    before = draft.seats.occupied
    if occupied == before:
        return
    _put_occupied(draft, occupied)
    for seat in sorted(before - occupied):
        draft.decide("seat-free", seat=seat)
    for seat in sorted(occupied - before):
        _note_arrival(draft, seat)


def _put_occupied(draft: Draft, occupied: Seats) -> None:
    """Update what was seen free or covered."""
    seats = draft.seats
    draft.seats = replace(
        draft.seats,
        occupied=occupied,
        unfree=seats.unfree & occupied,
        reminded=seats.reminded & occupied,
    )
    covered = draft.deadlines.covered
    if covered:
        draft.deadlines = replace(
            draft.deadlines, covered=tuple(item for item in covered if item[0] in occupied)
        )


def _note_arrival(draft: Draft, seat: int) -> None:
    if draft.seats.swallowed is not None and not _may_change_card(draft, seat):
        draft.decide("slot-covered", seat=seat)  # whatever lies there is not a token
    elif not is_late(draft, seat):
        draft.decide("token-in", seat=seat)
    elif _may_change_card(draft, seat):
        draft.decide("slot-covered", seat=seat)
        _cover(draft, seat)
    else:
        draft.note_late_token(seat)


def is_late(draft: Draft, seat: int) -> bool:
    """Whether a token put in at this seat now is a late token: betting has closed (2.21).

    A token that COIN IN has taken is not late, however late it drops.
    """
    return draft.phase not in (Phase.PAUSED, Phase.BETTING) and seat not in draft.seats.awaited


def _may_change_card(draft: Draft, seat: int) -> bool:
    return draft.rules.game.changes_card and seat in draft.seats.playing


def _cover(draft: Draft, seat: int) -> None:
    """Time the slot as covered, if a card there has a meaning now."""
    if _may_change_card(draft, seat) and seat not in draft.seats.unfree:
        draft.deadlines = replace(
            draft.deadlines, covered=(*draft.deadlines.covered, (seat, draft.now))
        )


def note_changed_cards(draft: Draft) -> None:
    """Slots covered long enough in PLAYING or AWARDING have changed cards."""
    covered = draft.deadlines.covered
    if not covered or draft.phase not in IN_PLAY:
        return
    due = {seat for seat, since in covered if draft.now - since >= COVERED_MS}
    for seat in sorted(due):
        seats = draft.seats
        draft.seats = replace(
            draft.seats, changed=seats.changed | {seat}, unfree=seats.unfree | {seat}
        )
        draft.decide("card-changed", seat=seat)
    if due:
        draft.deadlines = replace(
            draft.deadlines, covered=tuple(item for item in covered if item[0] not in due)
        )


def note_stuck_tokens(draft: Draft) -> None:
    """Gates close after their timeout; tokens that have not dropped by then are stuck: a jam."""
    gates = draft.deadlines.gates
    if gates is None or draft.now < gates:
        return
    for seat in sorted(draft.seats.collecting):
        draft.decide("token-stuck", seat=seat)
        draft.raise_fault(Fault.TOKEN_STUCK)
    hold_tokens(draft)


def end_due_collection(draft: Draft) -> None:
    """No token is awaited any more: PLAYING, or PAUSED if none was accepted."""
    if draft.phase is not Phase.COLLECTING or draft.seats.awaited:
        return
    draft.deadlines = replace(draft.deadlines, gates=None)
    draft.clear_fault(Fault.TOKEN_STUCK)
    draft.phase = Phase.PLAYING if draft.seats.accepted else Phase.PAUSED


def forget_rail(draft: Draft) -> None:
    """The rail is lost or has not reported: nothing is known about its slots."""
    draft.rail = replace(draft.rail, known=False)
    draft.deadlines = replace(draft.deadlines, covered=(), tray=None)


def fit_rail(draft: Draft) -> None:
    """Adapt the seats' marks to the present rail, which may be another kind than before."""
    rail, held = draft.rules.rail, draft.seats.swallowed
    swallows = rail is not None and rail.swallows
    if swallows and held is None:
        draft.seats = replace(draft.seats, swallowed=NO_COUNTS)
    elif not swallows and held is not None:
        draft.seats = replace(draft.seats, swallowed=None)
        if any(held):
            draft.raise_fault(Fault.TOKENS_UNKNOWN)


def next_round_seats(seats: SeatMarks) -> SeatMarks:
    """Marks at the opening of a round. What lies there, also a late token, is played in it (2.22).

    What was accepted, or is a changed card, must be seen free first (2.23).
    """
    return SeatMarks(
        occupied=seats.occupied,
        unfree=seats.unfree,
        reminded=seats.unfree,
        swallowed=seats.swallowed,
    )


NOTHING_DUE = Deadlines()


def next_deadline(state: TableState, _rules: Rules) -> int | None:
    """When the seats must be checked again, in milliseconds; None: not at all."""
    deadlines = state.deadlines
    if deadlines == NOTHING_DUE:
        return None
    tray = None if state.locked else deadlines.tray
    due = [when for when in (deadlines.gates, tray, deadlines.drive) if when is not None]
    if state.phase in IN_PLAY and deadlines.covered:
        due.append(min(since for _, since in deadlines.covered) + COVERED_MS)
    return min(due) if due else None
