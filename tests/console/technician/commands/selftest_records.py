"""Reads the record and the report of a self-test."""

from console.rules.acts import KINDS, SelfTested
from console.rules.records import act_of
from jackpot.ledger.journal import Record
from jackpot.ledger.ledger import newest_record
from tests.console.technician.commands.technician_bench import TechnicianBench

SLIP = 40

Results = dict[str, tuple[bool | None, str]]


def last_record(bench: TechnicianBench) -> Record | None:
    return newest_record(bench.rig.table.machine.disk.folder, kind=KINDS[SelfTested])


def read_recorded_test(bench: TechnicianBench) -> SelfTested:
    record = last_record(bench)
    assert record is not None
    act = act_of(record.kind, record.body)
    assert isinstance(act, SelfTested)
    return act


def results(bench: TechnicianBench) -> Results:
    """Return each part's result from the ledger."""
    return {one.part: (one.passed, one.found) for one in read_recorded_test(bench).parts}


def list_failures(bench: TechnicianBench) -> dict[str, str]:
    return {part: found for part, (passed, found) in results(bench).items() if passed is False}


def list_untested(bench: TechnicianBench) -> dict[str, str]:
    return {part: found for part, (passed, found) in results(bench).items() if passed is None}


def report_in(text: str, title: str = "SELF-TEST") -> list[str]:
    """Return the lines of the report printed last, without the page prompts."""
    lines = [line.rstrip() for line in text[text.rindex(title) :].splitlines()]
    ends = [at for at, line in enumerate(lines) if line == "-" * SLIP]
    return [line for line in lines[: ends[-1] + 1] if line != "-- more --"]
