"""`banco ledger replay`: play a round again from the record, act by act, for a dispute.

Reading begins at the last snapshot before the round.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from console.configuration.person_names import name_people_in, names_of_ledger
from console.office.ledger.exit_status import FAILED, IN_ORDER, UNUSABLE
from console.office.ledger.round_lines import render_replay, text_of
from console.rules.codes import Refusal
from console.rules.display_texts import Texts
from console.rules.game_modules import display_text, panel_lights
from console.rules.observation import (
    Observation,
    format_accounts,
    lit_lamps,
    name_lit_buttons,
    see_hand,
)
from console.rules.records import SNAPSHOT, UnreadableRecord
from console.rules.replay import ReplayedRecord, replay
from console.rules.round.card_outputs import rail_orders
from console.rules.state import Rules
from console.rules.structs import replace
from console.texts.display import TEXTS
from console.texts.language import Language
from console.texts.table_texts import names_of
from devices.roles import SEATS
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record, read_records


def replay_round(
    folder: Path, number: int, each: Callable[[], None] = lambda: None
) -> list[ReplayedRecord]:
    """Play a round's records again: each with the state after it, and its problem.

    The list is empty if the round is not on record. `each` is called before each record that is
    read; an exception from it ends the reading. Raises LedgerUnavailable, LedgerCorrupt,
    UnreadableRecord.
    """
    with closing(read_records(folder, round=number, limit=1)) as found:
        first = next(found, None)
    if first is None:
        return []
    snapshot = newest_record(folder, kind=SNAPSHOT, before=first.seq)
    begin = snapshot.seq - 1 if snapshot is not None else 0
    steps: list[ReplayedRecord] = []
    people = names_of_ledger(folder)
    if snapshot is None and not _whole(folder):
        raise UnreadableRecord(f"round {number}: the records before it are not in this ledger")
    with closing(read_records(folder, after=begin, limit=-1)) as records:
        for step in replay(_follow_round(records, each)):
            if step.record.seq >= first.seq and step.record.round > number:
                break
            if step.record.seq >= first.seq:
                steps.append(replace(step, record=name_people_in(step.record, people)))
    return steps


def _whole(folder: Path) -> bool:
    with closing(read_records(folder, limit=1)) as found:
        return all(record.seq == 1 for record in found)


def _follow_round(records: Iterator[Record], each: Callable[[], None]) -> Iterator[Record]:
    for record in records:
        each()
        yield record


def print_replay(folder: Path, number: int, language: Language, *, as_json: bool) -> int:
    """Print the round; the exit status says whether today's logic agrees with every record."""
    steps = replay_round(folder, number)
    if as_json:
        for step in steps:
            if step.record.kind != SNAPSHOT or step.problem:
                print(json.dumps(step_to_json(step, str(folder), TEXTS[language])))
    else:
        print("\n".join(render_replay(steps, number, language)))
    return _status(steps)


def step_to_json(step: ReplayedRecord, name: str, texts: Texts) -> dict[str, Any]:
    """A record in the format of `banco play --json`, with the state on record after it.

    `line` is the record's number; `ok`: today's logic leads to the same state. Further keys:
    `kind`, `wall`, `at_ms`, `outcome`, and where they exist `who` and `problem`.
    """
    record = step.record
    act = record.body.get("act")
    head = {
        "file": name,
        "line": record.seq,
        "text": text_of(record, names_of(step.state.settings)),
        "ok": not step.problem,
    }
    more: dict[str, Any] = {
        "kind": record.kind,
        "wall": record.wall,
        "at_ms": record.at_ms,
        "outcome": record.body.get("outcome"),
    }
    if isinstance(act, Mapping) and "who" in act:
        more["who"] = act["who"]
    if step.problem:
        more["problem"] = step.problem
    return head | observe(step, texts).to_json() | more


def observe(step: ReplayedRecord, texts: Texts) -> Observation:
    """What the table showed after a record, computed from the state on record.

    Before the first settings there is nothing but the state: display and lamps were dark.
    """
    state, rules = step.state, step.rules
    plain = Observation(
        phase=state.shown_phase,
        slots={},
        seats={},
        lamps=(),
        display=("", ""),
        accounts=format_accounts(state.balances),
        award=state.award,
        faults=state.faults,
        refused=_refusal(step.record),
    )
    return plain if rules is None else _lit(plain, step, rules, texts)


def _lit(plain: Observation, step: ReplayedRecord, rules: Rules, texts: Texts) -> Observation:
    state = step.state
    lights = panel_lights(state, rules)
    slots = rail_orders(state).lamps if rules.rail is not None else ()
    first, second = display_text(state, rules, texts, step.record.at_ms).lines
    return replace(
        plain,
        slots=lit_lamps(dict(zip(SEATS, slots, strict=False))),
        seats=lit_lamps(dict(zip(SEATS, lights.seats, strict=True))),
        lamps=name_lit_buttons(rules, lights.combinations),
        display=(first.rstrip(), second.rstrip()),
        poker=see_hand(state, rules, step.record.at_ms),
    )


def _refusal(record: Record) -> Refusal | None:
    code = record.body.get("refusal")
    try:
        return Refusal(code) if code is not None else None
    except ValueError as error:
        raise UnreadableRecord(f"record {record.seq}: {error}") from error


def _status(steps: Sequence[ReplayedRecord]) -> int:
    if not steps:
        return UNUSABLE
    return FAILED if any(step.problem for step in steps) else IN_ORDER
