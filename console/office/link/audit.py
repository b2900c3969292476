"""The centre's books beside those of its tables (docs/reference/link-rules.md, section 7).

A table's records say of its link: calls, answers, and what its awards moved (2.1 and 3).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from console.database.connect import DatabaseConnection, connect_to
from console.link.awaited_terms import describe_awaited
from console.link.centre.books import MOST_NAMED, find_book_differences
from console.link.centre.member_books import (
    AwardMovement,
    CallAtCentre,
    MemberAtCentre,
    digest_json,
    hold_instant,
    read_award_movements,
    read_calls,
    read_members,
)
from console.link.centre.proposals import read_currency, read_waiting
from console.link.centre.seals import AuditBase, begin_at, find_detached
from console.office.ledger.exit_status import FAILED, IN_ORDER
from console.office.link.audit_sources import AuditSource, open_export, open_ledger, read_source
from console.office.link.observations import tell_audit
from console.office.questions import ask_password
from console.rules.acts import (
    KINDS,
)
from console.rules.link_state import (
    LinkAnswered,
)
from console.rules.linked_prizes import is_paid_by_table
from console.rules.records import SNAPSHOT
from jackpot.ledger.journal import Record
from jackpot.money.accounts import Account, Reason, Transaction

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
        self.own: dict[str, int] = {}
        """What the table pays itself, by award: the units that are pending."""
        self.wrongly_ended: dict[str, int] = {}
        """Of these, what ended with another amount, by identity: its record."""
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

    def _take_own_payment(self, transaction: Transaction, seq: int) -> None:
        award = transaction.identity.rpartition("/")[0]
        moved = sum(one.amount for one in transaction.postings if one.account is Account.PENDING)
        self.own[award] = self.own.get(award, 0) + moved
        ends = transaction.reason in (Reason.AWARD_FINAL, Reason.AWARD_CANCELLED)
        if self.own[award] < 0 or (ends and self.own[award]):
            self.wrongly_ended[transaction.identity] = seq

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
            if is_paid_by_table(transaction):
                self._take_own_payment(transaction, record.seq)
            elif transaction.reason in AWARDS:
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


class FindingKind(Enum):
    """What a finding says."""

    DIFFERS = "differs"
    UNDELIVERED = "undelivered"
    """It is in the ledger, and waits for the centre."""
    NOT_HERE = "not-here"
    """The centre has it; these records do not go so far."""


class AuditFinding(Struct, frozen=True):
    """What the audit names. `place`: the centre, or a ledger's or export's path."""

    kind: FindingKind
    place: str
    text: str


class AuditReport(Struct, frozen=True, omit_defaults=True):
    """`right`: nothing differs. `calls`: how many were compared. `seal`: what is before it was
    not audited; in JSON only where there is one.
    """

    right: bool
    findings: tuple[AuditFinding, ...]
    sources: tuple[AuditSource, ...]
    calls: int
    seal: int = 0


def audit(
    connection: DatabaseConnection, sources: list[AuditSource], seal: int | None = None
) -> AuditReport:
    """Compare what is later than a seal; None: all that is not detached. Tables may be at play
    meanwhile: what comes in between is no difference.

    Raises Refused, psycopg.Error, and what `read_source` does.
    """
    known = read_members(connection)
    audits = [SourceAudit(source, known.get(source.table)) for source in sources]
    with hold_instant(connection):
        since = begin_at(connection, find_detached(connection) if seal is None else seal)
        findings = [
            AuditFinding(FindingKind.DIFFERS, "centre", text)
            for text in find_book_differences(connection, since)
        ]
        findings += [
            AuditFinding(
                FindingKind.UNDELIVERED,
                "centre",
                f"{one.table} waits: {describe_awaited(one.awaits, currency)}",
            )
            for one in read_waiting(connection)
            for currency in (read_currency(connection, one.jackpot),)
        ]
        for one in audits:
            findings += one.compare(connection, since)
    right = all(one.kind is not FindingKind.DIFFERS for one in findings)
    calls = sum(one.calls for one in audits)
    return AuditReport(right, tuple(findings), tuple(sources), calls, since.seal)


class SourceAudit:
    """One ledger or export, read before the centre is. `member`: the table, as it was before that.

    So the ledger has all calls up to `member`, and the centre all that the ledger holds as
    answered. The table may have gone on since the ledger was opened: what counts is what was read.
    """

    def __init__(self, source: AuditSource, member: MemberAtCentre | None) -> None:
        """Read it. Raises what `read_source` does."""
        self._source = source
        self._member = member
        self._books = TableBooks()
        self._known_record = ""
        self._last = source.head.seq
        self.calls = 0
        if not source.problems:
            self._read()

    def compare(self, connection: DatabaseConnection, since: AuditBase) -> list[AuditFinding]:
        """What is to be said of it. Raises psycopg.Error."""
        if self._source.problems:
            return [self._differs(problem) for problem in self._source.problems[:MOST_NAMED]]
        if self._member is None:
            return [self._differs(f"the centre has no table {self._source.table!r}")]
        findings = [
            *self._compare_record(self._member),
            *self._compare_calls(
                self._member,
                read_calls(connection, self._member.name, since),
                since.heads.get(self._member.name, (0, 0)),
            ),
            *self._compare_awards(read_award_movements(connection, self._member.name)),
            *(
                self._differs(f"record {seq}: {identity} is in no call to the centre")
                for identity, seq in self._books.untold.items()
            ),
            *(
                self._differs(f"record {seq}: {identity} is not what the house gave for it")
                for identity, seq in self._books.wrongly_ended.items()
                if self._source.whole
            ),
        ]
        return findings[:MOST_NAMED]

    def _read(self) -> None:
        for record in read_source(self._source):
            self._books.take(record)
            self._last = record.seq
            if self._member is not None and record.seq == self._member.record_seq:
                self._known_record = record.hash

    def _compare_record(self, member: MemberAtCentre) -> Iterator[AuditFinding]:
        seq, last = member.record_seq, self._last
        if seq is None or seq < self._source.first:
            return
        if seq > last:
            yield self._is_missing(f"the centre knows record {seq}; the last here is {last}")
        elif self._known_record != member.record_hash:
            yield self._differs(f"record {seq} is not the one that the centre knows")

    def _compare_calls(
        self, member: MemberAtCentre, calls: Iterator[CallAtCentre], after: CallNumber
    ) -> Iterator[AuditFinding]:
        books = self._books
        seen: set[CallNumber] = set()
        missing: list[CallNumber] = []
        for stored in calls:
            number = (stored.epoch, stored.n)
            if books.before is not None and number <= books.before:
                continue
            if stored.call["call"] == "rejoin":  # made of a ledger, not by the table
                continue
            self.calls += 1
            seen.add(number)
            text = self._compare_call(number, stored)
            if text and stored.epoch < member.epoch:
                yield self._is_elsewhere(f"{text}; two operators let the table rejoin since")
            elif text:
                yield self._differs(text)
            elif not books.has(number) and number <= (member.epoch, member.n):
                missing.append(number)
        yield from self._name_missing([one for one in missing if one[0] == member.epoch])
        for number in missing:
            if number[0] < member.epoch:
                yield self._is_elsewhere(
                    f"call {_name(number)} is at the centre alone; the table has rejoined since"
                )
        for number, answered in books.answered.items():
            if number not in seen and number > after:
                yield self._differs(
                    f"record {answered.seq}: call {_name(number)} is answered, and the centre does "
                    "not have it"
                )
        for number, waiting in books.waiting.items():
            if number not in seen:
                text = f"call {_name(number)} waits for the centre: {waiting.name} {waiting.about}"
                yield AuditFinding(FindingKind.UNDELIVERED, self._source.place, text.strip())

    def _compare_call(self, number: CallNumber, stored: CallAtCentre) -> str:
        """How the call here differs; "" for one that is the same, or not here."""
        answered = self._books.answered.get(number)
        here = answered or self._books.waiting.get(number)
        where = f"record {answered.seq}: " if answered else ""
        if here is None:
            return ""
        if here.digest != digest_json(stored.call):
            return f"{where}call {_name(number)} is another than at the centre"
        if answered is not None and answered.hash != stored.hash:
            return f"{where}the answer to call {_name(number)} has another hash"
        return ""

    def _name_missing(self, missing: list[CallNumber]) -> Iterator[AuditFinding]:
        if missing:
            yield self._is_missing(
                f"{len(missing)} calls are at the centre alone, {_name(missing[0])} to "
                f"{_name(missing[-1])}"
            )

    def _compare_awards(self, movements: Iterator[AwardMovement]) -> Iterator[AuditFinding]:
        books = self._books
        seen: set[str] = set()
        for moved in movements:
            seen.add(moved.identity)
            booked = books.awards.get(moved.identity)
            content = {"reason": moved.reason, "postings": moved.postings}
            if booked is None and moved.act > books.act:
                text = f"{moved.identity}, act {moved.act}, is not booked here yet"
                yield AuditFinding(FindingKind.NOT_HERE, self._source.place, text)
            elif booked is None and moved.act > books.before_act:
                yield self._differs(f"{moved.identity}, act {moved.act}, is at the centre alone")
            elif booked is not None and booked.digest != digest_json(content):
                yield self._differs(f"record {booked.seq}: {moved.identity} differs at the centre")
        for identity, booked in books.awards.items():
            if identity not in seen:
                yield self._name_award(identity, booked.seq)

    def _name_award(self, identity: str, seq: int) -> AuditFinding:
        about = {call.about for call in self._books.waiting.values()}
        if identity.rpartition("/")[0] in about:
            text = f"record {seq}: {identity} waits for the centre"
            return AuditFinding(FindingKind.UNDELIVERED, self._source.place, text)
        return self._differs(f"record {seq}: {identity} is not at the centre")

    def _differs(self, text: str) -> AuditFinding:
        return AuditFinding(FindingKind.DIFFERS, self._source.place, text)

    def _is_missing(self, text: str) -> AuditFinding:
        """A ledger lacks nothing that the centre has; an export ends where it ends."""
        if self._source.whole:
            return self._differs(f"{text}: an older copy, or another table's")
        return self._is_elsewhere(text)

    def _is_elsewhere(self, text: str) -> AuditFinding:
        return AuditFinding(FindingKind.NOT_HERE, self._source.place, text)


def _name(number: CallNumber) -> str:
    return f"{number[0]}/{number[1]}"


WORDS = {
    FindingKind.DIFFERS: "DIFFERS",
    FindingKind.UNDELIVERED: "undelivered",
    FindingKind.NOT_HERE: "not here",
}


def print_audit(
    centre: str,
    ledgers: Sequence[Path],
    exports: Sequence[Path],
    key: Path | None,
    seal: int | None,
    *,
    as_json: bool,
) -> int:
    """Compare the centre's books with ledgers and exports; the exit status.

    `key`: the house's public key, for the exports. `seal`: as in `audit`.

    Raises Refused, Unavailable, LedgerCorrupt, OSError, ValueError.
    """
    with connect_to(centre, ask_password) as connection:
        sources = [*map(open_ledger, ledgers), *_open_exports(exports, key)]
        report = audit(connection, sources, seal)
        tell_audit(connection, right=report.right)
    if as_json:
        print(msgspec.json.encode(report, enc_hook=str).decode())
    else:
        print(*render_report(report), sep="\n")
    return IN_ORDER if report.right else FAILED


def render_report(report: AuditReport) -> list[str]:
    """The report as lines of text."""
    sources = [
        f"{source.place}: table {source.table}, records {source.first} to {source.head.seq}"
        for source in report.sources
    ]
    findings = [f"{WORDS[one.kind]}: {one.place}: {one.text}" for one in report.findings]
    if not report.right:
        return [*sources, *findings]
    since = f" since seal {report.seal}" if report.seal else ""
    what = f"the centre{since}, {len(sources)} ledgers or exports, and {report.calls} calls"
    return [*sources, *findings, f"in order: {what}"]


def _open_exports(exports: Sequence[Path], key_file: Path | None) -> list[AuditSource]:
    if not exports:
        return []
    if key_file is None:
        raise ValueError("--export needs --key FILE, the house's public key")
    from jackpot.failures import KeyUnusable
    from jackpot.trust.signing import load_public  # they need cryptography

    try:
        key = load_public(key_file)
    except KeyUnusable as error:
        raise ValueError(str(error)) from error
    return [open_export(file, key) for file in exports]
