"""A record as the pages show it: what was done, in both languages, and the money it moved."""

from collections import Counter
from collections.abc import Mapping

import msgspec

from console.texts.language import Language
from console.texts.record_texts import act_words, clock_of, describe_decisions
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account
from jackpot.money.amounts import format_units


class RecordView(msgspec.Struct, frozen=True):
    """One record."""

    seq: int
    wall: str
    """The record's label."""
    clock: str
    """The time of day at the table."""
    round: int
    act: str
    """The record's kind."""
    text: Mapping[str, str]
    """By language."""
    outcome: str
    refusal: str | None
    moved: Mapping[str, str]
    """What each account gained, exactly, in EUR."""


def view_record(record: Record, game: str) -> RecordView:
    """A record in words; `game` names the combination buttons."""
    refusal = record.body.get("refusal")
    return RecordView(
        record.seq,
        record.wall,
        clock_of(record.wall),
        record.round,
        record.kind,
        {language.value: _text(record, language, game) for language in Language},
        str(record.body.get("outcome", "")),
        str(refusal) if refusal else None,
        sum_postings(record),
    )


def _text(record: Record, language: Language, game: str) -> str:
    return "; ".join([act_words(record, language, game), *describe_decisions(record, language)])


def sum_postings(record: Record) -> dict[str, str]:
    """What a record's transactions together put into each account that they touch."""
    sums: Counter[Account] = Counter()
    for transaction in record.transactions:
        for posting in transaction.postings:
            sums[posting.account] += posting.amount
    return {one.value: format_units(sums[one]) for one in Account if sums[one]}
