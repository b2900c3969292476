"""Join, leave and rejoin at the centre (docs/reference/link-rules.md, 3.12 and 3.14)."""

from collections.abc import Callable, Iterable

from console.link.rejoin_list import KnownMember, RejoinList
from console.rules.link import (
    CentreRefusal,
    MemberHello,
    Open,
    Rejoined,
    Terms,
)
from console.simulation.centre.awards import fits_token
from console.simulation.centre.books import MemberRow
from jackpot.ledger.journal import Head
from jackpot.money.accounts import Balances, Transaction
from tests.console.link.model.books import OperatedBooks


class CentreMembership:
    """Who plays for the jackpot."""

    def __init__(self, books: OperatedBooks, end_round: Callable[[str], None]) -> None:
        self._books = books
        self._end_round = end_round

    def admit(self, name: str) -> None:
        """Let a table join; again, after it has left. Raises ValueError for a member."""
        row = self._books.members.setdefault(name, MemberRow(name))
        if row.joined:
            raise ValueError(f"{name} is a member already")
        status = self._books.status[name]
        status.leaving, status.allowed = False, None
        row.session += 1
        if row.n == 0:  # of one that never called there is nothing to be known
            row.last = None

    def waits_to_join(self, name: str, balances: Balances) -> bool:
        """Whether it brings money and two operators have not let it; what it asks is kept."""
        status = self._books.status[name]
        waits = balances not in (Balances(), status.allowed)
        status.asked = balances if waits else None
        return waits

    def ask_to_leave(self, name: str) -> None:
        """An operator asks it to leave. Raises ValueError for one that is no member."""
        row = self._books.members.get(name)
        if row is None or not row.joined:
            raise ValueError(f"{name} is no member")
        status = self._books.status[name]
        if not status.leaving:
            status.leaving = True
            self._books.record_act("leave-asked")

    def leave(self, row: MemberRow) -> CentreRefusal | None:
        """It has left; what it brought stays."""
        if self._has_award(row.name):
            return CentreRefusal.AWARD_PENDING
        self._end_round(row.name)
        row.joined = False
        self._books.status[row.name].leaving = True
        self._books.record_act("leave")
        return None

    def begin_epoch(self, name: str, listed: RejoinList) -> str | None:
        """Two operators let the table with this ledger rejoin; why not, or None.

        The epoch's first entry is for `Centre` to make.
        """
        row, status = self._books.members[name], self._books.status[name]
        if not row.joined and (status.leaving or row.n == 0):
            return "NOT_JOINED"
        if row.epoch > listed.epoch:
            return "EPOCH_ENDED"
        if self.know(name) != listed.known:
            return "LIST_OUTDATED"
        if not fits_list(name, listed.transactions, self._books.terms):
            return "NOT_THE_TERMS"
        if self._has_award(name):
            return "AWARD_PENDING"
        self._books.known_act = max(self._books.known_act, listed.act)
        self._books.record_act("rejoin")
        self._end_round(name)
        row.epoch = listed.epoch + 1
        row.n = 0
        row.session += 1
        row.joined, row.doubted = True, False
        status.ended = False
        row.last = listed.head
        status.handled = listed.handled
        return None

    def may_be_archived(self, row: MemberRow, hello: MemberHello) -> bool:
        """Whether the record known last may be in its archive: it shows the answer to leaving."""
        last, proof = row.last, hello.proof
        if row.joined or not row.n or last is None or proof is None or hello.answered != row.n:
            return False
        lacks = proof == Head(last.seq, "") and hello.head.seq > last.seq
        return lacks and row.has_answered(hello.answered, hello.answer_hash)

    def know(self, name: str) -> KnownMember:
        """What the centre knows of the member's journal."""
        row = self._books.members[name]
        return KnownMember(row.n, row.hash, row.last)

    def describe_rejoin(self, row: MemberRow) -> Rejoined:
        """What the table is told that comes with its ledger."""
        calls = (entry.call for entry in row.entries.values())
        rounds = [call.round for call in calls if isinstance(call, Open)]
        entry = row.entries[row.epoch, 1]
        handled = self._books.status[row.name].handled
        return Rejoined(row.epoch, 1, entry.hash, max(rounds, default=0), handled)

    def _has_award(self, name: str) -> bool:
        return any(p.member == name for award in self._books.awards for p in award.live_parts)


def fits_list(name: str, tokens: Iterable[Transaction], terms: Terms) -> bool:
    """Whether each is, once, one token of the terms, or the reverse of one."""
    listed = tuple(tokens)
    stakes = (f"{one.identity.rpartition('/')[0]}/stake" for one in listed)
    return len({one.identity for one in listed}) == len(listed) and all(
        fits_token(name, one, terms, {} if one.identity == stake else {stake: one})
        for one, stake in zip(listed, stakes, strict=True)
    )
