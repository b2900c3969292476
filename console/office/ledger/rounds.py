"""A round from the record: in lines of text, and played again act by act, for a dispute.

Reading begins at the last snapshot before the round.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from console.configuration.person_names import name_people_in, names_of_ledger
from console.office.ledger.exit_status import FAILED, IN_ORDER, UNUSABLE
from console.rules.acts import OutputsDriven, Reopened, SelfTested
from console.rules.codes import Refusal
from console.rules.display_texts import Texts
from console.rules.drive import Drive
from console.rules.game_modules import display_text, panel_lights
from console.rules.observation import (
    Observation,
    format_accounts,
    lit_lamps,
    name_lit_buttons,
    see_hand,
)
from console.rules.records import ACTS, SNAPSHOT, UnreadableRecord, act_of
from console.rules.replay import ReplayedRecord, replay
from console.rules.round.card_outputs import rail_orders
from console.rules.state import Rules
from console.rules.structs import replace
from console.texts import office_texts
from console.texts.declarations.lines import BY_KIND
from console.texts.display import TEXTS
from console.texts.language import Language, Words
from console.texts.layout import paragraph
from console.texts.record_texts import (
    Boots,
    act_words,
    clock_of,
    consequences,
    day_of,
    describe_state,
    new_phase,
)
from console.texts.self_test_texts import part_name, summary
from console.texts.table_texts import (
    NOT_KNOWN,
    TableNames,
    button_label,
    button_name,
    name_phase,
    names_of,
)
from devices.roles import COMBINATION_BUTTONS, SEATS, Lamp
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record, read_records

Facts = Mapping[str, Any]

HANDLED = (OutputsDriven, SelfTested, Reopened)

LAMPS = {
    Lamp.ON: office_texts.NO_WORDS,
    Lamp.INVITE: office_texts.PULSES,
    Lamp.ALERT: office_texts.BLINKS_FAST,
}


INDENT = " " * 10
"""The width of the time of day before a line."""


def text_of(record: Record, table: TableNames = NOT_KNOWN) -> str:
    """The act of a record: `press COIN_IN`, `declare hand-void 3 returned`, `rail: covered 1 3`."""
    act = record.body.get("act")
    if isinstance(act, Mapping) and record.kind in BY_KIND:
        return f"declare {BY_KIND[record.kind].write(act)}"
    if isinstance(act, Mapping) and record.kind in AS_SCENARIOS_SAY:
        return AS_SCENARIOS_SAY[record.kind](act, table)
    return act_words(record, Language.EN, table)


AS_SCENARIOS_SAY: Mapping[str, Callable[[Facts, TableNames], str]] = {
    "button": lambda act, table: f"press {button_name(str(act.get('button')), table)}",
    "key": lambda act, _: f"key {act.get('position', '?') or 'between'}",
    "inspector": lambda act, _: f"inspector {'here' if act.get('present') else 'away'}",
    "cut-card": lambda _, __: "cut-card",
    "cleared": lambda act, _: f"clear {act.get('fault', '?')}",
}
"""Writers of scenario lines, by the record's kind."""


def service_words(record: Record, language: Language, table: TableNames = NOT_KNOWN) -> str:
    """The act in words, with all its details; "" for other acts.

    Also "" for an act that this version cannot read, written by a later one.
    """
    if ACTS.get(record.kind) not in HANDLED:
        return ""
    try:
        act = act_of(record.kind, record.body)
    except UnreadableRecord:
        return ""
    match act:
        case OutputsDriven(who, None):
            return office_texts.LETS_OUTPUTS_GO.in_(language).format(who)
        case OutputsDriven(who, drive) if drive is not None:
            outputs = ", ".join(_outputs(drive, language, table))
            nothing = office_texts.ALL_DARK.in_(language)
            return f"{office_texts.DRIVES.in_(language).format(who)} {outputs or nothing}"
        case SelfTested():
            return _self_test_words(act, language)
        case Reopened(since=since, why=why) if since or why:
            return office_texts.LEDGER_OPENED_AGAIN_LOCKED.in_(language).format(
                clock_of(since), why
            )
    return ""


