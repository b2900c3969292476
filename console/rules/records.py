"""Acts and states as the journal has them, and states restored from its records.

A record has the act, its outcome, the decisions, and the fields of the state that changed. A state
is the last snapshot with the later changes applied, so an old journal is read without its old
logic. `replay_record` compares the two.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import astuple

from console.rules.acts import (
    KINDS,
    Act,
    Adopted,
    Elapsed,
)
from console.rules.game_modules import advance
from console.rules.link_state import (
    LinkShown,
    LinkState,
)
from console.rules.poker_acts import ClockShown
from console.rules.round import Transition
from console.rules.settings import Settings
from console.rules.state import Rules, TableState
from console.rules.structs import replace
from jackpot.failures import Damaged
from jackpot.ledger.journal import Entry, Record, Recovered
from jackpot.money.amounts import Cents
from jackpot.value_mistakes import describe_mistake

SNAPSHOT = "snapshot"

FIELDS = TableState.__struct_fields__
ACTS: Mapping[str, type[Act]] = {kind: act for act, kind in KINDS.items()}


class UnreadableRecord(Damaged):
    """A verified record with a content that this version does not understand."""


class _Decision(msgspec.Struct):
    """The part of a decision that is read."""

    decision: str
    fault: str = ""


def changes_between(before: TableState, after: TableState) -> dict[str, Any]:
    """The fields in which two states differ, with their new values."""
    triples = zip(FIELDS, astuple(before), astuple(after), strict=True)
    return {name: new for name, old, new in triples if new is not old and new != old}


def is_worth_recording(act: Act, before: TableState, step: Transition) -> bool:
    """Whether the act gets a record: all do, except time and what a centre shows without effect.

    A reading of the linked jackpot that changes nothing else is shown, and stands in the next
    record.
    """
    match act:
        case LinkShown():
            return _with_reading(step.state, _reading_of(before)) != before
        case Elapsed() | ClockShown():
            return step.state != before
    return True


def _reading_of(state: TableState) -> Cents | None:
    return state.link.reading if isinstance(state.link, LinkState) else None


def _with_reading(state: TableState, reading: Cents | None) -> TableState:
    if not isinstance(state.link, LinkState):
        return state
    return replace(state, link=replace(state.link, reading=reading))


def entry_of(
    act: Act,
    before: TableState,
    step: Transition,
    at_ms: int,
    wall: str,
    settings_version: int,
    *,
    newly_shown: bool = False,
) -> Entry:
    """The record of one act.

    `newly_shown`: the reading in `before` came after the last record. This one holds it, as what
    was shown when the act came.
    """
    body: dict[str, Any] = {
        "act": act,
        "outcome": step.outcome,
        "changes": changes_between(before, step.state),
    }
    if newly_shown:
        body["reading"] = _reading_of(before)
        body["changes"]["link"] = step.state.link
    if step.refusal is not None:
        body["refusal"] = step.refusal
    if step.decisions:
        body["decisions"] = [
            {"decision": decision.what, **decision.facts} for decision in step.decisions
        ]
    return Entry(
        KINDS[type(act)],
        step.state.round,
        at_ms,
        wall,
        settings_version,
        body,
        step.transactions,
    )


def snapshot_of(state: TableState, at_ms: int, wall: str, settings_version: int) -> Entry:
    """The whole state, so that a start reads no further back."""
    return Entry(SNAPSHOT, state.round, at_ms, wall, settings_version, {"state": state})


def restore_state(
    snapshot: Mapping[str, Any] | None, bodies: Iterable[Mapping[str, Any]]
) -> TableState:
    """The state after the records that follow a snapshot (None: from the first record on).

    Raises UnreadableRecord for a field with a content that this version does not know.
    """
    plain = dict(_fields(snapshot.get("state"))) if snapshot is not None else {}
    for body in bodies:
        plain.update(_fields(body.get("changes", {})))
    unknown = set(plain) - set(FIELDS)
    if unknown:
        raise UnreadableRecord(f"the journal knows fields that this version does not: {unknown}")
    try:
        return msgspec.convert(plain, TableState)
    except msgspec.ValidationError as error:
        raise UnreadableRecord(
            f"the journal's state cannot be read: {describe_mistake(error)}"
        ) from error


def _fields(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise UnreadableRecord(f"the journal holds no state where one belongs: {value!r:.50}")
    return value


def restore_recovered(recovered: Recovered) -> TableState:
    """The state of an opened ledger. Raises UnreadableRecord."""
    return restore_state(recovered.snapshot, (record.body for record in recovered.tail))


def find_raise_times(tail: Iterable[Record]) -> dict[str, str]:
    """When each fault was last raised: wall-clock labels by code, in these records.

    Raises UnreadableRecord.
    """
    raised: dict[str, str] = {}
    for record in tail:
        try:
            decisions = msgspec.convert(record.body.get("decisions", ()), list[_Decision])
        except msgspec.ValidationError as error:
            raise UnreadableRecord(
                f"record {record.seq}: its decisions: {describe_mistake(error)}"
            ) from error
        for decision in decisions:
            if decision.decision == "fault-raised":
                raised[decision.fault] = record.wall
    return raised


def act_of(kind: str, body: Mapping[str, Any]) -> Act | None:
    """The act of a record; None for a record without one (a snapshot). Raises UnreadableRecord."""
    if kind not in ACTS:
        return None
    try:
        act: Act = msgspec.convert(body["act"], ACTS[kind])
    except (KeyError, msgspec.ValidationError) as error:
        raise UnreadableRecord(
            f"a record of kind {kind} holds no such act: {describe_mistake(error)}"
        ) from error
    return act


def state_after(before: TableState, body: Mapping[str, Any]) -> TableState:
    """The state after a record: its changes applied to the one before. Raises UnreadableRecord."""
    changed = _fields(body.get("changes", {}))
    if not changed:
        return before
    return restore_state({"state": {**msgspec.to_builtins(before), **changed}}, ())


def settings_in(kind: str, body: Mapping[str, Any]) -> Settings | None:
    """The settings a record brings into force; None if it brings none."""
    act = act_of(kind, body) if kind == KINDS[Adopted] else None
    return act.settings if isinstance(act, Adopted) else None


def replay_record(
    before: TableState, kind: str, body: Mapping[str, Any], rules: Rules, at_ms: int
) -> tuple[TableState, bool]:
    """The state after a record, and whether `advance` leads to the same one today.

    Raises UnreadableRecord.
    """
    then = state_after(before, body)
    act = None if body.get("while_locked") else act_of(kind, body)
    return then, act is None or advance(_as_shown(before, body), act, rules, at_ms).state == then


def _as_shown(before: TableState, body: Mapping[str, Any]) -> TableState:
    """The state an act came to: with the reading shown since the record before."""
    if "reading" not in body:
        return before
    try:
        return _with_reading(before, Cents(msgspec.convert(body["reading"], int)))
    except msgspec.ValidationError as error:
        raise UnreadableRecord(
            f"the reading that was shown cannot be read: {describe_mistake(error)}"
        ) from error
