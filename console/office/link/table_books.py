"""What a table's records say of its link: calls, answers, and what its awards moved.

docs/reference/link-rules.md, 2.1 and 3.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from console.link.centre.member_books import digest_json
from console.rules.acts import (
    KINDS,
)
from console.rules.link_acts import (
    LinkAnswered,
)
from console.rules.records import SNAPSHOT
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Reason, Transaction

CallNumber = tuple[int, int]
"""Epoch and n."""

TOKENS = frozenset({Reason.STAKE, Reason.TOKEN_RETURNED})
AWARDS = frozenset(
    {Reason.AWARD_PENDING, Reason.AWARD_RAISED, Reason.AWARD_FINAL, Reason.AWARD_CANCELLED}
)

_ANSWERED = KINDS[LinkAnswered]


class AnsweredCall(NamedTuple):
    """A call and the hash of its answer, in record `seq`."""

    digest: bytes
    hash: str
    seq: int


class WaitingCall(NamedTuple):
    """A call without an answer. `name`: such as claim."""

    digest: bytes
    name: str
    about: str


class Booked(NamedTuple):
    """A transaction in record `seq`."""

    digest: bytes
    seq: int


class TableBooks:
    """What the records of one ledger say of the link, record by record.

    `before`: the last call answered, and `before_act` the last act booked, as the first record with
    a link has them: what is older is not in these records.
    """

    def __init__(self) -> None:
        """Nothing was read yet."""
        self.before: CallNumber | None = None
        self.before_act = 0
        self.act = 0
        self.answered: dict[CallNumber, AnsweredCall] = {}
        self.waiting: dict[CallNumber, WaitingCall] = {}
        self.awards: dict[str, Booked] = {}
        self.untold: dict[str, int] = {}
        """Tokens that are in no call, by identity: their records."""
        self._link: Mapping[str, Any] = {}

    def take(self, record: Record) -> None:
        """Take the next record."""
        before = self._link
        changed = find_link(record)
        if changed is not None:
            self._link = changed
            self._take_link(changed)
        if record.kind == _ANSWERED:
            self._take_answer(record, before)
        if self._link:
            self._take_money(record)

    def has(self, number: CallNumber) -> bool:
        """Whether the call is in these records."""
        return number in self.answered or number in self.waiting

    def _take_link(self, link: Mapping[str, Any]) -> None:
        if not link:
            return
        if self.before is None:
            self.before = (link["epoch"], link["answered"])
            self.before_act = link["act"]
        self.act = link["act"]
        self.waiting = {
            (link["epoch"], call["n"]): WaitingCall(digest_json(call), call["call"], _about(call))
            for call in link["outbox"]
        }

    def _take_answer(self, record: Record, before: Mapping[str, Any]) -> None:
        act = record.body["act"]
        if not isinstance(act, Mapping) or not before:
            return
        answer, call = act["answer"], act["call"]
        if not isinstance(answer, Mapping) or self._link.get("answered") != answer["n"]:
            return
        number = (int(before["epoch"]), int(self._link["answered"]))
        self.answered[number] = AnsweredCall(digest_json(call), str(answer["hash"]), record.seq)

    def _take_money(self, record: Record) -> None:
        in_calls = {identity for call in self._link["outbox"] for identity in _tokens_in(call)}
        for transaction in record.transactions:
            if transaction.reason in AWARDS:
                digest = digest_json(write_movement(transaction))
                self.awards[transaction.identity] = Booked(digest, record.seq)
            elif transaction.reason in TOKENS and transaction.identity not in in_calls:
                self.untold[transaction.identity] = record.seq


def find_link(record: Record) -> Mapping[str, Any] | None:
    """The link as the record leaves it; None: it says nothing of it, {}: the table has none."""
    where = record.body.get("state" if record.kind == SNAPSHOT else "changes")
    if not isinstance(where, Mapping) or "link" not in where:
        return None
    link = where["link"]
    return link if isinstance(link, Mapping) and link.get("link") == "member" else {}


def write_movement(transaction: Transaction) -> dict[str, Any]:
    """Reason and postings, as the centre's movements are compared with them."""
    postings = {one.account.value: one.amount for one in transaction.postings}
    return {"reason": transaction.reason.value, "postings": postings}


def _tokens_in(call: Mapping[str, Any]) -> Iterable[str]:
    return (token["identity"] for token in call.get("transactions", ()))


def _about(call: Mapping[str, Any]) -> str:
    return str(call.get("identity") or (f"round {call['round']}" if "round" in call else ""))