def _outputs(drive: Drive, language: Language, table: TableNames) -> Iterator[str]:
    """Each group of outputs that is not dark. The slot lamp of a driven gate is left out."""
    if drive.gates:
        gates = " ".join(str(seat) for seat in sorted(drive.gates))
        yield f"{office_texts.GATE.in_(language)} {gates}"
    slots = [
        Lamp.DARK if seat in drive.gates else lamp
        for seat, lamp in zip(SEATS, drive.slots, strict=True)
    ]
    yield from _lamps(office_texts.SLOT_LAMP, slots, language)
    yield from _lamps(office_texts.SEAT_LED, drive.panel.seats, language)
    lit = [
        button_label(button.value, table, language)
        for button, on in zip(COMBINATION_BUTTONS, drive.panel.combinations, strict=True)
        if on
    ]
    if lit:
        yield f"{office_texts.LAMP.in_(language)} {', '.join(lit)}"
    if drive.display is not None:
        yield " ".join(("display", *(f"[{line}]" for line in drive.display.lines)))


def _lamps(name: Words, lamps: Sequence[Lamp], language: Language) -> Iterator[str]:
    for mode, how in LAMPS.items():
        seats = [str(seat) for seat, lamp in zip(SEATS, lamps, strict=True) if lamp is mode]
        if seats:
            yield f"{name.in_(language)} {' '.join(seats)}{how.in_(language)}"


def _self_test_words(act: SelfTested, language: Language) -> str:
    """The counts, and the names of the parts that failed."""
    failed = [part_name(part.part, language) for part in act.parts if part.passed is False]
    names = f" ({', '.join(failed)})" if failed else ""
    title = office_texts.SELF_TEST.in_(language)
    return f"{act.who}: {title}, {summary(act.parts, language)}{names}"


def render_round(
    records: Sequence[Record], number: int, language: Language, table: TableNames, boots: Boots
) -> list[str]:
    """A round's records in lines, after a heading; `boots`: the boards' boots known before it."""
    if not records:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(records[0].wall)}"]
    for record in records:
        lines += record_lines(record, language, table, boots)
    return lines


def record_lines(
    record: Record, language: Language, table: TableNames, boots: Boots, *, phase: bool = True
) -> list[str]:
    """A record: the time of day, the act, its result and, with `phase`, a new phase."""
    came = consequences(record, language, table)
    if phase and (entered := new_phase(record)):
        came.append(f"-> {name_phase(entered, language)}")
    restarted = [text] if (text := boots.describe_restart(record, language)) else []
    done = service_words(record, language, table) or act_words(record, language, table)
    text = "; ".join([*restarted, done, *came])
    return paragraph(text, first=f"{clock_of(record.wall):8}  ", after=INDENT)


def render_replay(steps: Sequence[ReplayedRecord], number: int, language: Language) -> list[str]:
    """A round played again: each act, each new state, and each disagreement."""
    if not steps:
        return [_nothing(number, language)]
    lines = [f"{_title(number, language)}  {day_of(steps[0].record.wall)}"]
    shown, boots = "", Boots()
    for step in steps:
        table = names_of(step.state.settings)
        lines += record_lines(step.record, language, table, boots, phase=False)
        if (state := describe_state(step.state, language)) != shown:
            lines += paragraph(state, first=f"{INDENT}-> ", after=f"{INDENT}   ")
            shown = state
        if step.problem:
            lines += paragraph(step.problem, first=f"{INDENT}!! ", after=f"{INDENT}   ")
    return [*lines, _verdict(steps, language)]


def _verdict(steps: Sequence[ReplayedRecord], language: Language) -> str:
    wrong = sum(1 for step in steps if step.problem)
    if wrong:
        return office_texts.DOES_NOT_AGREE_ACTS.in_(language).format(wrong, len(steps))
    return office_texts.ACTS_PLAYED_AGAIN_ALL.in_(language).format(len(steps))


def _title(number: int, language: Language) -> str:
    return office_texts.ROUND.in_(language).format(number)


def _nothing(number: int, language: Language) -> str:
    return office_texts.ROUND_NOT_RECORD.in_(language).format(number)


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
