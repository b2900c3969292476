"""What a ledger holds that the centre lacks, record by record.

docs/reference/link-rules.md, 3.12.
"""

from collections.abc import Sequence

import msgspec
import pytest

from console.link.rejoin_list import KnownMember, MemberEntry, list_missing
from console.rules.link import AnyCall, Deliver, Join, Open, Rejoin
from console.rules.link_state import LeftLink, LinkState
from jackpot.failures import Refused
from jackpot.ledger.journal import Head, Record
from jackpot.money import movements
from jackpot.money.accounts import Balances, Transaction
from tests.console.link.linked_table import MONEY


def stake(seat: int) -> Transaction:
    return movements.stake(MONEY, f"a/round-1/seat-{seat}/stake")


JOIN = Join(1, Balances())
FIRST, SECOND, THIRD, FOURTH = (stake(seat) for seat in range(1, 5))


class Ledger:
    """Records as a table writes them; a copy goes on by itself."""

    def __init__(self, card: str, records: Sequence[Record] = ()) -> None:
        self.card = card
        self.records = list(records)

    def write(
        self, link: LinkState | LeftLink | None, *transactions: Transaction, n: int = 0
    ) -> Head:
        """One more record, whose hash no other card has."""
        changes = {} if link is None else {"link": msgspec.to_builtins(link)}
        head = Head(len(self.records) + 1, f"{self.card}-{len(self.records) + 1}-{n}")
        self.records.append(
            Record(
                kind="rail",
                round=1,
                at_ms=0,
                wall="",
                settings_version=1,
                body={"changes": changes},
                transactions=transactions,
                seq=head.seq,
                boot=1,
                previous="",
                hash=head.hash,
            )
        )
        return head

    def deliver(self, n: int, *tokens: Transaction) -> Head:
        """Tokens, and their call in the outbox."""
        return self.write(LinkState(n=n, outbox=(Deliver(n, 1, tokens),)), tokens[-1])

    def missing(self, *entries: MemberEntry) -> list[Transaction]:
        known = KnownMember(len(entries), "", None)
        return list(list_missing(self.records, entries, 1, known).transactions)


def entry(n: int, head: Head, call: AnyCall) -> MemberEntry:
    return MemberEntry(1, n, head, call)


def begin() -> tuple[Ledger, list[MemberEntry]]:
    """A ledger with a token that the centre has."""
    ledger = Ledger("one")
    entries = [entry(1, ledger.write(LinkState(n=1, outbox=(JOIN,))), JOIN)]
    entries.append(entry(2, ledger.deliver(2, FIRST), Deliver(2, 1, (FIRST,))))
    return ledger, entries


def test_what_was_delivered_is_not_missing() -> None:
    ledger, entries = begin()
    assert ledger.missing(*entries) == []


def test_what_was_never_delivered_is() -> None:
    ledger, entries = begin()
    ledger.deliver(3, SECOND)
    assert ledger.missing(*entries) == [SECOND]


def test_a_token_of_the_clone_under_the_same_identity_is_another() -> None:
    ledger, entries = begin()
    other = Ledger("two", ledger.records)
    ledger.deliver(3, THIRD)
    ledger.deliver(4, SECOND)
    clones = other.deliver(3, SECOND)
    entries.append(entry(3, clones, Deliver(3, 1, (SECOND,))))
    assert ledger.missing(*entries) == [THIRD, SECOND]


def test_a_call_made_before_the_card_was_set_back_and_sent_after_is_there() -> None:
    older, entries = begin()
    older.deliver(3, SECOND)
    newer = Ledger("two", older.records)
    sent = newer.write(None)
    entries.append(entry(3, sent, Deliver(3, 1, (SECOND,))))
    assert older.missing(*entries) == []


def test_of_a_call_that_grew_afterwards_only_the_beginning_is_there() -> None:
    older, entries = begin()
    older.deliver(3, SECOND)
    newer = Ledger("two", older.records)
    sent = newer.deliver(3, SECOND, THIRD)
    entries.append(entry(3, sent, Deliver(3, 1, (SECOND, THIRD))))
    entries.append(entry(4, sent, Deliver(4, 1, (FOURTH,))))
    older.deliver(4, FOURTH)
    assert older.missing(*entries) == [FOURTH]


def test_another_call_of_the_same_number_is_the_clones() -> None:
    ledger, entries = begin()
    other = Ledger("two", ledger.records)
    ledger.deliver(3, SECOND)
    entries.append(entry(3, other.write(None), Open(3, 2)))
    assert ledger.missing(*entries) == [SECOND]


def test_the_list_that_was_approved_before_is_there() -> None:
    ledger, entries = begin()
    head = ledger.deliver(3, SECOND)
    entries.append(MemberEntry(2, 1, head, Rejoin(1, head, (SECOND,))))
    ledger.deliver(4, THIRD)
    assert ledger.missing(*entries) == [THIRD]


def test_what_was_staked_while_it_was_not_linked_came_with_joining() -> None:
    ledger, entries = begin()
    ledger.write(LeftLink(1, 3, 3, "", 0, 0, Balances()), SECOND)
    ledger.write(None, THIRD)
    ledger.write(LinkState(n=4))
    assert ledger.missing(*entries) == []


def test_a_table_that_has_left_does_not_rejoin() -> None:
    ledger, entries = begin()
    ledger.write(LeftLink(1, 3, 3, "", 0, 0, Balances()))
    with pytest.raises(Refused, match="is not linked"):
        ledger.missing(*entries)


def test_a_ledger_of_which_the_centre_knows_no_record_is_not_the_members() -> None:
    _, entries = begin()
    other = Ledger("two")
    other.deliver(2, FIRST)
    with pytest.raises(Refused, match="none of its records"):
        other.missing(*entries)
